"""All lines of one stage's memory: states, activations in flight, the head's logits, buffers; each with its tag.

*Throughout this module:*
    s, b     sequence length, micro-batch size              count   megatron-sp §4
    m, v     micro-batches of a step, chunks of a rank      count   megatron-3d §2.2
    sbh/cp   elements of the residual stream on one context-parallel rank
exact: counted; formula: a published or measured per-tensor count; estimate: depends on an implementation's choices.
Routed tokens are counted as balanced: skew adds to the experts' part and is the dispatch lab's subject.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from labs.models.activations import Kept, kept
from labs.models.blocks import HALF
from labs.models.layer_blocks import block
from labs.models.rank_memory import Degrees, Held, layer_share, stage_states
from labs.models.recipes import RECIPES, Recipe
from labs.models.schedules import plan
from labs.models.schedules.interleaved import round_size, warmup
from labs.workloads import Shape

LOGITS = 2 + 4  # bytes a logit: as the head writes it, and the FP32 copy of which the loss takes its softmax


@dataclass(frozen=True)
class Step:
    """What one training step does on a stage. `bucket` is in elements: 5e8 by DeepSpeed's default, none in Megatron."""

    s: int
    b: int = 1
    m: int = 1
    v: int = 1
    schedule: str = "1f1b"
    sp: bool = False
    recompute: str = "none"
    flash: bool = True
    fused: bool = True
    fp8: bool = False
    offload: float = 0
    bucket: float = 0


@dataclass(frozen=True)
class Line:
    name: str
    size: float
    tag: str


@dataclass(frozen=True)
class Memory:
    held: Held
    lines: tuple[Line, ...]
    in_flight: float
    offloaded: float

    @property
    def total(self) -> float:
        return sum(line.size for line in self.lines)

    @property
    def states(self) -> float:
        return self.held.states.total

    @property
    def activations(self) -> float:
        """Layers stored and rebuilt, those of prediction modules too; the head's lines are apart."""
        return sum(line.size for line in self.lines if line.name in ("layers", "prediction", "working"))

    def line(self, name: str) -> float:
        return sum(line.size for line in self.lines if line.name == name)


@lru_cache(maxsize=8)  # every stage of a run asks for the same
def in_flight(schedule: str, p: int, m: int, v: int = 1) -> tuple[float, ...]:
    """Micro-batches that each stage holds at its peak, in shares of all its layers.

    1F1B, its kin and GPipe have closed forms, so that a million micro-batches are not laid out one by one; every other
    schedule is asked what its own order holds. BadValue: an m that interleaving cannot take.
    """
    if schedule == "interleaved":
        first = (warmup(stage, p, m, v, round_size(p, m)) for stage in range(p))
        return tuple(min(ahead + 1, m * v) / v for ahead in first)
    if schedule in FIRST:
        return tuple(float(min(FIRST[schedule](p, stage, m), m)) for stage in range(p))
    return plan(schedule, p, m, v).peak


# Forwards of a stage up to and with the one that is followed by its first backward, were there enough micro-batches.
FIRST: dict[str, Callable[[int, int, int], int]] = {
    "gpipe": lambda p, stage, m: m,
    "1f1b": lambda p, stage, m: p - stage,
    "zb-h1": lambda p, stage, m: p - stage,
    "zb-h2": lambda p, stage, m: 2 * (p - stage) - 1,
}


def stage_memory(
    shape: Shape, d: Degrees, step: Step, stage: int, recipe: Recipe | str = "fp32-gradients", mtp: bool = True
) -> Memory:
    """One rank of one stage; `mtp` False leaves its prediction modules out, as a run without them would."""
    own = RECIPES[recipe] if isinstance(recipe, str) else recipe
    states = stage_states(shape, d, stage, own, mtp)
    depth = in_flight(step.schedule, d.pp, step.m, step.v)[stage]
    dense, moe = layers_kept(shape, d, step, stage, depth)
    lines = [Line(name, size, "exact") for name, size in states.states.rows()]
    lines.append(Line("layers", dense.stored + moe.stored, "formula"))
    lines.append(Line("working", max(dense.working, moe.working), "formula"))
    lines += head_lines(shape, d, step, shape.mtp if mtp else 0, depth) if stage == d.pp - 1 else []
    lines += buffer_lines(shape, d, step, stage, own)
    filled = tuple(line for line in lines if line.size)
    return Memory(states, filled, depth, dense.offloaded + moe.offloaded)


def layers_kept(shape: Shape, d: Degrees, step: Step, stage: int, depth: float) -> tuple[Kept, Kept]:
    """The dense and the MoE layers of a stage: their blocks differ, so each kind has its own bill."""
    return kept_of(shape, d, step, stage, depth, False), kept_of(shape, d, step, stage, depth, True)


def kept_of(shape: Shape, d: Degrees, step: Step, stage: int, depth: float, moe: bool) -> Kept:
    count = sum(one is moe for one in d.held_layers(shape, stage))
    return kept_layers(shape, d, step, depth, moe, count) if count else Kept(0, 0, 0, 0, 0)


def kept_layers(shape: Shape, d: Degrees, step: Step, depth: float, moe: bool, count: int) -> Kept:
    saved = block(shape, moe, step.s, step.flash, step.fused)
    return kept(
        saved, step.s, step.b, shape.hidden, count, d.tp, step.sp, d.cp, step.recompute, depth, step.fp8, step.offload
    )


def head_lines(shape: Shape, d: Degrees, step: Step, modules: int = 0, depth: float = 1) -> list[Line]:
    """After the last layer, for one micro-batch: the last norm's input and output, and the logits twice.

    Each prediction module keeps one layer more, and before it both normed streams and what its norms were given; it
    ends in logits of its own, by the same head (deepseek-v3 §2.2), after a norm that the released weights have.
    """
    tokens = step.s * step.b / d.cp
    stream = HALF * tokens * shape.hidden / (d.tp if step.sp else 1)
    ends, logits = 1 + modules, LOGITS * tokens * shape.vocab / d.tp
    found = [Line("head input", 2 * stream * ends, "formula"), Line("logits", logits * ends, "estimate")]
    if modules:
        layers = kept_layers(shape, d, step, depth, bool(shape.experts), modules).stored
        found.append(Line("prediction", layers + 4 * stream * modules * depth, "formula"))
    return found


def buffer_lines(shape: Shape, d: Degrees, step: Step, stage: int, recipe: Recipe) -> list[Line]:
    """ZeRO-3 gathers the layer in use and the one ahead; from ZeRO-2 on one layer's gradients wait whole.

    A ring of context-parallel ranks has two blocks of keys and values: the one at hand and the one that arrives.
    """
    largest = max(layer_share(shape, d, moe) for moe in set(d.held_layers(shape, stage)))
    found = [Line("bucket", step.bucket * recipe.reduced, "estimate")]
    if d.zero == 3 and d.shards > 1:
        found.append(Line("gathered", 2 * largest * recipe.gathered, "estimate"))
    if d.zero >= 2 and d.shards > 1:
        found.append(Line("whole gradients", largest * recipe.reduced, "estimate"))
    if d.cp > 1:
        found.append(Line("ring", 2 * kv_block(shape, d, step), "estimate"))
    return found


def kv_block(shape: Shape, d: Degrees, step: Step) -> float:
    """Keys and values of one rank's tokens in one layer, 16 bits; MLA's are rebuilt for every head first."""
    tokens, mla = step.s * step.b / d.cp, shape.latent
    width = shape.heads * (mla.key + mla.value) if mla else 2 * shape.kv_heads * shape.head_dim
    return HALF * tokens * width / min(d.tp, shape.kv_heads)
