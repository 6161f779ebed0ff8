"""A ring all-reduce is complete after 2(n−1) steps and not before, and sends what the closed form says."""

import pytest

from labs.models.collectives import cost
from labs.models.ring_steps import states

RINGS = pytest.mark.parametrize("n", [2, 3, 4, 7, 8])


@RINGS
def test_after_the_first_half_each_rank_holds_one_complete_chunk(n):
    half = states(n)[n - 1]
    assert [[len(chunk) == n for chunk in chunks].count(True) for chunks in half] == [1] * n


@RINGS
def test_the_last_step_completes_every_chunk_and_no_earlier_one_does(n):
    complete = [all(len(chunk) == n for chunks in state for chunk in chunks) for state in states(n)]
    assert complete == [False] * (2 * (n - 1)) + [True]


@RINGS
def test_the_chunks_sent_are_those_of_the_closed_form(n):
    chunks_a_rank = len(states(n)) - 1
    assert chunks_a_rank / n == pytest.approx(cost("all_reduce", "ring", n, 1, 0, 1).sent)
