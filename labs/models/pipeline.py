"""When each action of a schedule runs, and how much of that time a rank waits.

*Throughout this module:* durations are those of `schedules.times`;
    busy, useful   time a rank computes
    idle           the rest, until the last rank is done (makespan) or until the rank itself is (span)
    r_rel          idle over useful            [megatron-3d §2.2.1]
    r_share        idle over total             [gpipe §2.3]
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache

from labs.models.schedules.graph import Graph
from labs.models.schedules.plans import plan
from labs.models.schedules.times import Times


@dataclass(frozen=True)
class Slots:
    """Start and end of each node of a graph; per rank its useful time, and its stay from first start to last end."""

    graph: Graph
    starts: tuple[float, ...]
    ends: tuple[float, ...]
    busy: tuple[float, ...]
    spans: tuple[float, ...]

    @property
    def makespan(self) -> float:
        """From the first start to the last end of all ranks."""
        return max(self.ends)

    @cached_property
    def idle(self) -> tuple[float, ...]:
        """Per rank, until the last rank is done."""
        return tuple(self.makespan - busy for busy in self.busy)

    @property
    def span(self) -> float:
        """The longest stay: Zero Bubble's cost, since ranks that start late may end late [zero-bubble §5.1]."""
        return max(self.spans)

    @property
    def worst(self) -> int:
        """The rank that waits longest, the first of them at a tie."""
        return max(range(self.graph.ranks), key=lambda rank: (round(self.idle[rank], 9), -rank))

    @property
    def bubble(self) -> float:
        return self.idle[self.worst]

    @property
    def r_rel(self) -> float:
        return self.bubble / self.busy[self.worst]

    @property
    def r_share(self) -> float:
        return self.bubble / self.makespan


def simulate(graph: Graph, times: Times) -> Slots:
    """Each action starts when its rank is free and all it waits for has arrived: one pass, since nodes are in order."""
    share = graph.ranks / graph.stages
    costs = [share * times.of(kind, graph.stages) for kind in graph.kinds]
    comm, free, busy = times.comm, [0.0] * graph.ranks, [0.0] * graph.ranks
    starts: list[float] = []
    ends: list[float] = []
    for rank, kind, arrivals in zip(graph.rank, graph.kind, graph.arrivals, strict=True):
        start = free[rank]
        for node in arrivals:
            if ends[node] + comm > start:
                start = ends[node] + comm
        free[rank] = end = start + costs[kind]
        busy[rank] += costs[kind]
        starts.append(start)
        ends.append(end)
    spans = tuple(end - starts[node] for end, node in zip(free, graph.first, strict=True))
    return Slots(graph, tuple(starts), tuple(ends), tuple(busy), spans)


@lru_cache(maxsize=256)
def run(name: str, p: int, m: int, v: int, times: Times, limit: float = 1.0) -> Slots:
    """A schedule by name with these times; kept, since a comparison asks for the same ones again."""
    return simulate(plan(name, p, m, v, times, limit).graph, times)
