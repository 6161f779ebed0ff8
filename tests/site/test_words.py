"""Nothing of how a page is written is left in what a reader sees."""

import re

import pytest

from overrides.facts import load

CODE = re.compile(r"<(code|pre)\b.*?</\1>", re.S)


def outside_code(page):
    """The page's HTML without what is shown as code."""
    return CODE.sub("", page.html)


@pytest.mark.parametrize("mark", [r"\(", r"\[", "$$", r"\frac", r"\text", r"\ledger", "application/x-tex"])
def test_no_raw_tex_is_left(pages, mark):
    assert [path for path, page in pages.items() if mark in outside_code(page).replace("\\n", "")] == []


@pytest.mark.parametrize(
    "mark", ["{{", "{%", "```", "](term:", "](cite:", "](claim:", "\x02", "\x03", "wzxhzdk", "klzzwxh"]
)
def test_no_mark_of_a_template_is_left(pages, mark):
    assert [path for path, page in pages.items() if mark in outside_code(page)] == []


def test_no_attribute_list_is_left(pages):
    left = re.compile(r"\{[:#.][a-z-]+")
    assert [(path, left.search(page.words)[0]) for path, page in pages.items() if left.search(CODE.sub("", page.words))
            and left.search(re.sub(r"\s+", " ", "".join(re.split(r"<[^>]+>", outside_code(page)))))] == []  # fmt: skip


def test_formulas_are_set(pages):
    page = pages["chapters/02-model-state/index.html"]
    assert len(page.all("nl-math")) > 10
    assert len(page.classed("katex-mathml")) == len(page.all("nl-math"))


def test_every_work_is_cited_by_a_page_of_each_edition(pages):
    for language in ("zh", "en"):
        cited = {
            have["href"].split("/")[-2]
            for page in pages.values() if page.language == language and "reading/" not in page.path
            for have in page.classed("nl-cite")
        }  # fmt: skip
        assert set(load("sources").entries) - cited == set(), language


def test_every_term_stands_in_the_glossary(pages):
    for path in ("glossary/index.html", "en/glossary/index.html"):
        assert [have["id"] for have in pages[path].all("dt")] and {have["id"] for have in pages[path].all("dt")} == set(
            load("glossary").entries
        )


def test_a_quoted_figure_opens_its_origin_without_a_script(pages):
    for page in pages.values():
        opened = {have["popovertarget"] for _, have in page.having("popovertarget")}
        assert opened == {have["id"] for _, have in page.having("popover")}, page.path
        assert len(opened) == len(page.classed("nl-claim"))
