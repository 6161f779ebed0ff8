"""What each kind of block keeps, tensor by tensor, against the papers' closed forms."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labs.models import blocks, gpt_totals
from labs.models.activations import FP8, layer_bytes
from labs.models.layer_blocks import block
from labs.units import GB
from labs.workloads import WORKLOADS
from tests.models.blocks_of import ANY_BLOCK, LLAMA2_7B, LLAMA3_8B, LLAMA3_70B, SIZE, TP, gpt


@given(SIZE, SIZE, st.sampled_from([8, 32]), TP)
def test_the_tensor_list_of_a_gpt_block_sums_to_the_papers_table(s, h, a, t):
    block, sbh = blocks.gpt(h, a, s), s * h
    table = gpt_totals.layers(s, 1, h, a, t)
    assert layer_bytes(block, sbh) == pytest.approx(table["none"])
    assert layer_bytes(block, sbh, t) == pytest.approx(table["tp"])
    assert layer_bytes(block, sbh, t, True) == pytest.approx(table["tp_sp"])
    assert layer_bytes(block, sbh, t, drop=("core",)) == pytest.approx(table["tp_selective"])
    assert layer_bytes(block, sbh, t, True, ("core",)) == pytest.approx(table["tp_sp_selective"])


def test_attention_keeps_11_the_mlp_19_and_two_norms_4():
    parts = gpt(4096, flash=True)
    norms = sum(one.size for one in parts if one.kind == "norm")
    mlp = sum(one.size for one in parts if one.name in ("mlp input", "gelu input", "mlp product", "mlp mask"))
    assert (norms, mlp, sum(one.size for one in parts)) == (4, 19, 34)


def test_without_dropout_a_gpt_block_keeps_32_and_under_tp_8_and_24_over_t():
    block = gpt(4096, dropout=False, flash=True)
    assert layer_bytes(block, 1) == 32
    assert layer_bytes(block, 1, t=8) == 8 + 24 / 8


@pytest.mark.parametrize(
    ("block", "fused", "unfused"),
    [(LLAMA2_7B, 32.1, 37.5), (LLAMA3_8B, 34.0, 41.0), (LLAMA3_70B, 33.5, 40.5)],
)
def test_a_llama_block_keeps_12_and_4g_and_6f(block, fused, unfused):
    f = next(one.size for one in block if one.name == "gate") / 2
    silu = blocks.swiglu(f, fused=False)[-1]
    assert layer_bytes(block, 1) == pytest.approx(fused, abs=0.05)
    assert layer_bytes((*block, silu), 1) == pytest.approx(unfused, abs=0.05)


def test_an_rmsnorm_that_keeps_fp32_copies_adds_12():
    assert layer_bytes(blocks.llama(1, 2, fp32_norm=True), 1) - layer_bytes(blocks.llama(1, 2), 1) == 12


def test_without_sp_a_llama_block_leaves_8_uncut():
    assert layer_bytes(LLAMA3_70B, 1, t=8) == pytest.approx(8 + (4 + 4 / 8 + 6 * 3.5) / 8)


def test_the_attention_core_is_70_percent_of_gpt3s_layer():
    assert gpt_totals.core_ratio(96, 2048, 12288) == 80
    assert gpt_totals.selective_saving(96, 2048, 12288) == pytest.approx(80 / 114)


def test_selective_recompute_of_gpt3_costs_2_7_percent_and_of_mt_nlg_1_6():
    assert gpt_totals.selective_flops(2048, 12288) == pytest.approx(0.027, abs=5e-4)
    assert gpt_totals.selective_flops(2048, 20480) == pytest.approx(0.0164, abs=5e-4)


@given(ANY_BLOCK, SIZE, TP, st.booleans())
def test_doubling_tp_halves_all_that_it_cuts(block, s, t, sp):
    once, twice = (layer_bytes(block, s * 4096, ways, sp) for ways in (t, 2 * t))
    whole = 0 if sp else layer_bytes(tuple(one for one in block if one.cut != "tp"), s * 4096)
    assert twice - whole == pytest.approx((once - whole) / 2)


def test_fp8_storage_leaves_attention_and_norm_inputs_alone():
    plain, stored = layer_bytes(LLAMA3_8B, 1), layer_bytes(LLAMA3_8B, 1, fp8=True)
    squeezed = sum(one.size for one in LLAMA3_8B if one.kind in ("gemm", "act", "product"))
    assert squeezed == 4 + 6 * 3.5
    assert stored == pytest.approx(plain - squeezed * (1 - FP8 / 2))


def test_an_moe_layer_multiplies_the_f_term_by_the_experts_a_token_visits():
    one, eight = (blocks.mixture(7168, 2048 / 7168, k, 256) for k in (1, 8))
    expert = [
        sum(x.size for x in block if x.name.startswith("expert ") and x.kind != "expert") for block in (one, eight)
    ]
    assert expert == [pytest.approx(6 * 2048 / 7168), pytest.approx(8 * 6 * 2048 / 7168)]


def test_a_fused_logits_line_at_32k_is_4_2_gb_for_32000_words_and_16_8_for_128256():
    for words, wanted in ((32000, 4.2), (128256, 16.8)):
        head = gpt_totals.extras(32768, 1, 4096, 1, 1, words) - gpt_totals.extras(32768, 1, 4096, 1, 1, 0)
        assert head / GB == pytest.approx(wanted, abs=0.05)


def test_experts_that_work_in_half_the_width_are_sent_and_return_half_the_bytes():
    whole, half = (replace(WORKLOADS["deepseek-v3"], moe_latent=width) for width in (0, 3584))
    saved = [{one.name: one.size for one in block(shape, True, 4096)} for shape in (whole, half)]
    halved = {name for name, size in saved[0].items() if saved[1][name] == size / 2}
    assert halved == {"dispatched tokens", "expert out"}
    assert all(saved[1][name] == size for name, size in saved[0].items() if name not in halved)


def test_a_gpt_with_another_mlp_keeps_two_bytes_twice_for_each_of_its_columns():
    narrow = replace(WORKLOADS["gpt3-175b"], ffn=2 * 12288)
    sizes = [sum(one.size for one in block(shape, False, 2048)) for shape in (WORKLOADS["gpt3-175b"], narrow)]
    assert sizes == [34, 34 - 2 * (4 - 2) * 2]
