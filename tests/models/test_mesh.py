"""Ranks and groups: NumPy's reshape and transpose as an independent oracle, numbers of chapter 04, properties."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from labs.models.mesh import (
    AXES,
    Mesh,
    coordinates,
    device_mesh,
    group_of,
    groups,
    hierarchical_groups,
    in_order,
    masked_groups,
    neighbours,
    rank_at,
    submesh,
)
from labs.refusal import BadValue

MESHES = st.permutations(AXES).flatmap(
    lambda axes: st.builds(
        Mesh,
        st.just(tuple(axes)),
        st.tuples(*[st.integers(1, 4)] * len(AXES)).filter(lambda sizes: np.prod(sizes) <= 256),
    )
)
SOME_AXES = st.sets(st.sampled_from(AXES)).map(sorted)
DENSE64 = in_order("megatron", tp=8, dp=2, pp=4)


def oracle(mesh: Mesh, axes: list[str]) -> list[list[int]]:
    """The same groups without strides: number a C-ordered array, move the group's axes last, flatten."""
    slowest_first = list(reversed(mesh.axes))
    ranks = np.arange(mesh.world).reshape(tuple(reversed(mesh.sizes)))
    inside = [place for place, axis in enumerate(slowest_first) if axis in axes]
    moved = np.moveaxis(ranks, inside, range(-len(inside), 0)) if inside else ranks[..., None]
    width = int(np.prod([mesh.size(axis) for axis in axes]))
    return moved.reshape(-1, width).tolist()


@given(MESHES, SOME_AXES)
def test_groups_over_any_axes_equal_numpys_transpose(mesh: Mesh, axes: list[str]) -> None:
    assert [list(group) for group in groups(mesh, *axes)] == oracle(mesh, axes)


@given(MESHES, SOME_AXES)
def test_each_rank_is_exactly_once_in_the_groups_of_any_axes(mesh: Mesh, axes: list[str]) -> None:
    assert sorted(rank for group in groups(mesh, *axes) for rank in group) == list(range(mesh.world))


@given(MESHES, st.data())
def test_groups_of_two_axes_share_exactly_one_rank(mesh: Mesh, data: st.DataObject) -> None:
    rank = data.draw(st.integers(0, mesh.world - 1))
    one, other = data.draw(st.lists(st.sampled_from(AXES), min_size=2, max_size=2, unique=True))
    assert set(group_of(mesh, rank, one)) & set(group_of(mesh, rank, other)) == {rank}


@given(MESHES, SOME_AXES, st.data())
def test_one_group_is_found_without_listing_the_others(mesh: Mesh, axes: list[str], data: st.DataObject) -> None:
    rank = data.draw(st.integers(0, mesh.world - 1))
    assert [group for group in groups(mesh, *axes) if rank in group] == [group_of(mesh, rank, *axes)]


@given(MESHES, st.data())
def test_a_rank_and_its_coordinates_name_each_other(mesh: Mesh, data: st.DataObject) -> None:
    rank = data.draw(st.integers(0, mesh.world - 1))
    at = coordinates(mesh, rank)
    assert rank_at(mesh, **at) == rank
    slowest_first = np.unravel_index(rank, tuple(reversed(mesh.sizes)))
    assert [at[axis] for axis in reversed(mesh.axes)] == [int(place) for place in slowest_first]


@given(MESHES, st.sampled_from(AXES), st.data())
def test_who_comes_after_me_has_me_before_it(mesh: Mesh, axis: str, data: st.DataObject) -> None:
    rank = data.draw(st.integers(0, mesh.world - 1))
    before, after = neighbours(mesh, rank, axis)
    assert neighbours(mesh, after, axis)[0] == rank
    assert neighbours(mesh, before, axis)[1] == rank


def test_rank_19_of_tp8_dp2_pp4_is_tp_3_dp_0_pp_1() -> None:
    assert coordinates(DENSE64, 19) == {"tp": 3, "cp": 0, "ep": 0, "dp": 0, "pp": 1}


def test_rank_19_of_tp8_dp2_pp4_is_in_these_groups() -> None:
    assert group_of(DENSE64, 19, "tp") == tuple(range(16, 24))
    assert group_of(DENSE64, 19, "dp") == (19, 27)
    assert group_of(DENSE64, 19, "pp") == (3, 19, 35, 51)


def test_llama_3_puts_pp_inside_dp_and_megatron_dp_inside_pp() -> None:
    llama = in_order("llama3", tp=2, cp=2, pp=2, dp=2)
    assert [group_of(llama, 0, axis) for axis in ("tp", "cp", "pp", "dp")] == [(0, 1), (0, 2), (0, 4), (0, 8)]
    megatron = in_order("megatron", tp=2, cp=2, pp=2, dp=2)
    assert [group_of(megatron, 0, axis) for axis in ("tp", "cp", "pp", "dp")] == [(0, 1), (0, 2), (0, 8), (0, 4)]


def test_a_group_over_two_axes_is_the_product_of_both() -> None:
    mesh = in_order("megatron", tp=2, cp=2, dp=2, pp=1)
    assert group_of(mesh, 1, "cp", "dp") == (1, 3, 5, 7)


def test_masked_groups_need_no_names() -> None:
    found = masked_groups([2, 3, 4], [False, True, False])
    assert (found[0], found[1], found[7], len(found)) == ((0, 2, 4), (1, 3, 5), (19, 21, 23), 8)


def test_levels_of_a_hierarchy_join_ranks_that_differ_in_one_digit() -> None:
    inner, middle, outer = hierarchical_groups(16, [2, 2, 4])
    assert (inner[1], middle[1], outer[1]) == ((2, 3), (1, 3), (1, 5, 9, 13))


def test_levels_that_do_not_multiply_to_the_group_are_refused() -> None:
    with pytest.raises(BadValue, match="the levels multiply to 8, but the group has 16 ranks"):
        hierarchical_groups(16, [2, 4])


def test_a_pytorch_mesh_is_written_slowest_axis_first() -> None:
    mesh = device_mesh((2, 4), ("dp", "tp"))
    assert groups(mesh, "tp") == ((0, 1, 2, 3), (4, 5, 6, 7))
    assert groups(mesh, "dp") == ((0, 4), (1, 5), (2, 6), (3, 7))


@pytest.mark.parametrize("rank", range(8))
def test_a_submesh_is_numpys_slice_through_the_rank(rank: int) -> None:
    mesh = device_mesh((2, 2, 2), ("dp", "pp", "cp"))
    middle = rank // 2 % 2
    kept = np.arange(8).reshape(2, 2, 2)[:, middle, :].tolist()
    assert [list(row) for row in submesh(mesh, rank, ("dp", "cp"))] == kept  # type: ignore[union-attr]


@pytest.mark.parametrize("order", ["tp-tp-dp", "tp-xp", ""])
def test_an_order_of_unknown_or_repeated_axes_is_refused(order: str) -> None:
    with pytest.raises(BadValue, match="an order is made of tp, cp, ep, dp, pp, each at most once") as refused:
        in_order(order, tp=2)
    assert refused.value.field == "order"


def test_an_axis_that_is_cut_needs_a_place_in_the_order() -> None:
    assert in_order("tp-dp-pp", tp=2, cp=1, dp=2, pp=2).world == 8
    with pytest.raises(BadValue, match="this order has no place for CP"):
        in_order("tp-dp-pp", tp=2, cp=2, dp=2, pp=2)


@pytest.mark.parametrize(("rank", "nearest"), [(64, 63), (-1, 0)])
def test_a_rank_outside_the_mesh_is_refused_with_the_nearest(rank: int, nearest: int) -> None:
    with pytest.raises(BadValue, match="ranks are counted from 0 to 63") as refused:
        coordinates(DENSE64, rank)
    assert refused.value.nearest == nearest
