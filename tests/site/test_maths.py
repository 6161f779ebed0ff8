"""Formulas are set while the page is built, once each, and a wrong one stops the build where it stands."""

import re

import pytest
from markdown import Markdown

from labs.draw.theme import LEDGERS
from overrides import kept, maths
from overrides.place import Mistake, Place

HERE = Place("chapters/02-model-state.md", "zh", offset=4)
CONFIG = {"overrides.maths": {"place": HERE}, "pymdownx.arithmatex": {"generic": True}}


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setattr(kept, "CACHE", tmp_path)
    return tmp_path


def html(text):
    return Markdown(extensions=["pymdownx.arithmatex", "overrides.maths"], extension_configs=CONFIG).convert(text)


def test_a_formula_is_text_and_mathml_and_no_tex():
    made = html(r"It is $\frac{a}{b}$.")
    assert re.match(r'<p>It is <nl-math data-search-exclude=""><span class="katex">', made)
    assert "<mfrac>" in made and "katex-html" in made
    assert "frac{" not in made and "annotation" not in made


def test_a_formula_on_its_own_scrolls_inside_itself():
    assert '<nl-math class="nl-display" tabindex="0"' in html("$$\na^2\n$$")


def test_a_formula_may_wear_the_colour_of_a_ledger():
    assert "enclosing ledger state" in html(r"$\ledger{state}{16P}$")


def test_a_comparison_in_a_formula_is_not_taken_for_a_tag():
    assert "&lt;" in html("$a < b$")


def test_a_wrong_formula_is_told_with_its_file_and_line():
    with pytest.raises(
        Mistake, match=r"docs/zh/chapters/02-model-state.md:7: formula .*\\frc.*Undefined control sequence"
    ):
        html("a\n\n$\\frc{1}{2}$")


def test_a_formula_that_was_set_before_needs_no_node(monkeypatch):
    first = html("$a+b$")
    monkeypatch.setattr(maths, "ask", lambda formulas: pytest.fail(f"asked for {formulas}"))
    assert html("$a+b$") == first


def test_only_fonts_of_one_format_travel():
    files = maths.files()
    assert {path.rpartition(".")[2] for path in files} == {"css", "woff2"}
    style = files["assets/katex/katex.css"]
    named = set(re.findall(r"url\(([^)]*)\)", style))
    assert {f"assets/katex/{name}" for name in named} == set(files) - {"assets/katex/katex.css"}


@pytest.mark.parametrize("edition", ["", "en/"])
def test_formulas_of_the_course_wear_the_colours_of_the_ledgers(pages, edition):
    worn = {
        ledger
        for path, page in pages.items()
        if path.startswith(f"{edition}chapters/")
        for ledger in re.findall(r'class="enclosing ledger (\w+)"', page.html)
    }
    assert worn == set(LEDGERS)
