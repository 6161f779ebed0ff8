"""Schedules as data: the grammar, each family's order, the rules that refuse, and what an order keeps."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labs.models import bubbles
from labs.models.schedules import (
    BY_TORCH_NAME,
    FAMILIES,
    Action,
    BadSchedule,
    Pair,
    Schedule,
    compute_actions,
    copies,
    order,
    peak_bytes,
    peak_sets,
    plan,
    read,
    tokens,
    validate,
    weight_versions,
)
from labs.models.schedules.interleaved import warmup
from labs.refusal import BadValue

TABLES = json.loads((Path(__file__).parents[1] / "golden" / "torch_schedules.json").read_text(encoding="utf-8"))

# Where our order is meant to differ from a published table: (schedule, p, m, v) → the reason. None does.
DIFFERENT: dict[tuple[str, int, int, int], str] = {}


def made(name: str, p: int, m: int, v: int) -> Schedule | None:
    """The family's schedule, or None where it refuses these numbers."""
    try:
        return order(name, p, m, v)
    except BadValue:
        return None


# ---- the grammar


def test_an_action_is_spelt_stage_letter_microbatch():
    assert str(Action(2, "F", 0)) == "2F0"
    assert repr(Pair(Action(0, "F", 7), Action(7, "B", 3))) == "(0F7;7B3)P"


@pytest.mark.parametrize("token", ["0F0", "12W304", "(0F7;7B3)P"])
def test_a_token_read_and_written_is_itself(token):
    assert str(read(token)) == token


def test_torch_spells_a_pair_longer_and_it_reads_the_same():
    assert read("(0F7;7B3)OVERLAP_F_B") == Pair(Action(0, "F", 7), Action(7, "B", 3))


@pytest.mark.parametrize("token", ["", "F0", "0F", "0G0", "0F-1", "(0F1)P", "(0F1;1B0", "1F2F3", "None"])
def test_what_is_no_token_is_named_in_the_error(token):
    with pytest.raises(ValueError) as wrong:
        read(token)
    assert wrong.value.args == (token,)


# ---- the published tables


@pytest.mark.parametrize("table", TABLES, ids=lambda t: "{schedule}-p{p}-m{m}-v{v}".format(**t))
def test_the_order_of_each_rank_equals_the_published_table(table):
    key = (table["schedule"], table["p"], table["m"], table["v"])
    theirs = {int(rank): tuple(filter(None, row)) for rank, row in table["compute_actions"].items()}
    assert (compute_actions(*key) != theirs) is (key in DIFFERENT)


@pytest.mark.parametrize("table", TABLES, ids=lambda t: "{schedule}-p{p}-m{m}-v{v}".format(**t))
def test_each_rank_holds_what_the_published_table_holds(table):
    graph = plan(BY_TORCH_NAME[table["schedule"]], table["p"], table["m"], table["v"]).graph
    for until in ("input", "weight"):
        theirs = table[f"peak_inflight_until_{until}_grad"]
        assert peak_sets(graph, until) == tuple(theirs[str(rank)] for rank in range(table["p"]))


def test_17_tables_are_published():
    assert len(TABLES) == 17


# ---- every family


@pytest.mark.parametrize("name", FAMILIES)
@settings(max_examples=40)
@given(p=st.integers(1, 7), m=st.integers(1, 18), v=st.integers(1, 3))
def test_a_schedule_is_a_whole_step_or_is_refused(name, p, m, v):
    schedule = made(name, p, m, v)
    if schedule is not None:
        graph = validate(schedule)
        assert graph.ranks == p
        assert graph.microbatches == m


@pytest.mark.parametrize("name", FAMILIES)
@settings(max_examples=40)
@given(p=st.integers(1, 6), m=st.integers(1, 14), v=st.integers(1, 3))
def test_what_a_family_refuses_it_takes_at_the_nearest_value_it_names(name, p, m, v):
    try:
        order(name, p, m, v)
    except BadValue as refused:
        for nearest in refused.nearest:
            second = made(name, **({"p": p, "m": m, "v": v} | {refused.field: nearest}))
            # A legal p may leave m illegal; m is then the field that the next refusal names.
            assert second is not None or refused.field == "p"


@pytest.mark.parametrize("name", FAMILIES)
@settings(max_examples=40)
@given(p=st.integers(1, 7), m=st.integers(1, 18), v=st.integers(1, 3))
def test_no_rank_holds_more_sets_until_the_input_gradient_than_until_the_weight_gradient(name, p, m, v):
    if made(name, p, m, v) is not None:
        graph = plan(name, p, m, v).graph
        assert all(a <= b for a, b in zip(peak_sets(graph, "input"), peak_sets(graph, "weight"), strict=True))


def test_two_directions_hold_two_copies_and_the_others_one():
    assert {name: plan(name, 4, 8, 2).copies for name in FAMILIES} == {
        name: 2 if name in ("chimera", "dualpipe") else 1 for name in FAMILIES
    }


# ---- the rules


def broken(schedule: Schedule) -> BadSchedule:
    with pytest.raises(BadSchedule) as refused:
        validate(schedule)
    return refused.value


def edited(name: str, rank: int, change) -> Schedule:
    schedule = order(name, 2, 2)
    return schedule | {rank: tuple(change(list(schedule[rank])))}


RULES = {
    "action_missing": (lambda row: row[:-1], 1, "1B1", "rank 1 lacks the action 1I1 (stage 1, micro-batch 1)"),
    "action_twice": (lambda row: [*row, row[0]], 1, "1F0", "rank 1 runs 1F0 (stage 1, micro-batch 0) a second time"),
    "own_work_first": (lambda row: row[::-1], 1, "1B1", "before rank 1 runs 1B1 (stage 1, micro-batch 1)"),
}


@pytest.mark.parametrize("rule", RULES)
def test_a_broken_rule_names_rank_stage_action_and_microbatch(rule):
    change, rank, token, sentence = RULES[rule]
    refused = broken(edited("1f1b", 1, change))
    stage, microbatch = read(token).stage, read(token).microbatch
    assert (refused.rule, refused.rank, refused.stage, refused.microbatch) == (rule, rank, stage, microbatch)
    assert sentence in refused.message("en")
    assert str(refused.action) in refused.message("zh")


def test_ranks_that_wait_for_each_other_are_a_deadlock():
    first, second = order("gpipe", 2, 2).values()
    refused = broken({0: first[2:3] + first[:2] + first[3:], 1: second})
    assert refused.rule == "own_work_first"
    refused = broken({0: (read("0F1"), read("0B1"), read("0F0"), read("0B0")), 1: second})
    assert refused.rule == "waits_for_ever"
    assert "0B1 of rank 0 (stage 0, micro-batch 1) waits for 1I1" in refused.message("en")


REFUSALS = [
    ("dualpipe", 7, 20, "p", (6, 8)),
    ("dualpipe", 8, 19, "m", (18, 20)),
    ("dualpipe", 8, 8, "m", (16,)),
    ("dualpipev", 4, 7, "m", (8,)),
    ("chimera", 3, 4, "p", (2, 4)),
    ("chimera", 4, 6, "m", (4, 8)),
    ("interleaved", 4, 9, "m", (8, 10)),
    ("interleaved-zb", 4, 9, "m", (8, 10)),
]


@pytest.mark.parametrize(("name", "p", "m", "field", "nearest"), REFUSALS)
def test_a_refusal_names_the_field_and_the_nearest_legal_values(name, p, m, field, nearest):
    with pytest.raises(BadValue) as refused:
        order(name, p, m, 2)
    assert (refused.value.field, refused.value.nearest) == (field, nearest)
    for language in ("zh", "en"):
        assert all(str(one) in refused.value.message(language) for one in nearest)


def test_an_unknown_schedule_is_refused_with_the_names_there_are():
    with pytest.raises(BadValue, match="gpipe / 1f1b"):
        order("2f2b", 4, 8)


# ---- public reports (reports/labs.md)


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
