"""The command line gives the labs' answers: same parser, same numbers, exit codes that a script can use."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from labs.__main__ import columns, main
from labs.answer import Table
from labs.lab import LABS, find, report
from labs.models.schedules import validate
from labs.models.schedules.files import from_csv


def unquoted(word: str) -> str:
    return word.strip("'")


def spoken(capsys, *words: str) -> tuple[int, str, str]:
    code = main(list(words))
    out, err = capsys.readouterr()
    return code, out, err


@pytest.mark.parametrize("name", LABS)
def test_each_preset_is_answered_with_its_verdict_first(name, capsys):
    for preset in find(name).presets:
        code, out, _ = spoken(capsys, name, "--preset", preset.id)
        assert code == 0
        assert out.startswith(report(name, find(name).form(preset.id), "en")["verdict"]["text"])


def test_json_is_what_the_lab_answers(capsys):
    _, out, _ = spoken(capsys, "memory", "--preset", "M2", "--json")
    assert json.loads(out) == json.loads(json.dumps(report("memory", find("memory").form("M2"), "en")))
    assert json.loads(out)["total"]["value"] == 17.5e9


def test_a_flag_that_no_setting_has_is_answered_with_the_nearest_name(capsys):
    code, _, err = spoken(capsys, "dispatch", "--widht", "64")
    assert code == 2
    assert err.strip() == "“widht” cannot be 64: there is no such setting. Nearest legal value: width."


def test_a_bare_count_that_tp_and_pp_do_not_cut_says_which_setting_does(capsys):
    cut = ["memory", "--params", "70B", "--tp", "8", "--pp", "4", "--dp", "4"]
    assert "set it to 32" in spoken(capsys, *cut)[1]
    assert "set it to" not in spoken(capsys, *cut, "--shard", "32")[1]


def test_a_named_model_is_counted_and_its_first_stage_is_the_byte_ledgers(capsys):
    words = "memory --model llama3-70b --tp 8 --pp 4 --dp 4 --zero 1 --seq 4096 --recompute selective --json"
    code, out, _ = spoken(capsys, *words.split())
    rows = {row["name"]: row["value"] / 2**30 for row in json.loads(out)["rows"]}
    assert code == 0
    assert [rows[name] for name in ("weights", "gradients")] == pytest.approx([4.23, 8.46], rel=0.01)
    assert rows["master"] + rows["momentum"] + rows["variance"] == pytest.approx(6.34, rel=0.01)
    assert rows["kept"] == pytest.approx(10.5, rel=0.05)


def test_a_measured_step_gives_mfu_by_6nd_and_with_attention(capsys):
    """8 GPUs, one sequence of 8,192 each: 6ND is 3.16e15 flop; in 1 s on 989 TFLOP/s each, 39.9 %."""
    words = "memory --model llama3-8b --dp 8 --zero 3 --seq 8192 --step-seconds 1 --json"
    rows = {row["name"]: row["value"] for row in json.loads(spoken(capsys, *words.split())[1])["rows"]}
    assert rows["mfu_6nd"] == pytest.approx(6 * 8_030_261_248 * 8 * 8192 / (8 * 989e12))
    assert rows["mfu"] == pytest.approx(rows["step_flops"] / (8 * 989e12))
    assert "mfu" not in spoken(capsys, *words.replace("--step-seconds 1", "").split())[1]


def test_a_refused_value_is_exit_code_2_and_says_why_on_standard_error(capsys):
    code, out, err = spoken(capsys, "pipeline", "--schedule", "dualpipe", "--p", "8", "--m", "9")
    assert (code, out) == (2, "")
    assert "cannot be 9" in err and "16" in err


def test_the_language_of_the_answer_and_of_the_refusal_is_the_readers(capsys):
    assert "放得下" in spoken(capsys, "memory", "--preset", "M2", "--language", "zh")[1]
    assert "最接近的可行取值" in spoken(capsys, "memory", "--dp", "0", "--language", "zh")[2]


@pytest.mark.parametrize("words", [["--language=zh"], ["--language", "zh"], ["--language", "en", "--language=zh"]])
def test_the_language_is_understood_however_it_is_written(words, capsys):
    assert spoken(capsys, "memory", *words)[1].startswith("放得下")
    with pytest.raises(SystemExit):
        main(["memory", *words, "--help"])
    said = capsys.readouterr().out
    assert "参数量 P（默认 7e9）" in said and "给程序读的答案" in said and "default" not in said


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--save", "README.md"], "“save”不能是 README.md：那里写不进文件"),
        (["--before", "p='4"], "“before”不能是 p='4"),
        (["--preset", "P99"], "没有这个预设"),
        (["--schedule", "x" * 5000], "须是其中之一"),
        (["--p", "9" * 5000], "需要一个有限的数"),
    ],
)
def test_whatever_is_typed_wrong_is_answered_by_a_sentence_and_not_by_a_trace(words, says, capsys):
    code, out, err = spoken(capsys, "pipeline", *words, "--language", "zh")
    assert (code, out) == (2, "") and says in err and err.count("\n") == 1


def test_a_flag_may_be_spelt_as_the_control_or_as_a_shell_expects(capsys):
    one, other = (spoken(capsys, "pipeline", "--schedule", "zb-h1", flag, "2") for flag in ("--b_in", "--b-in"))
    assert one == other and one[0] == 0


def test_a_bare_flag_turns_a_toggle_on(capsys):
    assert spoken(capsys, "memory", "--block", "gpt", "--fp8") == spoken(
        capsys, "memory", "--block", "gpt", "--fp8", "on"
    )


def test_a_schedule_is_saved_as_csv_that_is_read_back_and_as_a_trace(capsys, tmp_path):
    code, _, err = spoken(capsys, "pipeline", "--schedule", "1f1b", "--p", "4", "--m", "8", "--save", str(tmp_path))
    assert code == 0
    csv, trace = sorted(tmp_path.iterdir())
    assert err.split() == [str(csv), str(trace)]
    validate(from_csv(csv.read_text(encoding="utf-8")))
    assert len([e for e in json.loads(trace.read_text(encoding="utf-8"))["traceEvents"] if e["ph"] == "X"]) == 64


def test_an_order_of_ones_own_is_read_from_such_a_csv_and_answers_alike(capsys, tmp_path):
    spoken(capsys, "pipeline", "--schedule", "zb-h1", "--p", "4", "--m", "8", "--save", str(tmp_path))
    csv = next(tmp_path.glob("*.csv")).read_text(encoding="utf-8")
    said = [spoken(capsys, "pipeline", *words, "--json")[1] for words in (
        ["--order", csv], ["--schedule", "zb-h1", "--p", "4", "--m", "8"])]  # fmt: skip
    own, named = ({row["name"]: row["value"] for row in json.loads(one)["rows"]} for one in said)
    assert {name: named[name] for name in own if name in named} == own
    code, _, err = spoken(capsys, "pipeline", "--order", csv.replace("0F1", "0F0", 1))
    assert code == 2 and "0F0" in err


@pytest.mark.parametrize("name", LABS)
def test_help_names_every_control_and_an_example_stands_in_the_first_help(name, capsys):
    with pytest.raises(SystemExit) as end:
        main([name, "--help"])
    said = capsys.readouterr().out
    assert end.value.code == 0
    assert [one for one in find(name).form() if f"--{one.replace('_', '-')}" not in said] == []
    examples = [line.split()[1:] for line in said.splitlines() if line.startswith("  nine-ledgers ")]
    assert len(examples) == 2 and [spoken(capsys, *map(unquoted, words))[0] for words in examples] == [0, 0]
    with pytest.raises(SystemExit):
        main([])
    assert f"python -m labs {LABS[0]} --preset" in capsys.readouterr().out


def test_columns_are_aligned_where_han_characters_take_two(capsys):
    lines = columns(Table("表", ("名", "v"), (("模型状态", "1"), ("ab", "2")))).splitlines()
    assert lines[2:] == ["名        v", "模型状态  1", "ab        2"]


def test_the_command_writes_utf_8_whatever_the_terminal_claims():
    run = subprocess.run(
        [sys.executable, "-m", "labs", "memory", "--preset", "M2", "--language", "zh"],
        capture_output=True, env=os.environ | {"PYTHONIOENCODING": "", "LC_ALL": "C", "PYTHONUTF8": "0"}, check=True,
        cwd=Path(__file__).parent.parent,
    )  # fmt: skip
    assert "放得下" in run.stdout.decode()


def test_every_command_of_the_readme_is_answered(capsys):
    text = Path("README.md").read_text("utf-8")
    lines = re.findall(r"^\.venv/bin/python -m labs (.+)$", text, re.M)
    assert {shlex.split(line)[0] for line in lines} >= {"memory", "pipeline", "dispatch"}
    for line in lines:
        code, out, err = spoken(capsys, *shlex.split(line, comments=True))
        assert (code, err) == (0, "") and out, line


def test_every_name_of_the_readme_that_looks_like_a_path_is_there():
    named = re.findall(r"`((?:docs|labs|overrides|tests)/[\w./-]*)`", Path("README.md").read_text("utf-8"))
    assert len(named) > 8 and [path for path in named if "NAME" not in path and not Path(path).exists()] == []
