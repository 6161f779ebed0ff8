"""The reading list and the glossary, as HTML made from docs/data: one entry a work, one a term."""

from html import escape
from itertools import groupby
from typing import Any

from labs import words
from overrides.citations import source_link
from overrides.facts import load
from overrides.place import Place

BUILDS = {"zh": "建立在：", "en": "Builds on: "}
LEADS = {"zh": "引出：", "en": "Leads to: "}
BETWEEN = {"zh": "、", "en": ", "}
CHAPTER = {"zh": "第 {n} 章", "en": "chapter {n}"}


def reading(options: dict[str, str], place: Place) -> str:
    """All works in order, or those of one ledger with `ledger: moe`."""
    entries = list(load("sources").entries.values())
    if wanted := options.get("ledger"):
        entries = [entry for entry in entries if wanted in entry["ledgers"]]
    return '<ol class="nl-reading">' + "".join(_work(entry, place) for entry in entries) + "</ol>"


def _work(entry: dict[str, Any], place: Place) -> str:
    leads = [one["id"] for one in load("sources").entries.values() if entry["id"] in one["builds_on"]]
    return (
        f'<li id="{entry["id"]}" value="{entry["n"]}" class="nl-work"><p class="nl-work-title">'
        f'<a href="{escape(entry["url"])}" rel="external">{escape(entry["title"])}</a></p>'
        f'<p class="nl-work-by">{escape(entry["authors"])} · {escape(entry["org"])} · {escape(entry["venue"])}</p>'
        f"<p>{escape(entry[f'claim_{place.language}'])}</p>"
        f"{_chain(BUILDS, entry['builds_on'], place)}{_chain(LEADS, leads, place)}"
        f"<p>{' '.join(_ledger(ledger, place.language) for ledger in entry['ledgers'])}</p></li>"
    )


def _chain(label: dict[str, str], ids: list[str], place: Place) -> str:
    if not ids:
        return ""
    links = BETWEEN[place.language].join(source_link(one, place) for one in ids)
    return f'<p class="nl-chain">{label[place.language]}{links}</p>'


def _ledger(ledger: str, language: str) -> str:
    return f'<span class="ledger {ledger}">{words.speaker("", language)("ledgers." + ledger)}</span>'


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
