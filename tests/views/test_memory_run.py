"""The memory lab asked about a real model: each stage by itself, from a name or from a pasted config.json."""

import re
from json import dumps

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labs.__main__ import main
from labs.lab import find, html
from labs.models.rank_lines import Step, stage_memory
from labs.models.rank_memory import Degrees
from labs.models.schedules import FAMILIES
from labs.refusal import BadValue
from labs.units import GIB, SPACE
from labs.views.memory_form import POLICIES_OFFERED, SCHEDULES
from labs.views.memory_run_asked import layout
from labs.words import LANGUAGES
from labs.workloads import SOURCES, WORKLOADS

LAB = find("memory")
R = {preset.id: dict(preset.form) for preset in LAB.presets if preset.id.startswith("R")}
LLAMA = {
    "hidden_size": 4096, "num_hidden_layers": 32, "vocab_size": 128256, "num_attention_heads": 32,
    "num_key_value_heads": 8, "intermediate_size": 14336,
}  # fmt: skip


def ask(language="en", **form):
    return LAB.ask({name: str(value) for name, value in form.items()}, language)


def gib(answer, *names):
    return sum(row.value for row in answer.rows if row.name in names) / GIB


STATES = ("weights", "gradients", "master", "momentum", "variance")


def test_r1_is_llama3_8b_under_zero_3():
    answer = ask(**R["R1"])
    assert gib(answer, *STATES) == pytest.approx(1.87 + 3.74 + 11.22, abs=0.01)
    assert gib(answer, "kept") == pytest.approx(34.0, abs=0.01)
    assert answer.verdict.kind == "good"


def test_r2_answers_for_every_stage_and_names_the_heaviest():
    answer = ask(**R["R2"])
    totals = [row[-2].replace(SPACE, " ") for row in answer.tables[0].rows]
    assert totals == ["29.5 GiB", "25.78 GiB", "23.17 GiB", "22.03 GiB"]
    assert answer.tables[0].chosen == 0 and answer.figure.count("nl-bar chosen") == 1


def test_r3_does_not_fit_because_of_activations():
    answer = ask(**R["R3"])
    assert answer.verdict.kind == "bad" and "on stage 1 the model states" in answer.verdict.text
    states = [[float(cell.split(SPACE)[0]) for cell in row[4:7]] for row in answer.tables[0].rows[:2]]
    assert [sum(stage) for stage in states] == [pytest.approx(18.48, abs=0.01), pytest.approx(13.16, abs=0.01)]


def test_states_that_do_not_fit_are_named_before_activations():
    answer = ask(model="deepseek-v3", dp=8, zero=0)
    assert "the model states alone take" in answer.verdict.text


def test_a_pasted_config_answers_as_the_model_of_that_name():
    by_name, pasted = ask(model="llama3-8b", dp=8), ask(config=dumps(LLAMA), dp=8)
    assert pasted.total == by_name.total
    assert [(row.name, row.value) for row in pasted.rows] == [(row.name, row.value) for row in by_name.rows]


def test_a_named_model_says_where_its_shape_was_read_and_a_pasted_one_does_not():
    named, pasted = ask(model="llama3-8b", dp=8), ask(config=dumps(LLAMA), dp=8)
    assert "arXiv:2407.21783" in named.notes[0]
    assert {row.source for row in named.rows if row.name.startswith("model_")} == {SOURCES["llama3-8b"]}
    assert named.notes[1:] == pasted.notes


def test_a_pipeline_with_too_few_micro_batches_is_a_warning():
    assert "m = 1 is fewer than the 4 stages" in ask(model="llama3-70b", pp=4, micro=1).warnings[0]
    assert ask(model="llama3-70b", pp=4, micro=4).warnings == ()


def test_what_is_left_on_auto_is_what_a_practitioner_would_run():
    bare = ask(model="llama3-70b", tp=8, pp=4, dp=4)
    said = ask(model="llama3-70b", tp=8, pp=4, dp=4, recipe="fp32-gradients", sp="on", micro=4)
    assert bare.rows == said.rows and bare.total == said.total
    assert ask(tp=8, block="gpt").rows == ask(tp=8, block="gpt", recipe="fp16-adam", sp="off", micro=1).rows


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_each_schedule_offered_is_one_of_the_pipeline_models_and_is_answered(schedule):
    chunks = 2 if schedule == "interleaved" else 1
    assert schedule in FAMILIES
    assert ask(model="llama3-70b", pp=4, micro=8, schedule=schedule, chunks=chunks).total.value > 0


def test_gpipe_keeps_all_micro_batches_and_1f1b_at_most_one_a_stage():
    kept = [gib(ask(model="llama3-70b", pp=4, micro=16, schedule=name), "kept") for name in ("gpipe", "1f1b")]
    assert kept[0] == pytest.approx(4 * kept[1])


def test_saved_and_moved_name_stage_and_ranks():
    answer = ask(**R["R3"])
    assert answer.saved.endswith("those of experts are spread over 2 ranks, all others over 128.")
    assert "a rank of stage 1" in answer.moved
    assert "experts" not in ask(**R["R2"]).saved


def test_deepseek_v3s_own_recomputation_is_cheaper_than_none_and_says_what_runs_again():
    answer = ask(**R["R3"] | {"recompute": "deepseek-v3"})
    assert answer.total.value < ask(**R["R3"]).total.value
    assert "up-projections run again" in answer.moved


@pytest.mark.parametrize(
    ("text", "wanted"),
    [("", ()), ("15×4+1", (4,) * 15 + (1,)), ("15x4 + 1", (4,) * 15 + (1,))],
)
def test_layers_per_stage_are_written_as_people_write_them(text, wanted):
    assert layout(text, 16, 61) == wanted
    assert layout("1,2,2,3", 4, 8) == (1, 2, 2, 3)


@pytest.mark.parametrize(
    ("form", "field"),
    [({"stages": "four"}, "stages"), ({"stages": "40，39", "pp": "2"}, "stages"), ({"ep": "3"}, "ep"),
     ({"config": "{"}, "config"), ({"config": "x" * 20_001}, "config"), ({"replicas": "3"}, "replicas"),
     ({"schedule": "interleaved", "pp": "4", "micro": "9"}, "micro"), ({"pp": "128"}, "pp")],
)  # fmt: skip
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_run_that_cannot_be_is_refused_at_its_field(form, field, language):
    with pytest.raises(BadValue) as refused:
        ask(language, **{"model": "llama3-70b"} | form)
    assert refused.value.field == field and refused.value.message(language, "memory")


@pytest.mark.parametrize(
    ("form", "nearest"),
    [({"stages": "40+39", "pp": "2"}, "2×40"), ({"stages": "a", "pp": "16", "model": "deepseek-v3"}, "15×4+1"),
     ({"model": "deepseek-v3", "ep": "64", "dp": "27", "tp": "1"}, (1,)),
     ({"model": "deepseek-v3", "ep": "64", "dp": "96"}, (32,)),
     ({"tp": "48"}, (32, 64)), ({"etp": "3", "dp": "8"}, (2, 4)),
     ({"ep": "7", "dp": "1048576", "cp": "1024", "tp": "8"}, (4, 8))],
)  # fmt: skip
def test_the_nearest_value_of_a_refusal_is_one_that_the_run_takes(form, nearest):
    with pytest.raises(BadValue) as refused:
        ask(**{"model": "llama3-70b"} | form)
    assert refused.value.nearest == nearest


def test_a_step_that_is_faster_than_its_gpus_is_told_so():
    told = ask(model="llama3-8b", dp=8, step_seconds=0.1)
    assert told.warnings[-1].startswith("An MFU of") and "at least 213.2" in told.warnings[-1].replace("\u00a0", " ")
    assert not any("MFU" in line for line in ask(model="llama3-8b", dp=8, step_seconds=1).warnings)


def test_a_million_micro_batches_are_answered_at_once():
    assert ask(model="deepseek-v3", schedule="interleaved", micro=2**20, pp=4).total.value > 0


@given(
    st.sampled_from(sorted(WORKLOADS)), st.sampled_from((1, 2, 8)), st.sampled_from((1, 2, 4)), st.sampled_from((1, 8)),
    st.sampled_from("0123"), st.sampled_from(POLICIES_OFFERED), st.sampled_from(LANGUAGES),
)  # fmt: skip
def test_any_model_with_legal_degrees_is_answered(model, tp, pp, dp, zero, recompute, language):
    answer = ask(language, model=model, tp=tp, pp=pp, dp=dp, zero=zero, recompute=recompute, sp="off", micro=4)
    degrees, step = Degrees(tp=tp, pp=pp, dp=dp, zero=int(zero)), Step(4096, m=4, recompute=recompute)
    stages = [stage_memory(WORKLOADS[model], degrees, step, stage, "fp32-gradients").total for stage in range(pp)]
    assert answer.total.value == pytest.approx(max(stages))


def test_groups_that_a_preset_touches_are_unfolded_and_the_others_are_not():
    texts = html("memory", {}, "en"), html("memory", R["R2"], "en")
    opened = [re.findall(r'data-group="(\w+)" open', text) for text in texts]
    assert opened == [["states"], ["states", "activations", "policies", "gradients", "run", "card"]]


def test_the_form_takes_a_pasted_file_as_text():
    assert re.search(r'<textarea[^>]* name="config"', html("memory", {}, "en"))


def test_the_command_line_answers_with_the_labs_own_parser(capsys):
    asked = "memory --model llama3-70b --tp 8 --pp 4 --dp 4 --zero 1 --seq 4096 --recompute selective"
    assert main(asked.split()) == 0
    assert "70,553,706,496" in capsys.readouterr().out
