"""What the mesh lab draws and lists: each rank once, the chosen rank's groups marked, and the same data as tables."""

import re
from collections import Counter

import pytest

from labs.answer import Table
from labs.lab import find
from labs.models.mesh import in_order
from labs.views.mesh_formulas import radix
from labs.views.mesh_tables import ranks_text
from tests.views.test_mesh import ask, cells

PRESETS = [preset.id for preset in find("mesh").presets]


def column(table: Table, head: str) -> dict[str, object]:
    place = table.head.index(head)
    return {str(row[0]): row[place] for row in table.rows}


def test_every_rank_of_64_is_drawn_once_in_order() -> None:
    assert [number for _, _, number, _ in cells(ask("X1"))] == [str(rank) for rank in range(64)]


def test_the_groups_of_rank_19_are_marked_and_named_in_the_cells() -> None:
    marked = {number: small for classed, _, number, small in cells(ask("X1")) if "member" in classed}
    assert {rank for rank, small in marked.items() if small.endswith("TP")} == {
        "16",
        "17",
        "18",
        "20",
        "21",
        "22",
        "23",
    }
    assert {rank for rank, small in marked.items() if small.endswith("DP")} == {"27"}
    assert {rank for rank, small in marked.items() if small.endswith("PP")} == {"3", "35", "51"}
    assert [number for classed, _, number, _ in cells(ask("X1")) if "chosen" in classed] == ["19"]


@pytest.mark.parametrize("axis", ["tp", "cp", "dp", "pp"])
def test_a_cell_shows_the_coordinate_that_its_shade_stands_for(axis: str) -> None:
    shades: dict[str, set[str]] = {}
    for classed, title, _, small in cells(ask("X3", colour=axis)):
        at = dict(pair.split() for pair in title.split(": ")[1].split(", "))
        assert small.split()[0] == axis + at[axis]
        shades.setdefault(at[axis], set()).add(next(one for one in classed.split() if one.startswith("shade")))
    assert [len(one) for one in shades.values()] == [1] * len(shades)
    assert len(set.union(*shades.values())) == len(shades)


@pytest.mark.parametrize("axis", ["etp", "ep", "edp"])
def test_the_second_view_is_coloured_along_each_axis_of_its_own(axis: str) -> None:
    drawn = cells(ask("X2", nodes="4", tp="2", pp="2", dp="8", ep="4", etp="2", colour=axis))
    second = [small.split()[0] for _, _, _, small in drawn if small.split()[0].startswith(axis)]
    assert len(second) == 32 and set(second) == {f"{axis}{at}" for at in range({"ep": 4}.get(axis, 2))}


@pytest.mark.parametrize("preset", PRESETS)
def test_the_rank_table_holds_the_figures_own_coordinates(preset: str) -> None:
    answer = ask(preset)
    table = answer.tables[-1]
    places = {axis: column(table, axis) for axis in table.head if axis.isupper()}
    for _, title, number, _ in cells(answer):
        at = dict(pair.split() for pair in title.split(": ")[1].split(", "))
        assert {axis.lower(): str(rows[number]) for axis, rows in places.items()}.items() <= at.items()


def test_experts_are_drawn_as_a_second_view_of_the_same_ranks() -> None:
    drawn = Counter(number for _, _, number, _ in cells(ask("X2", nodes="8", pp="4", ep="8")))
    assert drawn == {str(rank): 2 for rank in range(64)}


def test_a_large_cluster_is_drawn_by_the_chosen_ranks_nodes_above_a_square_for_each_node() -> None:
    answer = ask("X5")
    numbers = sorted({int(number) for _, _, number, _ in cells(answer)})
    assert len(numbers) == 4 * 8
    assert 19 in numbers
    assert len(re.findall(r"M[\d.]+ [\d.]+h", answer.figure)) == 2 * 256
    assert len(answer.figure) < 60_000


def test_the_largest_cluster_still_fits_512_squares() -> None:
    answer = ask("X5", nodes="4096", dp="2048")
    assert len(re.findall(r"M[\d.]+ [\d.]+h", answer.figure)) == 2 * 512


# ---- groups, links, words


def test_the_groups_of_rank_19_are_listed_with_the_link_they_cross() -> None:
    table = ask("X1").tables[0]
    assert column(table, "Members") == {"TP": "16–23", "DP": "19, 27", "PP": "3, 19, 35, 51"}
    assert column(table, "Slowest link") == {
        "TP": "inside an NVLink domain",
        "DP": "network, across 2 nodes",
        "PP": "network, across 4 nodes",
    }


def test_an_ep_group_of_v3_crosses_eight_nodes_and_leaves_two_copies() -> None:
    expert = ask("X5").tables[1]
    assert column(expert, "Size") == {"ETP": 1, "EP": 64, "EDP": 2, "PP": 16}
    assert column(expert, "Slowest link")["EP"] == "network, across 8 nodes"
    assert column(expert, "Members")["EDP"] == "19, 83"


def test_gradients_are_combined_over_dp_and_cp_together() -> None:
    dense = ask("X3").tables[0]
    assert column(dense, "Size") == {"TP": 8, "CP": 2, "DP": 2, "DP×CP": 4, "PP": 2}


def test_sp_changes_the_collective_and_not_the_group() -> None:
    on, off = ask("X1", sp="8").tables[0], ask("X1").tables[0]
    assert column(on, "Members") == column(off, "Members")
    assert column(off, "What is sent")["TP"] == "AllReduce"
    assert str(column(on, "What is sent")["TP"]).startswith("AllGather + ReduceScatter")


def test_what_is_saved_and_where_the_cost_went_names_each_cut_axis() -> None:
    answer = ask("X1")
    assert answer.saved == (
        "TP leaves each GPU 1/8 of every layer's matrices; PP leaves each GPU 1/4 of the layers; "
        "DP lets 2 replicas work on different samples and saves no weights."
    )
    assert answer.moved.startswith("TP adds collectives in every layer, 8 GPUs wide (inside an NVLink domain); ")


def test_nothing_cut_saves_and_moves_nothing() -> None:
    answer = ask("X1", nodes="1", per_node="1", tp="1", pp="1", dp="1", rank="0")
    assert (answer.saved, answer.moved) == ("Nothing is cut.", "So nothing is sent.")


def test_the_formula_rebuilds_the_rank_with_the_readers_numbers() -> None:
    assert radix(in_order("megatron", tp=8, dp=2, pp=4), 19, {}) == "rank = tp + TP·(dp + DP·pp) = 3 + 8·(0 + 2·1) = 19"
    for rank in range(64):
        text = radix(in_order("megatron", tp=2, cp=2, dp=4, pp=4), rank, {})
        arithmetic = text.split(" = ")[2].replace("·", "*")
        assert eval(arithmetic) == rank


@pytest.mark.parametrize(
    ("group", "text"),
    [((5,), "5"), ((4, 5), "4, 5"), (tuple(range(8)), "0–7"), (tuple(range(0, 160, 16)), "0, 16, 32, …, 144")],
)
def test_long_groups_are_written_short(group: tuple[int, ...], text: str) -> None:
    assert ranks_text(group) == text
