"""No term and no sentence in one language only: labs, figures, made pages and the glossary speak both."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from string import Formatter
from typing import Any

from overrides.editions import DOCS
from overrides.entries import mistake
from overrides.facts import load
from overrides.place import LANGUAGES, Mistake

ROOT = Path(__file__).parent.parent
TERM = ("zh", "en", "means_zh", "means_en", "chapter")


def check() -> None:
    """Mistake, with file and line, at the first that is missing."""
    for entry in load("glossary").entries.values():
        for field in TERM:
            if not str(entry.get(field, "")).strip():
                raise mistake("glossary", entry["id"], "id", f"`{field}` is missing; a term has {', '.join(TERM)}")
        if not (DOCS / LANGUAGES[0] / "chapters" / f"{entry['chapter']}.md").is_file():
            raise mistake("glossary", entry["id"], "chapter", f"there is no chapter {entry['chapter']!r}")
    for file in [*sorted((ROOT / "labs/words").glob("*.toml")), ROOT / "overrides/words.toml"]:
        check_words(file.relative_to(ROOT).as_posix(), file.read_text("utf-8"))


def check_words(path: str, text: str) -> None:
    """Mistake: a sentence that lacks a language, or gives other facts in one than in the other."""
    for key, leaf in leaves(tomllib.loads(text)):
        if what := fault(leaf):
            raise Mistake(f"{path}:{line(text, key)}: {key}: {what}")


def leaves(table: dict[str, Any], path: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in table.items():
        if isinstance(value, dict) and not set(LANGUAGES) & set(value):
            yield from leaves(value, f"{path}{key}.")
        else:
            yield path + key, value


def fault(leaf: Any) -> str:
    if not isinstance(leaf, dict):
        return "a sentence is written {zh = …, en = …}"
    for language in LANGUAGES:
        if not str(leaf.get(language, "")).strip():
            return f"no {language}; write it beside the other"
    facts = [{name for _, name, _, _ in Formatter().parse(leaf[language]) if name} for language in LANGUAGES]
    return "" if facts[0] == facts[1] else f"{{{'}, {'.join(sorted(facts[0] ^ facts[1]))}}} stands in one language only"


def line(text: str, key: str) -> int:
    """Where `key` is written: `[table]` and the keys below it, whose names may hold dots themselves."""
    table = ""
    for number, written in enumerate(text.split("\n"), 1):
        if header := re.match(r"\[([^\]]+)\]", written):
            table = header[1] + "."
        name, equals, _ = written.partition("=")
        if equals and (table + name.strip()).replace('"', "").replace(" ", "") == key:
            return number
    return 1
