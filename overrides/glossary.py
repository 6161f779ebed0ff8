"""The glossary, as HTML made from docs/data/glossary.yml: every term once for both languages."""

from html import escape
from itertools import groupby
from typing import Any

from overrides.facts import load
from overrides.place import Place

CHAPTER = {"zh": "第 {n} 章", "en": "chapter {n}"}


def glossary(options: dict[str, str], place: Place) -> str:
    """Every term with its name in the other language, its meaning and its chapter, in the order of the chapters."""
    entries = sorted(load("glossary").entries.values(), key=lambda entry: entry["chapter"])
    if wanted := options.get("chapter"):
        entries = [entry for entry in entries if entry["chapter"] == wanted]
    return "".join(
        f'<dl class="nl-terms" data-chapter="{chapter}">' + "".join(_term(entry, place) for entry in group) + "</dl>"
        for chapter, group in groupby(entries, key=lambda entry: entry["chapter"])
    )


def _term(entry: dict[str, Any], place: Place) -> str:
    other = "en" if place.language == "zh" else "zh"
    chapter = CHAPTER[place.language].format(n=entry["chapter"][:2])
    link = f'<a href="{place.url(f"chapters/{entry['chapter']}.md")}">{chapter}</a>'
    return (
        f'<dt id="{entry["id"]}">{escape(entry[place.language])} '
        f'<span class="nl-other" lang="{other}">{escape(entry[other])}</span></dt>'
        f"<dd>{escape(entry[f'means_{place.language}'])} {link}</dd>"
    )
