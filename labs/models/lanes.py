"""Matrix products of unequal size on the lanes of one GPU: handed out in another order, they end at another time.

The claim: equal rows per rank fix the mean of the lanes, not the longest. Taken as they come, products may last up to
2 − 1/n of what is least possible; the longest taken first, at most 4/3 − 1/(3n) (R. L. Graham, 1966 and 1969).

*Throughout this module:*
    sizes   work of each product, in rows of its expert: time is taken as proportional to rows
    n       lanes, each a like share of the GPU's SMs; a product stays on one lane
"""

from collections.abc import Sequence
from dataclasses import dataclass

from labs.models.moonep import Plans


@dataclass(frozen=True)
class Lanes:
    """`lane` and `start` of each product, in the order of `sizes`; start in rows."""

    sizes: tuple[int, ...]
    lane: tuple[int, ...]
    start: tuple[int, ...]
    n: int

    @property
    def makespan(self) -> int:
        """Rows until the last lane ends."""
        return max(at + size for at, size in zip(self.start, self.sizes, strict=True))

    @property
    def mean(self) -> float:
        """Rows of a lane if the work could be divided at will."""
        return sum(self.sizes) / self.n


def hand_out(sizes: Sequence[int], n: int, longest_first: bool = False) -> Lanes:
    """Each product to the lane that is free first, in the order given or the longest first."""
    free, lane, start = [0] * n, [0] * len(sizes), [0] * len(sizes)
    order = sorted(range(len(sizes)), key=lambda i: -sizes[i]) if longest_first else range(len(sizes))
    for i in order:
        lane[i] = free.index(min(free))
        start[i] = free[lane[i]]
        free[lane[i]] += sizes[i]
    return Lanes(tuple(sizes), tuple(lane), tuple(start), n)


def resident(made: Plans, rank: int) -> dict[int, int]:
    """Expert → rows that `rank` computes under a balanced plan, its own experts first, then those taken over."""
    size = len(made.kept) // made.R
    own = {e: made.kept[e] for e in range(rank * size, (rank + 1) * size)}
    taken = {e: rows for fill in made.fills if fill.rank == rank for e, rows in fill.moved}
    return {e: rows for e, rows in (own | taken).items() if rows}
