"""An expert layer moves S·K·h values out and back and waits for its busiest rank; no policy makes the rows fewer.

*Throughout this module:*

| symbol   | meaning                                                                     | unit    | source       |
|----------|-----------------------------------------------------------------------------|---------|--------------|
| S        | tokens of one rank; S·R are routed                                          | –       | kimi-k3      |
| K, E, R  | experts a token, routed experts, ranks                                      | –       |              |
| width h  | values a token carries to an expert                                         | –       |              |
| row      | one token at one expert: S·K·R of them a layer                              | –       |              |
| loads    | rows that each rank computes                                                | rows    |              |
| factor C | capacity of an expert over the mean, C·S·K·R/E rows                         | –       | tutel eq. 1  |
| copy     | a token sent once to a rank (or node), however many of its experts are there | –      | deepseek-v3  |

Dispatch and combine each move the payload once a layer and pass; the backward pass moves both again.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

from labs.models.moonep import plan
from labs.models.placement import place
from labs.models.routing import Routing, homes

SCALE_GROUP = 128  # channels that share one FP32 scale (deepseek-v3 §3.3.2)


def row_bytes(width: int, element: float, scales: bool = False) -> float:
    """Bytes of one row: `element` bytes a value and, with `scales`, 4 bytes for every 128 of them."""
    return width * element + (4 * width / SCALE_GROUP if scales else 0)


def payload(S: int, K: int, row: float) -> float:
    """Logical bytes of one rank, one direction: S·K rows, the local share and repeated copies included."""
    return S * K * row


@dataclass(frozen=True)
class Buffers:
    """Token slots one rank reserves, and their bytes. The comparison is kimi-k3's (§5.2.1), in its worst case."""

    S: int
    K: int
    R: int
    row: float

    @property
    def balanced(self) -> float:
        """S·K: every rank receives exactly so many rows."""
        return self.S * self.K * self.row

    @property
    def worst(self) -> float:
        """S·K·R: any rank might receive every row, each into a place of its own. Not what DeepEP allocates."""
        return self.balanced * self.R

    @property
    def deduplicated(self) -> float:
        """S·R: any rank might receive every token, once."""
        return self.S * self.R * self.row


def ranks_reached(K: int, R: int) -> float:
    """Different ranks among K picks that fall evenly and independently over R: copies of a token on average.

    >>> round(ranks_reached(8, 8), 2)
    5.25
    """
    return R * (1 - (1 - 1 / R) ** K)


@dataclass(frozen=True)
class Loads:
    """Rows by rank: the busiest decides when all are done."""

    rows: tuple[float, ...]

    @property
    def mean(self) -> float:
        return sum(self.rows) / len(self.rows)

    @property
    def makespan(self) -> float:
        """max ÷ mean: 1 is perfect balance."""
        return max(self.rows) / self.mean if self.mean else 1.0

    @property
    def efficiency(self) -> float:
        """mean ÷ max: the part of the ranks' time that computes."""
        return 1 / self.makespan


def rank_loads(counts: Sequence[float], R: int) -> Loads:
    """Rows of each rank from rows of each expert, E/R neighbouring experts a rank."""
    size = len(counts) // R
    return Loads(tuple(sum(counts[r * size : (r + 1) * size]) for r in range(R)))


def scaled(counts: Sequence[int], total: int) -> tuple[int, ...]:
    """Whole rows in the same proportions that sum to `total`; what rounding leaves goes to the largest remainders."""
    drawn = sum(counts)
    exact = [divmod(count * total, drawn) for count in counts]
    left = total - sum(whole for whole, _ in exact)
    first = set(sorted(range(len(counts)), key=lambda e: (-exact[e][1], e))[:left])
    return tuple(whole + (e in first) for e, (whole, _) in enumerate(exact))


@dataclass(frozen=True)
class Traffic:
    """Copies of drawn tokens. Ranks hold equal shares of the tokens, in order."""

    tokens: int
    rank_copies: int  # distinct (token, rank) pairs, own rank included
    away_ranks: int  # of these, to other ranks
    node_copies: int  # distinct (token, node) pairs, own node included
    away_nodes: int  # of these, to other nodes
    received: tuple[int, ...]  # copies each rank receives from other ranks

    def per_token(self, copies: int) -> float:
        return copies / self.tokens


@lru_cache(maxsize=8)
def traffic(routing: Routing, R: int, nodes: int = 1) -> Traffic:
    """Count copies, each token once a rank and once a node. BadValue: E does not divide over R."""
    home, T = homes(routing.E, R), routing.tokens
    reached = [set(map(home.__getitem__, picks)) for picks in routing.picks]
    own = [t * R // T for t in range(T)]
    local = Counter(rank for rank, ranks in zip(own, reached, strict=True) if rank in ranks)
    copies = Counter(chain.from_iterable(reached))
    node = [rank * nodes // R for rank in range(R)]
    visited = [set(map(node.__getitem__, ranks)) for ranks in reached]
    same = sum(node[rank] in there for rank, there in zip(own, visited, strict=True))
    at_nodes = sum(map(len, visited))
    received = tuple(copies[r] - local[r] for r in range(R))
    return Traffic(T, copies.total(), sum(received), at_nodes, at_nodes - same, received)


@dataclass(frozen=True)
class Policy:
    """How a layer treats uneven experts: rows each rank computes, rows of padding among them, rows not computed."""

    name: str
    loads: Loads
    padding: float = 0
    dropped: float = 0
    redundant: int = 0


def capacity(counts: Sequence[int], factor: float) -> int:
    """Rows an expert may take: ⌈C·rows/E⌉."""
    exact = factor * sum(counts) / len(counts)
    return int(exact) + (exact > int(exact))


def padded(counts: Sequence[int], R: int, factor: float) -> Policy:
    """Every expert computes exactly its capacity: what is missing is padding, what is above dropped (gshard §2.2)."""
    room = capacity(counts, factor)
    padding = sum(max(0, room - count) for count in counts)
    loads = Loads((room * len(counts) / R,) * R)
    return Policy("padded", loads, padding, sum(max(0, count - room) for count in counts))


def dropping(counts: Sequence[int], R: int, factor: float) -> Policy:
    """What is above the capacity is dropped; nothing is padded."""
    room = capacity(counts, factor)
    kept = [min(count, room) for count in counts]
    return Policy("dropping", rank_loads(kept, R), dropped=sum(counts) - sum(kept))


def dropless(counts: Sequence[int], R: int) -> Policy:
    """Every row is computed at its expert's home; the imbalance stays (megablocks §4.1)."""
    return Policy("dropless", rank_loads(counts, R))


def perfect(counts: Sequence[int], R: int) -> Policy:
    """Every rank computes S·K rows; some experts are fetched first (moonep)."""
    plans = plan(counts, R)
    return Policy("perfect", Loads(plans.rows), redundant=plans.redundant)


def replicated(counts: Sequence[int], R: int) -> Policy:
    """One further slot a rank for copies of popular experts, placed by the very counts they then meet."""
    placed = place(counts, len(counts) + R, 1, 1, R)
    return Policy("replicated", Loads(placed.loads), redundant=1)


def policies(counts: Sequence[int], R: int, factor: float) -> tuple[Policy, ...]:
    """All of them on the same rows. BadValue: E or the rows do not divide over R."""
    uncapped = (dropless(counts, R), replicated(counts, R), perfect(counts, R))
    return (padded(counts, R, factor), dropping(counts, R, factor), *uncapped)
