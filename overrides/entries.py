"""A mistake in a file of docs/data, told with its line: `docs/data/claims.yml:12: …`."""

import re

from overrides.facts import DATA
from overrides.place import Mistake


def mistake(kind: str, key: str, field: str, what: str) -> Mistake:
    """`field` is the one that is wrong; the entry's own line where it has no such field."""
    return Mistake(f"docs/data/{kind}.yml:{line(kind, key, field)}: {key}: {what}")


def line(kind: str, key: str, field: str = "") -> int:
    lines = (DATA / f"{kind}.yml").read_text("utf-8").split("\n")
    start = next((n for n, text in enumerate(lines) if text.rstrip() == f"- id: {key}"), 0)
    for n in range(start + 1, len(lines)):
        if lines[n].startswith("- "):
            break
        if field and re.match(rf"\s+(?:- )?{re.escape(field)}:", lines[n]):
            return n + 1
    return start + 1


def both(value: object) -> bool:
    """A `{zh:, en:}` with something in either."""
    return isinstance(value, dict) and set(value) == {"zh", "en"} and all(value.values())
