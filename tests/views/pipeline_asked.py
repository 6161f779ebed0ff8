"""The pipeline lab asked and its answer read, for the tests beside this file."""

import re
from html import unescape

from labs.answer import Answer
from labs.lab import find

LAB = find("pipeline")


def ask(preset: str = "", language: str = "en", **form: object) -> Answer:
    return LAB.ask(LAB.form(preset, {name: str(value) for name, value in form.items()}), language)


def rows(answer: Answer) -> dict[str, float]:
    return {row.name: row.value for row in answer.rows}


def text(html: str) -> str:
    return unescape(re.sub(r"<[^>]+>", " ", html))


def table(answer: Answer, caption: str) -> dict[str, tuple[object, ...]]:
    """Rows by their first cell."""
    found = next(table for table in answer.tables if table.caption.startswith(caption))
    return {str(row[0]): row[1:] for row in found.rows}
