"""The memory lab as a reader meets it: presets, verdicts, tables, sentences, refusals, in both languages."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labs.controls import every
from labs.lab import find, html, report
from labs.refusal import BadValue
from labs.units import GB, GIB, SPACE
from labs.views.memory_form import GROUPS
from labs.words import LANGUAGES, speaker

LAB = find("memory")
M = {preset.id: dict(preset.form) for preset in LAB.presets}


LAB_LABELS = {
    language: {control.name: speaker("memory", language)(f"controls.{control.name}.label") for control in every(GROUPS)}
    for language in LANGUAGES
}


def ask(language="en", **form):
    return LAB.ask({name: str(value) for name, value in form.items()}, language)


def preset(name, language="en", **more):
    return ask(language, **M[name] | more)


def spaced(text):
    """With plain spaces where the page has no-break ones."""
    return text.replace(SPACE, " ")


def value(answer, name):
    return next(row.value for row in answer.rows if row.name == name)


@pytest.mark.parametrize(
    ("name", "wanted", "kind"),
    [("M1", 112, "bad"), ("M2", 17.5, "good"), ("M3", 48.125, "good"), ("M4", 160.03, "bad"), ("M5", 27.15, "good"),
     ("M6", 28.17, "good"), ("M7", 72.41, "good"), ("M8", 151.98, "bad"), ("M9", 59.53, "good")],
)  # fmt: skip
def test_each_preset_has_the_total_and_the_verdict_that_its_note_promises(name, wanted, kind):
    answer = preset(name)
    assert answer.total.value / GB == pytest.approx(wanted, abs=0.006)
    assert answer.verdict.kind == kind


def test_m2_fits_only_under_zero_3():
    stages = next(table for table in preset("M2").tables if table.chosen == 3 and len(table.head) == 6)
    verdicts = [spaced(row[-1]) for row in stages.rows]
    assert verdicts == [
        "1040 GB over",
        "213.1 GB over",
        "75.31 GB over",
        "62.5 GB spare",
    ]


def test_m3_shows_48_1_with_16_bit_gradients_and_65_6_with_fp32_main_gradients():
    table = next(one for one in preset("M3").tables if "gradient" in one.caption)
    assert [spaced(row[2]) for row in table.rows] == [
        "48.12 GB (44.82 GiB)", "65.62 GB (61.12 GiB)", "83.12 GB (77.42 GiB)",
    ]  # fmt: skip
    assert table.chosen == 0


def test_m4_keeps_146_gb_of_activations_beside_14_gb_of_states():
    answer = preset("M4")
    assert value(answer, "kept") / GB == pytest.approx(146.0, abs=0.05)
    assert sum(row.value for row in answer.rows if row.ledger == "state") / GB == 14


def test_m4_with_llama_2_7bs_block_keeps_138_gb():
    assert value(preset("M8"), "kept") / GB == pytest.approx(138, abs=0.1)


def test_m5_stores_8_6_gb_and_rebuilds_4_6():
    answer = preset("M5")
    assert (value(answer, "kept") / GB, value(answer, "working") / GB) == (
        pytest.approx(8.6, abs=0.05), pytest.approx(4.6, abs=0.05),
    )  # fmt: skip


def test_m5_offloaded_instead_leaves_58_4_gb_and_sends_87_6():
    answer = preset("M7")
    assert (value(answer, "kept") / GB, value(answer, "offloaded") / GB, value(answer, "host_time")) == (
        pytest.approx(58.4, abs=0.05), pytest.approx(87.6, abs=0.05), pytest.approx(1.6, abs=0.01),
    )  # fmt: skip


def test_m6_shows_28_2_gb_and_the_even_24_4_as_a_lower_bound():
    table = preset("M6").tables[-1]
    assert [spaced(row[1]) for row in table.rows] == ["24.38 GB (22.7 GiB)", "28.17 GB (26.23 GiB)"]
    assert "lower bound" in table.caption


WANTED = {
    "states": "Does not fit, 32 GB over: 112 GB (104.3 GiB) against 80 GB (74.51 GiB), and the model states alone "
    "exceed it. With the same N, ZeRO-1 needs 38.5 GB for states.",
    "ranks": "At this stage the states fit from N = 14 on.",
    "none": "More data parallelism does not help: what ZeRO-2 leaves whole is 140 GB.",
    "kept": "Model states take 14 GB and fit; the stored activations do not.",
    "working": "States (1.75 GB) and stored activations fit; the layer being recomputed does not.",
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


def test_saved_names_what_left_the_gpu_and_moved_names_the_traffic_that_grew():
    answer = preset("M2")
    assert spaced(answer.saved) == (
        "1102 GB of states left this GPU: weights, gradients, master weights, momentum, variance "
        "are spread over 64 ranks."
    )
    assert spaced(answer.moved) == (
        "to communication: 2P → 3P in the paper's convention, 275.6 GB → 413.4 GB sent per rank and step."
    )


def test_zero_1_moves_no_more_than_plain_data_parallelism():
    assert "the paper's volume stays (2P → 2P)" in spaced(preset("M3").moved)


def test_full_recompute_is_paid_in_flops_and_offload_on_the_host_link():
    assert "33.3 % of the model's FLOPs" in spaced(preset("M5").moved)
    assert "87.62 GB out and back, 1.593 s each way at 55 GB/s" in spaced(preset("M7").moved)
    assert "activations take 132.9 GB less than the 146 GB" in spaced(preset("M5").saved)


def test_the_baseline_saved_nothing():
    answer = preset("M1")
    assert (answer.saved[:8], answer.moved[:8]) == ("Nothing:", "Nowhere:")


@pytest.mark.parametrize("name", M)
def test_both_conventions_of_traffic_stand_in_every_answer_with_their_labels(name):
    answer = preset(name)
    names = {row.name for row in answer.rows if row.ledger == "comm"}
    assert {"paper_elements", "weights_sent", "gradients_sent"} <= names


@pytest.mark.parametrize("name", M)
def test_rows_of_the_card_sum_to_the_total(name):
    answer = preset(name)
    inside = [r.value for r in answer.rows if r.ledger == "state" or r.name in ("kept", "working", "logits")]
    assert sum(inside) == pytest.approx(answer.total.value)


@pytest.mark.parametrize("name", M)
@pytest.mark.parametrize("language", LANGUAGES)
def test_each_preset_makes_a_whole_section_in_each_language(name, language):
    text = html("memory", M[name], language)
    assert text.count('class="nl-bar') >= 4 and text.count("nl-limit-text") == 1
    assert re.search(r"\{\w+\}", re.sub(r"data-[a-z]+=\"[^\"]*\"", "", text)) is None


def test_the_figure_draws_the_four_stages_and_marks_the_chosen_one():
    figure = preset("M2").figure
    assert re.findall(r"ZeRO-\d", figure.split("nl-label", 1)[1])[:1] == ["ZeRO-0"]
    assert figure.count("nl-bar chosen") == 1


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
    st.integers(1, 2**20), st.sampled_from(("none", "selective", "full")), st.floats(0, 1),
)  # fmt: skip
def test_any_legal_form_is_answered(params, dp, zero, block, seq, recompute, offload):
    given = {"params": params, "dp": dp, "zero": zero, "block": block, "seq": seq, "recompute": recompute}
    answer = ask(**given, offload=offload)
    assert answer.total.value > 0 and answer.verdict.text


def test_the_report_for_a_program_is_in_bytes():
    facts = report("memory", M["M1"], "en")
    assert facts["total"]["value"] == 112e9 and facts["form"]["dp"] == "8"
    assert [row["name"] for row in facts["rows"][:2]] == ["weights", "gradients"]
