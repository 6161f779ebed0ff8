"""A row of a ledger, the nine ledgers in order, and what changed between two runs: what was saved, where it went."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

from labs.draw.theme import LEDGERS

TAGS = ("exact", "formula", "estimate")
UNITS = ("byte", "second", "ratio", "flop", "count", "rank", "slot", "set", "times", "bandwidth", "row")


@dataclass(frozen=True)
class Row:
    """One line of a bill.

    `name` is a key under `[rows]` in the lab's words; `value` is in base units of `unit`; `tag` says how far to trust
    it (exact: counted; formula: a published formula; estimate: depends on what is not modelled); `formula` is shown
    as text; `source` is an id in docs/data/sources.yml or a publication, or empty for what is derived here.
    """

    name: str
    value: float
    unit: str
    tag: str
    formula: str = ""
    source: str = ""
    ledger: str = "state"

    def __post_init__(self) -> None:
        for given, known in ((self.unit, UNITS), (self.tag, TAGS), (self.ledger, LEDGERS)):
            if given not in known:
                raise ValueError(f"row {self.name!r}: {given!r} is not one of {', '.join(known)}")


@dataclass(frozen=True)
class Change:
    row: Row
    before: float
    after: float

    @property
    def grown(self) -> float:
        return self.after - self.before


@dataclass(frozen=True)
class Changes:
    """What one choice did to the bill: rows that fell, and rows that rose, by unit, the largest change first."""

    saved: tuple[Change, ...]
    moved: tuple[Change, ...]

    def __iter__(self) -> Iterator[Change]:
        return chain(self.saved, self.moved)


def difference(before: Iterable[Row], after: Iterable[Row]) -> Changes:
    """Rows are matched by name; a row that only one side has counts from or to nothing."""
    old, new = {row.name: row for row in before}, {row.name: row for row in after}
    names = list(old) + [name for name in new if name not in old]
    changes = [
        Change(new.get(name) or old[name], old[name].value if name in old else 0, new[name].value if name in new else 0)
        for name in names
    ]
    ordered = sorted(changes, key=lambda c: (UNITS.index(c.row.unit), -abs(c.grown)))
    return Changes(tuple(c for c in ordered if c.grown < 0), tuple(c for c in ordered if c.grown > 0))
