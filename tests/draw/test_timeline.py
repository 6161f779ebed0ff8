"""A timeline: a lane a row, slots in units of time, numbers where they fit, pieces where slots are too many."""

import re

import pytest

from labs.draw.timeline import Lane, marks, summarised, timeline

TWO = Lane("0", [0, 3], [1, 5], marks(["bubble forward", "bubble backward"], ["0F0", "0B0"], ["0", "0"]), "idle 2")


def drawn(*lanes, until=5, shortest=1.0):
    return timeline(lanes or (TWO,), until, "two slots", shortest, "scrolls")


def test_a_lane_of_two_slots_is_drawn_like_this():
    lane = re.search(r'<svg y="0".*?</svg>.*?</svg>', drawn()).group()
    assert lane == (
        '<svg y="0" width="100%" height="20">'
        '<svg width="100%" height="20" viewBox="0 0 5 20" preserveAspectRatio="none">'
        '<rect width="5" height="20" class="slot bubble idle"><title>idle 2</title></rect>'
        '<g class="slot bubble forward"><path d="M0 0h1v20h-1z"></path></g>'
        '<g class="slot bubble backward"><path d="M3 0h2v20h-2z"></path></g></svg>'
        '<text y="14" class="nl-inside bubble forward"><tspan x="10.00%">0</tspan></text>'
        '<text y="14" class="nl-inside bubble backward"><tspan x="80.00%">0</tspan></text></svg>'
    )


def test_a_text_that_does_not_fit_is_left_to_the_title():
    wide = Lane("0", [0], [1], marks(["bubble forward"], ["0F123"], ["123456"]), "")
    assert "<tspan" in drawn(wide, until=4)
    narrow = drawn(wide, until=40, shortest=40.0)
    assert "123456" not in narrow
    assert '<rect x="0" width="1" height="20"><title>0F123</title></rect>' in narrow


def test_a_short_slot_makes_the_lane_wider_than_the_page_and_it_scrolls():
    assert "min-width" not in drawn(until=10)
    assert "min-width:1200px" in drawn(until=100)
    assert "min-width:3600px" in drawn(until=1e6)


@pytest.mark.parametrize("text", ["<b>", 'say "x"', "a & b"])
def test_what_comes_from_outside_is_escaped(text):
    lane = Lane(text, [0], [1], marks(["bubble forward"], [text], [text]), text)
    short = Lane("", [0], [0.001], marks(["bubble forward"], [text], [text]), "")
    figure = timeline([lane, short], 1, text, 1.0, text)
    assert text not in figure.replace('"nl-', "")
    assert figure.count("&lt;b&gt;") + figure.count("&quot;x&quot;") + figure.count("a &amp; b") == 6


def test_each_figure_says_what_it_shows_and_that_it_scrolls():
    assert 'role="img" aria-label="two slots"' in drawn()
    assert 'role="group" aria-label="scrolls" tabindex="0"' in drawn()


def test_the_axis_ends_at_the_end():
    assert re.findall(r'class="(nl-tick[^"]*)">([^<]*)<', drawn()) == [
        ("nl-tick start", "0"), ("nl-tick", "2"), ("nl-tick", "4"), ("nl-tick end", "5"),
    ]  # fmt: skip


def test_a_piece_is_filled_as_high_as_each_kind_took_of_its_time():
    lane = summarised(TWO, 5, 2, "{busy} %: {titles}")
    assert (list(lane.starts), list(lane.ends)) == ([0.0, 2.5], [2.5, 5.0])
    assert lane.marks.classes == ("bubble forward", "bubble backward")
    assert lane.marks.titles == ("40 %: 0F0", "80 %: 0B0")
    assert list(lane.bands) == [(12.0, 8.0), (4.0, 16.0)]
    assert '<rect x="0" width="2.5" y="12" height="8">' in drawn(lane)


def test_kinds_that_share_a_piece_stand_on_each_other():
    assert list(summarised(TWO, 5, 1, "").bands) == [(16.0, 4.0), (8.0, 8.0)]


def test_a_slot_over_several_pieces_fills_them_all():
    long = Lane("0", [0], [10], marks(["bubble forward"], ["0F0"], ["0"]), "")
    assert summarised(long, 10, 5, "{busy} {titles}").marks.titles == ("100 0F0",) * 5
