"""One long sequence over several ranks: what each layout moves, and when a ring hides its transfers.

*Throughout this module:*

    S      tokens of the whole sequence                           count
    P      ranks that share it (context-parallel degree)          count
    h      hidden width (heads × head width)                      elements
    g      key/value heads over query heads: 1 MHA, 1/4 GQA       ratio
    c      tokens of one rank, S/P                                count
    β      bandwidth of one rank, per direction                   bytes/s
    F      sustained arithmetic of one rank                       flop/s

Bytes are sent per rank, one layer, forward pass, unless `elements` says otherwise. Sources: ulysses, ring-attention,
usp, kimi-k3 §5.1.2.
"""

from dataclasses import dataclass


def all_to_all_bytes(S: float, P: int, h: float, g: float = 1.0, element: float = 2) -> float:
    """Ulysses: Q and O whole, K and V by their share g, each (P−1)/P of a rank's part."""
    return (2 + 2 * g) * S / P * h * element * (P - 1) / P


def ulysses_elements(S: float, P: int, h: float, calls: int = 4) -> float:
    """The paper's count without (P−1)/P: `calls` all-to-alls (4 forward, 8 with the backward) of S·h/P elements."""
    return calls * S * h / P


def megatron_sp_elements(S: float, h: float, calls: int = 4) -> float:
    """The same layer under Megatron sequence parallelism: AllGather and ReduceScatter of whole S·h, whatever P."""
    return calls * S * h


def ring_elements(S: float, h: float, tensors: int = 4) -> float:
    """Ring attention with its backward in the USP paper's count: K, V and their gradients pass every rank once."""
    return tensors * S * h


@dataclass(frozen=True)
class RingSteps:
    """A ring of P ranks: each step computes one block while the next K/V block travels."""

    block: float
    transfer: float
    compute: float
    steps: int

    @property
    def sent(self) -> float:
        return self.block * self.steps

    @property
    def exposed(self) -> float:
        """Seconds of transfer that computing does not hide, all steps together."""
        return self.steps * max(0.0, self.transfer - self.compute)

    @property
    def hidden(self) -> bool:
        return self.transfer <= self.compute


def ring(S: float, P: int, h: float, β: float, F: float, g: float = 1.0, causal: bool = False,
         element: float = 2) -> RingSteps:  # fmt: skip
    """P − 1 steps of one K and V block; a block costs 4·c²·h flop, half of it with a balanced causal mask."""
    c = S / P
    block = 2 * c * h * g * element
    return RingSteps(block, block / β, (2 if causal else 4) * c * c * h / F, P - 1)


def least_block(β: float, F: float, g: float = 1.0, causal: bool = False, element: float = 2) -> float:
    """The smallest c at which a ring step hides its transfer: c ≥ F/β for MHA in two bytes, twice that if causal."""
    return 2 * g * element * F / ((2 if causal else 4) * β)


def usp_bytes(
    S: float, P_ulysses: int, P_ring: int, h: float, g: float = 1.0, element: float = 2
) -> tuple[float, float]:
    """(all-to-all bytes, ring bytes) of a P_ulysses × P_ring grid: heads inside, blocks around. MHA or GQA."""
    P = P_ulysses * P_ring
    inside = (2 + 2 * g) * S / P * h * element * (P_ulysses - 1) / P_ulysses
    return inside, (P_ring - 1) * 2 * g * S / P * h * element


def state_bytes(heads: int, d_k: int, d_v: int, element: float = 4) -> float:
    """The fragment one rank of a KDA layer contributes: a d_k×d_k transition and a d_k×d_v state a head."""
    return heads * (d_k * d_k + d_k * d_v) * element


def state_gathered(heads: int, d_k: int, d_v: int, P: int, element: float = 4) -> float:
    """What the one AllGather of those fragments sends per rank: flat in S, growing with P."""
    return (P - 1) * state_bytes(heads, d_k, d_v, element)


def kv_bytes(kv_heads: int, head: int, layers: int = 1, element: float = 2) -> float:
    """Cached key and value bytes a token."""
    return 2 * kv_heads * head * layers * element


def latent_kv_bytes(latent: int, rope: int, layers: int = 1, element: float = 2) -> float:
    """Cached bytes a token with multi-head latent attention: one latent and one rotary key for all heads."""
    return (latent + rope) * layers * element
