"""The errata, made from the `history` of the quoted figures and from nothing else: no page tells its own changes."""

from typing import Any

from labs.draw.cells import least
from labs.draw.svg import Markup, scroll, tag
from overrides import citations
from overrides.facts import in_language, load, phrases
from overrides.place import Place


def errata(options: dict[str, str], place: Place) -> str:
    """The count, and below it every correction, latest first."""
    claims = load("claims").entries.values()
    changes = [(change, claim) for claim in claims for change in claim["history"]]
    says = phrases("errata", place.language)
    count = says["some" if changes else "none"].format(m=len(changes), n=len(claims))
    said = tag("p", count, data_corrections=len(changes))
    return said + (_table(changes, place) if changes else "")


def _table(changes: list[tuple[dict[str, Any], dict[str, Any]]], place: Place) -> Markup:
    says = phrases("errata", place.language)
    latest = sorted(changes, key=lambda pair: (str(pair[0]["date"]), pair[1]["id"]), reverse=True)
    cells = [_cells(change, claim, place) for change, claim in latest]
    heads = [says[key] for key in ("date", "which", "old", "new", "reason", "source")]
    columns = zip(heads, *cells, strict=True)
    head = tag("tr", *(tag("th", texts[0], scope="col", style=least(texts)) for texts in columns))
    rows = [
        tag("tr", *(tag("td", cell) for cell in row), id=f"{claim['id']}-{change['date']}")
        for row, (change, claim) in zip(cells, latest, strict=True)
    ]
    return scroll(says["table"], tag("table", tag("thead", head), tag("tbody", *rows), class_="nl-data"))


def _cells(change: dict[str, Any], claim: dict[str, Any], place: Place) -> tuple[object, ...]:
    return (
        Markup(f"<time>{change['date']}</time>"),
        in_language(claim["convention"], place.language),
        _value(change["old"]),
        _value(change["new"]),
        in_language(change["reason"], place.language),
        Markup(citations.source_link(change["source"], place)),
    )


def _value(raw: object) -> Markup:
    text = " · ".join(f"{part} {one}" for part, one in raw.items()) if isinstance(raw, dict) else str(raw)
    return tag("span", text, class_="nl-fact", data_value=raw)
