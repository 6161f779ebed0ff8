"""Loads, and what four policies make of them: every row is accounted for."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from labs.models.dispatch import Loads, capacity, dropless, dropping, padded, perfect, policies, rank_loads, scaled


def test_loads_of_160_100_80_60_take_1_6_times_as_long_and_use_62_5_percent():
    loads = Loads((160, 100, 80, 60))
    assert (loads.mean, loads.makespan, loads.efficiency) == (100, 1.6, 0.625)


def test_equal_loads_take_no_longer_than_their_mean():
    assert Loads((100, 100, 100, 100)).makespan == 1.0


@given(st.lists(st.integers(0, 900), min_size=1, max_size=40).filter(any), st.integers(1, 10**6))
def test_scaling_keeps_the_total_and_every_proportion_within_a_row(counts, total):
    rows = scaled(counts, total)
    assert sum(rows) == total
    assert all(abs(row - count * total / sum(counts)) < 1 + 1e-6 for row, count in zip(rows, counts, strict=True))


@given(st.lists(st.integers(0, 900), min_size=12, max_size=12).filter(any))
def test_rank_loads_are_those_numpy_sums(counts):
    assert list(rank_loads(counts, 4).rows) == np.array(counts).reshape(4, 3).sum(axis=1).tolist()


@st.composite
def uneven(draw):
    counts = draw(st.lists(st.integers(0, 900), min_size=16, max_size=16).filter(any))
    counts[0] += -sum(counts) % 4
    return counts


@given(uneven(), st.floats(0.25, 4))
def test_policies_account_for_every_row(counts, factor):
    total = sum(counts)
    for policy in policies(counts, 4, factor):
        assert sum(policy.loads.rows) - policy.padding + policy.dropped == pytest.approx(total)


@given(uneven(), st.floats(0.25, 4))
def test_padding_and_dropping_lose_the_same_rows_and_the_others_none(counts, factor):
    pad, drop, *whole = policies(counts, 4, factor)
    assert pad.dropped == drop.dropped
    assert [(policy.dropped, policy.padding) for policy in whole] == [(0, 0)] * 3


@given(uneven())
def test_perfect_balance_is_never_slower_than_dropless(counts):
    assert perfect(counts, 4).loads.makespan == 1
    assert max(perfect(counts, 4).loads.rows) <= max(dropless(counts, 4).loads.rows)


def test_a_capacity_of_1_drops_what_an_expert_has_above_the_mean():
    counts = [6, 2, 3, 1]
    assert capacity(counts, 1.0) == 3
    assert (dropping(counts, 2, 1.0).dropped, padded(counts, 2, 1.0).padding) == (3, 3)
    assert padded(counts, 2, 1.0).loads.rows == (6, 6)
    assert dropping(counts, 2, 1.0).loads.rows == (5, 4)


def test_a_capacity_is_rounded_up_to_a_whole_row():
    assert (capacity([5, 5, 5], 1.25), capacity([4, 4, 4], 1.25)) == (7, 5)


def test_dropless_drops_nothing_and_still_waits_for_the_busiest_rank():
    policy = dropless([80, 80, 50, 50, 40, 40, 30, 30], 4)
    assert (policy.dropped, policy.loads.makespan) == (0, 1.6)
