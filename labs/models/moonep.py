"""Every rank can compute exactly S·K rows, whatever the router does, with at most E/R experts fetched from elsewhere.

*Throughout this module:*

| symbol | meaning                                                        | unit | source                     |
|--------|----------------------------------------------------------------|------|----------------------------|
| S      | tokens of one rank; S·R are routed                             | –    | kimi-k3 §5.2.1             |
| K      | experts a token                                                | –    |                            |
| E, R   | routed experts, ranks; a rank is home to E/R experts           | –    |                            |
| counts | rows routed to each expert, S·K·R in all                       | rows |                            |
| fill   | rows of one overloaded rank's experts moved to one other rank  | rows | kimi-k3, appendix E        |

The construction (kimi-k3, appendix E): while a rank is below S·K, raise it to exactly S·K with rows of one rank that
is above. A donor gives only rows of its own experts, so whoever receives needs at most E/R experts besides its own;
each fill settles one rank for good and the last rank is settled by the others, so R−1 fills are enough.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from labs.refusal import BadValue


@dataclass(frozen=True)
class Fill:
    """`moved` are (expert, rows) that `rank` computes for `source`, whose experts these are."""

    rank: int
    source: int
    moved: tuple[tuple[int, int], ...]

    @property
    def rows(self) -> int:
        return sum(rows for _, rows in self.moved)

    @property
    def experts(self) -> int:
        """Redundant experts that `rank` fetches."""
        return len(self.moved)


@dataclass(frozen=True)
class Plans:
    """A balanced plan: what each expert keeps at home (`kept`), and the fills."""

    R: int
    kept: tuple[int, ...]
    fills: tuple[Fill, ...]

    @property
    def rows(self) -> tuple[int, ...]:
        """Rows each rank computes."""
        size = len(self.kept) // self.R
        received = {fill.rank: fill.rows for fill in self.fills}
        return tuple(sum(self.kept[r * size : (r + 1) * size]) + received.get(r, 0) for r in range(self.R))

    @property
    def redundant(self) -> int:
        """Experts fetched by the rank that fetches most."""
        return max((fill.experts for fill in self.fills), default=0)

    @property
    def moved(self) -> int:
        """Rows computed away from their expert's home."""
        return sum(fill.rows for fill in self.fills)


def bound(E: int, R: int) -> int:
    """E/R: redundant expert slots a rank that are always enough. BadValue: E does not divide over R."""
    if E % R:
        below = E - E % R
        raise BadValue("E", E, "experts_per_rank", [n for n in (below, below + R) if n], R=R)
    return E // R


def tight(E: int, R: int) -> int:
    """⌈E(R−1)/R²⌉: slots a rank that some routing makes necessary, whatever the plan (kimi-k3, appendix E)."""
    return -(-E * (R - 1) // R**2)


def adversary(E: int, R: int, rows: int) -> list[int]:
    """The routing behind `tight`: rank 0's experts get nothing, all others the same, as nearly as rows allow."""
    others = E - bound(E, R)
    each, more = divmod(rows, others)
    return [0] * (E - others) + [each + (i < more) for i in range(others)]


def plan(counts: Sequence[int], R: int) -> Plans:
    """Balance the experts' rows over R ranks. BadValue: E or the rows do not divide over R."""
    size, wanted = bound(len(counts), R), balanced(counts, R)
    kept = list(counts)
    loads = [sum(kept[r * size : (r + 1) * size]) for r in range(R)]
    fills: list[Fill] = []
    for _ in range(R):
        rank, source = loads.index(min(loads)), loads.index(max(loads))
        lacking = wanted - loads[rank]
        if not lacking:
            return Plans(R, tuple(kept), tuple(fills))
        fills.append(Fill(rank, source, take(kept, range(source * size, (source + 1) * size), lacking)))
        loads[rank], loads[source] = wanted, loads[source] - lacking
    raise AssertionError("R−1 fills balance R ranks")


def balanced(counts: Sequence[int], R: int) -> int:
    """S·K, the rows of a rank when all have the same. BadValue: the rows do not divide over R."""
    rows = sum(counts)
    if rows % R:
        raise BadValue("counts", rows, "rows_per_rank", (rows - rows % R, rows - rows % R + R), R=R)
    return rows // R


def take(kept: list[int], experts: range, rows: int) -> tuple[tuple[int, int], ...]:
    """Take `rows` from the experts with most left, so that few experts have to be fetched."""
    moved = []
    for expert in sorted(experts, key=lambda e: (-kept[e], e)):
        if not rows:
            break
        given = min(rows, kept[expert])
        kept[expert] -= given
        rows -= given
        moved.append((expert, given))
    return tuple(moved)
