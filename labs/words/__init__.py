"""Every label and sentence that a lab shows, by key, both languages side by side in one file a lab.

A leaf of `shared.toml` or `<lab>.toml` is `{zh = "…", en = "…"}`; tables nest and keys are joined with dots:

>>> speaker("memory", "en")("yes")
'yes'
"""

from functools import cache
from os import listdir
from os.path import dirname, join
from typing import Any

LANGUAGES = ("zh", "en")


@cache
def load(name: str) -> dict[str, Any]:
    """The parsed file `<name>.toml`; the parser is imported here because most answers find it parsed already."""
    from tomllib import load as parse

    with open(join(dirname(__file__), name + ".toml"), "rb") as file:
        return parse(file)


@cache
def names() -> list[str]:
    return sorted(name[:-5] for name in listdir(dirname(__file__)) if name.endswith(".toml"))


def find(name: str, key: str) -> dict[str, str] | None:
    place: Any = load(name)
    for part in key.split("."):
        place = place.get(part) if isinstance(place, dict) else None
    return place if isinstance(place, dict) and "zh" in place else None


@cache
def leaf(lab: str, key: str) -> dict[str, str] | None:
    """The lab's own words first, then the shared ones."""
    own = find(lab, key) if lab and lab in names() else None
    return own or find("shared", key)


class Speaker:
    """Says the words of one lab in one language."""

    def __init__(self, lab: str, language: str) -> None:
        if language not in LANGUAGES:
            raise ValueError(f"language {language!r}: one of {', '.join(LANGUAGES)}")
        self.lab, self.language = lab, language

    def has(self, key: str) -> bool:
        return leaf(self.lab, key) is not None

    def __call__(self, key: str, **facts: object) -> str:
        """The sentence under `key`, filled with `facts`; plain text. KeyError: no such key in either file."""
        found = leaf(self.lab, key)
        if found is None:
            raise KeyError(f"labs/words: no {key!r} for {self.lab or 'shared'!r}")
        return found[self.language].format(**facts) if facts else found[self.language]


@cache
def speaker(lab: str, language: str) -> Speaker:
    return Speaker(lab, language)


def rule(key: str, language: str) -> str:
    """The sentence of a rule, whichever lab states it: a model that refuses does not know who asked."""
    for name in names():
        found = find(name, "rules." + key)
        if found:
            return found[language]
    raise KeyError(f"labs/words: no rule {key!r}")
