"""The ring of keys and values: everyone meets every block, exactly, and what a causal mask does to the load (08-C)."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from labs.models.ring_attention import Running, chunks, held, rank_work, ring_time, work


@given(st.integers(1, 32))
def test_every_rank_meets_every_block_once(P):
    for rank in range(P):
        assert sorted(held(P, step)[rank] for step in range(P)) == list(range(P))


@given(st.integers(2, 32), st.integers(1, 31))
def test_a_block_moves_one_rank_a_step(P, step):
    assert held(P, step) == tuple(held(P, step - 1)[(rank - 1) % P] for rank in range(P))


@pytest.mark.parametrize("zigzag", [False, True])
def test_every_chunk_has_one_owner(zigzag):
    assert sorted(chunk for owned in chunks(8, zigzag) for chunk in owned) == list(range(16))


def test_in_order_the_last_of_four_ranks_has_seven_times_the_work_of_the_first():
    assert rank_work(4, False) == (0.25, 0.75, 1.25, 1.75)


@given(st.integers(1, 24))
def test_zig_zag_gives_every_rank_two_units_in_every_step(P):
    assert {unit for step in range(P) for unit in work(P, step, True)} == {2.0}


@given(st.integers(1, 24))
def test_both_cuts_do_the_whole_mask(P):
    for zigzag in (False, True):
        assert sum(sum(work(P, step, zigzag)) for step in range(P)) == 2 * P * P


def test_cut_in_order_eight_ranks_take_94_percent_of_the_time_without_a_mask_and_zig_zag_half():
    assert (ring_time(8, False), ring_time(8, True)) == (0.9375, 0.5)


@given(st.lists(st.tuples(st.floats(-50, 50), st.floats(-5, 5)), min_size=1, max_size=40), st.integers(1, 7))
def test_a_running_softmax_ends_where_the_whole_one_does(keys, size):
    scores, values = (np.array(column) for column in zip(*keys, strict=True))
    running = Running()
    for at in range(0, len(keys), size):
        running = running.meet(list(scores[at : at + size]), list(values[at : at + size]))
    weights = np.exp(scores - scores.max())
    assert running.m == scores.max()
    assert running.l == pytest.approx(weights.sum())
    assert running.o == pytest.approx((weights * values).sum() / weights.sum(), abs=1e-9)
