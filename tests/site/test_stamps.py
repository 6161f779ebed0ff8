"""A page knows which version of its other edition it was checked against, and says so when that has changed since."""

import re
from datetime import date

import pytest

from overrides import editions
from overrides.place import Mistake

PAGE = "---\ntitle: A\n---\n# A {#a}\n"
DAY = date(2026, 11, 29)


@pytest.fixture
def course(tmp_path, monkeypatch):
    """Two editions of one page, in a folder of their own."""
    for language in ("zh", "en"):
        (tmp_path / language).mkdir()
        (tmp_path / language / "a.md").write_text(PAGE.replace("A", language), "utf-8")
    monkeypatch.setattr(editions, "DOCS", tmp_path)
    return tmp_path


def test_a_stamp_is_the_last_line_of_the_front_matter():
    text = editions.stamped(PAGE, "0123456789ab", DAY)
    assert text == "---\ntitle: A\nchecked: {hash: '0123456789ab', date: 2026-11-29}\n---\n# A {#a}\n"


def test_a_new_stamp_takes_the_place_of_the_old():
    once = editions.stamped(PAGE, "0123456789ab", date(2026, 1, 1))
    assert editions.stamped(once, "ba9876543210", DAY) == editions.stamped(PAGE, "ba9876543210", DAY)


def test_the_hash_of_a_page_does_not_depend_on_its_own_stamp():
    assert editions.digest(editions.stamped(PAGE, "0123456789ab", DAY)) == editions.digest(PAGE)
    assert editions.digest(PAGE + "more") != editions.digest(PAGE)


def test_a_page_without_front_matter_cannot_be_stamped():
    with pytest.raises(ValueError, match="no front matter"):
        editions.stamped("# A\n", "0123456789ab", DAY)


def test_stamping_a_page_checks_both_of_its_editions(course):
    assert [why for _, _, why in editions.behind()] == ["never checked", "never checked"]
    assert editions.main(["--stamp", "a"]) == 0
    assert list(editions.behind()) == []
    assert editions.main([]) == 0


def test_an_edition_that_changes_leaves_the_other_behind(course, capsys):
    editions.stamp("a.md", DAY)
    english = course / "en" / "a.md"
    english.write_text(english.read_text("utf-8") + "More.\n", "utf-8")
    assert list(editions.behind()) == [("a.md", "zh", "checked on 2026-11-29, the other changed since")]
    assert editions.main([]) == 1
    assert "docs/zh/a.md: checked on 2026-11-29" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("language", "says"), [("zh", "英文版在 2026-11-29 核对之后又改过"), ("en", "The Chinese edition has")]
)
def test_a_page_left_behind_shows_a_dated_note_in_its_language(course, language, says):
    note = editions.note("a.md", language, {"checked": {"hash": "0123456789ab", "date": DAY}})
    assert says in note and "2026-11-29" in note and "nl-behind" in note


def test_a_page_that_is_not_behind_shows_none(course):
    other = (course / "en" / "a.md").read_text("utf-8")
    assert editions.note("a.md", "zh", {"checked": {"hash": editions.digest(other), "date": DAY}}) == ""
    assert editions.note("a.md", "zh", {}) == ""
    assert editions.note("reading/zero.md", "zh", {"checked": {"hash": "0", "date": DAY}}) == ""


# ---- the course itself


def test_every_page_was_checked_against_its_other_edition():
    never = [f"docs/{language}/{page}" for page, language, why in editions.behind() if why == "never checked"]
    assert never == [], "read both editions side by side, then: python -m overrides.editions --stamp PAGE"


def test_the_built_pages_that_are_behind_say_so_and_no_others(pages):
    behind = {(page, language) for page, language, why in editions.behind() if why != "never checked"}
    expected = {
        ("" if language == "zh" else "en/") + re.sub(r"(^|/)index\.md$", r"\1", page).removesuffix(".md").rstrip("/")
        for page, language in behind
    }
    shown = {page.path.removesuffix("index.html").rstrip("/") for page in pages.values() if page.classed("nl-behind")}
    assert shown == {one.rstrip("/") for one in expected}


def test_both_editions_draw_the_same_shapes(pages):
    """Figures are made from one model, so that only their words may differ."""

    def shapes(page):
        return [
            (tag, have.get("class", "")) for tag, have in page.tags if tag in ("rect", "circle", "path", "polyline")
        ]

    for path, zh in pages.items():
        if not path.startswith("en/") and path != "404.html":
            assert shapes(zh) == shapes(pages[f"en/{path}"]), path


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ('---\ntitle: "A\ndescription: b\n---\n# A\n', 4, "the front matter is no YAML: "),
        ("---\ntitle: A: b\ndescription: b\n---\n# A\n", 2, "the front matter is no YAML: "),
        ("---\ndescription: b\n---\n# A\n", 1, "the front matter has no title; a page opens with title: and"),
        ("# A\n", 1, "the front matter has no title and no description"),
    ],
)
def test_front_matter_that_names_no_page_is_told_with_its_line(text, line, says):
    """MkDocs would print such front matter as text, and name the page after its file."""
    with pytest.raises(Mistake) as told:
        editions.check_opening("chapters/a.md", "en", text)
    assert str(told.value).startswith(f"docs/en/chapters/a.md:{line}: {says}")


@pytest.mark.parametrize("language", ["zh", "en"])
def test_every_page_opens_with_its_name_and_what_it_says(language):
    for page in editions.pages():
        editions.check_opening(page, language, editions.source(page, language).read_text("utf-8"))
