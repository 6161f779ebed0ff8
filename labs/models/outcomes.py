"""One schedule on one piece of work: waiting, activations, copies and messages together, so that schedules compare.

*Throughout this module:*
    idle      of the rank that waits longest, until all are done        [models.pipeline]
    formula   the published idle time, None outside its range           [models.bubbles]
    peak      most sets of activations on any rank; a set is one micro-batch through a rank's whole share
"""

from collections.abc import Iterable
from dataclasses import dataclass

from labs.models import bubbles
from labs.models.pipeline import Slots, run, simulate
from labs.models.schedules import UNIT, Plan, Schedule, Times, plan, stages_a_rank, validate
from labs.refusal import BadValue


@dataclass(frozen=True)
class Outcomes:
    """`v` is the one the schedule ran with."""

    name: str
    v: int
    times: Times
    plan: Plan
    slots: Slots
    formula: float | None

    @property
    def p(self) -> int:
        return self.plan.graph.ranks

    @property
    def m(self) -> int:
        return self.plan.graph.microbatches

    @property
    def makespan(self) -> float:
        return self.slots.makespan

    @property
    def idle(self) -> float:
        return self.slots.bubble

    @property
    def useful(self) -> float:
        """Of the rank that waits longest."""
        return self.slots.busy[self.slots.worst]

    @property
    def span_idle(self) -> float:
        """What the longest stay of one rank exceeds its own work by."""
        spans = self.slots.spans
        longest = max(range(len(spans)), key=spans.__getitem__)
        return spans[longest] - self.slots.busy[longest]

    @property
    def peak(self) -> float:
        return max(self.plan.peak)

    @property
    def messages_a_microbatch(self) -> float:
        """Between two neighbouring ranks, there and back, of one micro-batch: 2 for a plain pipeline."""
        graph = self.plan.graph
        return self.plan.messages / (graph.microbatches * max(1, graph.ranks - 1))


def outcome(name: str, p: int, m: int, v: int = 1, times: Times = UNIT, limit: float = 1.0) -> Outcomes:
    """BadValue: what this schedule cannot take."""
    v = stages_a_rank(name, v)
    slots = run(name, p, m, v, times, limit)
    return Outcomes(name, v, times, plan(name, p, m, v, times, limit), slots, bubbles.idle(name, p, m, v, times))


def measured(schedule: Schedule, times: Times = UNIT) -> Outcomes:
    """The same for a schedule of one's own, which must be a whole step: BadSchedule names the rule it breaks."""
    graph = validate(schedule)
    v, owned = max(1, graph.stages // graph.ranks), Plan("own", schedule, graph)
    return Outcomes("own", v, times, owned, simulate(graph, times), None)


def compare(
    names: Iterable[str], p: int, m: int, v: int, times: Times, limit: float = 1.0
) -> dict[str, Outcomes | BadValue]:
    """Every schedule on the same work; the refusal of one that cannot take it stands in its place."""
    outcomes: dict[str, Outcomes | BadValue] = {}
    for name in names:
        try:
            outcomes[name] = outcome(name, p, m, v, times, limit)
        except BadValue as refused:
            outcomes[name] = refused
    return outcomes
