"""What goes into an element is escaped, and bars are as long as their numbers."""

import re

import pytest

from labs.draw.bars import Bar, Limit, Part, bars
from labs.draw.scale import decades, linear, logarithmic, nice
from labs.draw.svg import Markup, tag
from labs.draw.theme import classes

HOSTILE = "<script>&\"'"


def test_text_and_attributes_are_escaped():
    assert tag("p", HOSTILE, title=HOSTILE) == (
        "<p title=\"&lt;script&gt;&amp;&quot;'\">&lt;script&gt;&amp;&quot;'</p>"
    )


def test_markup_is_kept_as_content_but_escaped_as_an_attribute():
    assert tag("p", Markup("<b>x</b>"), title=Markup('"<b>')) == '<p title="&quot;&lt;b&gt;"><b>x</b></p>'


def test_an_empty_attribute_is_not_written_and_true_is_bare():
    assert tag("input", type="checkbox", checked=True, disabled=False, id=None) == '<input type="checkbox" checked>'


def widths(drawing: str) -> list[float]:
    return [float(width) for width in re.findall(r'<rect[^>]* width="([\d.]+)%"', drawing)]


def test_bars_are_in_proportion_and_the_longest_fills_its_share():
    drawing = bars(
        (Bar("a", "30", (Part(10, "state", ""), Part(20, "state", ""))), Bar("b", "60", (Part(60, "state", ""),))), "x"
    )
    assert widths(drawing) == [16, 32, 96]


def test_a_limit_longer_than_every_bar_sets_the_scale():
    assert widths(bars((Bar("a", "40", (Part(40, "state", ""),)),), "x", Limit(80, "80 GB"))) == [48]


def test_nothing_to_draw_is_drawn_without_dividing_by_zero():
    assert widths(bars((Bar("a", "0", (Part(0, "state", ""),)),), "x")) == [0]


@pytest.mark.parametrize(("high", "ticks"), [(112, [0, 50, 100]), (1, [0, 0.2, 0.4, 0.6, 0.8, 1]), (0, [0])])
def test_ticks_are_round_numbers(high, ticks):
    assert nice(high) == pytest.approx(ticks)


def test_scales_map_their_ends_to_nothing_and_all():
    assert [linear(2, 4)(x) for x in (2, 3, 4)] == [0, 0.5, 1]
    assert [logarithmic(1, 100)(x) for x in (1, 10, 100)] == [0, 0.5, 1]
    assert decades(2, 2000) == [10, 100, 1000]


def test_a_class_that_the_style_sheet_does_not_know_is_refused():
    assert classes("state", "master", "chosen") == "state master chosen"
    with pytest.raises(ValueError, match="no class"):
        classes("states")
