"""A step's memory peaks where its closed form says, and only optimizer states lie idle in four phases of five."""

import pytest

from labs.models.lifetimes import LIVES, PHASES, course, peak


@pytest.mark.parametrize(("a", "g"), [(18.25, 14.0), (14.0, 18.25), (5.0, 5.0), (0.0, 14.0)])
@pytest.mark.parametrize("L", [1, 2, 32])
def test_the_peak_of_the_course_is_the_closed_form(a, g, L):
    assert max(14 + 84 + one.activations + one.gradients for one in course(a, g, L)) == pytest.approx(
        peak(14, 84, a, g)
    )


def test_the_peak_is_at_the_end_of_forward_where_activations_are_larger():
    highest = max(course(18.25, 14, 32), key=lambda one: one.activations + one.gradients)
    assert highest.at == 1


def test_the_peak_is_at_the_end_of_backward_where_gradients_are_larger():
    highest = max(course(2, 14, 32), key=lambda one: one.activations + one.gradients)
    assert highest.at == 2


def test_nothing_is_left_of_the_activations_after_backward():
    assert course(18.25, 14, 32)[-1].activations == 0


def test_optimizer_states_are_idle_in_four_of_five_phases_and_no_other_state_in_more_than_two():
    assert {life.name: len(life.idle) for life in LIVES} == {
        "batch": 0, "weights": 2, "activations": 0, "gradients": 0, "optimizer": 4,
    }  # fmt: skip
    assert all(set(life.used) <= set(life.alive) <= set(PHASES) for life in LIVES)
