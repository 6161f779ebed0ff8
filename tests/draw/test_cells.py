"""A column asks for one line where that is short, and for a block wider than it is high where it is long."""

import pytest

from labs.draw.cells import LONG, SHORT, SPACE, ems, least


def asked(*texts: object) -> float:
    return float(least(texts).removeprefix("min-width:").removesuffix("em"))


def test_a_han_letter_is_as_wide_as_the_type_is_high_and_a_latin_one_is_not():
    assert ems("\u4e5d\u672c\u8d26") == 3
    assert ems("abc") < 2


def test_a_short_text_stands_on_one_line():
    assert asked("\u4e5d\u672c\u8d26", "02") == 3 + SPACE


def test_a_long_text_asks_for_more_than_a_short_one_but_not_for_all_its_length():
    assert SHORT + SPACE < asked("\u8d26" * 40) < 40 / 3
    assert asked("\u8d26" * 20) < asked("\u8d26" * 80)
    assert asked("\u8d26" * 1000) == LONG + SPACE


@pytest.mark.parametrize("cell", ['<a href="https://example.org/a-long-address">\u8d26</a>'])
def test_what_is_not_seen_asks_for_no_room(cell):
    assert asked(cell) == 1 + SPACE
    assert asked(cell, "\u539f\u6765") == 2 + SPACE
