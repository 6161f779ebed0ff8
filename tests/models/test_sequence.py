"""CONTENT 08-D as calls: what Ulysses, Ring, USP and KDA move for one sequence of 131,072 tokens on 8 ranks."""

import numpy as np
import pytest

from labs.models.sequence import (
    all_to_all_bytes,
    kv_bytes,
    latent_kv_bytes,
    least_block,
    megatron_sp_elements,
    ring,
    ring_elements,
    state_bytes,
    state_gathered,
    ulysses_elements,
    usp_bytes,
)  # fmt: skip

S, P, H = 131_072, 8, 4096


def test_ulysses_sends_470_mb_per_rank_and_less_with_grouped_heads():
    assert all_to_all_bytes(S, P, H) == pytest.approx(0.470e9, rel=0.001)
    assert all_to_all_bytes(S, P, H, g=1 / 4) == pytest.approx(0.294e9, rel=0.002)


def test_an_all_to_all_of_arrays_sends_what_the_formula_says():
    s, p, h = 16, 4, 8
    shards = [np.zeros((s // p, h), dtype=np.float16) for _ in range(p)]
    sent = sum(block.nbytes for j, block in enumerate(np.split(shards[0], p, axis=1)) if j != 0)
    assert 4 * sent == all_to_all_bytes(s, p, h)


def test_a_ring_step_hides_at_400_teraflops_and_only_just_when_causal():
    full = ring(S, P, H, β=50e9, F=400e12)
    assert (full.block, full.steps) == (pytest.approx(268e6, rel=0.002), 7)
    assert (full.transfer, full.compute) == (pytest.approx(5.37e-3, rel=0.002), pytest.approx(11.0e-3, rel=0.002))
    assert full.sent == pytest.approx(1.879e9, rel=0.001)
    causal = ring(S, P, H, β=50e9, F=400e12, causal=True)
    assert causal.compute == pytest.approx(5.5e-3, rel=0.002)
    assert causal.hidden and not ring(S, P, H, β=50e9, F=500e12, causal=True).hidden


@pytest.mark.parametrize(("F", "causal", "c"), [(400e12, False, 8000), (400e12, True, 16000), (989e12, False, 19780)])
def test_a_block_must_be_as_long_as_arithmetic_over_bandwidth(F, causal, c):
    assert least_block(50e9, F, causal=causal) == pytest.approx(c)
    edge = ring(c * P, P, H, β=50e9, F=F, causal=causal)
    assert edge.transfer == pytest.approx(edge.compute)


def test_exposed_time_is_what_computing_does_not_cover():
    slow = ring(S, P, H, β=10e9, F=400e12)
    assert slow.exposed == pytest.approx(7 * (slow.transfer - slow.compute))
    assert ring(S, P, H, β=50e9, F=400e12).exposed == 0


def test_grouped_heads_shrink_the_ring_block_too():
    block = ring(S, P, H, β=50e9, F=400e12, g=1 / 4)
    assert (block.block, block.transfer) == (pytest.approx(67.1e6, rel=0.001), pytest.approx(1.34e-3, rel=0.002))


def test_a_kda_layer_gathers_88_mb_whatever_the_sequence():
    assert state_bytes(96, 128, 128) == pytest.approx(12.58e6, rel=0.001)
    assert state_gathered(96, 128, 128, 8) == pytest.approx(88.1e6, rel=0.001)
    assert state_gathered(96, 128, 128, 16) == 15 * state_bytes(96, 128, 128)


def test_usp_is_ulysses_or_ring_at_its_ends_and_less_of_each_between():
    assert usp_bytes(S, P, 1, H) == (all_to_all_bytes(S, P, H), 0)
    assert usp_bytes(S, 1, P, H) == (0, ring(S, P, H, 50e9, 400e12).sent)
    inside, around = usp_bytes(S, 4, 2, H)
    assert inside < all_to_all_bytes(S, P, H) and around < ring(S, P, H, 50e9, 400e12).sent


def test_the_papers_counts_leave_out_the_ranks_own_share():
    assert ulysses_elements(1_048_576, 64, 8192) == 536_870_912
    assert megatron_sp_elements(1_048_576, 8192) == 34_359_738_368
    assert (ulysses_elements(65_536, 8, 8192, calls=8), ring_elements(65_536, 8192)) == (536_870_912, 2_147_483_648)


def test_one_attention_layer_caches_17_gb_at_a_million_tokens_and_a_latent_far_less():
    assert 1_048_576 * kv_bytes(32, 128) == pytest.approx(17.2e9, rel=0.002)
    assert latent_kv_bytes(512, 64, layers=61) == 70_272
