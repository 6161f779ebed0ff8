"""Bytes, loads, copies and policies of an expert layer, against the course's figures and NumPy."""

from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labs.models import deepep
from labs.models.dispatch import (
    Buffers,
    Loads,
    capacity,
    dropless,
    dropping,
    padded,
    payload,
    perfect,
    policies,
    rank_loads,
    row_bytes,
    scaled,
    traffic,
)
from labs.models.routing import limit, route
from labs.refusal import BadValue

# -- the course's figures (07-D, 07-E, Fix-C16, 10-D) --


def test_v3_like_dispatch_is_234_9_mb_in_fp8_and_combine_469_8_in_bf16():
    assert payload(4096, 8, row_bytes(7168, 1)) / 1e6 == pytest.approx(234.9, abs=0.05)
    assert payload(4096, 8, row_bytes(7168, 2)) / 1e6 == pytest.approx(469.8, abs=0.05)


def test_scales_of_128_channels_make_it_242_2_mb():
    assert payload(4096, 8, row_bytes(7168, 1, scales=True)) / 1e6 == pytest.approx(242.2, abs=0.05)


def test_one_fp8_copy_to_each_of_4_nodes_is_117_mb():
    assert deepep.sent(4096, 4, row_bytes(7168, 1)) / 1e6 == pytest.approx(117, abs=0.5)


def test_k3s_latent_width_halves_the_payload():
    full, latent = (payload(8192, 16, row_bytes(width, 2)) / 1e9 for width in (7168, 3584))
    assert (round(full, 2), round(latent, 2)) == (1.88, 0.94)


def test_twice_the_experts_a_token_is_twice_the_payload():
    assert payload(4096, 16, 1) == 2 * payload(4096, 8, 1)


@pytest.mark.parametrize(("R", "worst"), [(8, 3.76), (64, 30.1)])
def test_a_balanced_buffer_is_0_470_gb_and_the_worst_case_r_times_that(R, worst):
    buffers = Buffers(4096, 8, R, row_bytes(7168, 2))
    assert round(buffers.balanced / 1e9, 3) == 0.470
    assert buffers.worst / 1e9 == pytest.approx(worst, rel=2e-3)


def test_loads_of_160_100_80_60_take_1_6_times_as_long_and_use_62_5_percent():
    loads = Loads((160, 100, 80, 60))
    assert (loads.mean, loads.makespan, loads.efficiency) == (100, 1.6, 0.625)


def test_equal_loads_take_no_longer_than_their_mean():
    assert Loads((100, 100, 100, 100)).makespan == 1.0


def test_8_even_picks_over_8_ranks_reach_5_25_of_them():
    reached = traffic(route(8192, 256, 8, 0.0, 1), 8)
    exact = 8 * (1 - comb(224, 8) / comb(256, 8))
    assert reached.per_token(reached.rank_copies) == pytest.approx(exact, rel=0.01)
    assert 8 * (1 - (7 / 8) ** 8) == pytest.approx(5.25, abs=0.005)


def test_four_nodes_times_the_ratio_of_the_links_reach_12_8_experts():
    assert deepep.reach(160e9, 50e9, 4) == 12.8


# -- reports --


@pytest.mark.parametrize(("tokens", "gib"), [(2048, 35.55), (1856, 32.21), (1840, 31.94), (1536, 26.66)])
def test_c09_a_low_latency_buffer_of_448_experts_takes_tens_of_gib(tokens, gib):
    size = deepep.low_latency_buffer(tokens, 5120, 448)
    assert size / 2**30 == pytest.approx(gib, abs=0.01)
    assert size == pytest.approx(4 * 448 * tokens * (2 * 5120 + 5120 / 32), rel=1e-6)


def test_c09_without_the_64_redundant_experts_it_takes_30_47_gib():
    assert deepep.low_latency_buffer(2048, 5120, 384) / 2**30 == pytest.approx(30.47, abs=0.01)


def test_c08_half_of_what_two_nodes_print_never_crossed_the_wire():
    assert deepep.wire_bandwidth(43.24, 2) == pytest.approx(21.6, abs=0.05)


def test_c10_three_buffer_formulas_differ_and_none_is_what_deepep_v2_allocates():
    buffers = Buffers(4096, 8, 16, row_bytes(7168, 2))
    sizes = (buffers.deduplicated, buffers.balanced, buffers.worst)
    assert [round(size / 1e6, 1) for size in sizes] == [939.5, 469.8, 7516.2]
    assert 1_218_445_312 not in sizes


def test_c11_ranks_that_share_a_replica_share_its_tokens():
    assert deepep.tokens_a_rank(128, 8) == 16
    assert deepep.tokens_a_rank(128, 8) * 32 == 512


def test_c11_tokens_that_do_not_divide_over_a_replica_are_refused():
    with pytest.raises(BadValue) as refused:
        deepep.tokens_a_rank(100, 8)
    assert (refused.value.field, refused.value.nearest) == ("tokens", (96, 104))


def test_c12_all_tokens_on_one_rank_are_262_144_rows_once_each_where_balance_has_32_768():
    assert payload(4096, 8, 1) == 32_768
    assert Buffers(4096, 8, 64, 1).deduplicated == 262_144
    crowd = traffic(route(640, 8, 8, 0.0, 0), 1)
    assert (crowd.rank_copies, crowd.away_ranks) == (640, 0)


def test_c18_a_combine_that_reduces_saves_one_all_reduce_in_each_moe_layer():
    assert (deepep.reductions(48, 24, False), deepep.reductions(48, 24, True)) == (96, 72)


# -- copies, by NumPy --


def copies_by_numpy(routing, R, nodes):
    """(token, rank) pairs, those away, (token, node) pairs, those away, and what each rank receives."""
    T, E = routing.tokens, routing.E
    at = np.zeros((T, R), dtype=bool)
    at[np.arange(T)[:, None], np.array(routing.picks) * R // E] = True
    own = np.arange(T) * R // T
    home = np.arange(R)[None, :] == own[:, None]
    node = at.reshape(T, nodes, R // nodes).any(axis=2)
    own_node = np.arange(nodes)[None, :] == (own * nodes // R)[:, None]
    received = (at & ~home).sum(axis=0)
    return int(at.sum()), int((at & ~home).sum()), int(node.sum()), int((node & ~own_node).sum()), received.tolist()


@given(st.sampled_from([(8, 2), (8, 8), (4, 1), (16, 4)]), st.integers(1, 6), st.floats(0, 1.2), st.integers(0, 9))
@settings(deadline=None, max_examples=40)
def test_copies_are_those_numpy_counts(group, K, skew, seed):
    R, nodes = group
    routing = route(R * 12, 32, K, skew, seed)
    got = traffic(routing, R, nodes)
    assert (got.rank_copies, got.away_ranks, got.node_copies, got.away_nodes, list(got.received)) == copies_by_numpy(
        routing, R, nodes
    )


@given(st.integers(1, 8), st.floats(0, 1.2), st.integers(0, 9))
@settings(deadline=None, max_examples=30)
def test_a_token_is_sent_to_no_more_nodes_than_ranks_and_to_no_more_ranks_than_experts(K, skew, seed):
    copies = traffic(route(128, 64, K, skew, seed), 16, 4)
    assert copies.node_copies <= copies.rank_copies <= 128 * K
    assert copies.away_nodes <= copies.away_ranks


def test_a_node_limit_bounds_the_copies_over_the_slow_link():
    free = route(2048, 256, 8, 0.5, 1)
    tied = limit(free, 8, 4, 0.5, 1)
    before, after = traffic(free, 64, 8), traffic(tied, 64, 8)
    assert before.per_token(before.node_copies) > 4.5
    assert after.per_token(after.node_copies) <= 4
    assert after.away_nodes < before.away_nodes


# -- loads and policies --


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
def test_padding_and_dropping_lose_the_same_rows_and_the_other_two_none(counts, factor):
    pad, drop, keep, balance = policies(counts, 4, factor)
    assert pad.dropped == drop.dropped
    assert keep.dropped == keep.padding == balance.dropped == balance.padding == 0


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
