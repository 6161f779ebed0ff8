"""Activation memory: what is kept from forward to backward, what is rebuilt, and what lives elsewhere meanwhile.

The claim: a peak is what is stored plus the one layer being recomputed, and never more than keeping everything; so
full ≤ selective ≤ none for every block, and no policy makes bytes vanish without a bill elsewhere.

*Throughout this module:*
    s, b, h   sequence length, micro-batch size, hidden size    count   megatron-sp §4
    L         layers that this rank runs                        count   megatron-sp §4
    t         tensor-parallel ranks                             count   megatron-sp §4.2
    cp        context-parallel ranks: each holds s/cp           count   -
    held      micro-batches in flight at once; from the pipeline model, never guessed here
Sizes are bytes. `block` is a tuple of `blocks.Saved`.
"""

from dataclasses import dataclass
from math import ceil, sqrt

from labs.models.blocks import HALF, Saved
from labs.refusal import BadValue

FP8 = 1 + 4 / 128  # bytes an element: a code, and an FP32 scale for each 1×128 tile (deepseek-v3 §3.3.2)
# Inputs of linear layers, the down-projection's among them, and of SwiGLU (deepseek-v3 §3.3.3). Kimi K2 keeps fewer so:
# only those of the experts' up-projection and of SwiGLU (kimi-k2 §2.4.3).
FP8_KINDS = ("gemm", "act", "product")

# What a policy drops and rebuilds, by kind of tensor. Selective is the paper's: the attention core (megatron-sp §5).
POLICIES: dict[str, tuple[str, ...]] = {
    "none": (),
    "selective": ("core",),
    "norm": ("core", "norm"),
    "norm-act": ("core", "norm", "product"),
    "deepseek-v3": ("core", "norm", "product", "up"),
}
WHOLE = ("full", "sqrt")  # a checkpoint a layer; a checkpoint every √L layers (sublinear-memory §4.1)
RECOMPUTE = (*POLICIES, *WHOLE)
KINDS = ("norm", "gemm", "act", "product", "attention", "core", "mask", "up", "expert")  # see blocks.Saved


def dropped(recompute: str) -> tuple[str, ...]:
    """The kinds of tensor that a policy drops, or those of a list of one's own: `norm+up`. BadValue: neither.

    >>> dropped("norm-act"), dropped("norm+up")
    (('core', 'norm', 'product'), ('norm', 'up'))
    """
    if recompute in POLICIES:
        return POLICIES[recompute]
    kinds = tuple(dict.fromkeys(kind.strip() for kind in recompute.split("+")))
    if not set(kinds) <= set(KINDS):
        raise BadValue("recompute", recompute, "recompute_kinds", None, options=RECOMPUTE, kinds=KINDS)
    return kinds


@dataclass(frozen=True)
class Kept:
    """The bill of one rank. `stored` is in HBM, `offloaded` elsewhere until backward; `working` is the layer rebuilt.

    `layer` is what one layer stores; `rebuilt` the bytes of one micro-batch's forward that run a second time.
    """

    stored: float
    working: float
    offloaded: float
    layer: float
    rebuilt: float

    @property
    def total(self) -> float:
        """The peak in HBM."""
        return self.stored + self.working

    @property
    def moved(self) -> float:
        """Bytes that cross the host link for the micro-batches in flight: out, and back before backward."""
        return 2 * self.offloaded


def width(tensor: Saved, fp8: bool) -> float:
    """Bytes per s·b·h as stored."""
    return tensor.size * FP8 / HALF if fp8 and tensor.kind in FP8_KINDS else tensor.size


def share(tensor: Saved, t: int, sp: bool) -> float:
    """The part of a tensor that one tensor-parallel rank holds. Experts' tokens are spread by EP, not by TP."""
    return 1 / t if tensor.cut == "tp" or (sp and tensor.cut in ("sp", "ep")) else 1.0


def layer_bytes(
    block: tuple[Saved, ...], sbh: float, t: int = 1, sp: bool = False, drop: tuple[str, ...] = (), fp8: bool = False
) -> float:
    """What one layer of one micro-batch keeps, without the kinds in `drop`."""
    return sbh * sum(width(one, fp8) * share(one, t, sp) for one in block if one.kind not in drop)


def full_layer(sbh: float, t: int = 1, sp: bool = False) -> float:
    """Full recomputation keeps a layer's input, 2sbh (megatron-sp Table 2); sequence parallelism cuts that too."""
    return HALF * sbh / (t if sp else 1)


def kept(
    block: tuple[Saved, ...], s: int, b: int, h: int, L: float, t: int = 1, sp: bool = False, cp: int = 1,
    recompute: str = "none", held: float = 1, fp8: bool = False, offload: float = 0,
) -> Kept:  # fmt: skip
    """The activations of L equal layers, `held` micro-batches deep. `offload` is the share of stored bytes sent away.

    >>> from labs.models.blocks import gpt
    >>> round(kept(gpt(4096, 32, 32768, flash=True), 32768, 1, 4096, 32, recompute="full").total / 1e9, 2)
    13.15
    """
    drop = () if recompute in WHOLE else dropped(recompute)
    if not 0 <= offload <= 1:
        raise BadValue("offload", offload, "between", min(1, max(0, offload)), low=0, high=1)
    sbh = s * b * h / cp
    cut = sqrt_segments(ceil(L)) if recompute == "sqrt" else Segments(ceil(L), 1)
    whole = layer_bytes(block, sbh, t, sp, fp8=fp8)
    one, rebuilt = full_layer(sbh, t, sp) * cut.count / ceil(L), layer_bytes(block, sbh, t, sp)
    if recompute not in WHOLE:
        one = layer_bytes(block, sbh, t, sp, drop, fp8)
        rebuilt = layer_bytes(tuple(x for x in block if x.kind in drop), sbh, t, sp)
    stored = one * L * held
    away, missing = stored * offload, max(0.0, (whole - one) * L * held)
    # Rebuilt segment by segment, and never more than is missing in all: a single layer rebuilds nothing.
    return Kept(stored - away, min(rebuilt * cut.live, missing), away, one, rebuilt * L)


@dataclass(frozen=True)
class Segments:
    """n equal layers in `count` segments: a checkpoint each, and one segment of `live` layers rebuilt at a time."""

    count: int
    live: int

    @property
    def units(self) -> int:
        """Layers' worth held at the peak, where a checkpoint costs as much as a layer (sublinear-memory §4.1)."""
        return self.count + self.live


def sqrt_segments(n: int) -> Segments:
    """The cut that makes checkpoints and live layers equal: about 2√n instead of n.

    >>> sqrt_segments(64).units
    16
    """
    count = max(1, round(sqrt(n)))
    return Segments(count, ceil(n / count))


def interleaving(p: int, v: int) -> float:
    """How much more the first rank keeps when its layers come in v chunks: 1 + (p-1)/(pv) (megatron-sp §4.2.3)."""
    return 1 + (p - 1) / (p * v)
