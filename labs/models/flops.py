"""Training FLOPs: 6ND, the exact count, and what share of a device's peak they are.

The claim: 6ND counts the matrix products with parameters and leaves attention out, which is 15 % more for a 7B model
at 4k and dominates at 32k; recomputation adds hardware FLOPs, never model FLOPs.

*Throughout this module:*
    N, D    parameters that a token meets, tokens              count   scaling-law convention 6ND
    s, h    sequence length, hidden size                       count   megatron-sp appendix A
    L, V    layers, vocabulary                                 count   megatron-sp appendix A
    B       sequences in a step                                count   megatron-sp appendix A
A multiply-add is 2 flop; backward is twice forward.
"""

from labs.models import step
from labs.workloads import Shape, parameters


def six_nd(N: float, D: float) -> float:
    """2 forward and 4 backward for each parameter and token.

    >>> f"{six_nd(7e9, 4194304):.3g}"
    '1.76e+17'
    """
    return step.flops(N, D)


def attention(L: int, s: int, width: int, causal: bool = False) -> float:
    """QKᵀ and its product with V, forward and backward, per token; `width` is heads × head size.

    Counted in full by convention (megatron-sp appendix A); `causal` counts the half that is not masked.
    """
    return 12 * L * s * width / (2 if causal else 1)


def per_token(shape: Shape, s: int, causal: bool = False) -> float:
    """Flop of one token's step: six for each parameter in a matrix product, head included, and attention."""
    count = parameters(shape)
    products = count.active - (0 if shape.tied else count.embedding) - shape.positions * shape.hidden
    mla = shape.latent  # whose queries and keys are wider than its values
    width = shape.heads * ((mla.key + mla.value) // 2 if mla else shape.head_dim)
    return 6 * products + attention(shape.layers, s, width, causal)


def gpt_step(B: int, L: int, s: int, h: int, V: int) -> float:
    """A step of a GPT: 72BLsh²(1 + s/6h + V/12hL) (megatron-sp appendix A, megatron-3d eq. 3 without recomputation)."""
    return 72 * B * L * s * h**2 * (1 + s / (6 * h) + V / (12 * h * L))


def mfu(flops: float, seconds: float, gpus: int, peak: float) -> float:
    """Model FLOPs utilisation: needed FLOPs over what the devices could have done in that time."""
    return flops / (seconds * gpus * peak)


def gained(before: float, after: float) -> float:
    """How much faster: 18.13 s → 13.75 s is 0.318 (megatron-sp Table 5)."""
    return before / after - 1


def overhead(with_it: float, without: float) -> float:
    """How much slower than the baseline: 20.9 against 19.6 ms is 0.07 (megatron-sp Table 4)."""
    return with_it / without - 1
