"""Numbers as people write them, and as they read them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labs import units


@pytest.mark.parametrize(
    ("text", "value"),
    [("70亿", 7e9), ("700亿", 70e9), ("7B", 7e9), ("1.04T", 1.04e12), ("2万亿", 2e12), ("32K", 32e3), ("4Ki", 4096)],
)
def test_billions_and_亿_are_the_same_numbers(text, value):
    assert units.parse(text) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [("1,000", 1000), ("1 234 567.5", 1234567.5), ("-1，000", -1000), ("1,000亿", 1e11), ("８，０００", 8000)],
)
def test_commas_and_spaces_group_digits_by_three(text, value):
    assert units.parse(text) == value


@pytest.mark.parametrize("text", ["0,5", "8,5", "0,500", "1,00", "1,0000", "1234,567", "1,234 567", "8 8"])
def test_a_comma_that_groups_nothing_is_refused_since_it_may_mean_a_fraction(text):
    with pytest.raises(ValueError):
        units.parse(text)


@pytest.mark.parametrize("text", ["nan", "inf", "1e309", "B", "", "7 9e", "1e308T"])
def test_what_is_not_a_finite_number_is_refused(text):
    with pytest.raises(ValueError):
        units.parse(text)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (112, "112"),
        (26.25, "26.25"),
        (1120, "1120"),
        (293.125, "293.1"),
        (32768, "32,768"),
        (0.0435, "0.0435"),
        (0, "0"),
    ],
)
def test_a_number_keeps_four_digits_and_no_empty_zeros(value, text):
    assert units.number(value) == text


def test_a_gibibyte_is_seven_percent_more_than_a_gigabyte():
    assert units.both_bytes(80 * units.GIB) == "85.9\u00a0GB (80\u00a0GiB)"


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.00425, "4.25\u00a0ms"), (1859, "30.98\u00a0min"), (90, "90\u00a0s"), (7e-6, "7\u00a0µs")]
)
def test_a_duration_is_said_in_the_unit_people_would_use(seconds, text):
    assert units.seconds_text(seconds) == text


@given(st.floats(min_value=1e-9, max_value=1e18))
def test_a_printed_number_is_within_its_last_digit(value):
    assert units.parse(units.number(value, 6)) == pytest.approx(value, rel=1e-5)
