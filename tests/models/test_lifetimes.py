"""When a state is needed, where a layer's tensor is meanwhile, and where the step holds most."""

import pytest

from labs.models.lifetimes import LIVES, POLICIES, STAGES, layer_life, peak, profile


def there(state: str, *how: str) -> list[str]:
    return [stage for stage in STAGES if LIVES[state].at(stage) in how]


def test_optimizer_states_are_there_in_five_stages_and_needed_in_one():
    assert there("optimizer", "needed", "idle") == list(STAGES)
    assert there("optimizer", "needed") == ["update"]


def test_nobody_touches_the_weights_while_gradients_are_reduced():
    assert there("weights", "idle") == ["data", "reduce"]


def test_gradients_are_absent_until_backward_and_activations_after_it():
    assert there("gradients", "absent") == ["data", "forward"]
    assert there("activations", "absent") == ["data", "reduce", "update"]


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("k", range(1, 9))
def test_each_layer_has_its_tensor_at_its_forward_and_at_its_backward(policy, k):
    life = layer_life(policy, k, 8)
    assert len(life) == 16
    assert (life[k - 1], life[16 - k]) == ("here", "here")


def test_a_kept_activation_waits_longest_in_the_first_layer():
    assert [layer_life("kept", k, 4).count("here") for k in range(1, 5)] == [8, 6, 4, 2]


def test_what_is_recomputed_is_nowhere_between_its_two_uses():
    assert layer_life("recompute", 2, 4) == ("nowhere", "here", *["nowhere"] * 4, "here", "nowhere")


def test_what_is_offloaded_travels_out_and_back():
    assert layer_life("offload", 1, 4) == ("here", "moving", *["away"] * 4, "moving", "here")


def test_a_sharded_layer_is_gathered_a_slot_before_each_use():
    assert layer_life("zero-3", 3, 4) == ("away", "moving", "here", "away", "moving", "here", "away", "away")


def test_the_peak_stands_where_forward_ends_if_activations_outweigh_gradients():
    slices = profile(14e9, 10.5e9, 14e9, 18.25e9, 8)
    at = peak(slices)
    assert (at, slices[at].stage, slices[at].total) == (7, "forward", 42.75e9)


def test_the_peak_stands_where_backward_ends_if_gradients_outweigh_activations():
    slices = profile(14e9, 10.5e9, 14e9, 6e9, 8)
    assert (peak(slices), slices[peak(slices)].total) == (15, 38.5e9)


def test_while_backward_runs_one_falls_as_the_other_rises():
    slices = profile(0, 0, 8.0, 8.0, 4)
    assert [one.total for one in slices] == [2, 4, 6, 8, 8, 8, 8, 8, 8, 8]
