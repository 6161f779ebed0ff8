"""Two editions of one course: the same pages, headings, labs, formulas and numbers."""

import re
from collections import Counter

import pytest


def test_every_page_is_there_in_both_languages(pages):
    zh = {path for path in pages if not path.startswith("en/")} - {"404.html"}
    en = {path.removeprefix("en/") for path in pages if path.startswith("en/")}
    assert zh == en
    assert len(zh) >= 1 + 15 + 5 + 4


def test_a_page_says_its_language(editions):
    for zh, en in editions.values():
        assert zh.all("html", lang="zh") and en.all("html", lang="en")


def test_a_page_names_both_of_its_editions(editions):
    for pair in editions.values():
        for page in pair:
            assert [have["hreflang"] for have in page.all("link", rel="alternate")] == ["zh", "en"], page.path


def test_the_language_button_leads_to_the_same_page(editions):
    for pair in editions.values():
        for page in pair:
            button = [have["href"] for have in page.classed("md-select__link")]
            assert button == [have["href"] for have in page.all("link", rel="alternate")], page.path


def test_the_missing_page_speaks_both_languages(pages):
    words = pages["404.html"].words
    assert "这一页不在账上" in words and "This page is in no ledger" in words


def differing(editions, of):
    return {path: (of(zh), of(en)) for path, (zh, en) in editions.items() if of(zh) != of(en)}


def test_both_editions_have_the_same_headings(editions):
    assert differing(editions, lambda page: page.headings) == {}


def test_both_editions_have_the_same_labs_with_the_same_values(editions):
    def labs(page):
        return [(have["data-instance"], have["data-start"]) for _, have in page.having("data-start")]

    assert differing(editions, labs) == {}


@pytest.mark.parametrize("kind", ["nl-computed", "nl-claim"])
def test_both_editions_state_the_same_numbers(editions, kind):
    assert differing(editions, lambda page: sorted(have["data-value"] for have in page.classed(kind))) == {}


def formulas(page):
    """What each formula reads as; words in it are of its language, and count as words."""
    maths = re.findall(r"<nl-math.*?<math[^>]*>(.*?)</math>", page.html, re.S)
    return Counter(re.sub(r"<[^>]+>", "", re.sub(r"<mtext>.*?</mtext>", "…", one)) for one in maths)


def test_both_editions_have_the_same_formulas(editions):
    only = {path: (formulas(zh) - formulas(en), formulas(en) - formulas(zh)) for path, (zh, en) in editions.items()}
    assert {path: (dict(zh), dict(en)) for path, (zh, en) in only.items() if zh or en} == {}


def test_both_editions_have_as_many_figures_tables_and_rows(editions):
    def counts(page):
        return [len(page.all("figure")), len(page.classed("nl-data")), len(page.all("tr"))]

    assert differing(editions, counts) == {}


def test_a_chapter_opens_with_its_question_and_closes_with_its_sources(editions):
    for path, pair in editions.items():
        if path.startswith("chapters/"):
            for page in pair:
                assert page.classed("question"), page.path
                assert ("h2", "sources") in page.headings, page.path


def test_the_chapters_stand_in_every_list_by_number(editions):
    for pair in editions.values():
        for page in pair:
            listed = list(dict.fromkeys(re.findall(r"\n\s*(\d\d) \S", page.words)))
            assert listed[:15] == [f"{n:02}" for n in range(15)], page.path
