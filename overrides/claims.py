"""What a quoted figure must say of itself, and that none changes unseen.

`tests/golden/claims.lock` holds id → hash of value, unit and convention. A claim that no longer hashes to its line was
changed, and then its `history` has to say so, with the value it had. `python -m overrides.claims` checks,
`python -m overrides.claims --lock` writes the lock anew, which it does only when the check finds nothing.
"""

import json
import re
import sys
from collections.abc import Iterator
from datetime import date
from hashlib import sha256
from pathlib import Path
from typing import Any

from overrides.chain import REPOSITORY
from overrides.entries import both, mistake
from overrides.facts import load
from overrides.place import Mistake

LOCK = Path(__file__).parent.parent / "tests" / "golden" / "claims.lock"
FIELDS = {"id", "value", "unit", "convention", "source", "place", "grade", "date", "history"}
CHANGE = {"date", "old", "new", "reason", "source"}
FORMER = {"old_unit", "old_convention"}
ID = re.compile(r"[a-z0-9][a-z0-9.]*(-[a-z0-9.]+)*")
Claim = dict[str, Any]


def check() -> None:
    """Mistake, with file and line, at the first claim that does not say all it must, or that changed unseen."""
    for claim in load("claims").entries.values():
        for field, what in faults(claim):
            raise mistake("claims", claim["id"], field, what)
    lock = locked(LOCK.read_text("utf-8")) if LOCK.exists() else {}
    for key, what in unseen(lock, load("claims").entries):
        raise mistake("claims", key, "value", what)


def faults(claim: Claim) -> Iterator[tuple[str, str]]:
    """(field, what is wrong and what would be right)."""
    if strange := sorted(set(claim) - FIELDS - {"shown"}):
        yield strange[0], f"no claim has a field `{strange[0]}`; the fields are {', '.join(sorted(FIELDS))} and shown"
    if missing := sorted(FIELDS - set(claim)):
        yield "id", f"`{missing[0]}` is missing"
        return
    if not ID.fullmatch(claim["id"]):
        yield "id", "an id is small letters, digits, dots and hyphens, as in v3-gpus"
    yield from _figure(claim)
    yield from _support(claim)
    yield from _history(claim)


def _figure(claim: Claim) -> Iterator[tuple[str, str]]:
    values = claim["value"].values() if isinstance(claim["value"], dict) else [claim["value"]]
    if not all(isinstance(value, int | float) or _range(value) for value in values) or not values:
        yield "value", f"{claim['value']!r} is no number, no range such as 30–40 and no table of numbers by part"
    if not (isinstance(claim["unit"], str) or both(claim["unit"])):
        yield "unit", 'a unit is a text, "" for a count, or {zh: …, en: …}'
    for field in ("convention", "shown"):
        if field in claim and not both(claim[field]):
            yield field, f"`{field}` needs zh and en"


def _range(value: object) -> bool:
    return isinstance(value, str) and bool(re.fullmatch(r"[\d.]+–[\d.]+", value))


def _support(claim: Claim) -> Iterator[tuple[str, str]]:
    source, grade = claim["source"], claim["grade"]
    if source not in load("sources").entries and not REPOSITORY.fullmatch(source) and ("/" in source or grade != "C"):
        yield "source", f"{source!r} is no work of sources.yml and no repository at a commit (owner/name@0123abc)"
    if grade not in ("A", "B", "C"):
        yield "grade", f"grade is A (read in the work), B (in the authors' repository) or C (quoted), not {grade!r}"
    if not str(claim["place"]).strip():
        yield "place", "a place is a section, table or page of the work"
    if type(claim["date"]) is not date:
        yield "date", f"{claim['date']!r} is no date; write the day it was checked, as in 2026-11-29"


def _history(claim: Claim) -> Iterator[tuple[str, str]]:
    changes = claim["history"]
    for change in changes:
        told = CHANGE <= set(change) <= CHANGE | FORMER
        if not (told and both(change["reason"]) and type(change["date"]) is date):
            yield "history", "a change has date, old, new, reason {zh, en}, source; old_unit, old_convention if changed"
            return
    for former, later in zip(changes, changes[1:], strict=False):
        if former["new"] != later["old"] or former["date"] > later["date"]:
            yield "history", f"the change of {later['date']} does not begin where that of {former['date']} ends"
    if changes and changes[-1]["new"] != claim["value"]:
        yield "history", f"the last change ends at {changes[-1]['new']!r}, but the value is {claim['value']!r}"


# ---- the lock


def digest(value: Any, unit: Any, convention: Any) -> str:
    text = json.dumps([value, unit, convention], ensure_ascii=False, sort_keys=True)
    return sha256(text.encode()).hexdigest()[:16]


def now(claim: Claim) -> str:
    return digest(claim["value"], claim["unit"], claim["convention"])


def former(claim: Claim) -> set[str]:
    """What it hashed to before each change that its history tells."""
    return {
        digest(
            change["old"],
            change.get("old_unit", claim["unit"]),
            change.get("old_convention", claim["convention"]),
        )
        for change in claim["history"]
    }


def locked(text: str) -> dict[str, str]:
    return dict(line.split() for line in text.splitlines() if line)


def unseen(lock: dict[str, str], claims: dict[str, Claim]) -> Iterator[tuple[str, str]]:
    """(id, what is wrong) of what changed against the lock without being told; `fresh` tells new claims."""
    for key, held in lock.items():
        if key not in claims:
            yield key, "it is gone: a figure that was published stays, with the change in its history"
        elif held != now(claims[key]) and held not in former(claims[key]):
            yield (
                key,
                "it changed: its history needs an entry (date, old, new, reason, source) whose old value, "
                "with old_unit or old_convention where those changed, is what was published",
            )


def fresh(lock: dict[str, str], claims: dict[str, Claim]) -> list[str]:
    return [key for key in claims if key not in lock]


def write(claims: dict[str, Claim]) -> None:
    LOCK.write_text("".join(f"{key} {now(claims[key])}\n" for key in sorted(claims)), "utf-8")


def main(arguments: list[str]) -> int:
    lock = locked(LOCK.read_text("utf-8")) if LOCK.exists() else {}
    try:
        claims = load("claims").entries
        check()
    except Mistake as wrong:
        print(wrong, file=sys.stderr)
        return 1
    if "--lock" in arguments:
        write(claims)
    elif new := fresh(lock, claims):
        print(f"not locked yet: {', '.join(new)}; run python -m overrides.claims --lock", file=sys.stderr)
        return 1
    print(f"{len(claims)} claims")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
