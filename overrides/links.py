"""Every page stands in both languages and in `nav`, and every link that an author writes leads somewhere.

MkDocs says of a dead link which page has it, as a warning. Here it stops the build, with its line and the nearest end.
"""

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from difflib import get_close_matches
from posixpath import dirname, join, normpath
from typing import Any

from overrides.editions import DOCS, other
from overrides.fences import CODE, FENCE
from overrides.place import LANGUAGES, Mistake, Place

TARGET = re.compile(r"\[[^\]]*\]\(\s*(?P<target>[^)\s]+)[^)]*\)")
SCHEME = re.compile(r"(?P<scheme>[A-Za-z][\w+.-]*):")
SCHEMES = ("https", "http", "mailto", "term", "cite", "claim", "preset")
NAV = "mkdocs.yml"


def written(language: str) -> set[str]:
    return {file.relative_to(DOCS / language).as_posix() for file in (DOCS / language).rglob("*.md")}


def check_pages(nav: Sequence[Any]) -> None:
    """Mistake: a page that one language or `nav` lacks, or a line of `nav` without a page."""
    held = {language: written(language) for language in LANGUAGES}
    for language in LANGUAGES:
        for page in sorted(held[language] - held[other(language)]):
            lacks = f"docs/{other(language)}/{page}"
            raise Place(page, language).mistake(0, f"{lacks} is missing: a page stands in both languages; write it too")
    named, every = list(_named(nav)), held[LANGUAGES[0]]
    for page in named:
        if page not in every:
            where = f"docs/{LANGUAGES[0]}{_near(page, every)}"
            raise Mistake(f"{NAV}:{_line(page)}: nav names {page}, which is not in {where}")
    for page in sorted(every - set(named)):
        raise Place(page).mistake(0, f"no line of `nav` in {NAV} leads here; add {page} to it")


def _named(nav: Sequence[Any]) -> Iterator[str]:
    for entry in nav:
        value = next(iter(entry.values())) if isinstance(entry, dict) else entry
        yield from [value] if isinstance(value, str) else _named(value)


def _line(page: str) -> int:
    lines = (DOCS.parent / NAV).read_text("utf-8").split("\n")
    return next((n for n, text in enumerate(lines, 1) if text.rstrip().endswith(page)), 1)


def _near(name: str, names: Set[str]) -> str:
    near = get_close_matches(name, names, 1, 0.4)
    return f"; did you mean {near[0]!r}?" if near else ""


def targets(text: str) -> Iterator[tuple[int, str]]:
    """(line from 0, target) of each link of a page's source that is not in code."""
    closing = ""
    for at, line in enumerate(text.split("\n")):
        fence = FENCE.match(line)
        if closing:
            closing = "" if line.strip().startswith(closing) and not line.strip().strip(closing[0]) else closing
        elif fence:
            closing = fence["mark"]
        else:
            yield from ((at, found["target"]) for found in TARGET.finditer(CODE.sub("", line)))


def check_links(place: Place, text: str, pages: Mapping[str, Set[str]]) -> None:
    """`pages`: the anchors of each page of this language. Mistake: the first link of `text` that leads nowhere."""
    for line, target in targets(text):
        if wrong := _scheme(target) or _end(place, target, pages):
            raise place.mistake(line, f"({target}): {wrong}")


def _scheme(target: str) -> str:
    found = SCHEME.match(target)
    if not found or found["scheme"] in SCHEMES:
        return ""
    return f"no link begins with {found[0]!r}{_near(found['scheme'], set(SCHEMES))}"


def _end(place: Place, target: str, pages: Mapping[str, Set[str]]) -> str:
    if SCHEME.match(target):
        return ""
    path, _, anchor = target.partition("#")
    path = path.partition("?")[0]
    page = normpath(join(dirname(place.page), path)) if path else place.page
    if not page.endswith(".md"):
        return f"{page!r} is no page: a link leads to a file .md, and a picture comes from a fence `figure`"
    if page not in pages:
        begun = [one for one in pages if one.startswith(page.removesuffix(".md"))]
        near = begun or get_close_matches(page, pages, 1, 0.4)
        return f"there is no page {page!r}" + (f"; did you mean {place.source(near[0])!r}?" if near else "")
    if anchor and anchor not in pages[page]:
        return f"{page!r} has no anchor {anchor!r}{_near(anchor, pages[page])}"
    return ""
