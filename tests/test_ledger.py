"""What leaves one row of the bill is named, and so is where it arrives."""

import pytest

from labs.ledger import Row, difference


def row(name: str, value: float) -> Row:
    return Row(name, value, "byte", "formula")


def test_rows_that_fell_are_saved_and_rows_that_rose_are_moved_largest_first():
    before = [row("optimizer", 84), row("gather", 0), row("gradient", 14), row("same", 5)]
    after = [row("optimizer", 10.5), row("gather", 36.75), row("gradient", 1.75), row("same", 5)]
    changes = difference(before, after)
    assert [(c.row.name, c.grown) for c in changes.saved] == [("optimizer", -73.5), ("gradient", -12.25)]
    assert [(c.row.name, c.grown) for c in changes.moved] == [("gather", 36.75)]


def test_a_row_on_one_side_only_counts_from_or_to_nothing():
    changes = difference([row("old", 3)], [row("new", 4)])
    assert (changes.saved[0].before, changes.saved[0].after) == (3, 0)
    assert (changes.moved[0].before, changes.moved[0].after) == (0, 4)


@pytest.mark.parametrize("wrong", [{"unit": "GB"}, {"tag": "guess"}, {"ledger": "memory"}])
def test_a_row_of_an_unknown_unit_tag_or_ledger_is_refused(wrong):
    with pytest.raises(ValueError, match="is not one of"):
        Row(**({"name": "x", "value": 1, "unit": "byte", "tag": "exact"} | wrong))
