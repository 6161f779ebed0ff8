"""What a schedule keeps: activations that wait for their backward, copies of the parameters, versions of the weights.

All of it follows from the order alone; times do not enter.

*Throughout this module:*
    set      the activations of one micro-batch in one stage
    M_B      bytes of a set until its input gradient is done (all that the forward saved)      [zero-bubble §2.3]
    M_W      bytes of it that the weight gradient still needs after that, at most M_B          [zero-bubble §2.3]
"""

from collections.abc import Mapping

from labs.models.schedules.graph import Graph

# A set is given back at the input gradient or, counted whole, at the weight gradient.
UNTIL = {"input": {"F": 1, "B": -1, "I": -1}, "weight": {"F": 1, "B": -1, "W": -1}}


def peak_sets(graph: Graph, until: str = "input") -> tuple[int, ...]:
    """The most sets each rank holds at once; `until` says which gradient frees them."""
    return tuple(map(int, _peaks(graph, UNTIL[until])))


def peak_bytes(graph: Graph, M_B: float, M_W: float) -> tuple[float, ...]:
    """The most bytes each rank holds when the input gradient frees M_B − M_W and the weight gradient the rest."""
    return _peaks(graph, {"F": M_B, "B": -M_B, "I": M_W - M_B, "W": -M_W})


def _peaks(graph: Graph, change: Mapping[str, float]) -> tuple[float, ...]:
    """A pair adds what its forward saves before its backward frees anything."""
    steps = [[change.get(part.letter, 0.0) for part in kind.parts] for kind in graph.kinds]
    rise, net = [max(0.0, step[0]) for step in steps], [sum(step) for step in steps]
    held, most = [0.0] * graph.ranks, [0.0] * graph.ranks
    for rank, kind in zip(graph.rank, graph.kind, strict=True):
        most[rank] = max(most[rank], held[rank] + rise[kind]) if rise[kind] else most[rank]
        held[rank] += net[kind]
    return tuple(most)


def copies(graph: Graph) -> float:
    """Parameters a rank holds over its share of the model: 1, or 2 where every stage lives on two ranks."""
    seen = set(zip(graph.rank, graph.kind, strict=True))
    homes = {(rank, part.stage) for rank, kind in seen for part in graph.kinds[kind].parts}
    return len(homes) / graph.stages


def weight_versions(graph: Graph) -> tuple[int, ...]:
    """Without a flush each micro-batch in flight needs the weights its forward used.

    Weight stashing, SOSP 2019 §3.3; the authors' code keeps as many (msr-fiddle/pipedream@7db6a1c3e649).
    """
    return peak_sets(graph, "input")
