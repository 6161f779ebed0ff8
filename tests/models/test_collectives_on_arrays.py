"""The independent road: collectives run on arrays, counting every byte that leaves a rank."""

import numpy as np
import pytest

from labs.models.collectives import cost

OUTSIDE = {"alpha": 10e-6, "beta": 50e9}


def run_ring(n, values):
    """A ring all-reduce of one array a rank; the sums and the bytes each rank sent."""
    chunks = [list(np.array_split(rank, n)) for rank in values]
    sent = np.zeros(n)
    for step in range(2 * (n - 1)):
        gathering = step >= n - 1
        outgoing = []
        for rank in range(n):
            at = (rank - step + (1 if gathering else 0) + (n - 1 if gathering else 0)) % n
            outgoing.append((rank, at, chunks[rank][at].copy()))
        for rank, at, chunk in outgoing:
            sent[rank] += chunk.nbytes
            there = chunks[(rank + 1) % n]
            there[at] = chunk if gathering else there[at] + chunk
    return [np.concatenate(rank) for rank in chunks], sent, 2 * (n - 1)


@pytest.mark.parametrize("n", [2, 3, 4, 8, 12])
def test_a_ring_run_on_arrays_sums_them_and_sends_what_the_formula_says(n):
    values = [np.arange(n * 12, dtype=np.float64) * (rank + 1) for rank in range(n)]
    sums, sent, steps = run_ring(n, values)
    assert all(np.array_equal(one, sum(values)) for one in sums)
    costs = cost("all_reduce", "ring", n, values[0].nbytes, **OUTSIDE)
    assert sent.tolist() == pytest.approx([costs.sent] * n)
    assert steps == costs.steps


def run_doubling(n, values):
    held, sent, steps = list(values), np.zeros(n), 0
    while 1 << steps < n:
        sent += held[0].nbytes
        held = [held[rank] + held[rank ^ (1 << steps)] for rank in range(n)]
        steps += 1
    return held, sent, steps


@pytest.mark.parametrize("n", [2, 4, 8, 16])
def test_recursive_doubling_run_on_arrays_sends_the_whole_message_log_n_times(n):
    values = [np.arange(6.0) + rank for rank in range(n)]
    held, sent, steps = run_doubling(n, values)
    assert all(np.array_equal(one, sum(values)) for one in held)
    costs = cost("all_reduce", "recursive_doubling", n, values[0].nbytes, **OUTSIDE)
    assert (sent.tolist(), steps) == ([costs.sent] * n, costs.steps)


def run_binomial(n, size):
    """A broadcast from rank 0: who has it doubles each step; the bytes each rank sent."""
    have, sent, steps = {0}, np.zeros(n), 0
    while len(have) < n:
        for rank in sorted(have):
            if rank + (1 << steps) < n:
                sent[rank] += size
                have.add(rank + (1 << steps))
        steps += 1
    return sent, steps


@pytest.mark.parametrize("n", [2, 3, 5, 8, 13, 16])
def test_a_binomial_broadcast_run_step_by_step_loads_its_root_most(n):
    sent, steps = run_binomial(n, 1000)
    costs = cost("broadcast", "binomial", n, 1000, **OUTSIDE)
    assert (sent.max(), steps) == (costs.sent, costs.steps)
    assert sent.sum() == (n - 1) * 1000


@pytest.mark.parametrize("n", [2, 3, 8])
def test_an_all_to_all_run_on_arrays_is_a_transpose_and_keeps_an_nth_at_home(n):
    blocks = np.arange(n * n * 5, dtype=np.float64).reshape(n, n, 5)
    received, sent = np.empty_like(blocks), np.zeros(n)
    for step in range(n):
        for rank in range(n):
            to = (rank + step) % n
            received[to, rank] = blocks[rank, to]
            sent[rank] += blocks[rank, to].nbytes if to != rank else 0
    assert np.array_equal(received, blocks.transpose(1, 0, 2))
    assert sent.tolist() == pytest.approx([cost("all_to_all", "pairwise", n, blocks[0].nbytes, **OUTSIDE).sent] * n)
