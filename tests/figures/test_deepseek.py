"""Figures of the DeepSeek lineage show what routing, links and degrees give."""

import re
from math import comb

import pytest

from labs.figures import draw


def values(drawing: str) -> list[str]:
    return re.findall(r'class="nl-value">([^<]*)<', drawing)


def test_more_experts_cost_nothing_up_to_12_8_of_them():
    assert "they cross at 12.8" in draw("fan-out", "en")


def test_a_token_arrives_over_ib_on_gpus_of_its_own_number_only():
    drawing = draw("token-path", "en")
    source = re.search(r'x="([\d.]+)%"[^>]*class="parallel tp"', drawing)
    arrivals = re.findall(r'x="([\d.]+)%"[^>]*height="22" class="comm send"', drawing)
    assert source and len(arrivals) == 3 and set(arrivals) == {source[1]}


def test_the_cells_of_a_token_count_its_eight_experts():
    cells = re.findall(r'nl-inside-text">([^<]*)<', draw("token-path", "en"))
    assert sum(int(digits[0]) for cell in cells if (digits := re.findall(r"\d+", cell))) == 8


def test_one_copy_a_node_saves_more_than_the_limit_of_four():
    expert, node, four, *_ = map(float, values(draw("node-limit", "en")))
    assert expert - node > node - four > 0
    missed = comb(256 - 32, 8) / comb(256, 8)
    assert node == pytest.approx(7 * (1 - missed), abs=0.05)


def test_the_rank_map_has_2048_gpus_and_every_stage_on_two_rows():
    drawing = draw("rank-map", "en")
    assert drawing.count('height="14" class="parallel') * 8 == 2048
    stages = [int(x) for pair in re.findall(r"stages (\d+), (\d+)<", drawing) for x in pair]
    assert sorted(stages) == sorted([*range(16), *range(16)])
    assert drawing.count("shade-6") == drawing.count("shade-5") == 2 * 8
