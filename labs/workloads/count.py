"""How many parameters a model has: in all, per token, per kind of layer, per pipeline stage.

Totals are sums over `tensors`, never a closed formula, so that a checkpoint's own total is met to the last digit.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from labs.refusal import BadValue
from labs.workloads import tensors
from labs.workloads.shape import Shape
from labs.workloads.tensors import Tensor


def total(group: Iterable[Tensor]) -> int:
    return sum(tensor.total for tensor in group)


@dataclass(frozen=True)
class Parameters:
    """`dense` and `moe` are the sizes of one layer of each kind; `routed` is what one MoE layer's experts hold."""

    embedding: int
    dense: int
    moe: int
    routed: int
    head: int
    mtp: int
    shape: Shape

    @property
    def total(self) -> int:
        """The main model, without the prediction modules that are dropped after training."""
        layers = self.shape.dense_layers * self.dense + self.shape.moe_layers * self.moe
        return self.embedding + layers + self.head

    @property
    def total_with_mtp(self) -> int:
        return self.total + self.mtp

    @property
    def routed_total(self) -> int:
        return self.shape.moe_layers * self.routed

    @property
    def active(self) -> int:
        """Parameters that one token meets, both vocabulary tables counted."""
        idle = self.routed - self.routed * self.shape.top_k // self.shape.experts if self.shape.experts else 0
        return self.total - self.shape.moe_layers * idle

    @property
    def active_head_only(self) -> int:
        """As `active` without the input table, from which a token reads one row: DeepSeek's and Qwen's convention."""
        return self.active - (0 if self.shape.tied else self.embedding)


@cache
def parameters(shape: Shape) -> Parameters:
    """The count of every part.

    >>> from labs.workloads import LLAMA3_8B
    >>> parameters(LLAMA3_8B).total
    8030261248
    """
    moe = tensors.layer(shape, True) if shape.experts else ()
    return Parameters(
        embedding=total(tensors.embedding(shape)),
        dense=total(tensors.layer(shape, False)) if shape.dense_layers else 0,
        moe=total(moe),
        routed=total(tensor for tensor in moe if tensor.cut == "ep"),
        head=total(tensors.head(shape)),
        mtp=shape.mtp * total(tensors.prediction(shape)) if shape.mtp else 0,
        shape=shape,
    )


Held = tuple[tuple[Tensor, int], ...]


def stage_tensors(shape: Shape, stages: tuple[int, ...], stage: int, mtp: bool = True) -> Held:
    """What one pipeline stage holds, as (tensor, how many layers hold it).

    The input table is on the first stage and the head on the last, where they really live. A tied head needs its own
    copy of the table on the last stage when that is not also the first. Prediction modules join the last stage.
    """
    if sum(stages) != shape.layers:
        raise BadValue("stages", "+".join(map(str, stages)), "stages_sum", None, layers=shape.layers, sum=sum(stages))
    first = sum(stages[:stage])
    moe = sum(shape.moe[first : first + stages[stage]])
    held = [(tensor, moe) for tensor in tensors.layer(shape, True)] if moe else []
    dense = stages[stage] - moe
    held += [(tensor, dense) for tensor in tensors.layer(shape, False)] if dense else []
    if stage == 0:
        held += [(tensor, 1) for tensor in tensors.embedding(shape)]
    if stage == len(stages) - 1:
        held += [(tensor, 1) for tensor in tensors.head(shape)]
        held += [(tensor, shape.mtp) for tensor in tensors.prediction(shape)] if mtp and shape.mtp else []
        held += [(tensors.embedding(shape)[0], 1)] if shape.tied and stage else []
    return tuple(held)
