"""Schedules as data: the grammar, the published tables, and what holds for every family."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labs.models.schedules import (
    BY_TORCH_NAME,
    FAMILIES,
    Action,
    Pair,
    Schedule,
    compute_actions,
    order,
    peak_sets,
    plan,
    read,
    validate,
)
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
