"""The schedules by name: what each needs, and where it was published."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from labs.models.schedules import automatic, bidirectional, dualpipe, flush, interleaved, vmemory, vshape, waves
from labs.models.schedules.actions import Schedule, tokens
from labs.models.schedules.times import UNIT, Times
from labs.refusal import BadValue


class Work(NamedTuple):
    """What a schedule is made for; a placement also looks at the times and at `limit`, sets of activations over p."""

    p: int
    m: int
    v: int = 1
    times: Times = UNIT
    limit: float = 1.0


@dataclass(frozen=True)
class Family:
    """One way to order the work.

    `chunks` is the v it needs (0: any); `source` an id in sources.yml; `torch` its name in PyTorch; `timed` says that
    the order depends on the times; `flush` that all backwards end before the weights change.
    """

    order: Callable[[Work], Schedule]
    source: str
    chunks: int = 1
    torch: str = ""
    timed: bool = False
    flush: bool = True


FAMILIES = {
    "gpipe": Family(lambda w: flush.gpipe(w.p, w.m), "gpipe", torch="GPipe"),
    "1f1b": Family(lambda w: flush.one_f_one_b(w.p, w.m), "megatron-3d", torch="1F1B"),
    "pipedream": Family(lambda w: flush.one_f_one_b(w.p, w.m), "pipedream", flush=False),
    "interleaved": Family(
        lambda w: interleaved.interleaved(w.p, w.m, w.v), "megatron-3d", chunks=0, torch="Interleaved1F1B"
    ),
    "looped-bfs": Family(lambda w: flush.looped_bfs(w.p, w.m, w.v), "", chunks=0, torch="LoopedBFS"),
    "zb-h1": Family(lambda w: interleaved.zb_h1(w.p, w.m), "zero-bubble"),
    "zb-h2": Family(lambda w: interleaved.zb_h2(w.p, w.m), "zero-bubble"),
    "zb-auto": Family(lambda w: automatic.place(w.p, w.m, w.times, w.limit * w.p), "zero-bubble", timed=True),
    "interleaved-zb": Family(
        lambda w: interleaved.interleaved_zero_bubble(w.p, w.m, w.v), "zero-bubble", 0, "InterleavedZeroBubble"
    ),
    "zb-v": Family(lambda w: vshape.zb_v(w.p, w.m), "zero-bubble", chunks=2, torch="ZBVZeroBubble"),
    "v-half": Family(lambda w: vmemory.v_half(w.p, w.m), "zero-bubble", chunks=2),
    "v-min": Family(lambda w: vmemory.v_min(w.p, w.m), "zero-bubble", chunks=2),
    "chimera": Family(lambda w: bidirectional.chimera(w.p, w.m), "chimera"),
    "hanayo": Family(lambda w: waves.hanayo(w.p, w.m, w.v), "", chunks=0),
    "dualpipe": Family(lambda w: dualpipe.dualpipe(w.p, w.m), "deepseek-v3"),
    "dualpipev": Family(lambda w: dualpipe.dualpipe_v(w.p, w.m), "deepseek-v3", chunks=2, torch="DualPipeV"),
}
BY_TORCH_NAME = {family.torch: name for name, family in FAMILIES.items() if family.torch}


def family(name: str) -> Family:
    if name not in FAMILIES:
        raise BadValue("schedule", name, "unknown_schedule", names=tuple(FAMILIES))
    return FAMILIES[name]


def stages_a_rank(name: str, v: int) -> int:
    """The v a family runs with: its own where it has one, otherwise the reader's."""
    return family(name).chunks or v


def order(name: str, p: int, m: int, v: int = 1, times: Times = UNIT, limit: float = 1.0) -> Schedule:
    """The schedule as data. BadValue names the argument that the family cannot take, and the nearest it can.

    >>> order("1f1b", p=2, m=3)[1]
    (1F0, 1B0, 1F1, 1B1, 1F2, 1B2)
    """
    return family(name).order(Work(p, m, stages_a_rank(name, v), times, limit))


def compute_actions(schedule: str, p: int, m: int, v: int = 1) -> dict[int, tuple[str, ...]]:
    """Tokens by rank, under our name or PyTorch's; an idle step is no action and has no token.

    >>> compute_actions("Interleaved1F1B", 2, 2, 2)[1]
    ('1F0', '1F1', '3F0', '3B0', '3F1', '3B1', '1B0', '1B1')
    """
    return tokens(order(BY_TORCH_NAME.get(schedule, schedule), p, m, v))
