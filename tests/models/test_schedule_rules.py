"""What is no training step, and what a family cannot take: each refusal names what is wrong."""

import pytest

from labs.models.schedules import (
    BadSchedule,
    Schedule,
    order,
    read,
    validate,
)
from labs.refusal import BadValue


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
