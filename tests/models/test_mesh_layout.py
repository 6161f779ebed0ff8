"""Two views of the same ranks, and the refusals: the public bug reports on mesh tools, each with its right answer."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from labs.models.mesh import groups
from labs.models.mesh_layout import (
    Layout,
    data_parallel,
    layout,
    members,
    multiply_all,
    smallest_world,
)
from labs.models.mesh_links import cluster, crossing
from labs.refusal import BadValue

SMALL = st.sampled_from((1, 2, 3, 4))


@st.composite
def layouts(draw: st.DrawFn) -> Layout:
    tp, cp, pp, dp, ep, etp = (draw(SMALL) for _ in range(6))
    stage = tp * cp * dp
    assume(stage % (ep * etp) == 0)
    return layout(stage * pp, tp=tp, cp=cp, pp=pp, ep=ep, etp=etp)


@given(layouts())
def test_both_views_hold_the_same_ranks_and_share_the_pipeline(both: Layout) -> None:
    assert both.dense.world == both.expert.world == both.world
    assert sorted(groups(both.dense, "pp")) == sorted(groups(both.expert, "pp"))


@given(layouts())
def test_expert_dp_is_what_ep_leaves_of_a_stage(both: Layout) -> None:
    assert both.edp * both.ep * both.etp == both.tp * both.cp * both.dp


@given(layouts())
def test_expert_groups_equal_numpys_reshape_of_one_stage(both: Layout) -> None:
    ranks = np.arange(both.world).reshape(both.pp, both.edp, both.ep, both.etp)
    assert [list(group) for group in groups(both.expert, "ep")] == np.moveaxis(ranks, 2, 3).reshape(
        -1, both.ep
    ).tolist()
    assert [list(group) for group in groups(both.expert, "dp")] == np.moveaxis(ranks, 1, 3).reshape(
        -1, both.edp
    ).tolist()


@given(layouts(), st.data())
def test_every_ep_group_of_a_stage_holds_each_expert_once(both: Layout, data: st.DataObject) -> None:
    rank = data.draw(st.integers(0, both.world - 1))
    copies = members(both, rank, "edp")
    assert len({members(both, copy, "ep") for copy in copies}) == both.edp


@given(SMALL, SMALL, SMALL, SMALL, SMALL)
def test_the_smallest_world_is_legal_and_none_smaller_is(tp: int, cp: int, pp: int, ep: int, etp: int) -> None:
    least = smallest_world(tp=tp, cp=cp, pp=pp, ep=ep, etp=etp)

    def legal(world: int) -> bool:
        try:
            layout(world, tp=tp, cp=cp, pp=pp, ep=ep, etp=etp)
        except BadValue:
            return False
        return True

    assert [world for world in range(1, least + 1) if legal(world)] == [least]


def test_deepseek_v3_has_dense_dp_128_and_two_copies_of_each_expert() -> None:
    both = layout(2048, pp=16, ep=64)
    assert (both.dp, both.edp) == (128, 2)
    assert crossing(members(both, 0, "ep"), cluster(256, 8)).nodes == 8


def test_kimi_k2_is_one_model_parallel_group_of_256() -> None:
    assert smallest_world(pp=16, ep=16) == 256
    assert layout(256, pp=16, ep=16).edp == 1


def test_x4_claims_512_where_64_are_independent() -> None:
    claim = multiply_all(tp=8, sp=8, cp=1, pp=4, dp=2, ep=1)
    assert (claim.claimed, claim.product, claim.shared) == (512, 64, ("sp",))


# ---- public reports P01–P08


def test_p01_ep_is_not_a_factor_of_the_world() -> None:
    assert layout(8, tp=2, cp=2, dp=2, ep=4).edp == 2
    assert layout(8, tp=2, cp=2, dp=2, ep=8).edp == 1


def test_p03_ep_and_cp_are_legal_together() -> None:
    both = layout(16, cp=4, dp=4, ep=8)
    assert members(both, 0, "cp") == (0, 1, 2, 3)
    assert members(both, 0, "ep") == tuple(range(8))


@pytest.mark.parametrize(("etp", "edp"), [(1, 16), (8, 2)])
def test_p04_tp8_pp2_ep8_fits_256_gpus_because_ep_adds_none(etp: int, edp: int) -> None:
    both = layout(256, tp=8, pp=2, ep=8, etp=etp)
    assert (both.dp, both.edp) == (16, edp)


def test_p05_pp2_dp8_ep8_is_16_gpus_and_one_copy_of_each_expert() -> None:
    both = layout(16, pp=2, dp=8, ep=8)
    assert (both.world, both.edp) == (16, 1)


def test_p06_ep_4_over_a_stage_of_2_is_refused_with_the_reason() -> None:
    with pytest.raises(BadValue, match="EP·ETP must divide DP·CP·TP = 2, the ranks of a pipeline stage") as refused:
        layout(2, tp=1, cp=1, dp=2, ep=4)
    assert (refused.value.field, refused.value.nearest) == ("ep", (2,))
    assert "EP·ETP 须整除每级流水线的 DP·CP·TP = 2 个 rank" in refused.value.message("zh")


def test_p07_ep_2_of_16_pairs_neighbours_and_copies_run_over_evens_and_odds() -> None:
    both = layout(16, ep=2)
    assert groups(both.expert, "ep")[:2] == ((0, 1), (2, 3))
    assert groups(both.expert, "dp") == (tuple(range(0, 16, 2)), tuple(range(1, 16, 2)))
    assert groups(both.dense, "dp") == (tuple(range(16)),)


def test_p08_dp_8_for_attention_and_tp_8_for_experts_are_the_same_8_gpus() -> None:
    both = layout(8, dp=8, etp=8)
    assert both.world == 8
    assert members(both, 0, "dp") == members(both, 0, "etp") == tuple(range(8))


# ---- refusals


def test_a_product_other_than_the_gpus_names_the_dp_that_completes_it() -> None:
    with pytest.raises(BadValue, match="TP·CP·PP·DP = 96, but there are 64 GPUs") as refused:
        layout(64, tp=8, pp=4, dp=3)
    assert (refused.value.field, refused.value.nearest) == ("dp", 2)


@pytest.mark.parametrize(
    ("degrees", "field", "nearest"),
    [({"tp": 6}, "tp", (4, 8)), ({"tp": 8, "cp": 3}, "cp", (2, 4)), ({"tp": 8, "pp": 16}, "pp", (8,))],
)
def test_a_degree_that_does_not_divide_the_gpus_is_named_with_its_neighbours(
    degrees: dict[str, int], field: str, nearest: tuple[int, ...]
) -> None:
    with pytest.raises(BadValue) as refused:
        layout(64, **degrees)
    assert (refused.value.field, refused.value.nearest) == (field, nearest)


def test_an_order_that_gives_the_views_different_pipelines_is_refused() -> None:
    assert layout(16, tp=2, pp=2, ep=2, etp=1, order="tp-ep-pp-dp").edp == 4
    with pytest.raises(BadValue, match="the dense and the expert view must have the same PP groups") as refused:
        layout(16, tp=2, pp=2, ep=4, etp=1, order="tp-ep-pp-dp")
    assert refused.value.field == "order"


def test_an_order_without_ep_has_no_expert_view() -> None:
    with pytest.raises(BadValue, match="this order has no place for EP"):
        layout(16, dp=16, ep=4, order="llama3")


def test_dp_is_what_the_other_axes_leave() -> None:
    assert data_parallel(16384, 8, 16, 16) == 8
