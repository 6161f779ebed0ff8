"""The facts kept once for both languages: works, terms and quoted figures, by id."""

import tomllib
from collections import Counter
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from overrides.place import Mistake

DATA = Path(__file__).parent.parent / "docs" / "data"


class Unknown(KeyError):
    """An id that its file lacks; the text says which file, and the nearest id that it has."""

    def __str__(self) -> str:
        return str(self.args[0])


@dataclass(frozen=True)
class Facts:
    kind: str
    entries: dict[str, dict[str, Any]]

    @property
    def file(self) -> str:
        """Where an entry is written: a file of docs/data, or else the folder that `kind` names."""
        return self.kind if "/" in self.kind else f"docs/data/{self.kind}.yml"

    def __getitem__(self, key: str) -> dict[str, Any]:
        if key in self.entries:
            return self.entries[key]
        near = get_close_matches(key, self.entries, 1, 0.4)
        remedy = f"did you mean {near[0]!r}?" if near else "add it there."
        raise Unknown(f"{self.file} has no {key!r}; {remedy}")


@cache
def load(kind: str) -> Facts:
    """`sources`, `glossary` or `claims`. Mistake: the file is no YAML, at the line where it shows; or an id, twice."""
    loader, text = getattr(yaml, "CSafeLoader", yaml.SafeLoader), (DATA / f"{kind}.yml").read_text("utf-8")
    try:
        entries = yaml.load(text, loader)
    except yaml.MarkedYAMLError as wrong:
        # A key without its colon is found one line late; a list that breaks off begins at the top of the file.
        scanned = str(wrong.context).startswith("while scanning") and wrong.context_mark
        line = (scanned or wrong.problem_mark).line + 1
        raise Mistake(f"docs/data/{kind}.yml:{line}: {wrong.context or 'reading YAML'}, {wrong.problem}") from wrong
    for key, times in Counter(entry["id"] for entry in entries).items():
        if times > 1:
            lines = [n for n, written in enumerate(text.split("\n"), 1) if written.rstrip() == f"- id: {key}"] or [1]
            raise Mistake(f"docs/data/{kind}.yml:{lines[-1]}: {key}: {times} entries have this id; give each its own")
    return Facts(kind, {entry["id"]: entry for entry in entries})


def work(source: str) -> str:
    """The name a work goes by: what stands before the colon of its title."""
    return load("sources")[source]["title"].partition(":")[0]


def in_language(value: Any, language: str) -> str:
    """A text, or the half of a `{zh:, en:}` that the page is in."""
    return str(value.get(language, value) if isinstance(value, dict) else value)


@cache
def phrases(table: str, language: str) -> dict[str, str]:
    """What made pages say, from overrides/words.toml; a missing key or language is a KeyError."""
    words = tomllib.loads(Path(__file__).with_name("words.toml").read_text("utf-8"))
    return {key: both[language] for key, both in words[table].items()}
