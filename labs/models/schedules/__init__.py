"""Who computes what, in which order: a schedule is data, `{rank: (action, …)}`, and all else is said of that data.

    >>> order("1f1b", p=2, m=3)[1]
    (1F0, 1B0, 1F1, 1B1, 1F2, 1B2)

*Throughout this package:*
    p   ranks                     m   micro-batches of one step
    v   stages a rank holds (virtual chunks); p·v stages in all
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from labs.models.schedules import bidirectional, dualpipe, flush, interleaved, vshape
from labs.models.schedules.actions import Action, Pair, Schedule, read, tokens
from labs.models.schedules.graph import Graph, graph
from labs.models.schedules.rules import BadSchedule, whole_step
from labs.models.schedules.times import Times
from labs.refusal import BadValue

__all__ = ["FAMILIES", "Action", "BadSchedule", "Family", "Graph", "Pair", "Schedule", "Times"]
__all__ += ["compute_actions", "graph", "order", "plan", "read", "tokens", "validate"]


@dataclass(frozen=True)
class Family:
    """One way to order the work; `order` takes (p, m, v).

    `chunks` is the v it needs (0: any); `source` an id in sources.yml; `torch` its name in PyTorch.
    """

    order: Callable[[int, int, int], Schedule]
    source: str
    chunks: int = 1
    torch: str = ""


def _of_p_m(order: Callable[[int, int], Schedule]) -> Callable[[int, int, int], Schedule]:
    return lambda p, m, _v: order(p, m)


FAMILIES = {
    "gpipe": Family(_of_p_m(flush.gpipe), "gpipe", torch="GPipe"),
    "1f1b": Family(_of_p_m(flush.one_f_one_b), "megatron-3d", torch="1F1B"),
    "interleaved": Family(interleaved.interleaved, "megatron-3d", chunks=0, torch="Interleaved1F1B"),
    "looped-bfs": Family(flush.looped_bfs, "megatron-3d", chunks=0, torch="LoopedBFS"),
    "zb-h1": Family(_of_p_m(interleaved.zb_h1), "zero-bubble"),
    "zb-h2": Family(_of_p_m(interleaved.zb_h2), "zero-bubble"),
    "interleaved-zb": Family(
        interleaved.interleaved_zero_bubble, "zero-bubble", chunks=0, torch="InterleavedZeroBubble"
    ),
    "zb-v": Family(_of_p_m(vshape.zb_v), "zero-bubble", chunks=2, torch="ZBVZeroBubble"),
    "chimera": Family(_of_p_m(bidirectional.chimera), "chimera"),
    "dualpipe": Family(_of_p_m(dualpipe.dualpipe), "deepseek-v3"),
    "dualpipev": Family(_of_p_m(dualpipe.dualpipe_v), "deepseek-v3", chunks=2, torch="DualPipeV"),
}
BY_TORCH_NAME = {family.torch: name for name, family in FAMILIES.items() if family.torch}


def family(name: str) -> Family:
    if name not in FAMILIES:
        raise BadValue("schedule", name, "unknown_schedule", names=tuple(FAMILIES))
    return FAMILIES[name]


def stages_a_rank(name: str, v: int) -> int:
    """The v a family runs with: its own where it has one, otherwise the reader's."""
    return family(name).chunks or v


def order(name: str, p: int, m: int, v: int = 1) -> Schedule:
    """The schedule as data. BadValue names the argument that the family cannot take, and the nearest it can."""
    return family(name).order(p, m, stages_a_rank(name, v))


@lru_cache(maxsize=64)
def plan(name: str, p: int, m: int, v: int = 1) -> Graph:
    """The same laid out for simulation; kept, because a reader who moves a time does not change it."""
    return graph(order(name, p, m, v))


def validate(schedule: Schedule) -> Graph:
    """The graph of a schedule that is one whole training step; BadSchedule names the rule and the action otherwise."""
    whole_step(schedule)
    return graph(schedule)


def compute_actions(schedule: str, p: int, m: int, v: int = 1) -> dict[int, tuple[str, ...]]:
    """Tokens by rank, under our name or PyTorch's; an idle step is no action and has no token.

    >>> compute_actions("Interleaved1F1B", 2, 2, 2)[1]
    ('1F0', '1F1', '3F0', '3B0', '3F1', '3B1', '1B0', '1B1')
    """
    return tokens(order(BY_TORCH_NAME.get(schedule, schedule), p, m, v))
