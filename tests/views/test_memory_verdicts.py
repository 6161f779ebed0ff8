"""The memory lab's verdicts, warnings and refusals: which part does not fit, which field cannot be, and why."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labs.controls import every
from labs.lab import report
from labs.refusal import BadValue
from labs.units import GB, GIB
from labs.views.memory_form import GROUPS, POLICIES_OFFERED
from labs.words import LANGUAGES, speaker
from tests.views.memory_asked import M, ask, spaced, value

LAB_LABELS = {
    language: {control.name: speaker("memory", language)(f"controls.{control.name}.label") for control in every(GROUPS)}
    for language in LANGUAGES
}


WANTED = {
    "states": "Does not fit, 32 GB over: 112 GB (104.3 GiB) against 80 GB (74.51 GiB), and the model states alone "
    "exceed it. With the same N, ZeRO-1 needs 38.5 GB for states.",
    "ranks": "At this stage the states fit from N = 14 on.",
    "none": "More data parallelism does not help: what ZeRO-2 leaves whole is 140 GB.",
    "kept": "Model states take 14 GB and fit; the stored activations do not.",
    "working": "States (1.75 GB) and stored activations fit; what is being recomputed does not.",
    "logits": "and layers fit; the head and its logits do not.",
    "tight": "Too tight: 77 GB (71.71 GiB) of 80 GB (74.51 GiB) leaves 3 GB, less than the reserve of 4 GB.",
}
FORMS = {
    "states": M["M1"],
    "ranks": M["M2"] | {"dp": "8"},
    "none": {"params": "70e9", "dp": "8", "zero": "2"} | {"capacity": "100"},
    "kept": M["M4"],
    "working": M["M4"] | {"dp": "64", "recompute": "full", "layers": "4", "seq": "524288", "flash": "on"},
    "logits": M["M5"] | {"vocab": "5000000"},
    "tight": {"params": "38.5e9", "dp": "1", "zero": "0", "recipe": "frozen"},
}


@pytest.mark.parametrize("name", FORMS)
def test_a_verdict_says_in_words_which_part_does_not_fit(name):
    assert WANTED[name] in spaced(ask(**FORMS[name]).verdict.text)


@pytest.mark.parametrize("name", FORMS)
def test_a_verdict_has_its_sentence_in_chinese_too(name):
    text = ask("zh", **FORMS[name]).verdict.text
    assert text.startswith("勉强" if name == "tight" else "放不下")
    assert re.search("[{}]", text) is None


def test_capacity_in_gib_holds_7_percent_more_than_in_gb():
    form = {"params": "41e9", "dp": "1", "zero": "0", "recipe": "frozen", "reserve": "0"}
    assert ask(**form, unit="GB").verdict.kind == "bad"
    assert ask(**form, unit="GiB").verdict.kind == "good"
    assert 82 * GB < 80 * GIB


@pytest.mark.parametrize(
    ("form", "field"),
    [({"kv_heads": "5"}, "kv_heads"), ({"tp": "3"}, "tp"), ({"gradients": "fp16", "recipe": "fsdp2"}, "gradients"),
     ({"params": "1e309"}, "params"), ({"dp": "nan"}, "dp"), ({"seq": "2.5"}, "seq"), ({"zero": "4"}, "zero")],
)  # fmt: skip
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_value_that_cannot_be_is_refused_at_its_field_in_the_readers_language(form, field, language):
    with pytest.raises(BadValue) as refused:
        ask(language, **{"block": "llama"} | form)
    assert refused.value.field == field
    start = {"zh": f"“{LAB_LABELS['zh'][field]}”不能是", "en": f"“{LAB_LABELS['en'][field]}” cannot be"}[language]
    assert refused.value.message(language, "memory").startswith(start)


def test_a_tensor_parallel_degree_outside_the_model_shard_is_a_warning():
    assert "does not divide the model shard 1" in ask(block="llama", tp=8).warnings[0]
    assert ask(block="llama", tp=8, shard=16).warnings == ()


@given(
    st.floats(1, 1e15), st.integers(1, 2**20), st.sampled_from("0123"), st.sampled_from(("off", "gpt", "llama")),
    st.integers(1, 2**20), st.sampled_from(POLICIES_OFFERED), st.floats(0, 1),
)  # fmt: skip
def test_any_legal_form_is_answered(params, dp, zero, block, seq, recompute, offload):
    given = {"params": params, "dp": dp, "zero": zero, "block": block, "seq": seq, "recompute": recompute}
    answer = ask(**given, offload=offload)
    assert answer.total.value > 0 and answer.verdict.text


def test_the_report_for_a_program_is_in_bytes():
    facts = report("memory", M["M1"], "en")
    assert facts["total"]["value"] == 112e9 and facts["form"]["dp"] == "8"
    assert [row["name"] for row in facts["rows"][:2]] == ["weights", "gradients"]


def test_tensors_named_besides_a_policy_are_recomputed_with_its_own_and_listed_in_the_table():
    plain, more = ask(**M["M8"]), ask(**M["M8"], tensors="norm + product")
    assert value(more, "kept") < value(plain, "kept")
    policies = next(table for table in more.tables if table.rows[table.chosen or 0][0] == "core+norm+product")
    assert [row[0] for row in policies.rows] != [row[0] for row in plain.tables[0].rows]
    assert "tensors of the kinds core+norm+product" in more.moved


@pytest.mark.parametrize(("form", "rule"), [({"tensors": "norms"}, "tensors_kinds"), (
    {"tensors": "norm", "recompute": "full"}, "tensors_all")])  # fmt: skip
def test_tensors_that_cannot_be_named_are_refused_in_both_languages(form, rule):
    with pytest.raises(BadValue) as refused:
        ask(**M["M8"] | form)
    assert (refused.value.field, refused.value.rule) == ("tensors", rule)
    assert refused.value.message("zh", "memory") != refused.value.message("en", "memory")
