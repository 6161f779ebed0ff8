"""Which link a group crosses, with the NVLink domain as an input."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labs.models.mesh_layout import layout, members
from labs.models.mesh_links import Crossing, cluster, crossing, nodes_for
from labs.refusal import BadValue


def test_rank_19_talks_over_nvlink_along_tp_and_over_the_network_along_dp_and_pp() -> None:
    both, where = layout(64, tp=8, pp=4), cluster(8, 8)
    assert crossing(members(both, 19, "tp"), where) == Crossing("nvlink", nodes=1, domains=1)
    assert crossing(members(both, 19, "dp"), where) == Crossing("network", nodes=2, domains=2)
    assert crossing(members(both, 19, "pp"), where) == Crossing("network", nodes=4, domains=4)


def test_p10_tp_24_spans_three_nodes_of_8_unless_72_gpus_share_one_nvlink_domain() -> None:
    group = members(layout(72, tp=24), 0, "tp")
    assert crossing(group, cluster(9, 8)) == Crossing("network", nodes=3, domains=3)
    assert crossing(group, cluster(9, 8, domain=72)) == Crossing("nvlink", nodes=3, domains=1)


def test_a_group_of_one_crosses_nothing() -> None:
    assert crossing((5,), cluster(8, 8)) == Crossing("none", nodes=1, domains=1)


def test_gpus_of_one_node_need_not_share_nvlink() -> None:
    assert crossing((1, 2), cluster(1, 8, domain=2)) == Crossing("node", nodes=1, domains=2)
    assert crossing((0, 1), cluster(1, 8, domain=2)) == Crossing("nvlink", nodes=1, domains=1)


@pytest.mark.parametrize(("domain", "nearest"), [(12, (8, 16)), (5, (8,))])
def test_a_domain_that_cuts_a_node_unevenly_is_refused(domain: int, nearest: tuple[int, ...]) -> None:
    with pytest.raises(BadValue, match="made of whole nodes, or divides the 8 GPUs of one") as refused:
        cluster(8, 8, domain)
    assert (refused.value.field, refused.value.nearest) == ("domain", nearest)


@given(st.sets(st.integers(0, 63), min_size=1), st.sampled_from((1, 2, 4, 8, 16, 64)))
def test_a_wider_nvlink_domain_never_slows_a_group(group: set[int], domain: int) -> None:
    speed = ("network", "node", "nvlink", "none").index
    narrow, wide = crossing(group, cluster(8, 8, domain)), crossing(group, cluster(8, 8, 64))
    assert speed(wide.link) >= speed(narrow.link)
    assert wide.nodes == narrow.nodes


@pytest.mark.parametrize(("gpus", "nodes"), [(256, 32), (2048, 256), (9, 2), (1, 1)])
def test_the_last_node_may_be_filled_in_part(gpus: int, nodes: int) -> None:
    assert nodes_for(gpus, 8) == nodes
