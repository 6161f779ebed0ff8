"""Figures of the Kimi lineage show what the models say (11-D, Fix-A4, Fix-B3)."""

import re

import pytest

from labs.figures import draw


def values(drawing: str) -> list[str]:
    return re.findall(r'class="nl-value">([^<]*)<', drawing)


def test_k2_holds_24_4_gb_if_spread_28_2_as_it_lies_and_twice_that_under_dualpipe():
    assert values(draw("k2-memory", "en")) == ["24.4\u00a0GB", "28.2\u00a0GB", "56.4\u00a0GB"]


def test_twice_the_stages_double_the_bubble_and_quadruple_it_where_layers_run_out():
    plain, plain_32, finest, finest_32 = (
        float(value.split("\u00a0")[0]) for value in values(draw("more-stages", "en"))
    )
    assert (plain, plain_32) == (23.4, 48.4)
    assert finest_32 / finest == pytest.approx(2 * plain_32 / plain, rel=0.005)


def test_whole_images_leave_four_times_the_mean_and_cut_ones_nearly_none():
    assert "has 8 times the mean; whole images dealt evenly leave 4.04 times" in draw("images", "en")
    assert "cut first, 1.01 times" in draw("images", "en")


def test_the_first_rank_of_an_interleaved_pipeline_holds_most_and_each_next_one_set_less():
    peaks = [float(value) for value in values(draw("resident", "en"))]
    assert peaks == [11.5 - rank for rank in range(8)]


def test_no_two_pieces_of_the_phases_lie_upon_one_another():
    boxes = re.findall(r'<rect x="([\d.]+)%" width="([\d.]+)%" y="(\d+)"', draw("phases", "en"))
    lines: dict[str, list[float]] = {}
    for x, width, y in boxes:
        lines.setdefault(y, []).extend((float(x), float(x) + float(width)))
    assert len(boxes) == 9
    for edges in lines.values():
        assert edges == sorted(edges) and edges[0] >= 12 and edges[-1] <= 100
