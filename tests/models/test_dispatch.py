"""Bytes, loads, copies and policies of an expert layer, against the course's figures and NumPy."""

from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labs.models import deepep
from labs.models.dispatch import Buffers, payload, ranks_reached, row_bytes, traffic
from labs.models.routing import limit, route

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


def test_8_even_picks_over_8_ranks_reach_5_25_of_them():
    reached = traffic(route(8192, 256, 8, 0.0, 1), 8)
    exact = 8 * (1 - comb(224, 8) / comb(256, 8))
    assert reached.per_token(reached.rank_copies) == pytest.approx(exact, rel=0.01)
    assert ranks_reached(8, 8) == pytest.approx(5.25, abs=0.005)


def test_c10_three_buffer_formulas_differ_and_none_is_what_deepep_v2_allocates():
    buffers = Buffers(4096, 8, 16, row_bytes(7168, 2))
    sizes = (buffers.deduplicated, buffers.balanced, buffers.worst)
    assert [round(size / 1e6, 1) for size in sizes] == [939.5, 469.8, 7516.2]
    assert 1_218_445_312 not in sizes


def test_c12_all_tokens_on_one_rank_are_262_144_rows_once_each_where_balance_has_32_768():
    assert payload(4096, 8, 1) == 32_768
    assert Buffers(4096, 8, 64, 1).deduplicated == 262_144
    crowd = traffic(route(640, 8, 8, 0.0, 0), 1)
    assert (crowd.rank_copies, crowd.away_ranks) == (640, 0)


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
