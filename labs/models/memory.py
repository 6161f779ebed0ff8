"""Model-state memory: what training keeps for every parameter, and what each ZeRO stage divides among N ranks.

The claim: a state is alive on a rank either whole or as one N-th, and one function cuts them all; so a stage is
nothing but the list of states it cuts (zero §5, Figure 1).

*Throughout this module:*
    P       parameters that one data-parallel replica holds of a model    count    zero §3.1 (there Ψ)
    dp      ranks among which states may be cut, N                        count    zero §5 (there N_d)
    zero    0 nothing cut, 1 optimizer, 2 gradients too, 3 weights too    -        zero §5.1-5.3
    shard   ways in which tensor and pipeline parallelism split the model count    zero §1
Sizes are bytes.
"""

from dataclasses import dataclass, fields

from labs.models.recipes import RECIPES, Recipe
from labs.refusal import BadValue

CUT_FROM = {"weights": 3, "gradients": 2, "accumulation": 2, "master": 1, "momentum": 1, "variance": 1}
STAGES = (0, 1, 2, 3)


def cut(size: float, ranks: float) -> float:
    """The share of one of `ranks` in a quantity divided evenly among them: the only division of a state anywhere.

    Real flat buffers pad to a multiple of the ranks; that is at most `ranks` elements and is not counted.
    """
    return size / ranks


@dataclass(frozen=True)
class States:
    """Bytes that one rank keeps for the whole step, by state."""

    weights: float
    gradients: float
    accumulation: float
    master: float
    momentum: float
    variance: float

    @property
    def optimizer(self) -> float:
        return self.master + self.momentum + self.variance

    @property
    def total(self) -> float:
        return self.weights + self.gradients + self.accumulation + self.optimizer

    def rows(self) -> tuple[tuple[str, float], ...]:
        """(state, bytes), without the states that this recipe does not have."""
        return tuple((f.name, getattr(self, f.name)) for f in fields(self) if getattr(self, f.name))

    def __add__(self, other: "States") -> "States":
        return States(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))


Named = Recipe | str


def states(
    P: float, dp: int = 1, zero: int = 0, recipe: Named = "fp16-adam", shard: float = 1, whole_gradients: bool = False
) -> States:
    """What one rank holds of P parameters. `whole_gradients`: they stay whole until the last micro-batch is done.

    >>> states(7e9, dp=8, zero=1).total / 1e9
    38.5
    """
    if zero not in STAGES:
        raise BadValue("zero", zero, "one_of", None, options=STAGES)
    return held(cut(P, shard), dp, zero, named(recipe), whole_gradients)


def held(params: float, dp: int, zero: int, recipe: Recipe, whole_gradients: bool = False) -> States:
    def kept(state: str) -> float:
        whole = params * getattr(recipe, state)
        late = whole_gradients and state in ("gradients", "accumulation")
        return cut(whole, dp) if zero >= CUT_FROM[state] and not late else whole

    return States(*(kept(f.name) for f in fields(States)))


def named(recipe: Named) -> Recipe:
    """The recipe of this name, or the recipe itself. BadValue: no such name."""
    if isinstance(recipe, Recipe):
        return recipe
    if recipe not in RECIPES:
        raise BadValue("recipe", recipe, "one_of", None, options=tuple(RECIPES))
    return RECIPES[recipe]


def largest(capacity: float, dp: int, zero: int, recipe: Named = "fp16-adam") -> float:
    """The most parameters whose states alone fit into `capacity` bytes (zero §5.4).

    >>> round(largest(32e9, dp=64, zero=3) / 1e9)
    128
    """
    return capacity / states(1, dp, zero, recipe).total


def fewest(P: float, capacity: float, zero: int, recipe: Named = "fp16-adam", shard: float = 1) -> int | None:
    """The smallest N whose states fit into `capacity`; None where what the stage leaves whole is too large already.

    >>> fewest(70e9, 80e9, zero=3)
    14
    """
    one = states(P, 1, zero, recipe, shard).total
    floor = one - sum(size for name, size in states(P, 1, 0, recipe, shard).rows() if zero >= CUT_FROM[name])
    if one <= capacity:
        return 1
    if floor >= capacity:
        return None
    ranks = max(1, int((one - floor) / (capacity - floor)) - 1)
    while states(P, ranks, zero, recipe, shard).total > capacity:
        ranks += 1
    return ranks


def uneven(
    routed: float, split: int, rest: float, rest_split: int, dp: int = 1, zero: int = 0, recipe: Named = "fp16-adam"
) -> States:
    """A mixture of experts: `routed` parameters cut `split` ways, the `rest` (attention, shared, tables) fewer.

    Kimi K2 on 256 GPUs (kimi-k2 §2.4.2):

    >>> round(uneven(1014.7e9, 256, 11.7e9, 16, recipe="weights-gradients").total / 1e9, 1)
    28.2
    """
    return states(routed, dp, zero, recipe, split) + states(rest, dp, zero, recipe, rest_split)
