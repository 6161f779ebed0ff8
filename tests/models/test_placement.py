"""EPLB's example and the two reports on it; copies even out loads only as far as they are split."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labs.models.placement import place, replicate
from labs.refusal import BadValue

README = (
    (90, 132, 40, 61, 104, 165, 39, 4, 73, 56, 183, 86),
    (20, 107, 104, 64, 19, 197, 187, 157, 172, 86, 16, 27),
)


@pytest.mark.parametrize(("weights", "ratio"), [(README[0], 1.208), (README[1], 1.242)])
def test_c13_the_hierarchical_policy_reaches_the_ratios_of_eplbs_example(weights, ratio):
    assert round(place(weights, 16, 4, 2, 8).ratio, 3) == ratio


@pytest.mark.parametrize(("weights", "ratio"), [(README[0], 1.073), (README[1], 1.190)])
def test_c13_the_global_policy_is_more_even(weights, ratio):
    assert round(place(weights, 16, 1, 1, 8).ratio, 3) == ratio


def test_c13_a_gpu_that_holds_both_copies_of_an_expert_is_counted():
    assert place(README[0], 16, 4, 2, 8).doubled == 0
    assert place(README[0], 16, 1, 1, 8).doubled == 1


def test_groups_that_do_not_divide_over_the_nodes_fall_back_to_the_global_policy():
    assert place(README[0], 16, 3, 2, 8) == place(README[0], 16, 1, 1, 8)


@pytest.mark.parametrize(
    ("slots", "nodes", "gpus", "near"), [(14, 2, 8, (16,)), (16, 2, 6, (12, 18)), (8, 1, 4, (12,))]
)
def test_c14_slots_that_do_not_fill_the_gpus_are_refused_with_the_nearest(slots, nodes, gpus, near):
    with pytest.raises(BadValue) as refused:
        place(README[0], slots, 4, nodes, gpus)
    assert (refused.value.field, refused.value.rule, refused.value.nearest) == ("slots", "slots_per_gpu", near)


def test_c15_equal_numbers_of_slots_are_not_equal_numbers_of_rows():
    placements = place(README[1], 16, 4, 2, 8)
    assert {len(held) for held in placements.slots} == {2}
    assert placements.ratio > 1.2


@pytest.mark.parametrize(
    ("groups", "nodes", "field", "near"), [(5, 1, "groups", 4), (4, 3, "nodes", 2), (7, 1, "groups", 6)]
)
def test_groups_and_nodes_that_do_not_divide_are_refused(groups, nodes, field, near):
    with pytest.raises(BadValue) as refused:
        place(README[0], 16, groups, nodes, 8)
    assert (refused.value.field, refused.value.nearest) == (field, near)


weights = st.lists(st.floats(1, 1000), min_size=8, max_size=8)


@given(weights)
def test_every_expert_has_a_slot_and_no_row_is_lost(weights):
    placements = place(weights, 16, 4, 2, 4)
    held = sorted(expert for gpu in placements.slots for expert in gpu)
    assert sorted(set(held)) == list(range(8))
    assert [held.count(expert) for expert in range(8)] == list(placements.copies)
    assert sum(placements.loads) == pytest.approx(sum(weights))


@given(weights)
def test_a_further_slot_never_raises_the_largest_share(weights):
    shares = [max(w / c for w, c in zip(weights, replicate(weights, slots), strict=True)) for slots in range(8, 24)]
    assert shares == sorted(shares, reverse=True)
