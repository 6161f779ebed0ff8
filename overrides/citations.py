"""`[text](term:…)`, `(cite:…#place)`, `(claim:…)`, `(preset:…)`: word, work, quoted figure and preset by id."""

from collections.abc import Callable
from functools import cache
from html import escape
from typing import Any
from urllib.parse import urlencode

from labs import lab, words
from overrides.facts import Facts, Unknown, in_language, load, work
from overrides.place import Place

ORIGIN = {
    "zh": {"open": "{what} 的出处", "where": "见", "grade": "证据等级", "checked": "核对于"},
    "en": {"open": "Origin of {what}", "where": "at", "grade": "evidence", "checked": "checked on"},
}


def term(text: str, key: str, place: Place) -> str:
    """A Markdown link to the glossary; without a text, the term's own name."""
    entry = load("glossary")[key]
    title = escape(entry[f"means_{place.language}"])
    return f'[{text or entry[place.language]}]({place.source(f"glossary.md#{key}")} "{title}"){{.nl-term}}'


def cite(text: str, key: str, place: Place) -> str:
    """A Markdown link to the card of a work; what follows `#` is the place in the work, which is shown."""
    source, _, where = key.partition("#")
    entry, where = load("sources")[source], where.replace("_", " ")
    shown = " ".join(filter(None, (text or work(source), where)))
    title = escape(f"{entry['authors']}: {entry['title']}. {entry['venue']}")
    return f'[{shown}]({place.source(f"reading/{source}.md")} "{title}"){{.nl-cite}}'


@cache
def presets() -> Facts:
    """Every preset of every lab by its id, and what it sets; `kind` is where an author would add one."""
    held = ((name, one) for name in lab.LABS for one in lab.find(name).presets)
    return Facts("labs/views", {one.id: {"lab": name, "form": dict(one.form)} for name, one in held})


def preset(text: str, key: str, place: Place) -> str:
    """A Markdown link to the page of a lab, in the state of one of its presets; without a text, the preset's id."""
    entry = presets()[key]
    title = escape(words.speaker(entry["lab"], place.language)(f"presets.{key}.title"))
    state = urlencode({"lab": entry["lab"]} | entry["form"])
    return f'[{text or key}]({place.source(f"labs/{entry['lab']}.md")}?{state} "{title}"){{.nl-preset}}'


LINKS: dict[str, Callable[[str, str, Place], str]] = {"term": term, "cite": cite, "preset": preset}


def claim(text: str, key: str, place: Place, nth: int) -> str:
    """A quoted figure as HTML, with a mark that opens its origin; `#part` chooses where a claim has several values."""
    key, _, part = key.partition("#")
    entry = load("claims")[key]
    raw = _part(key, entry["value"], part)
    shown = escape(text or _shown(entry, raw, place.language))
    label = escape(ORIGIN[place.language]["open"].format(what=text or _shown(entry, raw, place.language)))
    at = f"claim-{key}-{nth}"
    mark = f'<button type="button" class="nl-origin-mark" popovertarget="{at}" aria-label="{label}">※</button>'
    origin = f'<small popover id="{at}" class="nl-origin" data-search-exclude="">{_origin(entry, place)}</small>'
    return f'<span class="nl-claim" data-claim="{key}" data-value="{escape(str(raw))}">{shown}{mark}</span>{origin}'


def _part(key: str, value: Any, part: str) -> Any:
    if not isinstance(value, dict):
        return value
    if part not in value:
        raise Unknown(f"claim {key!r} has several values; write claim:{key}#" + " or #".join(value))
    return value[part]


def _shown(entry: dict[str, Any], raw: Any, language: str) -> str:
    if "shown" in entry:
        return in_language(entry["shown"], language)
    number = f"{raw:,}" if isinstance(raw, int) and raw >= 10_000 else str(raw)
    unit = in_language(entry["unit"], language)
    return number + ("\u00a0" + unit if unit else "")


def stated(entry: dict[str, Any], language: str) -> str:
    """All that a claim states, for where no part of it is asked for."""
    if not isinstance(entry["value"], dict) or "shown" in entry:
        return _shown(entry, entry["value"], language)
    return " · ".join(f"{part} {_shown(entry, raw, language)}" for part, raw in entry["value"].items())


def support(entry: dict[str, Any], language: str) -> str:
    """Where it was read, how well it is supported and when that was checked."""
    says = ORIGIN[language]
    return f"{entry['place']} · {says['grade']} {entry['grade']} · {says['checked']} {entry['date']}"


def _origin(entry: dict[str, Any], place: Place) -> str:
    """What the figure counts, the work, and its support."""
    convention = escape(in_language(entry["convention"], place.language))
    where = escape(support(entry, place.language))
    return f"<b>{convention}</b><br>{source_link(entry['source'], place)} · {where}"


def source_link(source: str, place: Place) -> str:
    """A work of the reading chain, a repository at a commit, or else just its name."""
    if source in load("sources").entries:
        return f'<a href="{place.url(f"reading/{source}.md")}">{escape(work(source))}</a>'
    repository, _, commit = source.partition("@")
    if commit:
        return f'<a href="https://github.com/{repository}/tree/{commit}">{escape(source)}</a>'
    return escape(source)
