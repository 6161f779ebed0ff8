"""The dispatch lab answers its four questions, says what a preset is for, and refuses with the reason and a way out."""

import json
import re
from dataclasses import asdict

import pytest

from labs import controls, words
from labs.__main__ import main
from labs.answer import Answer, amount, regions
from labs.lab import find

LAB = find("dispatch")
PRESETS = [preset.id for preset in LAB.presets]


def ask(preset: str = "C1", language: str = "en", **changed: str) -> Answer:
    return LAB.ask(LAB.form(preset, changed), language)


def values(answer: Answer) -> dict[str, float]:
    return {row.name: row.value for row in answer.rows}


def shown(answer: Answer, name: str) -> str:
    return next(amount(row) for row in answer.rows if row.name == name).replace("\u00a0", " ")


def verdict(answer: Answer) -> tuple[str, str]:
    return answer.verdict.kind, answer.verdict.text.replace("\u00a0", " ")


def table(answer: Answer, caption: str) -> list[tuple[object, ...]]:
    return next(list(one.rows) for one in answer.tables if one.caption.replace("\u00a0", " ").startswith(caption))


# ---- presets: inputs → results of CONTENT 12


def test_c1_takes_4_25_ms_almost_all_of_it_bandwidth():
    answer = ask("C1")
    assert round(values(answer)["time"] * 1e3, 2) == 4.25
    assert verdict(answer) == (
        "good",
        "Bandwidth decides: 98.4 % of 4.246 ms move bytes, 1.879 GB from each of the group's 8 ranks",
    )


def test_c2_shows_2_2_of_43_5_ms_and_sends_every_byte():
    hidden, whole = values(ask("C2")), values(ask("C2", overlap="0"))
    assert (round(hidden["time"] * 1e3, 1), round(hidden["exposed"] * 1e3, 1)) == (43.5, 2.2)
    assert whole["exposed"] == whole["time"] == hidden["time"]
    assert hidden["sent"] == whole["sent"] == 2 * 2**30 * 63 / 64


def test_c3_takes_2275_ms_in_16_000_calls_and_35_1_in_one():
    answer = ask("C3")
    assert (round(values(answer)["time"] * 1e3), shown(ask("C3", calls="1"), "time")) == (2275, "35.14 ms")
    assert verdict(answer) == (
        "bad",
        "Split too finely: 16,000 calls take 2.275 s, one call 35.14 ms, for the same bytes",
    )


def test_c4_has_a_makespan_of_1_and_nobody_waits():
    answer = ask("C4")
    assert (values(answer)["makespan"], values(answer)["efficiency"], values(answer)["surplus"]) == (1, 1, 0)
    assert verdict(answer) == ("good", "100 rows each, the makespan is the mean: nobody waits")


def test_c5_has_a_makespan_of_1_6_and_uses_62_5_percent():
    answer = ask("C5")
    assert (values(answer)["makespan"], values(answer)["efficiency"], values(answer)["surplus"]) == (1.6, 0.625, 60)
    assert verdict(answer) == (
        "bad",
        "Rank 0 has 160 rows where the mean is 100: a makespan of 1.6×, 62.5 % in use",
    )


def test_c6_needs_e_over_r_4_slots_and_buffers_of_0_470_and_30_1_gb():
    found = values(ask("C6"))
    assert (found["bound"], found["tight"], found["makespan"], found["efficiency"]) == (4, 4, 1, 1)
    assert (round(found["buffer_balanced"] / 1e9, 3), round(found["buffer_worst"] / 1e9, 1)) == (0.470, 30.1)
    assert 1 <= found["redundant"] <= 4


def test_c7_is_the_routing_of_c6_with_at_most_4_of_8_nodes_a_token():
    answer = ask("C7")
    by_copy = {row[0]: row[1:3] for row in table(answer, "How often")}
    free = {row[0]: row[1] for row in table(ask("C6"), "How often")}
    assert {name: cells[0] for name, cells in by_copy.items()} == free
    assert float(str(by_copy["Nodes reached"][0])) > 5 > 4 >= float(str(by_copy["Nodes reached"][1]))
    assert values(answer)["slow"] < values(ask("C7", M="0"))["slow"]


def test_c8_passes_a_block_of_268_mb_in_5_4_ms_behind_11_0_or_5_5():
    free, causal = ask("C8"), ask("C8", causal="on")
    assert (round(values(free)["block"] / 1e6), round(values(free)["send"] * 1e3, 1)) == (268, 5.4)
    assert (round(values(free)["compute"] * 1e3, 1), round(values(causal)["compute"] * 1e3, 1)) == (11.0, 5.5)
    assert (free.verdict.kind, causal.verdict.kind) == ("good", "warn")


def test_c9_takes_9_1_ms_in_two_levels_where_one_ring_through_the_nics_takes_43_5():
    answer = ask("C9")
    assert round(values(answer)["time"] * 1e3, 1) == 9.1
    times = {row[0]: row[3] for row in table(answer, "The same 1.074 GB and 64 ranks")}
    assert times["Ring"] == "43.54\u00a0ms"


def test_c10_drops_rows_and_c11_balances_k3s_shape():
    assert verdict(ask("C10"))[1].startswith("A capacity factor of 1.25 drops 15.9 % of the rows")
    assert (values(ask("C11"))["bound"], values(ask("C11"))["tight"]) == (14, 14)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_presets_note_and_title_have_no_blank_and_its_form_is_legal(preset):
    for language in words.LANGUAGES:
        say = words.speaker("dispatch", language)
        assert say(f"presets.{preset}.title") and say(f"presets.{preset}.note")
    assert controls.parse(LAB.groups, LAB.form(preset)).mode in ("collective", "experts", "loads", "ring")


# ---- one answer, told in several ways


@pytest.mark.parametrize("language", words.LANGUAGES)
@pytest.mark.parametrize("preset", PRESETS)
def test_each_preset_answers_whole_in_each_language(preset, language):
    say = words.speaker("dispatch", language)
    told = regions(ask(preset, language), say)
    assert {name for name, html in told.items() if not html} == set()
    assert re.findall(r"\{\w+\}", "".join(told.values())) == []


def test_overlap_never_changes_a_byte():
    tables = table(ask("C2"), "What overlap changes")
    assert [row[0] for row in tables] == ["0 %", "50 %", "95 %"]
    assert len({row[1] for row in tables}) == 1
    assert [row[3] for row in tables] == ["43.54\u00a0ms", "21.77\u00a0ms", "2.177\u00a0ms"]


def test_c06_the_answer_names_the_size_of_the_group():
    assert "the group's 8 ranks" in verdict(ask("C1"))[1]
    assert "on how many GPUs there are in all" in " ".join(ask("C1").notes)


def test_a_message_between_two_ranks_is_not_said_to_go_to_all_of_a_group():
    told = ask("C1", collective="point_to_point", algorithm="direct")
    assert "from each of the group's 2 ranks" in verdict(told)[1]
    assert told.saved.startswith("One rank sends and one receives") and "latency of 5\u00a0µs" in told.moved


def test_the_command_line_draws_every_token_when_asked(capsys):
    assert main(["dispatch", "--preset", "C7", "--S", "64", "--exact", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["form"]["exact"] == "on"
    whole = LAB.answer(controls.parse(LAB.groups, told["form"], shell=True), words.speaker("dispatch", "en"))
    assert "All 4,096 tokens were drawn" in whole.figure
    assert told["rows"] == json.loads(json.dumps([asdict(row) for row in whole.rows]))


@pytest.mark.parametrize(("language", "says"), [("en", "On the command line, --exact"), ("zh", "命令行加 --exact")])
def test_a_page_draws_2048_tokens_at_most_whatever_its_link_asks(language, says):
    sampled, asked = (ask("C7", language, S="64", exact=exact) for exact in ("off", "on"))
    assert asked == sampled
    assert "2,048" in asked.figure and says in asked.figure


def test_the_table_of_sizes_holds_the_curve_with_the_readers_call_in_it():
    rows = table(ask("C2"), "One call, from small to large")
    assert [str(cell).replace("\u00a0", " ") for cell in rows[0]] == ["1 kB", "1.26 ms", "39.38 ns", "1.26 ms"]
    assert ("1.074\u00a0GB", "1.26\u00a0ms", "42.28\u00a0ms", "43.54\u00a0ms") in rows
