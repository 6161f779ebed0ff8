"""The reading chain as data: its works by year, whose debt each pays, what builds on it, who cites it, where to begin.

A work is an entry of docs/data/sources.yml with the card that docs/data/cards.yml writes for it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from labs import lab
from labs.draw.theme import LEDGERS
from labs.refusal import BadValue
from overrides.entries import both, mistake
from overrides.facts import DATA, load

DOCS = DATA.parent
REPOSITORY = re.compile(r"[\w.-]+/[\w.-]+@[0-9a-f]{7,40}")


@dataclass(frozen=True)
class Work:
    id: str
    source: dict[str, Any]
    card: dict[str, Any]

    @property
    def name(self) -> str:
        return str(self.card["name"])

    @property
    def ledgers(self) -> list[str]:
        """The first is the one that gives the work its column and its colour."""
        return list(self.source["ledgers"])

    @property
    def answers(self) -> dict[str, dict[str, str]]:
        """Earlier works, with the part of their debt that this one pays."""
        return dict(self.card["answers"])

    @property
    def figures(self) -> list[dict[str, Any]]:
        """Only what was read in the work and has its place there."""
        return [fact for fact in self.source["facts"] if fact["verified"] == "yes" and "place" in fact]


@cache
def works() -> dict[str, Work]:
    """Every work, earliest first; those of one year in the order of the list."""
    sources = sorted(load("sources").entries.values(), key=lambda source: (source["year"], source["n"]))
    return {source["id"]: Work(source["id"], source, load("cards")[source["id"]]) for source in sources}


def debts() -> Iterator[tuple[Work, Work, dict[str, str]]]:
    """(who pays, whose debt, which part of it)."""
    for work in works().values():
        for earlier, part in work.answers.items():
            yield work, works()[earlier], part


def leads(key: str) -> list[Work]:
    return [work for work in works().values() if key in work.source["builds_on"]]


@cache
def chapters(key: str, language: str) -> list[str]:
    """The chapters that cite a work, read from their sources."""
    cited = re.compile(rf"\(cite:{re.escape(key)}[#)]")
    files = sorted((DOCS / language / "chapters").glob("*.md"))
    return [file.stem for file in files if cited.search(file.read_text("utf-8"))]


def members(bottleneck: dict[str, Any]) -> list[str]:
    """The works that a bottleneck shows: those of its ledger, or of its kind."""
    kind, ledger = bottleneck.get("kind"), bottleneck["id"]
    return [w.id for w in works().values() if (w.source["kind"] == kind if kind else ledger in w.ledgers)]


def place_of(fact: dict[str, Any], language: str) -> str:
    """`Table 2` is 表 2 on a Chinese page."""
    words = {"abstract": "摘要", "Table": "表", "appendix": "附录", "Theorem": "定理", "eq.": "式", "report": "报告"}
    place = str(fact["place"])
    if language == "zh":
        place = re.sub("|".join(map(re.escape, words)), lambda found: words[found[0]], place)
    return place


def shown(fact: dict[str, Any], field: str, language: str) -> str:
    """A fact's text, value or unit; in Chinese where it has one."""
    return str(fact["zh"].get(field, fact[field]) if language == "zh" else fact[field])


def check() -> None:
    """Mistake, with file and line, at the first card that is not whole or is joined to nothing."""
    for key in load("cards").entries:
        if key not in load("sources").entries:
            raise mistake("cards", key, "id", "no such work in docs/data/sources.yml; add it there or correct the id")
    for key in load("sources").entries:
        if key not in load("cards").entries:
            raise mistake("sources", key, "id", "no such card in docs/data/cards.yml; write one: asks, how, debt")
    for work in works().values():
        _check_words(work)
        _check_joints(work)
        _check_figures(work)
    for bottleneck in load("bottlenecks").entries.values():
        if strange := [key for key in bottleneck["starts"] if key not in works()]:
            raise mistake("bottlenecks", bottleneck["id"], "starts", f"no work {strange[0]!r} in docs/data/sources.yml")


def _check_words(work: Work) -> None:
    for field in ("asks", "debt"):
        if not both(work.card.get(field)):
            raise mistake("cards", work.id, field, f"`{field}` needs a sentence in zh and one in en")
    for language in ("zh", "en"):
        if len(work.card.get("how", {}).get(language, ())) != 3:
            raise mistake("cards", work.id, "how", f"`how` needs three lines in {language}")


def _check_joints(work: Work) -> None:
    if strange := [key for key in work.source["builds_on"] if key not in works()]:
        raise mistake("sources", work.id, "builds_on", f"no work {strange[0]!r} in docs/data/sources.yml")
    for earlier, part in work.answers.items():
        if earlier not in work.source["builds_on"]:
            raise mistake(
                "cards", work.id, "answers", f"answers {earlier!r}, which is not in its builds_on in sources.yml"
            )
        if not both(part):
            raise mistake("cards", work.id, earlier, f"the debt of {earlier!r} needs a sentence in zh and one in en")
    if work.ledgers[0] not in LEDGERS:
        raise mistake("sources", work.id, "ledgers", f"{work.ledgers[0]!r} is no ledger; one of {', '.join(LEDGERS)}")
    try:
        preset(work)
    except BadValue as wrong:
        raise mistake("cards", work.id, "lab", str(wrong)) from wrong


def _check_figures(work: Work) -> None:
    named = str(work.source.get("repository", ""))
    if named and not REPOSITORY.fullmatch(named):
        raise mistake("sources", work.id, "repository", f"{named!r} is no repository at a commit (owner/name@0123abc)")
    for fact in work.source["facts"]:
        if "place" in fact and not (fact["verified"] == "yes" and "text" in fact.get("zh", {})):
            what = f"{fact['text']!r} has a place, so it is printed: it needs `verified: yes` and `zh: {{text: …}}`"
            raise mistake("sources", work.id, "facts", what)
        if re.search(r"README|\.md", fact.get("place", "")) and not (named or "@" in fact["place"]):
            what = f"{fact['text']!r} was read in a repository: say at which commit, `repository: owner/name@0123abc`"
            raise mistake("sources", work.id, "facts", what)


def preset(work: Work) -> tuple[str, str, dict[str, str]] | None:
    """(lab, preset, what it sets), if the card names one. BadValue: no such lab or preset."""
    if "lab" not in work.card:
        return None
    name, key = work.card["lab"]["name"], work.card["lab"]["preset"]
    start = lab.find(name).form()
    return name, key, {k: v for k, v in lab.find(name).form(key).items() if start.get(k) != v}
