"""The construction balances every routing within E/R redundant experts, and some routings need nearly that many."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labs.models.dispatch import scaled
from labs.models.moonep import adversary, bound, plan, tight
from labs.models.routing import route
from labs.refusal import BadValue


@st.composite
def routings(draw):
    """Rows by expert that sum to a multiple of R, as lopsided as hypothesis likes."""
    R, size = draw(st.integers(1, 12)), draw(st.integers(1, 8))
    counts = draw(st.lists(st.integers(0, 500), min_size=R * size, max_size=R * size))
    counts[draw(st.integers(0, R * size - 1))] += -sum(counts) % R
    return counts, R


@given(routings())
@settings(deadline=None, max_examples=300)
def test_any_routing_is_balanced_exactly_within_e_over_r_redundant_experts(routing):
    counts, R = routing
    plans = plan(counts, R)
    assert set(plans.rows) == {sum(counts) // R}
    assert plans.redundant <= bound(len(counts), R)
    assert len(plans.fills) <= R - 1


@given(routings())
@settings(deadline=None, max_examples=300)
def test_a_rank_computes_remote_rows_of_one_other_rank_only(routing):
    counts, R = routing
    plans = plan(counts, R)
    size = len(counts) // R
    assert len({fill.rank for fill in plans.fills}) == len(plans.fills)
    for fill in plans.fills:
        assert fill.rank != fill.source
        assert {expert // size for expert, _ in fill.moved} == {fill.source}
        assert all(rows > 0 for _, rows in fill.moved)


@given(routings())
@settings(deadline=None, max_examples=300)
def test_no_row_is_lost_and_none_is_made(routing):
    counts, R = routing
    plans = plan(counts, R)
    computed = list(plans.kept)
    for expert, rows in (moved for fill in plans.fills for moved in fill.moved):
        computed[expert] += rows
    assert computed == counts
    assert min(plans.kept) >= 0


@pytest.mark.parametrize(("E", "R"), [(8, 4), (64, 8), (256, 64), (384, 16), (896, 64), (896, 224)])
def test_an_adversarial_router_needs_exactly_the_tight_bound(E, R):
    counts = adversary(E, R, rows=R * E * (R - 1) * 4)
    assert plan(counts, R).redundant == tight(E, R)


@pytest.mark.parametrize(
    ("E", "R", "upper", "lower"), [(256, 64, 4, 4), (64, 8, 8, 7), (32, 8, 4, 4), (384, 16, 24, 23)]
)
def test_the_bound_is_e_over_r_and_the_tight_one_is_at_most_one_expert_less(E, R, upper, lower):
    assert (bound(E, R), tight(E, R)) == (upper, lower)


def test_all_rows_on_one_expert_are_still_balanced():
    plans = plan([64, 0, 0, 0, 0, 0, 0, 0], 4)
    assert plans.rows == (16, 16, 16, 16)
    assert (len(plans.fills), plans.moved, plans.redundant) == (3, 48, 1)


def test_a_balanced_routing_moves_nothing():
    plans = plan([10] * 12, 4)
    assert (plans.fills, plans.moved, plans.redundant) == ((), 0, 0)


def test_the_drawn_routing_of_c6_is_balanced_at_its_full_size():
    counts = scaled(route(2048, 256, 8, 0.5, 1).counts, 4096 * 64 * 8)
    plans = plan(counts, 64)
    assert set(plans.rows) == {4096 * 8}
    assert plans.redundant <= 4


def test_rows_that_do_not_divide_over_the_ranks_are_refused():
    with pytest.raises(BadValue) as refused:
        plan([3, 4], 2)
    assert (refused.value.field, refused.value.rule, refused.value.nearest) == ("counts", "rows_per_rank", (6, 8))


def test_experts_that_do_not_divide_over_the_ranks_have_no_bound():
    with pytest.raises(BadValue) as refused:
        bound(100, 64)
    assert (refused.value.rule, refused.value.nearest) == ("experts_per_rank", [64, 128])
