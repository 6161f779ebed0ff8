"""What ZeRO moves: the paper counts elements, a ring counts bytes that one rank sends, and the two stay apart."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labs.models.memory import STAGES
from labs.models.zero_traffic import activation_partition, all_reduce_then_gather, traffic
from labs.refusal import BadValue
from labs.units import GB


@pytest.mark.parametrize(("zero", "wanted"), list(zip(STAGES, (2, 2, 2, 3), strict=True)))
def test_the_paper_counts_2p_and_3p(zero, wanted):
    assert traffic(7e9, 8, zero).elements == wanted * 7e9


@pytest.mark.parametrize(("zero", "wanted"), list(zip(STAGES, (24.5, 24.5, 24.5, 36.75), strict=True)))
def test_7b_on_8_ranks_sends_24_5_gb_and_under_zero_3_36_75(zero, wanted):
    assert traffic(7e9, 8, zero).sent / GB == wanted


def test_an_all_reduce_of_14_gb_over_64_ranks_sends_27_6_gb():
    assert traffic(7e9, 64, 0).sent / GB == pytest.approx(27.5625)


def test_zero_1_that_all_reduces_and_then_gathers_moves_3p():
    assert all_reduce_then_gather(7e9, 8).elements == 3 * 7e9


def test_fp32_gradients_double_the_gradients_part_only():
    plain, wide = traffic(8.75e9, 8, 1), traffic(8.75e9, 8, 1, "fp32-gradients")
    assert (plain.sent / GB, wide.sent / GB) == (pytest.approx(30.625), pytest.approx(45.9375))
    assert wide.gradient_bytes == 2 * plain.gradient_bytes and wide.weight_bytes == plain.weight_bytes


@given(st.integers(1, 512))
def test_m_micro_batches_make_zero_3_gather_2m_times(m):
    whole = traffic(7e9, 8, 3, m=m, whole_gradients=True)
    assert (whole.gathers, whole.scatters) == (2 * m, 1)
    assert traffic(7e9, 8, 3, m=m).scatters == m


@given(st.integers(1, 512))
def test_m_micro_batches_make_zero_2_scatter_m_times_unless_gradients_stay_whole(m):
    assert (traffic(7e9, 8, 2, m=m).gathers, traffic(7e9, 8, 2, m=m).scatters) == (1, m)
    assert traffic(7e9, 8, 2, m=m, whole_gradients=True).scatters == 1
    assert traffic(7e9, 8, 1, m=m).scatters == 1


@given(st.integers(2, 4096), st.sampled_from(STAGES))
def test_a_ring_rank_sends_n_minus_1_of_n_of_what_the_paper_counts(dp, zero):
    moving = traffic(7e9, dp, zero)
    assert moving.sent == pytest.approx(2 * moving.elements * (dp - 1) / dp)


def test_a_rank_that_is_alone_moves_nothing():
    assert traffic(7e9, 1, 3).sent == traffic(7e9, 1, 3).elements == 0


def test_a_frozen_model_moves_only_the_weights_that_zero_3_took_apart():
    assert traffic(7e9, 8, 2, "frozen").sent == 0
    assert traffic(7e9, 8, 3, "frozen").scatters == 0 < traffic(7e9, 8, 3, "frozen").gathers


def test_partitioning_activations_adds_a_twelfth():
    block, added = activation_partition(b=1, s=1024, h=8192)
    assert (block, added) == (12 * 1024 * 8192, 1024 * 8192)


def test_an_unknown_stage_is_refused():
    with pytest.raises(BadValue, match="zero"):
        traffic(7e9, 8, 5)
