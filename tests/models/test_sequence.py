"""Sequence layouts: what each sends, and when a ring step hides (08-D, Fix-A6, Fix-C17)."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from labs.models import sequence

S, P, h = 131_072, 8, 4096


def test_ulysses_sends_0_470_gb_a_rank_and_0_294_with_8_of_32_kv_heads():
    assert sequence.ulysses(S, P, h) / 1e9 == pytest.approx(0.470, abs=5e-4)
    assert sequence.ulysses(S, P, h, g=8 / 32) / 1e9 == pytest.approx(0.294, abs=5e-4)


def test_a_ring_step_sends_268_mb_in_5_4_ms_behind_11_0_ms_of_attention():
    step = sequence.ring(S, P, h, F=400e12, beta=50e9)
    assert (round(step.block / 1e6), round(step.send * 1e3, 1), round(step.compute * 1e3, 1)) == (268, 5.4, 11.0)
    assert (round(step.flop / 1e12, 1), round(step.sent / 1e9, 2)) == (4.4, 1.88)
    assert step.hides


def test_under_a_balanced_causal_mask_the_same_step_only_just_hides():
    step = sequence.ring(S, P, h, F=400e12, beta=50e9, causal=True)
    assert (round(step.send * 1e3, 1), round(step.compute * 1e3, 1)) == (5.4, 5.5)
    assert step.hides


def test_8_of_32_kv_heads_make_the_block_67_mb():
    step = sequence.ring(S, P, h, F=400e12, beta=50e9, g=8 / 32)
    assert (round(step.block / 1e6), round(step.send * 1e3, 1)) == (67, 1.3)


@pytest.mark.parametrize(
    ("F", "causal", "tokens"), [(400e12, False, 8000), (400e12, True, 16000), (989e12, False, 19780)]
)
def test_a_block_hides_from_f_over_beta_tokens_on(F, causal, tokens):
    assert sequence.least_block(F, 50e9, causal) == tokens


@given(st.integers(1, 64), st.floats(1e13, 1e15), st.floats(1e10, 1e12), st.booleans())
def test_a_step_hides_exactly_when_its_block_is_long_enough(P, F, beta, causal):
    c = 2 * sequence.least_block(F, beta, causal)
    assert sequence.ring(c * P, P, h, F, beta, causal).hides
    assert not sequence.ring(c * P / 4, P, h, F, beta, causal).hides


@given(st.integers(1, 1 << 20), st.integers(1, 64), st.integers(1, 8192), st.sampled_from([1.0, 0.25, 0.125]))
def test_usp_with_one_degree_of_1_is_the_other_layout_alone(S, P, h, g):
    assert sequence.usp(S, P, 1, h, g).sent == pytest.approx(sequence.ulysses(S, P, h, g))
    assert sequence.usp(S, 1, P, h, g).sent == pytest.approx(sequence.ring(S, P, h, 1e12, 1e9, g=g).sent)


def test_usp_moves_bytes_from_the_ring_to_the_fast_links():
    cut = sequence.usp(S, 4, 2, h)
    ring = sequence.ring(S, P, h, F=400e12, beta=50e9)
    assert cut.outside == ring.sent / 7
    assert cut.sent < ring.sent


def test_kda_sends_88_mb_a_rank_flat_in_the_sequence_and_growing_with_the_group():
    assert sequence.kda(8, 96, 128) / 1e6 == pytest.approx(88.1, abs=0.05)
    assert sequence.kda(2, 96, 128) / 1e6 == pytest.approx(12.58, abs=0.005)


def test_an_all_to_all_on_arrays_sends_what_ulysses_says():
    tokens, ranks, heads, size = 32, 4, 8, 2
    q = np.zeros((ranks, tokens // ranks, heads, size), dtype=np.float16)
    away = q[0][:, : heads - heads // ranks].nbytes
    assert 4 * away == sequence.ulysses(tokens, ranks, heads * size)
