"""The reading chain to take along: BibTeX for those who write, CSV for those who count."""

import csv
import re
from io import StringIO

from overrides import chain
from overrides.chain import Work

FOLDER = "assets/reading/nine-ledgers"
SPECIAL = str.maketrans({character: "\\" + character for character in "&%$#_{}"})
COLUMNS = ("n", "id", "title", "authors", "org", "year", "venue", "url", "kind", "ledgers", "builds_on", "answers",
           "asks_zh", "asks_en", "debt_zh", "debt_en")  # fmt: skip


def files() -> dict[str, str]:
    """{path in the site: text}. A spreadsheet takes UTF-8 for what it is when a mark says so first."""
    return {f"{FOLDER}.bib": bibtex(), f"{FOLDER}.csv": "\ufeff" + table()}


def bibtex() -> str:
    return "\n".join(map(_entry, chain.works().values()))


def _entry(work: Work) -> str:
    source = work.source
    kind = {"report": "techreport", "repo": "misc"}.get(source["kind"], "article")
    fields = {
        "title": "{" + source["title"].translate(SPECIAL) + "}",
        "author": _authors(source["authors"]),
        "organization": source["org"].translate(SPECIAL),
        "year": str(source["year"]),
        "note": source["venue"].translate(SPECIAL),
        "url": source["url"],
    }
    return f"@{kind}{{{work.id},\n" + "".join(f"  {name} = {{{value}}},\n" for name, value in fields.items()) + "}\n"


def _authors(text: str) -> str:
    """People are joined by `and`; a team is one name, which braces keep whole."""
    text = re.sub(r" \(.*\)", "", text)
    if any(word in text for word in ("Team", "contributors", "-AI", " AI")):
        return "{" + text + "}"
    return text.replace(" et al.", " and others").replace(", ", " and ")


def table() -> str:
    text = StringIO()
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    for work in chain.works().values():
        writer.writerow(map(_cell, _record(work)))
    return text.getvalue()


def _record(work: Work) -> list[object]:
    source, card = work.source, work.card
    own = [source[name] for name in COLUMNS[:11]]
    return [*own, list(work.answers), card["asks"]["zh"], card["asks"]["en"], card["debt"]["zh"], card["debt"]["en"]]


def _cell(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)
