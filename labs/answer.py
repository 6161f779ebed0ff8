"""What a view gives back: rows, a verdict, a figure, the calculation, and what was saved and moved.

`regions` turns an Answer into the named pieces of HTML that a page swaps; `facts` into what a program reads.
"""

from base64 import b64encode
from collections.abc import Callable
from dataclasses import asdict, dataclass

from labs import units
from labs.draw.cells import least
from labs.draw.svg import Markup, join, scroll, tag
from labs.ledger import Change, Changes, Row
from labs.words import Speaker

KINDS = ("good", "warn", "bad")


@dataclass(frozen=True)
class Verdict:
    """One sentence that needs no colour: `kind` only chooses the mark beside it."""

    kind: str
    text: str

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"verdict {self.kind!r} is not one of {', '.join(KINDS)}")


@dataclass(frozen=True)
class Table:
    """A table of text cells; the first column names its row. `chosen` is the index of the row that is the reader's."""

    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]
    chosen: int | None = None


@dataclass(frozen=True)
class File:
    """Something to take away: on a page a link that holds it, since there is no server; in a shell a file."""

    name: str
    kind: str
    label: str
    content: str

    def link(self) -> Markup:
        whole = b64encode(self.content.encode()).decode()
        return tag("a", self.label, href=f"data:{self.kind};base64,{whole}", download=self.name)


@dataclass(frozen=True)
class Answer:
    rows: tuple[Row, ...]
    verdict: Verdict
    figure: Markup
    saved: str
    moved: str
    formulas: tuple[Markup, ...]
    total: Row | None = None
    tables: tuple[Table, ...] = ()
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    files: tuple[File, ...] = ()


def amount(row: Row) -> str:
    """A row's value as a reader sees it; large volumes in GB and GiB, since they may meet a capacity."""
    return measured(row.value, row.unit)


def measured(value: float, unit: str) -> str:
    return TEXTS.get(unit, units.number)(value)


TEXTS: dict[str, Callable[[float], str]] = {
    "byte": units.volume,
    "second": units.seconds_text,
    "ratio": units.percent,
    "count": units.count,
    "times": units.times_text,
    "flop": units.flop_text,
    "bandwidth": units.bandwidth_text,
}


def ledger_table(answer: Answer, say: Speaker) -> Table:
    """The rows themselves, with the total last: name, value, formula, kind."""
    rows = [(say("rows." + r.name), amount(r), r.formula, say("tags." + r.tag)) for r in answer.rows]
    if answer.total:
        rows.append((say("total"), amount(answer.total), answer.total.formula, say("tags." + answer.total.tag)))
    head = tuple(say("columns." + key) for key in ("name", "value", "formula", "tag"))
    return Table(say("table_title"), head, tuple(rows))


def changes_table(changes: Changes, settings: str, say: Speaker) -> Table:
    """What fell, then what rose, each with the ledger it stands in; `settings` are those of the bill before.

    Rows that did not change are not listed; where none did, one line says so.
    """
    rows = [
        (say("rows." + c.row.name), measured(c.before, c.row.unit), measured(c.after, c.row.unit),
         say("changes.saved" if c.grown < 0 else "changes.moved"), say("ledgers." + c.row.ledger))
        for c in changes
    ]  # fmt: skip
    head = tuple(say("columns." + key) for key in ("name", "before", "after", "change", "ledger"))
    return Table(say("changes.title", settings=settings), head, tuple(rows) or ((say("changes.none"),) + ("",) * 4,))


def table_html(table: Table, say: Speaker) -> Markup:
    columns = zip(table.head, *table.rows, strict=True)
    head = tag("tr", *(tag("th", cells[0], scope="col", style=least(cells)) for cells in columns))
    body = [
        tag("tr", tag("th", row[0], scope="row"), *(tag("td", cell) for cell in row[1:]),
            class_="chosen" if i == table.chosen else None)
        for i, row in enumerate(table.rows)
    ]  # fmt: skip
    whole = tag("table", tag("caption", table.caption), tag("thead", head), tag("tbody", *body), class_="nl-table")
    return scroll(say("scroll", what=table.caption), whole)


def regions(answer: Answer, say: Speaker) -> dict[str, Markup]:
    """{region: HTML}, the same for the built page and for the reader's own values."""
    tables = (ledger_table(answer, say), *answer.tables) if answer.rows else answer.tables
    moved = [(say("saved_label"), answer.saved), (say("moved_label"), answer.moved)]
    warnings = [tag("p", text, class_="nl-warning") for text in answer.warnings]
    links = join([file.link() for file in answer.files], " · ")
    taken = [tag("p", links, class_="nl-files")] if answer.files else []
    return {
        "verdict": tag("p", answer.verdict.text, class_=f"nl-verdict {answer.verdict.kind}"),
        "figure": join([*warnings, answer.figure, *taken]),
        "moved": tag("dl", *(tag("div", tag("dt", name), tag("dd", text)) for name, text in moved), class_="nl-moved"),
        "table": join([table_html(table, say) for table in tables]),
        "formula": tag("ul", *(tag("li", line) for line in answer.formulas), class_="nl-formulas"),
        "notes": tag("ul", *(tag("li", note) for note in answer.notes), class_="nl-notes"),
    }


def changed(changes: Changes) -> dict[str, list[dict[str, object]]]:
    """The same for a program: `{saved, moved: [{name, ledger, unit, before, after}]}`, values in base units."""

    def plain(rows: tuple[Change, ...]) -> list[dict[str, object]]:
        return [
            {"name": c.row.name, "ledger": c.row.ledger, "unit": c.row.unit, "before": c.before, "after": c.after}
            for c in rows
        ]

    return {"saved": plain(changes.saved), "moved": plain(changes.moved)}


def facts(answer: Answer) -> dict[str, object]:
    """The answer for a program: no HTML, values in base units."""
    return {
        "rows": [asdict(row) for row in answer.rows],
        "total": asdict(answer.total) if answer.total else None,
        "verdict": asdict(answer.verdict),
        "saved": answer.saved,
        "moved": answer.moved,
        "warnings": list(answer.warnings),
    }
