"""CONTENT 00-D, 01-D and 10-D as calls: what a faster GPU shortens and what it does not."""

import pytest

from labs.models.step import StepTimes, achieved, compute_seconds, flops

STEP = StepTimes(1.00, exposed=0.15, bubble=0.35, straggler=0.20)


def test_gpus_twice_as_fast_halve_the_waiting_for_other_gpus_too():
    assert STEP.total == pytest.approx(1.70)
    assert STEP.faster(2).total == pytest.approx(0.925)
    assert STEP.speedup(STEP.faster(2)) == pytest.approx(1.84, abs=0.005)


def test_what_moves_over_a_wire_is_not_shortened_by_a_faster_gpu():
    wired = StepTimes(1.00, exposed=0.55, fixed=0.15)
    assert wired.faster(2).total == pytest.approx(1.20)
    assert wired.speedup(wired.faster(2)) == pytest.approx(1.42, abs=0.005)


def test_removing_the_bubble_gives_a_quarter():
    assert STEP.without("bubble").total == pytest.approx(1.35)
    assert STEP.speedup(STEP.without("bubble")) == pytest.approx(1.26, abs=0.005)


def test_a_step_of_four_million_tokens_of_7b_takes_seven_seconds_on_64_gpus():
    F = flops(7e9, 4_194_304)
    assert F == pytest.approx(1.76e17, rel=0.002)
    assert compute_seconds(F, 64, 989e12, 0.40) == pytest.approx(6.96, abs=0.005)


def test_training_takes_three_forwards_and_recomputing_a_fourth():
    assert flops(1, 1) == 3 * flops(1, 1, "forward")
    assert flops(1, 1, "recompute") == 4 * flops(1, 1, "forward")


def test_deepseek_v3_ran_at_343_teraflops_a_gpu():
    rate = achieved(flops(37e9, 14.8e12), 2.664e6 * 3600)
    assert rate == pytest.approx(343e12, rel=0.002)
    assert rate / 989e12 == pytest.approx(0.346, abs=0.001)
