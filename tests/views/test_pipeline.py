"""The pipeline lab: what its presets answer, what it says, what it refuses, how it compares."""

import pytest

from labs.models.schedules import FAMILIES
from labs.refusal import BadValue
from labs.words import LANGUAGES, speaker
from tests.views.pipeline_asked import LAB, ask, rows, table

# ---- presets: inputs → results


def test_p1_gpipe_and_1f1b_wait_9_of_24_and_hold_8_against_4_3_2_1():
    answer = ask("P1")
    assert (rows(answer)["idle"], rows(answer)["useful"], rows(answer)["makespan"]) == (9, 24, 33)
    compared = table(answer, "The same work")
    assert (compared["GPipe"][1], compared["1F1B"][1]) == ("9", "9")
    assert (compared["GPipe"][6], compared["1F1B"][6]) == ("8", "4")
    assert [row[4] for row in table(answer, "Rank by rank").values()] == ["4", "3", "2", "1"]
    assert "peak activations 8 → 4 sets" in answer.saved
    assert "nothing listed rose" in answer.moved


def test_p2_shows_v_1_2_4():
    chunks = table(ask("P2"), "With more virtual chunks")
    assert [row[1] for row in chunks.values()] == ["21.9\u00a0%", "10.9\u00a0%", "5.47\u00a0%"]
    assert [row[4] for row in chunks.values()] == ["448", "960", "1984"]


def test_p3_trades_idle_21_to_6_for_copies_1_to_2():
    answer = ask("P3")
    assert "idle time 21 → 6; makespan 81 → 66" in answer.saved
    assert "parameter copies 1 → 2" in answer.moved
    assert "peak activations 8 → 9 sets" in answer.moved
    chinese = ask("P3", "zh")
    assert "空闲 21 → 6；完工时间 81 → 66" in chinese.saved
    assert "参数副本 1 → 2" in chinese.moved


def test_p4_shows_w_small_and_large():
    waiting = table(ask("P4"), "With half the weight-gradient time")
    assert waiting == {"1F1B": ("17.5", "21"), "ZB-H1": ("10.5", "7"), "ZB-H2": ("7", "0")}


def test_p5_gains_makespan():
    answer = ask("P5")
    assert (rows(answer)["makespan"], rows(answer)["idle"], rows(answer)["useful"]) == (52, 3, 49)


def test_p6_is_never_full():
    answer = ask("P6")
    assert answer.verdict.kind == "bad"
    assert (rows(answer)["idle"], rows(answer)["useful"]) == (45, 24)


@pytest.mark.parametrize("preset", [preset.id for preset in LAB.presets])
def test_the_formula_stands_beside_the_simulation_and_agrees(preset):
    found = rows(ask(preset))
    assert found["formula"] == pytest.approx(found["idle"])


# ---- verdicts


VERDICTS = {
    "small": {"m": 64},
    "middling": {"m": 20},
    "large": {"m": 8},
    "never_full": {"m": 3},
    "span_full": {"schedule": "zb-h2", "p": 8, "m": 20},
    "slower_together": {"schedule": "dualpipe", "p": 4, "m": 8, "fb": 3.5},
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", VERDICTS)
def test_each_verdict_is_reached_and_said(key, language):
    say = speaker("pipeline", language)
    beginning = say(f"verdicts.{key}").split("{")[0]
    assert ask(language=language, **VERDICTS[key]).verdict.text.startswith(beginning)


def test_a_slower_pair_is_bad_news_and_a_small_bubble_is_good_news():
    kinds = {key: ask(**form).verdict.kind for key, form in VERDICTS.items()}
    assert [key for key, kind in kinds.items() if kind == "bad"] == ["never_full", "slower_together"]
    assert [key for key, kind in kinds.items() if kind == "warn"] == ["large"]


# ---- bad input


BAD = [
    ({"schedule": "dualpipe", "p": 7, "m": 20}, "p", "6 / 8"),
    ({"schedule": "dualpipe", "p": 8, "m": 19}, "m", "18 / 20"),
    ({"schedule": "dualpipe", "p": 8, "m": 8}, "m", "16"),
    ({"schedule": "interleaved", "p": 4, "m": 9}, "m", "8 / 10"),
    ({"schedule": "chimera", "p": 5}, "p", "4 / 6"),
    ({"p": 0}, "p", "1"),
    ({"m": 2.5}, "m", "2"),
    ({"f": "nan"}, "f", "1"),
    ({"w": "1e309"}, "w", "1"),
    ({"schedule": "2f2b"}, "schedule", "gpipe"),
]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("form", "field", "nearest"), BAD)
def test_bad_input_names_its_field_and_what_would_do(form, field, nearest, language):
    with pytest.raises(BadValue) as refused:
        ask(language=language, **form)
    message = refused.value.message(language, "pipeline")
    assert refused.value.field == field
    assert speaker("pipeline", language)(f"controls.{field}.label") in message
    assert nearest in message.split("：" if language == "zh" else ":")[-1]


def test_a_schedule_that_is_only_compared_says_why_it_cannot_run_and_the_rest_stands():
    answer = ask(schedule="1f1b", against="dualpipe", p=4, m=7)
    assert "even number of micro-batches, at least 2p = 8" in answer.warnings[0]
    assert "even number of micro-batches, at least 2p = 8" in str(table(answer, "The same work")["DualPipe"][-1])
    assert rows(answer)["idle"] == 9


def test_megatrons_stricter_rule_is_a_warning():
    assert "Megatron refuses it" in ask(schedule="interleaved", p=4, m=10).warnings[0]
    assert ask(schedule="interleaved", p=4, m=8).warnings == ()


def test_s11_a_round_shorter_than_the_pipeline_is_a_warning():
    assert "A round holds only 3 micro-batches" in " ".join(ask(schedule="interleaved", p=4, m=3).warnings)


# ---- the comparison


def test_the_table_compares_the_six_most_used_and_on_request_every_schedule():
    assert len(table(ask("P3"), "The same work")) == 6
    assert len(table(ask("P3", every="on"), "The same work")) == len(FAMILIES)


def test_a_large_piece_of_work_is_simulated_for_the_chosen_schedule_and_its_comparison_only():
    compared = table(ask(p=64, m=512, v=1), "The same work")
    assert compared["1F1B"][1] == "189"
    assert compared["GPipe"][1] == "189"
    assert "only the chosen schedule and its comparison are simulated" in str(compared["ZB-H1"][-1])
