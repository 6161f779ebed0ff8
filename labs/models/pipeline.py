"""When each action of a schedule runs, and how much of that time a rank waits.

*Throughout this module:* durations are those of `schedules.times`;
    busy, useful   time a rank computes
    idle           the rest, until the last rank is done (makespan) or until the rank itself is (span)
    r_rel          idle over useful            [megatron-3d §2.2.1]
    r_share        idle over total             [gpipe §2.3]
"""

from dataclasses import dataclass
from functools import cached_property

from labs.models.schedules.graph import Graph
from labs.models.schedules.times import Times


@dataclass(frozen=True)
class Slots:
    """Start and end of each node of a graph."""

    graph: Graph
    starts: tuple[float, ...]
    ends: tuple[float, ...]

    @property
    def makespan(self) -> float:
        """From the first start to the last end of all ranks."""
        return max(self.ends)

    @cached_property
    def busy(self) -> tuple[float, ...]:
        busy = [0.0] * self.graph.ranks
        for rank, start, end in zip(self.graph.rank, self.starts, self.ends, strict=True):
            busy[rank] += end - start
        return tuple(busy)

    @cached_property
    def idle(self) -> tuple[float, ...]:
        """Per rank, until the last rank is done."""
        return tuple(self.makespan - busy for busy in self.busy)

    @cached_property
    def spans(self) -> tuple[float, ...]:
        """From a rank's own first start to its own last end."""
        first, last = [float("inf")] * self.graph.ranks, [0.0] * self.graph.ranks
        for rank, start, end in zip(self.graph.rank, self.starts, self.ends, strict=True):
            first[rank], last[rank] = min(first[rank], start), max(last[rank], end)
        return tuple(end - start for start, end in zip(first, last, strict=True))

    @property
    def span(self) -> float:
        """The longest: Zero Bubble's cost, since ranks that start late may end late [zero-bubble §5.1]."""
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
    costs = [share * times.of(kind) for kind in graph.kinds]
    comm, free = times.comm, [0.0] * graph.ranks
    starts: list[float] = []
    ends: list[float] = []
    for rank, kind, arrivals in zip(graph.rank, graph.kind, graph.arrivals, strict=True):
        start = free[rank]
        for node in arrivals:
            if ends[node] + comm > start:
                start = ends[node] + comm
        free[rank] = end = start + costs[kind]
        starts.append(start)
        ends.append(end)
    return Slots(graph, tuple(starts), tuple(ends))
