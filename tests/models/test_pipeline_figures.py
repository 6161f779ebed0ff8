"""Worked numbers, presets and public reports, each recomputed by the simulation."""

import pytest

from labs.models import bubbles
from labs.models.outcomes import Outcomes, compare, outcome
from labs.models.pipeline import Slots, run
from labs.models.schedules import FAMILIES, UNIT, Times, plan
from labs.refusal import BadValue

V3 = Times(1, 1, 1, FB=3)  # DeepSeek's F 1, B 2, W 1, F&B 3


# ---- worked numbers of the text (06-D, 06-E, Fix-A5, Fix-C15)


def test_p4_m8_takes_33_of_which_9_idle():
    for name in ("gpipe", "1f1b"):
        one = outcome(name, 4, 8)
        assert (one.makespan, one.useful, one.idle) == (33, 24, 9)
        assert (one.slots.r_rel, one.slots.r_share) == (0.375, pytest.approx(0.273, abs=5e-4))
    assert outcome("gpipe", 4, 8).plan.peak == (8, 8, 8, 8)
    assert outcome("1f1b", 4, 8).plan.peak == (4, 3, 2, 1)
    two = outcome("interleaved", 4, 8, 2)
    assert (two.slots.r_rel, two.slots.r_share) == (0.1875, pytest.approx(0.158, abs=5e-4))
    assert two.plan.peak[0] == 5.5


def test_pp8_m20_idles_21_7_and_6():
    idle = {name: outcome(name, 8, 20, times=V3) for name in ("1f1b", "zb-h1", "dualpipe")}
    assert [one.idle for one in idle.values()] == [21, 7, 6]
    assert [one.slots.r_rel for one in idle.values()] == pytest.approx([0.35, 7 / 60, 0.1])
    assert [one.plan.copies for one in idle.values()] == [1, 1, 2]
    assert [one.peak for one in idle.values()] == [8, 8, 9]


@pytest.mark.parametrize(
    ("FB", "total", "busy", "idle", "rel", "share"),
    [(3, 66, 60, 6, 0.1, 0.091), (2.5, 59, 54.5, 4.5, 0.083, 0.076), (2, 52, 49, 3, 0.061, 0.058)],
)
def test_a_shorter_pair_gains_makespan_more_than_bubble_share(FB, total, busy, idle, rel, share):
    one = outcome("dualpipe", 8, 20, times=Times(1, 1, 1, FB=FB))
    assert (one.makespan, one.idle) == (total, idle)
    assert one.slots.busy[2:6] == (busy,) * 4
    assert (one.slots.r_rel, one.slots.r_share) == (pytest.approx(rel, abs=5e-4), pytest.approx(share, abs=5e-4))


@pytest.mark.parametrize(("FB", "ends"), [(2.5, 3.5), (2, 1)])
def test_end_ranks_of_dualpipe_wait_less_when_pairs_are_short(FB, ends):
    idle = run("dualpipe", 8, 20, 1, Times(1, 1, 1, FB=FB)).idle
    assert (idle[0], idle[7]) == (ends, ends)


@pytest.mark.parametrize(("m", "rel", "share"), [(8, 0.875, 0.467), (32, 0.219, 0.179)])
def test_four_times_the_microbatches_quarter_the_bubble_at_p8(m, rel, share):
    slots = run("1f1b", 8, m, 1, UNIT)
    assert (slots.r_rel, slots.r_share) == (pytest.approx(rel, abs=5e-4), pytest.approx(share, abs=5e-4))


def test_the_bubble_alone_does_not_choose_dualpipe():
    assert run("interleaved", 8, 24, 4, UNIT).r_rel == pytest.approx(7 / 96)
    assert run("dualpipe", 8, 24, 1, V3).r_rel == pytest.approx(6 / 72)


# ---- presets P1–P4 (section 12)


@pytest.mark.parametrize(("v", "rel"), [(1, 0.219), (2, 0.109), (4, 0.055)])
def test_p2_chunks_halve_the_bubble_each_time(v, rel):
    assert run("interleaved", 8, 32, v, UNIT).r_rel == pytest.approx(rel, abs=5e-4)


@pytest.mark.parametrize(("W", "idle"), [(0.5, (17.5, 10.5, 7)), (1, (21, 7, 0))])
def test_p4_w_fills_gaps_only_as_far_as_it_is_long(W, idle):
    assert tuple(outcome(name, 8, 20, times=Times(1, 1, W)).span_idle for name in ("1f1b", "zb-h1", "zb-h2")) == idle


# ---- public reports


def test_s01_gpipe_and_1f1b_wait_as_long_and_hold_32_and_8():
    for name, peak in (("gpipe", 32), ("1f1b", 8)):
        one = outcome(name, 8, 32, times=Times(1, 0.5, 0.5))
        assert (one.makespan, one.peak) == (78, peak)
        assert one.slots.r_share == pytest.approx(7 / 39)


def internal(slots: Slots, rank: int) -> float:
    """Idle time between a rank's own first start and last end."""
    return slots.spans[rank] - slots.busy[rank]


def test_s01_the_other_figure_counts_gaps_inside_a_rank_only():
    slots = run("1f1b", 8, 32, 1, Times(1, 0.5, 0.5))
    assert internal(slots, 0) == 14
    assert internal(slots, 7) == 0


def test_s03_dualpipe_p8_m20_takes_66_and_waits_6():
    slots = run("dualpipe", 8, 20, 1, V3)
    assert (slots.makespan, slots.idle) == (66, (6,) * 8)


@pytest.mark.parametrize(("FB", "total", "formula"), [(2, 52, 3), (2.5, 59, 4.5), (3, 66, 6)])
def test_s04_f_and_b_is_an_input(FB, total, formula):
    one = outcome("dualpipe", 8, 20, times=Times(1, 1, 1, FB=FB))
    assert (one.makespan, one.formula) == (total, formula)


def test_s05_zb1p_waits_7_whichever_way_b_is_counted():
    assert bubbles.h1_idle(8, Times(1, 1, 1)) == 7 * (1 + 2 - 2 * 1) == 7 * (1 + 1 - 1)
    assert run("zb-h1", 8, 20, 1, UNIT).makespan == 67


def test_s07_dualpipev_holds_two_stages_a_rank_on_half_the_ranks():
    v = plan("dualpipev", 4, 20)
    assert (v.graph.stages, v.graph.ranks, v.copies) == (8, 4, 1)
    assert v.copies * v.graph.stages / v.graph.ranks == 2
    assert plan("dualpipe", 8, 20).copies == 2


def test_s08_first_and_last_stage_of_zb_v_share_a_rank():
    stages = {part.stage for action in plan("zb-v", 4, 8, 2).schedule[0] for part in action.parts}
    assert stages == {0, 7}


def test_s13_two_microbatches_on_four_ranks_take_15():
    one = outcome("1f1b", 4, 2)
    assert (one.makespan, one.idle, one.peak) == (15, 9, 2)


def test_s16_p16_m8_wait_30_of_46():
    one = outcome("1f1b", 16, 8, times=Times(1, 0.5, 0.5))
    assert (one.idle, one.useful, one.makespan) == (30, 16, 46)
    assert one.slots.r_share == pytest.approx(0.652, abs=5e-4)
    assert one.plan.peak == tuple(min(8, 16 - rank) for rank in range(16))


# ---- schedules compared


def test_a_refusal_stands_in_the_place_of_the_schedule_that_cannot_run():
    outcomes = compare(FAMILIES, 7, 9, 2, UNIT)
    assert isinstance(outcomes["1f1b"], Outcomes)
    assert isinstance(outcomes["dualpipe"], BadValue)
    assert outcomes["dualpipe"].field == "p"


def test_torch_interleaving_beats_plain_1f1b_and_sends_more():
    outcomes = compare(["1f1b", "interleaved"], 8, 32, 2, UNIT)
    assert outcomes["interleaved"].idle < outcomes["1f1b"].idle
    assert outcomes["interleaved"].plan.messages > 2 * outcomes["1f1b"].plan.messages
    assert outcomes["1f1b"].messages_a_microbatch == 2
