"""α–β costs against the course's figures, reported confusions, and collectives run message by message."""

from inspect import signature

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from labs.hardware import link
from labs.models.collectives import ALGORITHMS, COLLECTIVES, behind, bus_factor, cost, overlap
from labs.models.two_level import flat_ring_through_nics, two_level
from labs.refusal import BadValue

GIB = 2**30
INSIDE = {"alpha": 5e-6, "beta": 450e9}
OUTSIDE = {"alpha": 10e-6, "beta": 50e9}


def ms(seconds, digits=2):
    return round(seconds * 1e3, digits)


# -- the course's figures (05-D, 05-E) --


def test_one_gib_over_8_ranks_by_nvlink_takes_4_25_ms():
    costs = cost("all_reduce", "ring", 8, GIB, **INSIDE)
    assert (ms(costs.latency), ms(costs.transfer), ms(costs.time)) == (0.07, 4.18, 4.25)


def test_64_kib_over_8_ranks_is_pure_latency():
    costs = cost("all_reduce", "ring", 8, 64 * 1024, **INSIDE)
    assert (ms(costs.latency, 3), ms(costs.transfer, 4)) == (0.070, 0.0003)


@pytest.mark.parametrize(("n", "link", "megabytes"), [(8, INSIDE, 18), (64, OUTSIDE, 32)])
def test_latency_equals_transfer_at_n_alpha_beta(n, link, megabytes):
    crossover = cost("all_reduce", "ring", n, GIB, **link).crossover
    assert crossover == pytest.approx(megabytes * 1e6)
    assert crossover == pytest.approx(n * link["alpha"] * link["beta"])
    there = cost("all_reduce", "ring", n, crossover, **link)
    assert there.latency == pytest.approx(there.transfer)


def test_one_gib_over_64_nodes_of_one_rank_takes_43_5_ms():
    costs = cost("all_reduce", "ring", 64, GIB, **OUTSIDE)
    assert (ms(costs.latency), ms(costs.transfer, 1), ms(costs.time, 1)) == (1.26, 42.3, 43.5)


@pytest.mark.parametrize(("calls", "milliseconds"), [(1, 35.1), (160, 57.4), (16_000, 2275.0)])
def test_many_calls_pay_latency_each_and_move_the_same_bytes(calls, milliseconds):
    costs = cost("all_reduce", "ring", 8, 1e9, **OUTSIDE, calls=calls)
    assert ms(costs.time, 1) == milliseconds
    assert costs.sent == 1.75e9


def test_many_calls_do_not_change_the_crossover_of_one_call():
    one, many = (cost("all_reduce", "ring", 8, 1e9, **OUTSIDE, calls=calls).crossover for calls in (1, 160))
    assert one == pytest.approx(many)


def test_from_8_to_16_ranks_the_transfer_grows_by_7_percent():
    eight, sixteen = (cost("all_reduce", "ring", n, 1e9, **OUTSIDE).transfer for n in (8, 16))
    assert round(sixteen / eight, 3) == 1.071


def test_7b_gradients_over_64_ranks_send_27_6_gb_a_rank():
    assert round(cost("all_reduce", "ring", 64, 14e9, **OUTSIDE).sent / 1e9, 1) == 27.6


# -- overlap --


def test_95_percent_overlap_leaves_2_2_of_43_5_ms_and_every_byte():
    costs = cost("all_reduce", "ring", 64, GIB, **OUTSIDE)
    assert ms(overlap(costs.time, 0.95).exposed, 1) == 2.2
    assert costs.sent == 2 * GIB * 63 / 64


def test_c17_without_overlap_all_of_it_is_exposed_and_at_95_percent_a_twentieth():
    assert overlap(1.0, 0.0).exposed == 1.0
    assert overlap(1.0, 0.95).exposed == pytest.approx(0.05)


@given(st.floats(0, 100), st.floats(0, 100))
def test_a_short_computation_hides_no_more_than_itself(time, compute):
    overlaps = behind(time, compute)
    assert overlaps.exposed == max(0.0, time - compute)
    assert overlaps.hidden + overlaps.exposed == pytest.approx(time)


@given(st.floats(1e-6, 100), st.floats(0, 1))
def test_overlap_never_makes_time_negative_or_longer(time, part):
    assert 0 <= overlap(time, part).exposed <= time


# -- reports --


def test_c01_1_gb_in_10_ms_is_100_gb_per_second_algbw_and_175_busbw():
    costs = cost("all_reduce", "ring", 8, 1e9, alpha=0, beta=175e9)
    assert costs.time == pytest.approx(0.010)
    assert (costs.algbw, costs.busbw, costs.sent) == pytest.approx((100e9, 175e9, 1.75e9))


def test_c03_the_ring_factor_reads_as_wire_speed_for_a_ring_only():
    ring = cost("all_reduce", "ring", 8, 1e12, **OUTSIDE)
    tree = cost("all_reduce", "tree", 8, 1e12, **OUTSIDE)
    assert ring.busbw == pytest.approx(50e9, rel=1e-3)
    assert tree.busbw == pytest.approx(50e9 * 1.75 / 6, rel=1e-3)


@pytest.mark.parametrize(("n", "microseconds"), [(8, 105), (64, 669)])
def test_c04_a_mid_size_message_slows_down_with_the_group(n, microseconds):
    assert round(cost("all_reduce", "ring", n, 1e6, 5e-6, 50e9).time * 1e6) == microseconds


def test_c05_direct_and_ring_send_the_same_bytes_in_2_and_14_steps():
    ring, direct = (cost("all_reduce", name, 8, 100e6, 0, 50e9) for name in ("ring", "direct"))
    assert ring.sent == direct.sent == 175e6
    assert ms(ring.time) == ms(direct.time) == 3.5
    assert (ring.steps, direct.steps) == (14, 2)


def test_c06_a_collective_asks_for_its_group_and_for_no_world():
    assert list(signature(cost).parameters) == ["collective", "algorithm", "n", "message", "alpha", "beta", "calls"]
    eight, thirty_two = (cost("all_reduce", "ring", n, 1e6, **INSIDE) for n in (8, 32))
    assert (eight.n, eight.steps, thirty_two.steps) == (8, 14, 62)


def test_c16_zero_1_and_2_scatter_and_gather_as_many_bytes_as_data_parallel_reduces():
    args = {"n": 8, "message": 16e9, "alpha": 0, "beta": 1}
    reduce = cost("all_reduce", "ring", **args).sent
    scatter, gather = cost("reduce_scatter", "ring", **args).sent, cost("all_gather", "ring", **args).sent
    assert reduce == scatter + gather == 28e9
    assert scatter + 2 * gather == 42e9


# -- two levels (Fix-A1, Fix-A2, Fix-C13; reports/courses R14) --


def test_the_phases_inside_a_node_work_on_the_whole_message_and_only_the_middle_one_on_a_gth():
    phases = two_level(1.0, 8, 8, link("nvlink4_h100"), link("ib_ndr_400"))
    assert (phases.scatter.sent, phases.outside.sent, phases.gather.sent) == (7 / 8, 2 * 7 / 8 / 8, 7 / 8)


def test_one_gib_over_8_nodes_of_8_takes_9_1_ms_where_a_single_nic_ring_takes_43_5():
    phases = two_level(GIB, 8, 8, link("nvlink4_h100"), link("ib_ndr_400"))
    transfers = [ms(phase.transfer, 1) for phase in (phases.scatter, phases.outside, phases.gather)]
    assert transfers == [2.1, 4.7, 2.1]
    assert ms(phases.time, 1) == 9.1


def test_7b_gradients_send_3_06_gb_through_each_nic_in_two_levels_and_3_45_in_a_flat_ring():
    phases = two_level(14e9, 8, 8, link("nvlink4_h100"), link("ib_ndr_400"))
    assert round(phases.sent_outside / 1e9, 2) == 3.06
    assert (ms(phases.outside.transfer, 0), ms(phases.scatter.transfer, 0)) == (61, 27)
    flat = flat_ring_through_nics(14e9, 64, nics=8)
    assert (round(flat / 1e9, 2), ms(flat / 50e9, 0)) == (3.45, 69)


@given(st.integers(1, 16), st.integers(1, 16), st.floats(1, 1e12))
def test_two_levels_send_no_more_through_a_nic_than_a_ring_of_all_ranks(G, k, message):
    phases = two_level(message, G, k, link("nvlink4_h100"), link("ib_ndr_400"))
    assert phases.sent_outside <= cost("all_reduce", "ring", G * k, message, 0, 1).sent * (1 + 1e-12)


# -- bandwidths, rules, and every algorithm at once --


def test_bus_factors_are_nccl_tests_own():
    factors = {name: bus_factor(name, 8) for name in COLLECTIVES}
    assert factors == {
        "all_gather": 0.875,
        "reduce_scatter": 0.875,
        "all_reduce": 1.75,
        "all_to_all": 0.875,
        "broadcast": 1,
        "reduce": 1,
        "point_to_point": 1,
    }


@pytest.mark.parametrize(("collective", "algorithm"), [key for key in ALGORITHMS if key[0] != "point_to_point"])
def test_a_group_of_one_sends_nothing_and_takes_no_time(collective, algorithm):
    costs = cost(collective, algorithm, 1, 1e9, **OUTSIDE)
    assert (costs.time, costs.sent, costs.crossover) == (0, 0, 0)


@pytest.mark.parametrize(("collective", "algorithm"), ALGORITHMS)
@pytest.mark.parametrize("n", [2, 4, 8, 64])
def test_twice_the_bandwidth_halves_the_transfer_and_twice_the_latency_doubles_the_rest(collective, algorithm, n):
    once = cost(collective, algorithm, n, 1e9, **OUTSIDE)
    other = cost(collective, algorithm, n, 1e9, alpha=20e-6, beta=100e9)
    assert (other.latency, other.transfer) == pytest.approx((2 * once.latency, once.transfer / 2))


@pytest.mark.parametrize("algorithm", ["recursive_doubling", "rabenseifner"])
def test_halving_and_doubling_want_a_power_of_two(algorithm):
    with pytest.raises(BadValue) as refused:
        cost("all_reduce", algorithm, 12, 1e9, **OUTSIDE)
    assert (refused.value.field, refused.value.rule, refused.value.nearest) == ("n", "power_of_two", (8, 16))


def test_an_algorithm_of_another_collective_is_refused_with_those_there_are():
    with pytest.raises(BadValue) as refused:
        cost("all_gather", "tree", 8, 1e9, **OUTSIDE)
    assert refused.value.field == "algorithm"
    assert refused.value.nearest == ("ring", "recursive_doubling", "bruck", "direct")


# -- the independent road: collectives run on arrays, counting every byte that leaves a rank --


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
