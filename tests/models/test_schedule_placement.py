"""Schedules found by a search: within their memory, and no worse than what was published or what is made by hand."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labs.models import bubbles
from labs.models.outcomes import outcome
from labs.models.pipeline import run, simulate
from labs.models.schedules import Times, graph, order, peak_bytes, peak_sets, plan, validate
from labs.models.schedules.automatic import KEPT

PARTS = st.integers(2, 8).map(lambda k: k / 4)
TIMES = st.builds(
    Times, F=PARTS, B_in=PARTS, W=st.integers(1, 8).map(lambda k: k / 4), comm=st.sampled_from([0.0, 0.1])
)


@settings(max_examples=60)
@given(p=st.integers(1, 8), m=st.integers(1, 24), times=TIMES, limit=st.sampled_from([0.5, 1, 1.25, 1.5, 2, 3]))
def test_a_placement_is_a_whole_step_within_its_memory(p, m, times, limit):
    placed = validate(order("zb-auto", p, m, 1, times, limit))
    assert max(peak_bytes(placed, 1, KEPT)) <= max(1, limit * p) + 1e-6


@settings(max_examples=60)
@given(p=st.integers(1, 8), more=st.integers(0, 16), times=TIMES)
def test_at_1f1bs_memory_a_placement_is_no_worse_than_zb_h1(p, more, times):
    ours, by_hand = (run(name, p, 2 * p + more, 1, times, 1).span for name in ("zb-auto", "zb-h1"))
    assert ours <= by_hand + 1e-6


@pytest.mark.parametrize("W", [0.5, 0.75, 1])
@pytest.mark.parametrize(("p", "m"), [(4, 16), (8, 24), (8, 64)])
def test_at_twice_that_memory_a_placement_is_no_worse_than_zb_h2(p, m, W):
    times = Times(1, 1, W)
    assert run("zb-auto", p, m, 1, times, 2).span <= run("zb-h2", p, m, 1, times).span + 1e-6


def test_more_memory_removes_the_bubble_of_the_span_at_equal_times():
    idle = [outcome("zb-auto", 8, 24, times=Times(), limit=limit).span_idle for limit in (0.75, 1, 1.5, 2)]
    assert idle == sorted(idle, reverse=True)
    assert (idle[1], idle[3]) == (7, 0)


def test_a_placement_is_made_again_for_other_times_and_limits_only():
    assert plan("zb-auto", 4, 8, 1, Times(1, 1, 0.5), 1) is plan("zb-auto", 4, 8, 1, Times(1, 1, 0.5), 1)
    assert plan("zb-auto", 4, 8, 1, Times(1, 1, 0.5), 1) is not plan("zb-auto", 4, 8, 1, Times(1, 1, 0.5), 2)
    assert plan("1f1b", 4, 8, 1, Times(1, 1, 0.5), 1) is plan("1f1b", 4, 8, 1, Times(2, 2, 2), 2)


# What the authors' program prints for V-Min and V-Half: longest stay in chunk times, and sets held, per (p, m).
PRINTED = {
    "v-min": {
        (2, 8): (51, 4),
        (3, 12): (77, 4),
        (5, 10): (75, 6),
        (6, 24): (161, 6),
        (8, 16): (123, 8),
        (12, 24): (185, 10),
    },
    "v-half": {
        (2, 8): (49, 4),
        (3, 12): (77, 4),
        (5, 10): (71, 6),
        (6, 24): (155, 8),
        (8, 16): (113, 10),
        (12, 24): (173, 14),
    },
}


@pytest.mark.parametrize(("name", "p", "m"), [(name, *at) for name, cases in PRINTED.items() for at in cases])
def test_a_v_schedule_is_no_worse_than_its_authors_program(name, p, m):
    stay, sets = PRINTED[name][p, m]
    placed = graph(order(name, p, m))
    assert simulate(placed, Times(2, 2, 2)).span <= stay
    assert max(peak_sets(placed, "weight")) <= sets


@pytest.mark.parametrize(("p", "half", "third"), [(8, 10 / 16, 8 / 16), (16, 18 / 32, 12 / 32), (32, 34 / 64, 24 / 64)])
def test_v_half_and_v_min_hold_about_a_half_and_a_third_of_1f1b(p, half, third):
    held = {name: max(plan(name, p, 2 * p).peak_until_weight) / p for name in ("1f1b", "v-half", "v-min")}
    assert held == {"1f1b": 1, "v-half": half, "v-min": third}


@pytest.mark.parametrize(("p", "waves", "share"), [(4, 2, 13 / 61), (8, 2, 15 / 63), (8, 4, 5 / 37)])
def test_hanayo_as_placed_here_waits_less_than_its_quoted_formula(p, waves, share):
    assert run("hanayo", p, p, 2 * waves, Times()).r_share == pytest.approx(share)
    assert share < bubbles.hanayo_share(p, waves)
