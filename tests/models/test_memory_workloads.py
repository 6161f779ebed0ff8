"""Parameters counted tensor by tensor, from a shape or a pasted config.json, and placed on pipeline stages."""

from dataclasses import replace
from json import dumps

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labs import workloads
from labs.models import flops
from labs.refusal import BadValue
from labs.workloads import WORKLOADS, from_json, parameters, stage_tensors
from labs.workloads.count import total
from labs.workloads.tensors import layer

ANY = st.sampled_from(sorted(WORKLOADS))
V3 = WORKLOADS["deepseek-v3"]


@pytest.mark.parametrize(
    ("name", "wanted"),
    [("llama2-7b", 6_738_415_616), ("llama3-8b", 8_030_261_248), ("llama3-70b", 70_553_706_496),
     ("llama3-405b", 405_853_388_800), ("mixtral-8x7b", 46_702_792_704), ("qwen3-235b", 235_093_634_560),
     ("deepseek-v3", 671_026_419_200), ("gpt3-175b", 174_604_259_328)],
)  # fmt: skip
def test_a_checkpoints_total_is_met_to_the_last_parameter(name, wanted):
    assert parameters(WORKLOADS[name]).total == wanted


def test_kimi_k2_counts_1_0264_trillion_and_its_experts_1014_7_billion():
    counted = parameters(WORKLOADS["kimi-k2"])
    assert counted.total == 1_026_408_232_448
    assert counted.routed_total / 1e9 == pytest.approx(1014.7, abs=0.05)
    assert (counted.total - counted.routed_total) / 1e9 == pytest.approx(11.7, abs=0.05)


def test_only_the_prediction_module_takes_kimi_k2_to_the_printed_1_04_trillion():
    assert parameters(replace(WORKLOADS["kimi-k2"], mtp=1)).total_with_mtp / 1e12 == pytest.approx(1.0436, abs=5e-5)


def test_deepseek_v3_activates_37_6_billion_with_both_tables_and_36_6_with_the_head_only():
    counted = parameters(V3)
    assert (counted.active / 1e9, counted.active_head_only / 1e9) == (
        pytest.approx(37.55, abs=0.005), pytest.approx(36.63, abs=0.005),
    )  # fmt: skip


def test_the_papers_rounded_vocabulary_counts_405_845_000_192():
    assert parameters(WORKLOADS["llama3-405b"].with_vocab(128_000)).total == 405_845_000_192


def test_an_untied_head_is_525_million_of_llama3_8b():
    untied = WORKLOADS["llama3-8b"]
    assert parameters(untied).total - parameters(replace(untied, tied=True)).total == 525_336_576


def test_a_gated_mlp_has_three_matrices():
    plain = replace(WORKLOADS["llama3-70b"], glu=False)
    assert parameters(plain).total / 1e9 == pytest.approx(51.8, abs=0.05)


def test_latent_attention_has_187_million_parameters_a_layer():
    attention = [one for one in layer(V3, False) if one.name in {"q down", "q up", "kv down", "kv up", "attention out"}]
    assert total(attention) / 1e6 == pytest.approx(187.1, abs=0.05)


CONFIGS = {
    "llama3-8b": {
        "model_type": "llama", "hidden_size": 4096, "num_hidden_layers": 32, "vocab_size": 128256,
        "num_attention_heads": 32, "num_key_value_heads": 8, "intermediate_size": 14336, "tie_word_embeddings": False,
    },
    "mixtral-8x7b": {
        "model_type": "mixtral", "hidden_size": 4096, "num_hidden_layers": 32, "vocab_size": 32000,
        "num_attention_heads": 32, "num_key_value_heads": 8, "intermediate_size": 14336, "num_local_experts": 8,
        "num_experts_per_tok": 2,
    },
    "qwen3-235b": {
        "model_type": "qwen3_moe", "hidden_size": 4096, "num_hidden_layers": 94, "vocab_size": 151936, "head_dim": 128,
        "num_attention_heads": 64, "num_key_value_heads": 4, "intermediate_size": 12288, "num_experts": 128,
        "num_experts_per_tok": 8, "moe_intermediate_size": 1536, "decoder_sparse_step": 1, "mlp_only_layers": [],
    },
    "deepseek-v2": {
        "model_type": "deepseek_v2", "hidden_size": 5120, "num_hidden_layers": 60, "vocab_size": 102400,
        "num_attention_heads": 128, "num_key_value_heads": 128, "intermediate_size": 12288, "n_routed_experts": 160,
        "n_shared_experts": 2, "num_experts_per_tok": 6, "moe_intermediate_size": 1536, "first_k_dense_replace": 1,
        "moe_layer_freq": 1, "q_lora_rank": 1536, "kv_lora_rank": 512, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64,
        "v_head_dim": 128,
    },
    "deepseek-v3": {
        "model_type": "deepseek_v3", "hidden_size": 7168, "num_hidden_layers": 61, "vocab_size": 129280,
        "num_attention_heads": 128, "num_key_value_heads": 128, "intermediate_size": 18432, "n_routed_experts": 256,
        "n_shared_experts": 1, "num_experts_per_tok": 8, "moe_intermediate_size": 2048, "first_k_dense_replace": 3,
        "moe_layer_freq": 1, "q_lora_rank": 1536, "kv_lora_rank": 512, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64,
        "v_head_dim": 128, "topk_method": "noaux_tc", "num_nextn_predict_layers": 1,
    },
    "kimi-k2": {
        "model_type": "kimi_k2", "hidden_size": 7168, "num_hidden_layers": 61, "vocab_size": 163840,
        "num_attention_heads": 64, "num_key_value_heads": 64, "intermediate_size": 18432, "n_routed_experts": 384,
        "n_shared_experts": 1, "num_experts_per_tok": 8, "moe_intermediate_size": 2048, "first_k_dense_replace": 1,
        "moe_layer_freq": 1, "q_lora_rank": 1536, "kv_lora_rank": 512, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64,
        "v_head_dim": 128, "topk_method": "noaux_tc", "num_nextn_predict_layers": 0,
    },
    "gpt3-175b": {"model_type": "gpt2", "n_embd": 12288, "n_layer": 96, "n_head": 96, "vocab_size": 50257,
                  "n_positions": 2048},
}  # fmt: skip


def test_qwen2s_biases_on_q_k_and_v_count_though_its_config_does_not_name_them():
    config = {
        "model_type": "qwen2", "hidden_size": 3584, "num_hidden_layers": 28, "vocab_size": 152064,
        "num_attention_heads": 28, "num_key_value_heads": 4, "intermediate_size": 18944,
    }  # fmt: skip
    assert parameters(from_json(dumps(config))).total == 7_615_616_512


@pytest.mark.parametrize("name", CONFIGS)
def test_a_pasted_config_counts_what_the_preset_counts(name):
    assert parameters(from_json(dumps(CONFIGS[name]))).total == parameters(WORKLOADS[name]).total
    assert parameters(from_json(dumps(CONFIGS[name]))).active == parameters(WORKLOADS[name]).active


def test_a_language_model_inside_a_vision_model_is_found():
    assert from_json(dumps({"text_config": CONFIGS["llama3-8b"]})) == WORKLOADS["llama3-8b"]


@pytest.mark.parametrize(
    ("text", "why"),
    [*((text, "not valid JSON") for text in ("{", "[1]", "9" * 5000, "[" * 9000)), ("{}", "num_hidden_layers"),
     (dumps(CONFIGS["llama3-8b"] | {"hidden_size": "wide"}), "whole number"),
     (dumps(CONFIGS["llama3-8b"] | {"num_hidden_layers": -3}), "between 1 and 1024. Nearest legal value: 1"),
     (dumps(CONFIGS["llama3-8b"] | {"num_hidden_layers": 10**9}), "between 1 and 1024. Nearest legal value: 1024"),
     (dumps(CONFIGS["llama3-8b"] | {"hidden_size": 10**30}), "between 1 and 1073741824"),
     (dumps(CONFIGS["llama3-8b"] | {"num_experts": "many"}), "whole number"),
     (dumps(CONFIGS["llama3-8b"] | {"num_key_value_heads": 7}), "divide"),
     (dumps(CONFIGS["mixtral-8x7b"] | {"num_experts_per_tok": 9}), "experts")],
)  # fmt: skip
def test_a_config_that_cannot_be_is_refused_with_its_reason(text, why):
    with pytest.raises(BadValue, match=why) as refused:
        from_json(text)
    assert refused.value.field == "config"


def test_a_ratio_of_3_5_between_mlp_and_hidden_size_is_a_model_like_any_other():
    assert from_json(dumps(CONFIGS["llama3-8b"])).ffn / 4096 == 3.5


@given(ANY, st.integers(1, 16), st.data())
def test_stages_together_hold_the_model_and_nothing_twice(name, pp, data):
    shape = WORKLOADS[name]
    cuts = data.draw(st.lists(st.integers(0, shape.layers), min_size=pp - 1, max_size=pp - 1).map(sorted))
    stages = tuple(b - a for a, b in zip([0, *cuts], [*cuts, shape.layers], strict=True))
    held = sum(one.total * copies for s in range(pp) for one, copies in stage_tensors(shape, stages, s))
    second_table = shape.vocab * shape.hidden if shape.tied and pp > 1 else 0
    assert held == parameters(shape).total_with_mtp + second_table


def test_the_heaviest_stage_of_1_2_2_3_holds_half_more_than_the_average():
    shape = replace(WORKLOADS["llama3-8b"], layers=8, moe=())
    sizes = [total(one for one in layer(shape, False)) * n for n in (1, 2, 2, 3)]
    assert max(sizes) == 1.5 * sum(sizes) / 4


def test_stages_that_do_not_hold_all_layers_are_refused():
    with pytest.raises(BadValue, match="stages"):
        stage_tensors(WORKLOADS["llama3-8b"], (16, 15), 0)


def test_every_named_model_says_where_its_shape_stands():
    assert workloads.SOURCES.keys() == WORKLOADS.keys()
    assert all(workloads.SOURCES.values())


def test_a_step_of_4_million_tokens_through_7b_takes_1_76e17_flop_without_attention():
    assert flops.six_nd(7e9, 4_194_304) == pytest.approx(1.76e17, rel=2e-3)
    assert flops.six_nd(7e9, 4_194_304) / (64 * 989e12 * 0.4) == pytest.approx(6.96, abs=0.005)


def test_attention_adds_15_percent_to_7b_at_4k_and_7_7_percent_causally():
    full = flops.attention(32, 4096, 4096) / (6 * 7e9)
    assert (full, full / 2) == (pytest.approx(0.153, abs=5e-4), pytest.approx(0.077, abs=5e-4))
    assert flops.attention(32, 4096, 4096, causal=True) == flops.attention(32, 4096, 4096) / 2


def test_the_exact_count_is_the_papers_formula_for_a_gpt():
    shape = replace(WORKLOADS["gpt3-175b"], vocab=51200, bias=(), positions=0)
    exact = flops.per_token(shape, 2048) * 2048
    norms = 6 * 2048 * (96 * 2 + 1) * 2 * 12288  # which the formula leaves out
    assert exact - norms == pytest.approx(flops.gpt_step(1, 96, 2048, 12288, 51200), rel=1e-12)


def test_deepseek_v3_trained_at_34_6_percent_of_a_bf16_peak():
    needed = flops.six_nd(37e9, 14.8e12)
    assert needed == pytest.approx(3.29e24, rel=2e-3)
    assert flops.mfu(needed, 2.664e6 * 3600, 1, 989e12) == pytest.approx(0.346, abs=0.001)


@given(ANY, st.integers(1, 2**17))
def test_a_longer_sequence_costs_more_per_token(name, s):
    assert flops.per_token(WORKLOADS[name], 2 * s) > flops.per_token(WORKLOADS[name], s)
