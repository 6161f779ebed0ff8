"""The pipeline lab: what its presets answer, what it refuses and how, and what its figure shows."""

import re
import time
from base64 import b64decode
from html import unescape
from json import loads

import pytest

from labs.answer import Answer, regions
from labs.lab import find, render
from labs.models.schedules import FAMILIES, tokens
from labs.models.schedules import order as order_of
from labs.models.schedules.files import from_csv
from labs.refusal import BadValue
from labs.words import LANGUAGES, speaker

LAB = find("pipeline")


def ask(preset: str = "", language: str = "en", **form: object) -> Answer:
    return LAB.ask(LAB.form(preset, {name: str(value) for name, value in form.items()}), language)


def rows(answer: Answer) -> dict[str, float]:
    return {row.name: row.value for row in answer.rows}


def text(html: str) -> str:
    return unescape(re.sub(r"<[^>]+>", " ", html))


def table(answer: Answer, caption: str) -> dict[str, tuple[object, ...]]:
    found = next(table for table in answer.tables if table.caption.startswith(caption))
    return {str(row[0]): row[1:] for row in found.rows}


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


# ---- a schedule of one's own, in and out

OWN = "0F0,0F1,0B0,0B1\n1F0,1F1,1B0,1B1  # all forwards first\n"


def test_an_order_of_ones_own_brings_its_p_and_m_and_is_compared():
    answer = ask(order=OWN, against="1f1b", p=8, m=20)
    assert (rows(answer)["makespan"], rows(answer)["peak"]) == (9, 2)
    assert list(table(answer, "The same work"))[0] == "your own order"
    assert table(answer, "The same work")["1F1B"][0] == "9"


@pytest.mark.parametrize(
    ("order", "said"),
    [
        ("0F0,0B0,0X1", "this cell of rank 0 is no action"),
        ("0F0,0B0\n1F0", "rank 1 lacks the action 1I0 (stage 1, micro-batch 0)"),
        ("0B0,0F0", "before rank 0 runs 0B0 (stage 0, micro-batch 0), the same rank must have run 0F0"),
        ("#", "no action was read"),
    ],
)
def test_a_broken_order_names_its_rule_and_action_and_the_field(order, said):
    with pytest.raises(BadValue) as refused:
        ask(order=order)
    assert refused.value.field == "order"
    assert said in refused.value.message("en", "pipeline")


def test_the_files_are_attached_on_request_and_hold_the_schedule():
    assert "download=" not in ask("P1").figure
    hrefs = dict(re.findall(r'href="data:([^;]+);base64,([^"]+)"', ask("P1", files="on").figure))
    assert from_csv(b64decode(hrefs["text/csv"]).decode()) == order_of("1f1b", 4, 8)
    assert len(loads(b64decode(hrefs["application/json"]))["traceEvents"]) == 4 + 64


def test_automatic_placement_uses_the_memory_it_is_given():
    spans = [rows(ask(schedule="zb-auto", p=8, m=24, limit=limit))["span_idle"] for limit in (0.5, 1, 2)]
    assert spans[0] > spans[1] > spans[2] == 0


def test_uneven_layers_make_the_light_ranks_wait():
    even, uneven = ask(p=4, m=16), ask(p=4, m=16, load="1, 2, 2, 3")
    assert rows(uneven)["makespan"] > rows(even)["makespan"]
    assert [row[0] for row in table(uneven, "Rank by rank").values()] == ["24", "48", "48", "72"]
    assert "formula" not in rows(uneven)


@pytest.mark.parametrize("load", ["1,two", "0,1", "-1,2", "nan,1"])
def test_weights_that_are_not_positive_numbers_are_refused(load):
    with pytest.raises(BadValue, match="numbers above 0 are wanted"):
        ask(load=load)


# ---- the figure


@pytest.mark.parametrize("name", FAMILIES)
def test_each_action_is_one_slot_whose_title_is_its_token(name):
    figure = ask(schedule=name, against=name, p=4, m=8).figure
    drawn = re.findall(r'<rect x="[^"%]+" width="[^"%]+" height="20"><title>([^<]+)</title>', figure)
    spelt = [token for row in tokens(order_of(name, 4, 8, 2)).values() for token in row]
    assert sorted(drawn) == sorted(spelt)


def test_slots_of_a_timeline_say_forward_backward_pair_and_idle_in_their_class():
    figure = ask("P3").figure
    for part in ("forward", "backward", "input", "weight", "pair"):
        assert f'<g class="slot bubble {part}">' in figure
    assert '<rect width="81" height="20" class="slot bubble idle"><title>idle; 6 in all on this rank</title>' in figure


def test_both_timelines_stand_on_one_scale():
    figure = ask("P3").figure
    assert figure.count('viewBox="0 0 81 20"') == 16


def test_a_part_that_takes_no_time_has_no_slot():
    figure = ask(schedule="zb-h1", against="zb-h1", p=2, m=2, w=0).figure
    assert "weight" not in re.findall(r'class="slot bubble (\w+)"', figure)


def test_above_the_limit_the_timeline_is_summed_and_says_so():
    answer = ask(p=64, m=512, against="1f1b")
    assert answer.figure.count("<rect") < 5000
    assert "65536 actions are too many to draw one by one" in text(answer.figure)
    assert "each lane is cut into 16 pieces" in text(answer.figure)


def test_the_figure_says_in_words_what_it_shows():
    assert 'aria-label="DualPipe: makespan 66, rank 0 idle for 6"' in ask("P3").figure
    assert 'aria-label="DualPipe：完工时间 66，rank 0 空闲 6"' in ask("P3", "zh").figure


# ---- all of it


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("preset", [preset.id for preset in LAB.presets])
def test_no_template_mark_and_no_unescaped_token_is_left(preset, language):
    for html in regions(ask(preset, language), speaker("pipeline", language)).values():
        assert not re.search(r"[{}]", html)
        assert "&amp;amp;" not in html


@pytest.mark.parametrize("name", FAMILIES)
def test_each_schedule_says_what_debt_it_leaves_in_both_languages(name):
    for language in LANGUAGES:
        say = speaker("pipeline", language)
        assert ask(schedule=name, against="gpipe" if name != "gpipe" else "1f1b", language=language).moved.endswith(
            say(f"moved.debt.{name}")
        )


@pytest.mark.parametrize("preset", [preset.id for preset in LAB.presets])
def test_a_preset_is_redrawn_within_20_ms(preset):
    request = f'{{"lab": "pipeline", "language": "zh", "form": {dict(LAB.form(preset))!r}}}'.replace("'", '"')
    render(request)
    times = []
    for _ in range(5):
        began = time.process_time()
        render(request)
        times.append(time.process_time() - began)
    assert min(times) < 0.02
