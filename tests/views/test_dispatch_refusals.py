"""What the dispatch lab says when things are not well, and how it refuses: field, rule, nearest value, in words."""

import pytest

from labs import controls
from labs.answer import Answer
from labs.lab import find
from labs.refusal import BadValue
from labs.words import speaker

LAB = find("dispatch")


def ask(preset: str = "C1", **changed: str) -> Answer:
    """As on the command line, where every token can be drawn."""
    return LAB.answer(controls.parse(LAB.groups, LAB.form(preset, changed), shell=True), speaker("dispatch", "en"))


def refusal(preset: str = "C1", **changed: str) -> BadValue:
    with pytest.raises(BadValue) as refused:
        ask(preset, **changed)
    return refused.value


@pytest.mark.parametrize(
    ("preset", "changed", "kind", "text"),
    [
        ("C1", {"message": "64Ki"}, "warn", "Latency decides: 65.54 kB is below n* = 18 MB"),
        ("C2", {"overlap": "50"}, "warn", "Of 43.54 ms of communication 21.77 ms show"),
        ("C5", {"load_0": "110"}, "bad", "Rank 0 has 110 rows where the mean is 87.5"),
        ("C5", {"load_0": "100", "load_2": "100", "load_3": "90"}, "warn", "Rank 0 has 100 rows"),
        ("C7", {"skew": "0.8", "M": "0"}, "bad", "Held up by the busiest rank"),
        ("C7", {"skew": "0", "S": "32", "exact": "on"}, "warn", "Uneven: the busiest rank has"),
        ("C10", {"policy": "padded"}, "bad", "A capacity factor of 1.25 drops 15.9 % of the rows and pads 40.9 %"),
        ("C10", {"policy": "padded", "factor": "64"}, "warn", "Nothing is dropped, but"),
        ("C10", {"policy": "replicated"}, "good", "Nearly even: the busiest rank has 1.0"),
        ("C8", {"cp": "64"}, "bad", "It does not hide"),
    ],
)
def test_a_verdict_says_what_is_wrong(preset, changed, kind, text):
    got = ask(preset, **changed).verdict
    assert (got.kind, got.text.replace("\u00a0", " ")[: len(text)]) == (kind, text)


@pytest.mark.parametrize(
    ("preset", "changed", "field", "rule", "nearest"),
    [
        ("C6", {"K": "9", "E": "8", "R": "8"}, "K", "topk_experts", 8),
        ("C6", {"E": "250"}, "E", "experts_per_rank", [192, 256]),
        ("C6", {"R": "36", "E": "288"}, "R", "ranks_fill_nodes", (32, 40)),
        ("C7", {"E": "64", "K": "16", "M": "1"}, "M", "nodes_hold_k", 2),
        ("C6", {"exact": "on", "S": "65536"}, "S", "exact_rows", 32768),
        ("C1", {"algorithm": "halving", "n": "12"}, "n", "power_of_two", (8, 16)),
        ("C9", {"n": "60"}, "n", "nodes_in_group", [56, 64]),
        ("C1", {"collective": "reduce"}, "algorithm", "no_algorithm", ("tree",)),
        ("C8", {"kv_heads": "5"}, "kv_heads", "kv_heads_divide", (4, 8)),
        ("C8", {"seq": "7"}, "seq", "rank_needs_token", 8),
        ("C4", dict.fromkeys(("load_0", "load_1", "load_2", "load_3"), "0"), "load_0", "some_load", 100),
        ("C1", {"message": "0"}, "message", "between", "1"),
        ("C1", {"n": "NaN"}, "n", "not_a_number", "8"),
        ("C1", {"message": "1e309"}, "message", "not_a_number", "1073741824"),
    ],
)
def test_a_refusal_names_the_field_the_rule_and_the_nearest_value(preset, changed, field, rule, nearest):
    refused = refusal(preset, **changed)
    assert (refused.field, refused.rule, refused.nearest) == (field, rule, nearest)


def test_a_refusal_is_a_sentence_in_both_languages():
    refused = refusal("C6", K="9", E="8", R="8")
    assert refused.message("en", "dispatch") == (
        "“Experts a token K” cannot be 9: a token cannot pick more than the 8 experts there are."
        " Nearest legal value: 8."
    )
    assert refused.message("zh", "dispatch") == (
        "“每 token 专家数 K”不能是 9：每个 token 选的专家不能多过专家总数 8。最接近的可行取值：8。"
    )
