"""The pipeline lab's figure and files, and schedules of the reader's own."""

import re
from base64 import b64decode
from json import loads

import pytest

from labs.answer import regions
from labs.models.schedules import FAMILIES, tokens
from labs.models.schedules import order as order_of
from labs.models.schedules.files import from_csv
from labs.refusal import BadValue
from labs.words import LANGUAGES, speaker
from tests.views.pipeline_asked import LAB, ask, rows, table, text

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
    assert ask("P1").files == ()
    csv, trace = ask("P1", files="on").files
    assert (csv.name, trace.name) == ("1f1b-p4-m8.csv", "1f1b-p4-m8.json")
    assert from_csv(csv.content) == order_of("1f1b", 4, 8)
    assert len(loads(trace.content)["traceEvents"]) == 4 + 64
    held = re.findall(r'href="data:text/csv;base64,([^"]+)" download="1f1b-p4-m8.csv"', csv.link())
    assert [b64decode(one).decode() for one in held] == [csv.content]


def test_automatic_placement_uses_the_memory_it_is_given():
    spans = [rows(ask(schedule="zb-auto", p=8, m=24, limit=limit))["span_idle"] for limit in (0.5, 1, 2)]
    assert spans[0] > spans[1] > spans[2] == 0


def test_uneven_layers_make_the_light_ranks_wait():
    even, uneven = ask(p=4, m=16), ask(p=4, m=16, load="1, 2, 2, 3")
    assert rows(uneven)["makespan"] > rows(even)["makespan"]
    assert [row[0] for row in table(uneven, "Rank by rank").values()] == ["24", "48", "48", "72"]
    assert "formula" not in rows(uneven)


@pytest.mark.parametrize("load", ["1,two", "0,1", "-1,2", "nan,1", "1e308,1e308"])
def test_weights_that_are_not_positive_numbers_are_refused(load):
    with pytest.raises(BadValue, match="numbers between 1e-6 and 1e6 are wanted"):
        ask(load=load)


@pytest.mark.parametrize(("load", "near"), [("1,2,3", "1,2,3,3"), ("1,1,1,1,9", "1,1,1,1")])
def test_parts_that_do_not_fit_the_ranks_are_refused_with_parts_that_do(load, near):
    with pytest.raises(BadValue, match="must divide the ranks p = 4") as refused:
        ask(p=4, load=load)
    assert refused.value.nearest == near and ask(p=4, load=near)


@pytest.mark.parametrize("load", ["1,9", "1,2,2,3", "1,2,3,4,5,6,7,8"])
@pytest.mark.parametrize("name", ["1f1b", "interleaved", "zb-v", "dualpipe"])
def test_uneven_layers_are_the_same_work_however_many_stages_share_them(name, load):
    shares = [float(row[0]) for row in table(ask(schedule=name, p=4, m=8, load=load), "Rank by rank").values()]
    assert sum(shares) == pytest.approx(4 * 8 * 3, rel=1e-3)


def test_no_published_formula_is_shown_where_it_would_give_less_than_no_waiting():
    assert rows(ask(schedule="dualpipe", p=8, m=20, w=1))["formula"] == 6
    assert "formula" not in rows(ask(schedule="dualpipe", p=8, m=20, w=9))


def test_the_useful_time_is_what_its_own_formula_gives():
    for values in ({"fb": 2, "schedule": "dualpipe", "p": 8, "m": 20}, {"load": "1,9"}, {}):
        row = next(row for row in ask(**values).rows if row.name == "useful")
        assert eval(row.formula.replace("×", "*")) == pytest.approx(row.value, rel=1e-3)


def test_a_pair_takes_no_time_at_all_or_some_that_can_be_drawn():
    with pytest.raises(BadValue, match="at least 0.001"):
        ask(fb="1e-320", schedule="dualpipe", p=8, m=20)


def test_more_work_than_a_reader_would_wait_for_is_refused_with_what_is_simulated():
    with pytest.raises(BadValue, match="makes p·m·v = 262,144") as refused:
        ask(schedule="looped-bfs", p=64, m=512, v=8)
    assert refused.value.nearest == 64
    assert "262,144" in ask(schedule="1f1b", against="looped-bfs", p=64, m=512, v=8).warnings[0]


# ---- the figure


@pytest.mark.parametrize("name", FAMILIES)
def test_each_action_is_one_slot_that_shows_its_microbatch_or_is_named_by_its_token(name):
    figure = ask(schedule=name, against=name, p=4, m=12).figure
    named = re.findall(r'<rect x="[^"%]+" width="[^"%]+" height="20"><title>([^<]+)</title>', figure)
    shown = re.findall(r"<tspan [^>]*>([^<]+)</tspan>", figure)
    assert sum(path.count("M") for path in re.findall(r'<path d="([^"]*)"', figure)) == len(shown)
    spelt = [token for row in tokens(order_of(name, 4, 12, 2)).values() for token in row]
    assert set(named) <= set(spelt)
    assert sorted([*shown, *map(microbatches, named)]) == sorted(map(microbatches, spelt))


def microbatches(token: str) -> str:
    return "·".join(re.findall(r"[FBIW](\d+)", token))


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
