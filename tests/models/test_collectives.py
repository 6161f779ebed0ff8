"""α–β costs against the course's figures, and reported confusions."""

from inspect import signature

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labs.models.collectives import ALGORITHMS, COLLECTIVES, behind, bus_factor, cost, overlap
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
