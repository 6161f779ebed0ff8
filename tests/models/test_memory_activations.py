"""Activations of a rank, and policies that never cost more than keeping everything."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labs.models import blocks
from labs.models.activations import FP8, KINDS, RECOMPUTE, interleaving, kept, layer_bytes, sqrt_segments
from labs.refusal import BadValue
from labs.units import GB, GIB
from tests.models.blocks_of import ANY_BLOCK, LLAMA2_7B, LLAMA3_8B, LLAMA3_70B, SIZE, TP, gpt

LAYERS = st.integers(1, 96)


def test_7b_at_4k_keeps_3_25_gb_a_layer_and_104_gb_with_the_square_stored():
    one = kept(gpt(4096), 4096, 1, 4096, 32)
    assert (one.layer / GB, one.stored / GB) == (pytest.approx(3.2548, abs=5e-5), pytest.approx(104.2, abs=0.05))


def test_7b_at_4k_keeps_0_57_gb_a_layer_and_18_3_gb_without_it():
    one = kept(gpt(4096), 4096, 1, 4096, 32, recompute="selective")
    assert (one.layer / GB, one.stored / GB) == (pytest.approx(0.570, abs=5e-4), pytest.approx(18.3, abs=0.05))


def test_7b_at_32k_keeps_146_gb_selectively_and_5_6_tb_with_the_square():
    assert kept(gpt(32768, flash=True), 32768, 1, 4096, 32).total / GB == pytest.approx(146.0, abs=0.05)
    assert kept(gpt(32768), 32768, 1, 4096, 32).total / GB == pytest.approx(5600, rel=0.02)


def test_full_recompute_of_7b_at_32k_stores_8_6_and_rebuilds_4_6_gb():
    one = kept(gpt(32768, flash=True), 32768, 1, 4096, 32, recompute="full")
    assert one.stored / GB == pytest.approx(8.59, abs=0.005)
    assert one.working / GB == pytest.approx(4.56, abs=0.005)
    assert one.total / GB == pytest.approx(13.15, abs=0.005)


def test_full_recompute_of_7b_at_4k_stores_1_07_and_rebuilds_0_57_gb():
    one = kept(gpt(4096, flash=True), 4096, 1, 4096, 32, recompute="full")
    assert (one.stored / GB, one.working / GB) == (pytest.approx(1.07, abs=0.005), pytest.approx(0.57, abs=0.005))


@pytest.mark.parametrize(
    ("block", "s", "h", "L", "wanted"),
    [(LLAMA2_7B, 32768, 4096, 32, 138), (LLAMA3_8B, 32768, 4096, 32, 146), (LLAMA3_70B, 4096, 8192, 80, 89.9)],
)
def test_a_long_7b_keeps_more_than_a_short_70b(block, s, h, L, wanted):
    assert kept(block, s, 1, h, L).total / GB == pytest.approx(wanted, abs=0.5)


def test_70b_under_tp8_keeps_34_9_gb_without_sp_and_11_4_with_it():
    block = blocks.gpt(8192, 64, 4096, flash=True)
    assert kept(block, 4096, 1, 8192, 80).total / GB == pytest.approx(91.3, abs=0.05)
    assert kept(block, 4096, 1, 8192, 80, t=8).total / GB == pytest.approx(34.9, abs=0.05)
    assert kept(block, 4096, 1, 8192, 80, t=8, sp=True).total / GB == pytest.approx(11.4, abs=0.05)


def test_llama3_70b_under_tp8_keeps_30_gb_without_sp_and_11_24_with_it():
    assert kept(LLAMA3_70B, 4096, 1, 8192, 80, t=8).total / GB == pytest.approx(30.0, abs=0.05)
    assert kept(LLAMA3_70B, 4096, 1, 8192, 80, t=8, sp=True).total / GB == pytest.approx(11.24, abs=0.005)


def test_64_layers_in_8_segments_hold_16_units_instead_of_64():
    cut = sqrt_segments(64)
    assert (cut.count, cut.live, cut.units) == (8, 8, 16)


def test_a_checkpoint_every_8_of_64_layers_keeps_8_inputs_and_rebuilds_8_layers():
    one = kept(LLAMA3_8B, 8192, 1, 4096, 64, recompute="sqrt")
    layer = layer_bytes(LLAMA3_8B, 8192 * 4096)
    assert one.stored == pytest.approx(8 * 2 * 8192 * 4096)
    assert one.working == pytest.approx(8 * layer)


@given(st.integers(1, 5000))
def test_segments_cover_all_layers_with_about_two_roots(n):
    cut = sqrt_segments(n)
    assert cut.count * cut.live >= n
    assert cut.units <= 2 * n**0.5 + 2


@given(ANY_BLOCK, SIZE, TP, st.booleans(), LAYERS, st.integers(1, 16), st.booleans())
def test_full_is_never_above_selective_nor_selective_above_none(block, s, t, sp, L, held, fp8):
    full, selective, none = (
        kept(block, s, 1, 4096, L, t, sp, recompute=way, held=held, fp8=fp8).total
        for way in ("full", "selective", "none")
    )
    assert full <= selective * (1 + 1e-12) and selective <= none * (1 + 1e-12)


@given(ANY_BLOCK, SIZE, TP, st.booleans(), LAYERS, st.sampled_from(RECOMPUTE))
def test_no_policy_holds_more_than_keeping_everything(block, s, t, sp, L, way):
    assert kept(block, s, 1, 4096, L, t, sp, recompute=way).total <= kept(block, s, 1, 4096, L, t, sp).total * (
        1 + 1e-12
    )


@given(ANY_BLOCK, SIZE, LAYERS, st.sampled_from(RECOMPUTE))
def test_activations_move_with_sequence_micro_batch_and_context_parallelism(block, s, L, way):
    one = kept(block, s, 1, 4096, L, recompute=way)
    assert kept(block, 2 * s, 1, 4096, L, recompute=way).total > one.total
    assert kept(block, s, 2, 4096, L, recompute=way).total == pytest.approx(2 * one.total)
    assert kept(block, s, 1, 4096, L, cp=2, recompute=way).total == pytest.approx(one.total / 2)


@given(ANY_BLOCK, SIZE, LAYERS, st.floats(0, 1))
def test_what_is_offloaded_leaves_hbm_and_crosses_the_link_twice(block, s, L, share):
    here, away = kept(block, s, 1, 4096, L), kept(block, s, 1, 4096, L, offload=share)
    assert away.stored + away.offloaded == pytest.approx(here.stored)
    assert away.moved == 2 * away.offloaded


def test_offloading_60_percent_of_146_gb_leaves_58_4_and_sends_87_6_out_and_back():
    one = kept(gpt(32768, flash=True), 32768, 1, 4096, 32, offload=0.6)
    assert (one.stored / GB, one.offloaded / GB) == (pytest.approx(58.4, abs=0.05), pytest.approx(87.6, abs=0.05))


def test_fp8_with_its_scales_saves_48_4_percent_of_a_tensor():
    assert FP8 == 1.03125
    assert 1 - FP8 / 2 == pytest.approx(0.484, abs=5e-4)


def test_interleaving_keeps_one_and_p_minus_1_over_pv_on_the_first_rank():
    assert interleaving(35, 3) == pytest.approx(1 + 34 / 105)
    assert 4 * interleaving(4, 2) == 5.5


def test_llama3_8b_at_8k_keeps_34_gib_of_layers_and_fully_recomputed_2_and_1_06():
    none, full = (kept(LLAMA3_8B, 8192, 1, 4096, 32, recompute=way) for way in ("none", "full"))
    assert none.total / GIB == pytest.approx(34.0)
    assert (full.stored / GIB, full.working / GIB) == (2.0, pytest.approx(1.0625))


@given(st.sets(st.sampled_from(KINDS), min_size=1), st.sets(st.sampled_from(KINDS)), st.booleans())
def test_tensors_may_be_recomputed_one_kind_at_a_time_and_each_kind_saves_its_own_bytes(kinds, more, fp8):
    fewer = kept(LLAMA3_8B, 8192, 1, 4096, 32, recompute="+".join(kinds), fp8=fp8)
    both = kept(LLAMA3_8B, 8192, 1, 4096, 32, recompute="+".join(kinds | more), fp8=fp8)
    assert fewer.layer == layer_bytes(LLAMA3_8B, 8192 * 4096, drop=tuple(kinds), fp8=fp8)
    assert both.stored <= fewer.stored and both.rebuilt >= fewer.rebuilt


def test_a_policy_is_the_kinds_that_it_names():
    by_name, by_kind = (kept(gpt(4096), 4096, 1, 4096, 32, recompute=way) for way in ("norm-act", "core+norm+product"))
    assert by_name == by_kind


@pytest.mark.parametrize(("field", "value"), [("recompute", "some"), ("offload", 1.5)])
def test_an_unknown_policy_or_share_is_refused_by_name(field, value):
    with pytest.raises(BadValue) as refused:
        kept(LLAMA3_8B, 8192, 1, 4096, 32, **{field: value})
    assert refused.value.field == field
