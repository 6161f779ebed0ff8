"""A schedule by name, laid out and kept: a reader who moves a time does not change who computes what."""

from dataclasses import dataclass
from functools import cached_property, lru_cache

from labs.models.schedules import held
from labs.models.schedules.actions import Schedule
from labs.models.schedules.families import family, order
from labs.models.schedules.graph import Graph, graph
from labs.models.schedules.times import UNIT, Times


@dataclass(frozen=True, eq=False)
class Plan:
    """What can be said without times: the graph, and what each rank holds (in sets of its whole share)."""

    name: str
    schedule: Schedule
    graph: Graph

    @cached_property
    def peak(self) -> tuple[float, ...]:
        """Per rank, sets freed at the input gradient."""
        return tuple(self.in_shares(sets) for sets in held.peak_sets(self.graph, "input"))

    @cached_property
    def peak_until_weight(self) -> tuple[float, ...]:
        """Per rank, sets kept whole until the weight gradient."""
        return tuple(self.in_shares(sets) for sets in held.peak_sets(self.graph, "weight"))

    @cached_property
    def copies(self) -> float:
        return held.copies(self.graph)

    @property
    def messages(self) -> int:
        return self.graph.messages

    def in_shares(self, sets: float) -> float:
        """A set of one of v stages is 1/v of a set of the rank's whole share."""
        return sets * self.graph.ranks / self.graph.stages


def plan(name: str, p: int, m: int, v: int = 1, times: Times = UNIT, limit: float = 1.0) -> Plan:
    """BadValue: what the family cannot take. Only a placement that looks at the times is made again for new ones."""
    return _plan(name, p, m, v, *((times, limit) if family(name).timed else (UNIT, 1.0)))


@lru_cache(maxsize=96)
def _plan(name: str, p: int, m: int, v: int, times: Times, limit: float) -> Plan:
    schedule = order(name, p, m, v, times, limit)
    return Plan(name, schedule, graph(schedule))
