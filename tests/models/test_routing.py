"""The seeded router: K different experts a token, popularity by rank, the same everywhere."""

import hashlib
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labs.models.routing import TABLE, homes, limit, popularity, route
from labs.refusal import BadValue

shapes = st.integers(1, 8).flatmap(lambda K: st.tuples(st.just(K), st.integers(K, 40)))


@given(shapes, st.floats(0, 2), st.integers(0, 99))
@settings(deadline=None, max_examples=40)
def test_every_token_picks_k_different_experts(shape, skew, seed):
    K, E = shape
    picks = np.array(route(60, E, K, skew, seed).picks)
    assert picks.shape == (60, K)
    assert picks.min() >= 0 and picks.max() < E
    assert all(len(set(row)) == K for row in picks.tolist())


@given(shapes, st.floats(0, 2), st.integers(0, 99))
@settings(deadline=None, max_examples=40)
def test_counts_are_those_numpy_counts(shape, skew, seed):
    K, E = shape
    routing = route(60, E, K, skew, seed)
    assert list(routing.counts) == np.bincount(np.array(routing.picks).ravel(), minlength=E).tolist()
    assert sum(routing.counts) == 60 * K


def test_a_seed_draws_the_same_picks_on_every_platform():
    picks = np.array(route(2048, 256, 8, 0.5, 1).picks, dtype="<i4").tobytes()
    assert hashlib.sha256(picks).hexdigest()[:16] == "85068125568d68e7"


def test_another_seed_draws_other_picks():
    assert route(64, 32, 4, 0.5, 1).picks != route(64, 32, 4, 0.5, 2).picks


def test_a_routing_is_kept_while_its_inputs_stand():
    assert route(64, 32, 4, 0.5, 1) is route(64, 32, 4, 0.5, 1)


def test_without_skew_each_expert_is_drawn_as_often_within_chance():
    counts = np.array(route(8192, 64, 8, 0.0, 3).counts)
    mean = 8192 * 8 / 64
    assert abs(counts - mean).max() < 5 * mean**0.5


def test_more_skew_makes_the_busiest_expert_busier():
    busiest = [max(route(2048, 64, 4, skew, 5).counts) for skew in (0.0, 0.4, 0.8, 1.2)]
    assert busiest == sorted(busiest)
    assert busiest[-1] > 3 * busiest[0]


@given(st.integers(1, 1000), st.floats(0, 2), st.integers(0, 9))
def test_popularity_is_whole_fills_the_table_and_leaves_no_expert_out(E, skew, seed):
    weights = popularity(E, skew, Random(seed))
    assert sum(weights) == TABLE
    assert min(weights) >= 1


def test_the_second_expert_is_half_as_popular_at_skew_1():
    first, second = sorted(popularity(16, 1.0, Random(0)), reverse=True)[:2]
    assert first / second == pytest.approx(2, rel=1e-3)


@pytest.mark.parametrize("M", [1, 2, 3])
def test_no_token_reaches_more_nodes_than_its_limit(M):
    routing = limit(route(512, 64, 8, 0.6, 7), 8, M, 0.6, 7)
    nodes = [{expert // 8 for expert in picks} for picks in routing.picks]
    assert max(map(len, nodes)) == M
    assert all(len(set(picks)) == 8 for picks in routing.picks)


def test_a_limit_changes_only_the_tokens_that_reached_too_far():
    free = route(512, 64, 4, 0.6, 7)
    tied = limit(free, 8, 2, 0.6, 7)
    for before, after in zip(free.picks, tied.picks, strict=True):
        assert (before == after) == (len({expert // 8 for expert in before}) <= 2)


def test_a_limit_of_all_nodes_changes_nothing():
    free = route(256, 64, 8, 0.6, 7)
    assert limit(free, 8, 8, 0.6, 7).picks == free.picks


def test_more_choices_than_experts_are_refused():
    with pytest.raises(BadValue) as refused:
        route(8, 4, 5, 0.0, 0)
    assert (refused.value.field, refused.value.rule, refused.value.nearest) == ("K", "topk_experts", 4)


def test_nodes_too_few_for_k_experts_are_refused_with_the_least_number():
    with pytest.raises(BadValue) as refused:
        limit(route(8, 16, 8, 0.0, 0), 8, 3, 0.0, 0)
    assert (refused.value.field, refused.value.rule, refused.value.nearest) == ("M", "nodes_hold_k", 4)


@pytest.mark.parametrize(("E", "R", "near"), [(100, 64, [64, 128]), (10, 16, [16])])
def test_experts_that_do_not_divide_over_the_ranks_are_refused_with_the_nearest(E, R, near):
    with pytest.raises(BadValue) as refused:
        homes(E, R)
    assert (refused.value.field, refused.value.rule, refused.value.nearest) == ("E", "experts_per_rank", near)


def test_neighbouring_experts_share_a_rank():
    assert homes(8, 4) == [0, 0, 1, 1, 2, 2, 3, 3]
