"""One GPU's memory: model states, activations, logits; and the traffic and FLOPs that pay for what was saved.

The claim: capacity is one sum, and whatever a choice takes out of it appears in another column. `baseline` is the same
training with nothing saved: no ZeRO, no recomputation, no FP8 storage, nothing offloaded.

*Throughout this module:* bytes, unless a name says otherwise; `Choices` are the reader's, with the letters of
`memory`, `zero_traffic` and `activations`.
"""

from dataclasses import dataclass, replace

from labs.models.activations import Kept, kept
from labs.models.blocks import Saved, gpt, llama
from labs.models.gpt_totals import selective_flops
from labs.models.memory import States, states, uneven
from labs.models.recipes import RECIPES, Recipe, graded
from labs.models.zero_traffic import Traffic, traffic
from labs.refusal import BadValue, divisors

BLOCKS = ("off", "gpt", "gpt-no-dropout", "llama")


@dataclass(frozen=True)
class Choices:
    """Everything the figure depends on. `routed` 0: P is cut evenly; else routed experts by `shard`, `rest` by less."""

    params: float = 7e9
    shard: int = 1
    dp: int = 8
    zero: int = 1
    recipe: str = "fp16-adam"
    gradients: str = "recipe"
    micro: int = 1
    whole_gradients: bool = False
    routed: float = 0
    rest: float = 0
    rest_shard: int = 1
    block: str = "off"
    seq: int = 4096
    batch: int = 1
    hidden: int = 4096
    layers: int = 32
    heads: int = 32
    kv_heads: int = 32
    ffn: int = 11008
    vocab: int = 0
    tp: int = 1
    sp: bool = False
    flash: bool = True
    fused: bool = True
    held: float = 1
    recompute: str = "none"
    fp8: bool = False
    offload: float = 0

    @property
    def bytes_each(self) -> Recipe:
        return graded(RECIPES[self.recipe], self.gradients)

    @property
    def replica(self) -> float:
        """Parameters that one data-parallel replica keeps on one GPU before ZeRO."""
        return self.routed / self.shard + self.rest / self.rest_shard if self.routed else self.params / self.shard


@dataclass(frozen=True)
class Bill:
    states: States
    kept: Kept
    logits: float
    traffic: Traffic
    extra_flops: float

    @property
    def total(self) -> float:
        """The peak in HBM of what is modelled; gather buffers, workspace and the allocator's slack are not."""
        return self.states.total + self.kept.total + self.logits


NOTHING = Kept(0, 0, 0, 0, 0)


def bill(c: Choices) -> Bill:
    """BadValue: kv_heads does not divide heads, or tp does not divide heads."""
    recipe = c.bytes_each
    block = tensors(c)
    activations = kept(
        block, c.seq, c.batch, c.hidden, c.layers, c.tp, c.sp, recompute=c.recompute, held=c.held, fp8=c.fp8,
        offload=c.offload,
    ) if block else NOTHING  # fmt: skip
    return Bill(
        state_bytes(c),
        activations,
        logits(c) if block else 0,
        traffic(c.replica, c.dp, c.zero, recipe, c.micro, c.whole_gradients),
        extra_flops(c) if block else 0,
    )


def state_bytes(c: Choices) -> States:
    recipe = c.bytes_each
    if c.routed:
        return uneven(c.routed, c.shard, c.rest, c.rest_shard, c.dp, c.zero, recipe)
    return states(c.params, c.dp, c.zero, recipe, c.shard, c.whole_gradients)


def tensors(c: Choices) -> tuple[Saved, ...]:
    """The chosen block's list of saved tensors; none when only states are asked for."""
    if c.block == "off":
        return ()
    if c.heads % c.tp:
        raise BadValue("tp", c.tp, "tp_heads", divisors(c.heads, c.tp), a=c.heads)
    if c.block == "llama":
        if c.heads % c.kv_heads:
            raise BadValue("kv_heads", c.kv_heads, "kv_heads_divide", divisors(c.heads, c.kv_heads), a=c.heads)
        return llama(c.kv_heads / c.heads, c.ffn / c.hidden, c.fused)
    return gpt(c.hidden, c.heads, c.seq, c.block == "gpt", c.flash)


def logits(c: Choices) -> float:
    """What stands after the last layer: norm input, head input and FP32 logits, 4sbh/t · (1 + V/h) (megatron-sp §4.3).

    Counted for one micro-batch, and not at all where `vocab` is 0.
    """
    return 4 * c.seq * c.batch * (c.hidden + c.vocab) / c.tp if c.vocab else 0


def extra_flops(c: Choices) -> float:
    """The forward that runs again, as a share of a step's model FLOPs: all of it, or only the attention core.

    Flash attention recomputes its core inside its own backward, with or without a policy; that is not counted.
    """
    if c.recompute in ("full", "sqrt"):
        return 1 / 3
    core = c.recompute == "selective" and c.block != "llama" and not c.flash
    return selective_flops(c.seq, c.hidden) if core else 0.0


def baseline(c: Choices) -> Choices:
    """The same training with nothing saved."""
    return replace(c, zero=0, whole_gradients=False, recompute="none", fp8=False, offload=0)
