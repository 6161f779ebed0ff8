"""A term has one name a language and is linked where a chapter first uses it."""

import re
from collections import Counter
from html.parser import HTMLParser

import pytest

from overrides.facts import load
from tests.site.pages import VOID

PROSE = {"p", "li"}
# Where a name is not a use: titles, tables, figures, labs, origins of figures; and the names of works and ledgers.
ASIDE = {"h1", "h2", "h3", "table", "figure", "section", "summary", "code", "nl-math", "small", "svg"}


class _Uses(HTMLParser):
    """The words of a page, in order: (text, whether it is prose, id of the term that it links to or empty)."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[tuple[str, str, bool]] = []
        self.parts: list[tuple[str, bool, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in VOID:
            return
        have = {name: value or "" for name, value in attrs}
        classes = have.get("class", "").split()
        term = have.get("href", "").partition("#")[2] if "nl-term" in classes else ""
        aside = tag in ASIDE or "admonition-title" in classes or (tag == "a" and not term)
        self.open.append((tag, term, aside))

    def handle_endtag(self, tag: str) -> None:
        while self.open and self.open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        tags = {tag for tag, _, _ in self.open}
        if "article" in tags:
            prose = bool(PROSE & tags) and not any(aside for _, _, aside in self.open)
            self.parts.append((data, prose, next((term for _, term, _ in self.open if term), "")))


def uses(html):
    reader = _Uses()
    reader.feed(html)
    return reader.parts


def linked_late(parts, key, name, language):
    """Whether prose uses the name before anything links to the term."""
    wanted = re.compile(re.escape(name) if language == "zh" else rf"(?i)\b{re.escape(name)}\b")
    for text, prose, term in parts:
        if term == key:
            return False
        if prose and not term and wanted.search(text):
            return True
    return False


@pytest.mark.parametrize("language", ["zh", "en"])
def test_no_two_terms_have_one_name(language):
    names = Counter(entry[language].casefold() for entry in load("glossary").entries.values())
    assert [name for name, times in names.items() if times > 1] == []


def test_a_chapter_links_a_term_where_its_prose_first_uses_it(pages):
    late = []
    for page in pages.values():
        if "chapters/" not in page.path:
            continue
        parts = uses(page.html)
        for key in dict.fromkeys(term for *_, term in parts if term):
            name = load("glossary")[key][page.language]
            if linked_late(parts, key, name, page.language):
                late.append((page.path, name))
    assert late == []


def test_a_term_is_linked_once_a_chapter(pages):
    for page in pages.values():
        if "chapters/" in page.path:
            linked = Counter(have["href"].partition("#")[2] for have in page.classed("nl-term"))
            assert {term: times for term, times in linked.items() if times > 1} == {}, page.path


def test_a_use_is_found_in_prose_and_not_in_titles():
    html = '<article><h2>bubble</h2><p>A <a class="nl-term" href="g#bubble">bubble</a> is a bubble.</p></article>'
    assert not linked_late(uses(html), "bubble", "bubble", "en")
    assert linked_late(uses(html.replace("A <a", "No bubble, a <a")), "bubble", "bubble", "en")
    assert not linked_late(uses(html.replace("A <a", "<a>bubble</a> <a")), "bubble", "bubble", "en")
