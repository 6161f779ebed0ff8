"""What the memory lab's form says of a real run: its model, its degrees, its step and its recipe."""

from dataclasses import dataclass, replace
from itertools import groupby
from math import gcd

from labs.controls import Values
from labs.models.mesh_layers import split
from labs.models.rank_lines import Memory, Step, stage_memory
from labs.models.rank_memory import Degrees
from labs.models.recipes import RECIPES, Recipe, graded
from labs.models.schedules import stages_a_rank
from labs.refusal import BadValue, divisors
from labs.workloads import WORKLOADS, Shape, from_json


@dataclass(frozen=True)
class Run:
    """What the form describes."""

    shape: Shape
    degrees: Degrees
    step: Step
    recipe: Recipe

    def memory(self, stage: int) -> Memory:
        return stage_memory(self.shape, self.degrees, self.step, stage, self.recipe)

    def stages(self) -> tuple[Memory, ...]:
        """BadValue: micro-batches that the schedule cannot take, by this lab's name for them."""
        try:
            return tuple(self.memory(stage) for stage in range(self.degrees.pp))
        except BadValue as refused:
            refused.field = "micro" if refused.field == "m" else refused.field
            raise

    def baseline(self) -> "Run":
        """The same run with nothing saved: no ZeRO, no recomputation, no FP8 storage, no offload."""
        step = replace(self.step, recompute="none", fp8=False, offload=0)
        return replace(self, degrees=replace(self.degrees, zero=0), step=step)


def asked(values: Values) -> bool:
    """Whether the form names a model or brings its configuration."""
    return values.model != "none" or bool(values.config)


def run(values: Values) -> Run:
    """BadValue: whatever the configuration, the degrees or the schedule refuse."""
    shape = from_json(values.config) if values.config else WORKLOADS[values.model]
    chunks = stages_a_rank(values.schedule, values.chunks)
    degrees = _degrees(values, shape, chunks)
    step = Step(values.seq, values.batch, values.micro, values.chunks, values.schedule, values.sp, values.recompute,
                values.flash, values.fused, values.fp8, values.offload, values.bucket)  # fmt: skip
    return Run(shape, degrees, step, graded(RECIPES[values.recipe], values.gradients))


def _degrees(values: Values, shape: Shape, chunks: int) -> Degrees:
    """BadValue: a TP that does not divide the heads; an EP, with one that the experts could be spread over as well."""
    if shape.heads % values.tp:
        raise BadValue("tp", values.tp, "tp_heads", divisors(shape.heads, values.tp), a=shape.heads)
    placed = layout(values.stages, values.pp * chunks, shape.layers)
    try:
        return Degrees(values.tp, values.pp, values.dp, values.cp, values.ep, values.etp, values.replicas,
                       int(values.zero), placed, chunks)  # fmt: skip
    except BadValue as refused:
        if refused.field == "ep":
            ranks = values.dp * values.cp * values.tp // values.etp
            refused.nearest = divisors(gcd(ranks, shape.experts), values.ep)
        raise


def layout(text: str, pp: int, layers: int) -> tuple[int, ...]:
    """`15×4+1` or `4,4,3,3` → layers per stage; empty: as even as they go. BadValue: not that, or not these layers."""
    if not text:
        return ()
    counts: list[int] = []
    for part in text.replace("，", ",").replace(",", "+").replace("x", "×").replace("*", "×").split("+"):
        times, cross, each = part.strip().rpartition("×")
        if not each.strip().isdecimal() or (cross and not times.strip().isdecimal()):
            raise BadValue("stages", text, "stages_text", even(layers, pp))
        counts += [int(each)] * min(int(times or 1), 4096)
    if len(counts) != pp or sum(counts) != layers:
        facts = {"count": len(counts), "sum": sum(counts), "pp": pp, "layers": layers}
        raise BadValue("stages", text, "stages_fit", even(layers, pp), **facts)
    return tuple(counts)


def even(layers: int, pp: int) -> str:
    """As even as they go, as it is written: `15×4+1`. BadValue: more stages than layers."""
    runs = [(len(list(run)), each) for each, run in groupby(split(layers, pp).counts)]
    return "+".join(f"{times}×{each}" if times > 1 else str(each) for times, each in runs)
