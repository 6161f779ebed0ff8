"""One rank of a real run, in GiB, against a byte ledger of the same question (SimuMax and mbridge agree with it)."""

from dataclasses import replace
from itertools import product
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labs.models.activations import RECOMPUTE
from labs.models.memory import CUT_FROM
from labs.models.rank_lines import Step, in_flight, stage_memory
from labs.models.rank_memory import Degrees, stage_states
from labs.models.recipes import RECIPES
from labs.models.schedules import plan
from labs.refusal import BadValue
from labs.units import GIB, MIB
from labs.workloads import WORKLOADS, parameters, stage_tensors
from labs.workloads.tensors import layer

SMALL, LARGE, EXPERTS = (WORKLOADS[name] for name in ("llama3-8b", "llama3-70b", "deepseek-v3"))
A = Degrees(dp=8, zero=3)
B = Degrees(tp=8, pp=4, dp=4)
C = Degrees(pp=16, ep=64, dp=128)
STEP_B = Step(4096, m=16, sp=True, recompute="selective")
STEP_C = Step(4096, m=64)
POWER = st.sampled_from((1, 2, 4, 8))
SHAPES = st.sampled_from(sorted(WORKLOADS))


def ledger(shape, degrees, stage):
    states = stage_states(shape, degrees, stage).states
    return tuple(size / GIB for size in (states.weights, states.gradients, states.optimizer))


@pytest.mark.parametrize(
    ("shape", "degrees", "stage", "wanted"),
    [(SMALL, A, 0, (1.87, 3.74, 11.22)), (LARGE, B, 0, (4.23, 8.46, 6.34)), (LARGE, B, 1, (3.98, 7.97, 5.98)),
     (EXPERTS, C, 0, (5.75, 11.50, 1.24)), (EXPERTS, C, 1, (3.05, 6.10, 4.02))],
)  # fmt: skip
def test_states_are_those_of_the_byte_ledger(shape, degrees, stage, wanted):
    assert ledger(shape, degrees, stage) == pytest.approx(wanted, abs=0.006)


def test_deepseek_v3_holds_18_48_gib_on_stage_0_and_13_16_on_stage_1():
    assert sum(ledger(EXPERTS, C, 0)) == pytest.approx(18.48, abs=0.005)
    assert sum(ledger(EXPERTS, C, 1)) == pytest.approx(13.16, abs=0.005)


def test_llama3_8b_keeps_34_gib_of_layers_or_2_and_1_06_when_recomputed():
    none, full = (stage_memory(SMALL, A, Step(8192, recompute=way), 0) for way in ("none", "full"))
    assert none.line("layers") / GIB == pytest.approx(34.0)
    assert (full.line("layers") / GIB, full.line("working") / GIB) == (2.0, pytest.approx(1.0625))


@pytest.mark.parametrize(("stage", "wanted"), [(0, 10.5), (1, 7.85)])
def test_llama3_70b_keeps_134_mib_a_layer_20_layers_and_what_is_in_flight(stage, wanted):
    memory = stage_memory(LARGE, B, STEP_B, stage)
    assert memory.line("layers") / GIB == pytest.approx(wanted, abs=0.05)
    assert memory.line("layers") / MIB / 20 / memory.in_flight == pytest.approx(134)


@pytest.mark.parametrize(("stage", "wanted"), [(0, 98.6), (1, 134.6)])
def test_deepseek_v3s_activations_lie_within_5_percent_of_simumax(stage, wanted):
    """Ours lacks its softmax statistics and permutation indices; mbridge prints 109.0 and 128.5 for the same."""
    assert stage_memory(EXPERTS, C, STEP_C, stage).line("layers") / GIB == pytest.approx(wanted, rel=0.05)


@pytest.mark.parametrize("name", ["gpipe", "1f1b", "zb-h1", "zb-h2", "interleaved"])
def test_what_is_in_flight_in_closed_form_is_what_the_order_holds(name):
    for p, m, v in product((1, 2, 4, 7), (1, 2, 3, 28), (1, 2, 3)):
        assert in_flight(name, p, m, v) == plan(name, p, m, v).peak


def test_an_interleaved_first_rank_holds_more():
    assert in_flight("interleaved", 4, 8, 2)[0] == 5.5


@given(SHAPES, POWER, POWER, st.booleans())
def test_stages_together_hold_every_parameter_times_its_copies(name, tp, pp, tied):
    shape = replace(WORKLOADS[name], tied=tied)
    one = Degrees(pp=pp)
    held = sum(stage_states(shape, one, stage).parameters for stage in range(pp))
    second = shape.vocab * shape.hidden if tied and pp > 1 else 0
    assert held == parameters(shape).total_with_mtp + second
    copies = [tensor for moe in set(shape.moe) for tensor in layer(shape, moe) if tensor.cut == "none"]
    cut = sum(stage_states(shape, replace(one, tp=tp), stage).parameters for stage in range(pp))
    assert cut * tp >= held and (tp == 1 or not copies or cut * tp > held)


def test_interleaving_deals_layers_out_in_turns_and_dense_ones_do_not_all_stay_on_the_first_rank():
    """61 layers: PP 4 with v 4 makes 15 stages of four layers and one of one; PP 2 with v 30, stages of one or two."""
    dealt = Degrees(pp=4, dp=8, chunks=4)
    assert dealt.stages(EXPERTS) == (16, 16, 16, 13)
    assert [dealt.held_layers(EXPERTS, rank).count(False) for rank in range(4)] == [3, 0, 0, 0]
    finer = Degrees(pp=2, dp=8, chunks=30)
    assert [finer.held_layers(EXPERTS, rank).count(False) for rank in range(2)] == [2, 1]
    assert finer.stages(EXPERTS) == (31, 30)


@given(SHAPES, st.sampled_from((1, 2, 4)), st.sampled_from((1, 2, 3, 4)))
def test_interleaved_ranks_together_hold_the_model_too(name, pp, chunks):
    shape = WORKLOADS[name]
    degrees = Degrees(pp=pp, chunks=chunks)
    held = sum(stage_states(shape, degrees, rank).parameters for rank in range(pp))
    second = shape.vocab * shape.hidden if shape.tied and pp > 1 else 0
    assert held == parameters(shape).total_with_mtp + second
    assert sum(degrees.stages(shape)) == shape.layers


@given(st.sampled_from(("llama2-7b", "llama3-8b", "llama3-70b", "gpt3-175b")), st.sampled_from((1, 2, 4)))
def test_doubling_tp_halves_all_but_what_every_rank_holds_whole(name, tp):
    shape = WORKLOADS[name]
    held = [pair for pair in stage_tensors(shape, (shape.layers,), 0) if pair[0].cut == "none"]
    whole = sum(tensor.total * copies for tensor, copies in held)
    once, twice = (stage_states(shape, Degrees(tp=ways), 0).parameters for ways in (tp, 2 * tp))
    assert whole > 0 and twice - whole == pytest.approx((once - whole) / 2)


@given(st.sampled_from(("dp", "cp")), POWER, POWER, st.sampled_from((1, 2, 3)), st.sampled_from(sorted(RECIPES)))
def test_doubling_dp_or_cp_halves_every_state_that_the_stage_cuts(axis, dp, cp, zero, recipe):
    degrees = Degrees(dp=dp, cp=cp, zero=zero)
    more = replace(degrees, **{axis: 2 * getattr(degrees, axis)})
    before, after = (stage_states(SMALL, one, 0, recipe).states for one in (degrees, more))
    for state, stage in CUT_FROM.items():
        assert getattr(after, state) == pytest.approx(getattr(before, state) / (2 if zero >= stage else 1))


@given(POWER, st.sampled_from((1, 2, 3)))
def test_doubling_ep_halves_the_experts_and_nothing_else(ep, zero):
    once, twice = (stage_states(EXPERTS, Degrees(dp=64, ep=ways, zero=zero), 0) for ways in (ep, 2 * ep))
    assert twice.expert_parameters == once.expert_parameters / 2
    assert twice.dense_parameters == once.dense_parameters


@given(st.sampled_from((1, 2, 4)), st.integers(1, 3))
def test_hsdp_replicas_hold_whole_groups_of_shards(replicas, zero):
    whole = stage_states(SMALL, Degrees(dp=8 // replicas, zero=zero), 0).states
    assert stage_states(SMALL, Degrees(dp=8, replicas=replicas, zero=zero), 0).states == whole


@given(SHAPES, st.sampled_from((1, 2, 8)), st.booleans(), st.sampled_from((1024, 4096)), st.booleans())
def test_full_is_never_above_selective_nor_selective_above_none_on_any_stage(name, tp, sp, s, fp8):
    shape, degrees = WORKLOADS[name], Degrees(tp=tp, pp=2, layers=())
    for stage in (0, 1):
        step = Step(s, m=4, sp=sp, fp8=fp8)
        full, selective, none = (
            stage_memory(shape, degrees, replace(step, recompute=way), stage).activations
            for way in ("full", "selective", "none")
        )
        assert full <= selective * (1 + 1e-12) and selective <= none * (1 + 1e-12)


@given(SHAPES, st.sampled_from(RECOMPUTE))
def test_activations_move_with_sequence_batch_and_context_parallelism(name, way):
    shape, step = WORKLOADS[name], Step(4096, recompute=way)
    one = stage_memory(shape, Degrees(), step, 0).activations
    assert stage_memory(shape, Degrees(), replace(step, s=8192), 0).activations > one
    assert stage_memory(shape, Degrees(), replace(step, b=2), 0).activations == pytest.approx(2 * one)
    assert stage_memory(shape, Degrees(cp=2, dp=1), step, 0).activations == pytest.approx(one / 2)


def test_norms_and_routers_are_whole_on_every_tensor_parallel_rank():
    shape = replace(EXPERTS, layers=1, moe=(True,), mtp=0)
    whole = sum(one.total for one in layer(shape, True) if one.cut == "none")
    alone, eight = (stage_states(shape, Degrees(tp=tp, dp=8), 0).dense_parameters for tp in (1, 8))
    last = shape.hidden  # the last norm
    assert alone - eight == pytest.approx((alone - whole - last) * 7 / 8)


def test_muon_keeps_a_variance_for_what_is_no_matrix():
    states = stage_states(SMALL, Degrees(), 0, "muon").states
    tables, norms = 2 * 128256 * 4096, (2 * 32 + 1) * 4096
    assert states.variance == 4 * (tables + norms)


def test_muon_takes_a_router_for_the_matrix_it_is_and_not_its_bias():
    """Mixtral: two tables of 32,000 × 4096, and norms; its routers of 4096 × 8 have no second moment."""
    mixtral = stage_states(WORKLOADS["mixtral-8x7b"], Degrees(), 0, "muon").states
    assert mixtral.variance == 4 * (2 * 32_000 * 4096 + (2 * 32 + 1) * 4096)
    shape = replace(EXPERTS, mtp=0)
    norms = 61 * (2 * 7168 + 1536 + 512) + 7168
    assert stage_states(shape, Degrees(), 0, "muon").states.variance == 4 * (2 * 129_280 * 7168 + norms + 58 * 256)


@pytest.mark.parametrize(
    ("field", "make"),
    [("ep", lambda: Degrees(dp=2, ep=4)), ("replicas", lambda: Degrees(dp=8, replicas=3)),
     ("ep", lambda: stage_states(EXPERTS, Degrees(dp=96, ep=96), 0)),
     ("chunks", lambda: Degrees(pp=16, chunks=4).stages(EXPERTS))],
)  # fmt: skip
def test_degrees_that_do_not_divide_are_refused_by_name(field, make):
    with pytest.raises(BadValue) as refused:
        make()
    assert refused.value.field == field and refused.value.message("zh") != refused.value.message("en")


def test_the_world_is_the_product_of_the_dense_axes_only():
    assert C.world == prod((16, 128)) and C.edp == 2
