"""Cells stand in rows of at most eight, every cell says its number, and squares of one class are one path."""

import re

import pytest

from labs.draw.grid import Block, Cell, grid, overview, shade


def cell(number: int, classes: str = "parallel pp") -> Cell:
    return Cell(str(number), "pp0", classes, f"rank {number}")


def test_a_block_of_18_cells_takes_three_rows_of_eight() -> None:
    drawing = grid((Block("node 0", tuple(map(cell, range(18)))),), "x")
    tops = re.findall(r'<rect[^>]* y="(\d+)"', drawing)
    assert [tops.count(top) for top in dict.fromkeys(tops)] == [8, 8, 2]


def test_blocks_follow_one_another_and_the_drawing_ends_with_the_last() -> None:
    drawing = grid((Block("node 0", (cell(0),)), Block("node 1", (cell(1),))), "x")
    labels = [int(y) for y in re.findall(r'<text x="0" y="(\d+)"', drawing)]
    height = int(re.search(r'height="(\d+)"', drawing).group(1))  # type: ignore[union-attr]
    assert labels == [13, 79]
    assert height == 66 + 58


def test_cells_of_a_row_share_the_width() -> None:
    drawing = grid((Block("node 0", tuple(map(cell, range(4)))),), "x")
    assert re.findall(r'<rect x="([\d.]+)%" width="([\d.]+)%"', drawing) == [
        ("0.75", "23.5"), ("25.75", "23.5"), ("50.75", "23.5"), ("75.75", "23.5"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("of", "shades"), [(1, [0]), (2, [0, 7]), (4, [0, 2, 4, 7]), (8, list(range(8))), (16, [0, 0, 0, 1])]
)
def test_places_along_an_axis_run_from_the_lightest_shade_to_the_strongest(of: int, shades: list[int]) -> None:
    assert [shade(place, of) for place in range(min(of, len(shades)))] == [f"shade-{one}" for one in shades]
    assert shade(of - 1, of) == ("shade-7" if of > 1 else "shade-0")


def test_an_overview_writes_one_path_for_all_squares_of_a_class() -> None:
    drawing = overview(tuple(cell(n, "idle" if n > 39 else "parallel pp") for n in range(64)), "x")
    paths = re.findall(r'<path d="([^"]*)" class="([^"]*)"', drawing)
    assert {classes: d.count("M") for d, classes in paths} == {"parallel pp": 40, "idle": 24}
    assert 'viewBox="0 0 32 2"' in drawing
