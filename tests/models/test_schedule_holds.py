"""Warm-up, activations, copies and messages of a rank, as papers and public reports have them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labs.models import bubbles
from labs.models.schedules import (
    copies,
    order,
    peak_bytes,
    peak_sets,
    plan,
    tokens,
    validate,
    weight_versions,
)
from labs.models.schedules.interleaved import warmup
from labs.refusal import BadValue

# ---- public reports


def test_s10_warm_up_of_the_interleaved_schedule_is_10_8_6_4_chunks_for_p4_v2():
    assert [warmup(rank, p=4, m=8, v=2, n=4) for rank in range(4)] == [10, 8, 6, 4]
    forwards_first = [
        next(i for i, a in enumerate(row) if a.letter == "B") for row in order("interleaved", 4, 8, 2).values()
    ]
    assert forwards_first == [11, 9, 7, 5]


@pytest.mark.parametrize(("m", "v"), [(10, 2), (3, 2), (10, 3), (3, 3)])
def test_s12_interleaving_takes_any_m_that_its_rounds_divide(m, v):
    assert validate(order("interleaved", 4, m, v)).microbatches == m


def test_s12_p4_m9_is_refused_naming_8_and_10():
    with pytest.raises(BadValue) as refused:
        order("interleaved", 4, 9, 2)
    assert "rounds" in refused.value.message("en")
    assert refused.value.message("en").endswith("Nearest legal value: 8 / 10.")
    assert refused.value.message("zh").endswith("最接近的可行取值：8 / 10。")


@pytest.mark.parametrize("m", [1, 2, 3])
def test_s13_fewer_microbatches_than_ranks_work(m):
    assert peak_sets(plan("1f1b", 4, m).graph) == (m,) * (5 - m) + tuple(range(m - 1, 0, -1))


def test_s14_dualpipe_names_its_rule_before_anything_is_drawn():
    for m in (19, 8):
        with pytest.raises(BadValue, match="even number of micro-batches, at least 2p = 16"):
            order("dualpipe", 8, m)


def test_s15_input_and_weight_gradient_free_what_the_forward_saved():
    h, a, s = 4096, 32, 1024
    M_B, M_W = 34 * h + 5 * a * s, 32 * h
    forward, both = plan("zb-h1", 1, 1).graph, plan("zb-h1", 1, 2).graph
    assert peak_bytes(forward, M_B, M_W) == (M_B,)
    # 0F0 0I0 0W0 0F1: were the signs wrong, the second forward would find the first one's bytes still held.
    assert peak_bytes(both, M_B, M_W) == (M_B,)
    assert M_B + (M_W - M_B) - M_W == 0
    assert M_W - M_B == -(2 * h + 5 * a * s)


def test_s18_each_rank_has_its_own_peak():
    assert peak_sets(plan("1f1b", 4, 8).graph) == (4, 3, 2, 1)


# ---- what the papers say a rank holds


@given(p=st.integers(1, 9), m=st.integers(1, 30))
def test_gpipe_holds_m_sets_and_1f1b_p_minus_rank(p, m):
    assert peak_sets(plan("gpipe", p, m).graph) == (m,) * p
    assert peak_sets(plan("1f1b", p, m).graph) == tuple(min(p - rank, m) for rank in range(p))


@given(p=st.integers(1, 8), more=st.integers(0, 8))
def test_zero_bubble_stages_hold_what_section_2_3_says(p, more):
    M_B, M_W, m = 1.0, 0.4, 2 * p + more
    h1, h2 = (peak_bytes(plan(name, p, m).graph, M_B, M_W) for name in ("zb-h1", "zb-h2"))
    assert h1 == pytest.approx([(p - i + 1) * M_B + (i - 1) * M_W for i in range(1, p + 1)])
    assert h2 == pytest.approx([(2 * p - 2 * i + 1) * M_B + (2 * i - 2) * M_W for i in range(1, p + 1)])


@pytest.mark.parametrize(("p", "v"), [(4, 2), (8, 2), (4, 4), (8, 3)])
def test_the_first_interleaved_rank_holds_p_times_1_plus_p_minus_1_over_pv(p, v):
    ours = plan("interleaved", p, 4 * p, v)
    assert ours.peak[0] == pytest.approx(p * (1 + (p - 1) / (p * v)))
    assert bubbles.peak_sets("interleaved", p, 4 * p, v) == pytest.approx(ours.peak[0])


def test_interleaving_with_p4_v2_holds_11_chunks():
    assert peak_sets(plan("interleaved", 4, 8, 2).graph)[0] == 11


@given(half=st.integers(1, 5), more=st.integers(0, 6))
def test_every_dualpipe_rank_holds_p_plus_1_sets(half, more):
    p, m = 2 * half, 4 * half + 2 * more
    assert peak_sets(plan("dualpipe", p, m).graph) == (p + 1,) * p


@given(half=st.integers(1, 6), units=st.integers(1, 3))
def test_chimera_ranks_hold_what_its_table_2_says_from_the_ends_to_the_middle(half, units):
    p = 2 * half
    peaks = peak_sets(plan("chimera", p, units * p).graph)
    assert (min(peaks), max(peaks)) == (half + 1, p)
    assert (peaks[0], peaks[half - 1]) == (half + 1, p)


def test_chimera_runs_the_order_of_its_figure_3():
    rows = order("chimera", 4, 4)
    assert [action.microbatch for action in rows[0]] == [0, 1, 2, 2, 3, 3, 0, 1]
    assert [action.letter for action in rows[0]] == list("FFFBFBBB")


def test_pipedream_keeps_a_weight_version_for_each_microbatch_in_flight():
    assert weight_versions(plan("pipedream", 4, 8).graph) == (4, 3, 2, 1)


@given(p=st.integers(2, 6), rounds=st.integers(1, 4), v=st.integers(1, 4))
def test_messages_of_interleaving_grow_with_the_stages(p, rounds, v):
    m = p * rounds
    assert plan("interleaved", p, m, v).messages == 2 * m * (p * v - 1)


def test_a_fold_inside_a_rank_sends_no_message():
    assert plan("dualpipev", 4, 8, 2).messages == 2 * 8 * (2 * 4 - 2)


def test_copies_are_counted_in_the_data():
    graph = plan("dualpipe", 4, 8).graph
    assert copies(graph) == 2
    assert tokens(order("dualpipe", 4, 8))[0][0] == "0F0"
    assert tokens(order("dualpipe", 4, 8))[3][0] == "0F4"
