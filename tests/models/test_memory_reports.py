"""Public bug reports on memory estimators, each as the right answer (reports/labs.md, M01 to M32)."""

from dataclasses import replace
from json import dumps

import pytest

from labs.lab import find
from labs.models import deepspeed
from labs.models.activations import kept, layer_bytes
from labs.models.blocks import gpt, llama
from labs.models.memory import states
from labs.models.rank_lines import Step, stage_memory
from labs.models.rank_memory import Degrees, stage_states
from labs.models.recipes import custom
from labs.units import GB, GIB, MIB
from labs.workloads import WORKLOADS, from_json, parameters
from labs.workloads.tensors import layer

P8 = 8_030_261_248
SMALL, LARGE, EXPERTS = (WORKLOADS[name] for name in ("llama3-8b", "llama3-70b", "deepseek-v3"))
PIPELINE = Degrees(tp=8, pp=4, dp=4)
V3 = Degrees(pp=16, ep=64, dp=128)


def gib(size):
    return round(size / GIB, 2)


def test_m01_zero_1_has_an_estimate_for_both_gradient_widths():
    assert (states(7e9, 8, 1).total / GB, states(7e9, 8, 1, "fp32-gradients").total / GB) == (38.5, 52.5)


def test_m02_three_estimates_of_zero_2_differ_in_which_terms_they_divide():
    assert gib(deepspeed.zero2_document(P8, 8).gpu) == 44.87  # 4P + 16P/N
    assert gib(deepspeed.zero2(P8, 8).gpu) == 31.78  # 2P + 18P/N
    assert gib(states(P8, 8, 2).total) == 28.05  # 2P + 14P/N


def test_m03_18_is_16_with_fp32_gradients_and_the_largest_layer_comes_on_top():
    needs = deepspeed.zero3(P8, 525_336_576, 8, offload=False)
    assert gib(states(P8, 8, 3, "fp32-gradients").total) == 16.83
    assert gib(needs.gpu - states(P8, 8, 3, "fp32-gradients").total) == 1.96
    assert gib(needs.gpu) == 18.78


def test_m05_more_ranks_leave_the_activations_of_a_fixed_micro_batch_alone():
    two, four = (stage_memory(SMALL, Degrees(dp=dp, zero=3), Step(4096), 0) for dp in (2, 4))
    assert two.activations == four.activations
    assert two.states == 2 * four.states


def test_m06_default_buckets_can_cost_more_than_zero_2_saves():
    one, two = (states(340e6, 4, zero).total for zero in (1, 2))
    assert (one / GB, two / GB) == (pytest.approx(2.38), pytest.approx(1.87))
    bucket = stage_memory(SMALL, Degrees(dp=4, zero=2), Step(2048, bucket=5e8), 0, "fp16-adam").line("bucket")
    assert bucket == 1e9 > one - two


def test_m07_three_formulas_are_three_policies():
    block, flash = gpt(4096, 32, 2048), gpt(4096, 32, 2048, flash=True)
    assert gib(kept(flash, 2048, 1, 4096, 32, recompute="full").stored) == 0.5
    assert gib(kept(block, 2048, 1, 4096, 32, recompute="selective").stored) == 8.5
    assert gib(kept(flash, 2048, 1, 4096, 32).stored) == 8.5
    assert gib(kept(block, 2048, 1, 4096, 32).stored) == 28.5


def test_m08_a_formula_in_bytes_is_not_multiplied_by_four_again():
    assert round(layer_bytes(gpt(4096, 32, 2048), 2048 * 4096) / GIB, 3) == 0.891


def test_m09_norm_weights_are_whole_on_every_tensor_parallel_rank():
    norms = [one for one in layer(SMALL, False) if one.name in ("attention norm", "mlp norm")]
    assert sum(one.total for one in norms) == 8192 and {one.cut for one in norms} == {"none"}


def test_m09_each_norm_keeps_two_bytes_per_element_of_its_input():
    assert [one.size for one in llama(1, 2) if one.kind == "norm"] == [2, 2]


def test_m10_experts_are_divided_by_ep_and_their_optimizer_by_expert_dp():
    held = stage_states(EXPERTS, V3, 1)
    assert held.expert_parameters == 16 * 44_040_192
    assert gib(12 * held.expert_parameters / V3.edp) == 3.94


def test_m12_an_uneven_pipeline_is_as_heavy_as_its_heaviest_stage():
    shape = replace(SMALL, layers=8, moe=(False,) * 8)
    uneven = Degrees(pp=4, layers=(1, 2, 2, 3))
    tables = {0: 128256 * 4096, 3: 128256 * 4096 + 4096}
    layers = [stage_states(shape, uneven, stage).parameters - tables.get(stage, 0) for stage in range(4)]
    assert max(layers) == 1.5 * sum(layers) / 4


def test_m13_full_recompute_with_sp_keeps_0_625_gib_and_one_layer_of_134_mib():
    memory = stage_memory(LARGE, PIPELINE, Step(4096, m=16, sp=True, recompute="full"), 0)
    assert memory.line("layers") / GIB == 0.625
    assert memory.line("working") / MIB == pytest.approx(134)


def test_m14_gradients_are_divided_by_the_model_shard_under_zero_1_too():
    assert gib(4 * parameters(LARGE).total / 32) == 8.21
    assert gib(stage_states(LARGE, PIPELINE, 0).states.gradients) == 8.46


def test_m16_a_gated_mlp_has_three_matrices_and_an_untied_head_counts():
    assert parameters(LARGE).total == 70_553_706_496
    assert parameters(replace(LARGE, glu=False)).total / 1e9 == pytest.approx(51.8, abs=0.05)


def test_m17_checkpointing_every_layer_keeps_2_gib_and_not_34():
    none, full = (stage_memory(SMALL, Degrees(), Step(8192, recompute=way), 0) for way in ("none", "full"))
    assert (gib(none.line("layers")), gib(full.line("layers"))) == (34.0, 2.0)


def test_m18_llama3_8b_has_8_03_billion_parameters():
    assert parameters(SMALL).total == P8
    assert parameters(SMALL).active_head_only == P8 - 525_336_576  # what 7.505 B leaves out is one table


def test_m19_a_wide_mlp_is_no_error():
    assert layer_bytes(llama(g=0.25, f=3.5), 1) == 34


def test_m21_ep_divides_routed_experts_only():
    weights = [gib(stage_states(EXPERTS, V3, stage).states.weights) for stage in (0, 1)]
    assert weights == [5.75, 3.05]


def test_m21_activations_carry_the_micro_batches_in_flight():
    deep, alone = (stage_memory(LARGE, PIPELINE, Step(4096, m=m, sp=True), 0).line("layers") for m in (16, 1))
    assert (gib(deep), gib(alone)) == (10.47, 2.62)


def test_m22_each_vocabulary_table_is_on_one_stage():
    weights = [gib(stage_states(LARGE, PIPELINE, stage).states.weights) for stage in range(4)]
    assert weights == [4.23, 3.98, 3.98, 4.23]


def test_m23_the_dtype_in_a_config_does_not_change_the_count():
    config = {
        "hidden_size": 4096, "num_hidden_layers": 32, "vocab_size": 128256, "num_attention_heads": 32,
        "num_key_value_heads": 8, "intermediate_size": 14336,
    }  # fmt: skip
    counts = {parameters(from_json(dumps(config | dtype))).total for dtype in ({}, {"torch_dtype": "bfloat16"})}
    assert counts == {P8}
    assert gib(4 * P8) == 29.92


def test_m24_training_with_adam_costs_16p():
    assert round(states(P8).total / GIB, 1) == 119.7


def test_m26_bf16_gradients_make_4_and_12_over_n_instead_of_6():
    assert (gib(states(P8, 8, 1).total), gib(states(P8, 8, 1, "fp32-gradients").total)) == (41.13, 56.09)


def test_m27_memory_follows_total_and_not_active_parameters():
    assert states(125.1e9, recipe=custom(0.58, 0, 0)).total / GB == pytest.approx(72.6, abs=0.05)
    counted = parameters(WORKLOADS["mixtral-8x7b"])
    assert stage_states(WORKLOADS["mixtral-8x7b"], Degrees(), 0).parameters == counted.total > 3 * counted.active


def test_m28_a_frozen_base_has_neither_gradients_nor_optimizer_states():
    frozen = states(13e9, recipe="frozen")
    assert (frozen.total / GB, frozen.gradients, frozen.optimizer) == (26, 0, 0)


@pytest.mark.parametrize("change", [{"s": 8192}, {"b": 2}, {"recompute": "full"}])
def test_m30_activations_move_with_every_choice(change):
    step = Step(4096, b=1)
    before = stage_memory(SMALL, Degrees(), step, 0).activations
    assert stage_memory(SMALL, Degrees(), replace(step, **change), 0).activations != before
    assert stage_memory(SMALL, Degrees(cp=2), step, 0).activations == before / 2


def test_m31_a_reader_learns_before_running_whether_it_fits_and_why():
    lab = find("memory")
    answer = lab.ask(lab.form("M4"), "en")
    assert answer.verdict.kind == "bad" and "stored activations do not" in answer.verdict.text
    assert {"weights", "kept"} <= {row.name for row in answer.rows}


@pytest.mark.parametrize(("zero", "wanted"), [(1, 56.09), (2, 29.92), (3, 16.83)])
def test_m32_a_stage_that_is_shown_is_a_stage_that_is_computed(zero, wanted):
    assert gib(states(P8, 8, zero, "fp32-gradients").total) == pytest.approx(wanted, abs=0.006)
    lab = find("memory")
    form = lab.form("", {"params": str(P8), "zero": str(zero), "recipe": "fp32-gradients"})
    assert lab.ask(form, "en").total.value == states(P8, 8, zero, "fp32-gradients").total
