"""Each algorithm takes what Thakur, Rabenseifner and Gropp print for it (2005; γ = 0, β in s/B, a power of two)."""

from math import log2

import pytest

from labs.models.collectives import cost

ALPHA, BETA = 5e-6, 2e-11

# (collective, algorithm) → messages' latencies and bytes as functions of p
PRINTED = {
    ("all_gather", "ring"): (lambda p: p - 1, lambda p: (p - 1) / p),
    ("all_gather", "recursive_doubling"): (log2, lambda p: (p - 1) / p),
    ("all_gather", "bruck"): (log2, lambda p: (p - 1) / p),
    ("broadcast", "binomial"): (log2, log2),
    ("broadcast", "scatter_allgather"): (lambda p: log2(p) + p - 1, lambda p: 2 * (p - 1) / p),
    ("all_to_all", "bruck"): (log2, lambda p: log2(p) / 2),
    ("all_to_all", "pairwise"): (lambda p: p - 1, lambda p: (p - 1) / p),
    ("reduce_scatter", "recursive_halving"): (log2, lambda p: (p - 1) / p),
    ("reduce_scatter", "pairwise"): (lambda p: p - 1, lambda p: (p - 1) / p),
    ("reduce_scatter", "recursive_doubling"): (log2, lambda p: log2(p) - (p - 1) / p),
    ("reduce", "binomial"): (log2, log2),
    ("reduce", "rabenseifner"): (lambda p: 2 * log2(p), lambda p: 2 * (p - 1) / p),
    ("all_reduce", "recursive_doubling"): (log2, log2),
    ("all_reduce", "rabenseifner"): (lambda p: 2 * log2(p), lambda p: 2 * (p - 1) / p),
}


@pytest.mark.parametrize("p", [2, 8, 64])
@pytest.mark.parametrize(("collective", "algorithm"), PRINTED)
def test_an_algorithm_takes_the_time_that_its_authors_print(collective, algorithm, p):
    latencies, messages = PRINTED[collective, algorithm]
    took = cost(collective, algorithm, p, 8e6, ALPHA, 1 / BETA).time
    assert took == pytest.approx(latencies(p) * ALPHA + messages(p) * 8e6 * BETA)
