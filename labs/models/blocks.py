"""The tensors that one transformer layer keeps for its backward pass, block by block.

The claim: "34sbh" belongs to one block (GPT, GELU, dropout) and no other; what a layer keeps is a list of tensors, and
every recipe for saving memory (tensor parallelism, recomputation, FP8, offload) is a choice made tensor by tensor.

*Throughout this module:* sizes are bytes per s·b·h (a 16-bit tensor the size of the residual stream is 2)
    s, b, h   sequence length, micro-batch, hidden size              megatron-sp §4
    a         attention heads                                        megatron-sp §4
    g         key-value heads / heads                                -
    f         inner width of the MLP / h                             -
    k         experts that one token visits                          -
"""

from collections.abc import Callable
from dataclasses import dataclass

HALF, FULL, MASK = 2.0, 4.0, 1.0  # bytes of a 16-bit, a 32-bit and a dropout-mask element


@dataclass(frozen=True)
class Saved:
    """One tensor kept from forward to backward.

    `cut`: "tp" where tensor parallelism divides it anyway; "sp" where only sequence parallelism does.
    `kind` says what may be done with it: norm, gemm (input of a matrix product), act (input of an activation
    function), product (its output), attention, core (S×S), mask, up (rebuilt from a latent), expert.
    """

    name: str
    size: float
    cut: str
    kind: str


def gpt(h: int, a: int, s: int, dropout: bool = True, flash: bool = False, f: float = 4.0) -> tuple[Saved, ...]:
    """megatron-sp §4.1, eq. 1: attention 11 + 5as/h, MLP 19, two LayerNorms 4; 34 in all, 32 without dropout."""
    attention = (
        Saved("norm 1 input", HALF, "sp", "norm"),
        Saved("qkv input", HALF, "sp", "gemm"),
        Saved("q", HALF, "tp", "attention"),
        Saved("k", HALF, "tp", "attention"),
        Saved("v", HALF, "tp", "attention"),
        Saved("attention out", HALF, "tp", "attention"),
    )
    mlp = (
        Saved("norm 2 input", HALF, "sp", "norm"),
        Saved("mlp input", HALF, "sp", "gemm"),
        Saved("gelu input", f * HALF, "tp", "act"),
        Saved("mlp product", f * HALF, "tp", "product"),
    )
    masks = (Saved("attention mask", MASK, "sp", "mask"), Saved("mlp mask", MASK, "sp", "mask"))
    return attention + mlp + (masks if dropout else ()) + (() if flash else core(h, a, s, dropout))


def core(h: int, a: int, s: int, dropout: bool) -> tuple[Saved, ...]:
    """The quadratic part, 5as/h: softmax 2, its dropout mask 1, the dropped-out softmax 2 (megatron-sp §4.1)."""
    ratio = a * s / h
    softmax = Saved("softmax", HALF * ratio, "tp", "core")
    masks = (
        Saved("softmax mask", MASK * ratio, "tp", "core"),
        Saved("softmax after dropout", HALF * ratio, "tp", "core"),
    )
    return (softmax, *(masks if dropout else ()))


def residual(fp32_norm: bool) -> tuple[Saved, ...]:
    """What every pre-norm block keeps of the residual stream: both norms' inputs and both outputs.

    `fp32_norm`: an RMSNorm composed of single operations keeps its input and its normalised value in FP32, and 4 bytes
    more for each product; measured as 12 for the two norms.
    """
    kept = (
        Saved("norm 1 input", HALF, "sp", "norm"),
        Saved("qkv input", HALF, "sp", "gemm"),
        Saved("norm 2 input", HALF, "sp", "norm"),
        Saved("mlp input", HALF, "sp", "gemm"),
    )
    copies = (Saved("norm 1 FP32", 6.0, "sp", "norm"), Saved("norm 2 FP32", 6.0, "sp", "norm"))
    return kept + (copies if fp32_norm else ())


def grouped(g: float, width: float = 1.0) -> tuple[Saved, ...]:
    """Flash attention keeps Q, K, V and its output; `width` = heads × head size / h."""
    return (
        Saved("q", HALF * width, "tp", "attention"),
        Saved("k", HALF * width * g, "tp", "attention"),
        Saved("v", HALF * width * g, "tp", "attention"),
        Saved("attention out", HALF * width, "tp", "attention"),
    )


def latent(h: int, a: int, q_rank: int, kv_rank: int, nope: int, rope: int, value: int) -> tuple[Saved, ...]:
    """Multi-head latent attention with flash (deepseek-v2 §2.1): both latents before and after their norms, then the
    heads rebuilt from them, which deepseek-v3 §3.2.3 recomputes. TP does not cut a latent: all heads read it.
    """
    key, heads = nope + rope, HALF * a / h
    return (
        Saved("q latent", HALF * q_rank / h, "sp", "norm"),
        Saved("kv latent", HALF * (kv_rank + rope) / h, "sp", "norm"),
        Saved("q latent normed", HALF * q_rank / h, "sp", "gemm"),
        Saved("kv latent normed", HALF * kv_rank / h, "sp", "gemm"),
        Saved("q", heads * key, "tp", "up"),
        Saved("k", heads * key, "tp", "up"),
        Saved("v", heads * value, "tp", "up"),
        Saved("attention out", heads * value, "tp", "attention"),
    )


def swiglu(f: float, fused: bool = True, prefix: str = "") -> tuple[Saved, ...]:
    """Gate, up and their product; an unfused one keeps silu(gate) as well: 6f or 8f."""
    parts = (
        Saved(prefix + "gate", HALF * f, "tp", "act"),
        Saved(prefix + "up", HALF * f, "tp", "act"),
        Saved(prefix + "product", HALF * f, "tp", "product"),
    )
    return parts if fused else (*parts, Saved(prefix + "silu", HALF * f, "tp", "act"))


def mixture(
    h: int, f: float, k: int, experts: int, shared: float = 0, fused: bool = True, width: float = 1.0
) -> tuple[Saved, ...]:
    """The f-term times k: every token is copied to k experts. `f` is one expert's width, `shared` all shared ones'.

    Routing weights are applied to the k expert outputs, which therefore stay; the router works in FP32. `width`: of the
    tokens as experts see them, over h; below 1 where they are projected down first (kimi-k3).
    """
    routed = tuple(Saved(one.name, one.size * k, "ep", one.kind) for one in swiglu(f, fused, "expert "))
    return (
        Saved("router", FULL * experts / h, "sp", "expert"),
        Saved("dispatched tokens", HALF * k * width, "ep", "gemm"),
        *routed,
        Saved("expert out", HALF * k * width, "ep", "expert"),
        *(swiglu(shared, fused, "shared ") if shared else ()),
    )


def llama(g: float, f: float, fused: bool = True, fp32_norm: bool = False) -> tuple[Saved, ...]:
    """RMSNorm, flash attention with grouped heads, SwiGLU, no dropout: 12 + 4g + 6f, measured tensor by tensor."""
    return residual(fp32_norm) + grouped(g) + swiglu(f, fused)


def widened(block: tuple[Saved, ...], change: Callable[[Saved], float]) -> tuple[Saved, ...]:
    """The same tensors with other sizes."""
    return tuple(Saved(one.name, change(one), one.cut, one.kind) for one in block)


def every_second_product(a: int, h: int, g: float, f: float) -> tuple[Saved, ...]:
    """What torchtitan's selective checkpointing by operator keeps of a Llama block: its input, the flash output with
    its row sums, and the outputs of every other matrix product, Q, V, gate and down of Q, K, V, O, gate, up, down.
    """
    return (
        Saved("norm 1 input", HALF, "sp", "norm"),
        Saved("q", HALF, "tp", "attention"),
        Saved("v", HALF * g, "tp", "attention"),
        Saved("attention out", HALF, "tp", "attention"),
        Saved("row sums", FULL * a / h, "tp", "attention"),
        Saved("gate", HALF * f, "tp", "act"),
        Saved("down", HALF, "sp", "gemm"),
    )


def gradients_of(f: float) -> tuple[Saved, ...]:
    """Gradients alive beside a SwiGLU layer that is being differentiated: of its output, product, gate and up."""
    parts = tuple(Saved("d " + one.name, one.size, one.cut, one.kind) for one in swiglu(f))
    return (Saved("d out", HALF, "sp", "gemm"), *parts)
