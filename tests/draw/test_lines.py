"""Curves on two logarithmic axes lie where the values say, and text stays outside what is stretched."""

import re

import pytest

from labs.draw.lines import HEAD, HEIGHT, Axis, Line, Mark, loglog

X = Axis(1, 1e4, "{:g} B".format, "message")
Y = Axis(1e-2, 1e2, "{:g} s".format, "time")


def drawn(lines=(), marks=()):
    return loglog(lines, marks, X, Y, "time against message")


def test_a_power_law_is_a_straight_line():
    figure = drawn([Line([(1, 1e-2), (100, 1), (1e4, 100)], "comm", "rises")])
    assert re.search(r'points="([^"]*)"', figure)[1] == "0.00,100.00 50.00,50.00 100.00,0.00"


def test_a_mark_stands_at_its_value_and_reads_inwards():
    left, right = drawn(marks=[Mark(10, "left", "comm", 1)]), drawn(marks=[Mark(1000, "right", "comm", 1)])
    assert f'cx="25%" cy="{HEAD + HEIGHT / 2:.1f}"' in left
    assert re.search(r'text-anchor="start"[^>]*>left<', left)
    assert re.search(r'text-anchor="end"[^>]*>right<', right)


def test_a_mark_may_be_named_under_its_point_and_on_the_side_it_asks_for():
    above, under = (re.search(r'y="([\d.]+)" dx', drawn(marks=[Mark(10, "m", "comm", 1, under=low)])) for low in (0, 1))
    assert float(above[1]) < HEAD + HEIGHT / 2 < float(under[1])
    assert re.search(r'dx="8" text-anchor="start"[^>]*>m<', drawn(marks=[Mark(1000, "m", "comm", 1, side="start")]))


def test_the_values_of_ticks_are_drawn_over_the_curves():
    figure = drawn([Line([(1, 1e-2), (1e4, 100)], "comm", "rises")])
    assert figure.index("</polyline>") < figure.index(">1 s<") and figure.index(">10 B<") > figure.index("</polyline>")


def test_a_mark_without_a_value_is_an_upright_line():
    assert f'<line x1="50%" x2="50%" y1="{HEAD}" y2="{HEAD + HEIGHT}" class="nl-limit">' in drawn(
        marks=[Mark(100, "n*", "comm")]
    )


def test_each_tick_is_named_in_the_axis_own_words():
    figure = drawn()
    assert re.findall(r">([\d.]+ B)<", figure) == ["1 B", "10 B", "100 B", "1000 B", "10000 B"]
    assert re.findall(r">([\d.]+ s)<", figure) == ["0.01 s", "0.1 s", "1 s", "10 s", "100 s"]


@pytest.mark.parametrize(("high", "ticks"), [(1e6, 4), (1e12, 5), (1e15, 6)])
def test_many_decades_are_thinned_out(high, ticks):
    assert len(Axis(1, high, str, "").ticks()) == ticks


def test_no_text_is_inside_what_is_stretched():
    figure = drawn([Line([(1, 1), (10, 10)], "comm", "a curve")], [Mark(10, "here", "comm", 1)])
    stretched = re.search(r'preserveAspectRatio="none">(.*?)</svg>', figure)[1]
    assert "<text" not in stretched


def test_words_of_a_curve_are_escaped():
    assert "a &lt; b" in drawn([Line([(1, 1), (10, 10)], "comm", "a < b")])
