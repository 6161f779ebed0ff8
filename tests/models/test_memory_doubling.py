"""Doubling a degree cuts what that degree cuts, for every model: nothing is forgotten on the way to a rank's bytes."""

from collections.abc import Callable
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from labs.models.rank_lines import Memory, Step, stage_memory
from labs.models.rank_memory import Degrees
from labs.workloads import WORKLOADS, Shape

# A whole mesh in which each degree can double and stay legal: the heads, experts and layers of each model allow it.
START = Degrees(tp=2, pp=2, dp=8, cp=2, ep=2, etp=1, zero=3)
STEP = Step(8192, m=8, sp=True)
MODELS = st.sampled_from(sorted(WORKLOADS))
MIXTURES = st.sampled_from(sorted(name for name, shape in WORKLOADS.items() if shape.experts))
STAGES = st.sampled_from((0, 1))


def halves(name: str, stage: int, zero: int, what: Callable[[Memory], float], **doubled: int) -> bool:
    """Whether `what` is half of what it was once these degrees are twice what they were."""
    shape, before = WORKLOADS[name], replace(START, zero=zero)
    after = replace(before, **{axis: ways * getattr(before, axis) for axis, ways in doubled.items()})
    return (
        abs(what(stage_memory(shape, after, STEP, stage)) / what(stage_memory(shape, before, STEP, stage)) - 0.5) < 1e-9
    )


@given(MODELS, STAGES, st.sampled_from((1, 2, 3)))
def test_twice_the_dp_halves_the_optimizer_states(name: str, stage: int, zero: int) -> None:
    assert halves(name, stage, zero, lambda memory: memory.held.states.optimizer, dp=2)


@given(MODELS, STAGES, st.sampled_from((1, 2, 3)))
def test_twice_the_cp_halves_optimizer_states_and_layers(name: str, stage: int, zero: int) -> None:
    assert halves(name, stage, zero, lambda memory: memory.held.states.optimizer, cp=2)
    assert halves(name, stage, zero, lambda memory: memory.line("layers"), cp=2)
    assert halves(name, stage, zero, lambda memory: memory.line("ring"), cp=2)


@given(MIXTURES, STAGES, st.sampled_from((0, 1, 2, 3)))
def test_twice_the_ep_halves_the_experts(name: str, stage: int, zero: int) -> None:
    assert halves(name, stage, zero, lambda memory: memory.held.expert_parameters, ep=2)


@given(MIXTURES, STAGES, st.sampled_from((0, 1, 2, 3)))
def test_twice_the_etp_halves_the_experts_too(name: str, stage: int, zero: int) -> None:
    assert halves(name, stage, zero, lambda memory: memory.held.expert_parameters, etp=2)


def uncut(shape: Shape, stage: int, tp: int) -> float:
    """Parameters that are no expert, on one rank."""
    return stage_memory(shape, replace(START, tp=tp), STEP, stage).held.dense_parameters


@given(MODELS, STAGES)
def test_twice_the_tp_cuts_what_is_no_expert_by_nearly_half_and_never_by_more(name: str, stage: int) -> None:
    """Norms, routers and latents' down-projections stay whole: most of all in Kimi K2, where 0.59 is left."""
    ratio = uncut(WORKLOADS[name], stage, 4) / uncut(WORKLOADS[name], stage, 2)
    assert 0.5 <= ratio < 0.59


@given(MODELS, STAGES)
def test_twice_the_tp_halves_logits_and_layers_of_a_model_without_experts(name: str, stage: int) -> None:
    if not WORKLOADS[name].experts:
        assert halves(name, stage, 1, lambda memory: memory.line("layers"), tp=2)
    assert halves(name, 1, 1, lambda memory: memory.line("logits"), tp=2)


@given(MODELS)
def test_twice_the_pp_leaves_the_heaviest_stage_fewer_parameters(name: str) -> None:
    """Not half: the tables stay whole on the first and the last stage."""

    def heaviest(pp: int) -> float:
        degrees = replace(START, pp=pp)
        return max(stage_memory(WORKLOADS[name], degrees, STEP, stage).held.parameters for stage in range(pp))

    assert heaviest(4) < 0.75 * heaviest(2)
