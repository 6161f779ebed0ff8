"""`--before` asks of two runs what the course asks of every choice: what did it save, and where did the cost go."""

import json

import pytest

from tests.test_command_line import spoken


def test_two_runs_are_compared_row_by_row_each_with_its_ledger(capsys):
    _, out, _ = spoken(capsys, "memory", "--params", "7B", "--dp", "8", "--zero", "3", "--before", "zero=1", "--json")
    changes = json.loads(out)["changes"]
    fallen = {row["name"]: (row["ledger"], row["before"], row["after"]) for row in changes["saved"]}
    assert fallen == {"weights": ("state", 14e9, 1.75e9), "gradients": ("state", 14e9, 1.75e9)}
    assert [(row["name"], row["unit"]) for row in changes["moved"]] == [
        ("weights_sent", "byte"), ("paper_elements", "count"),
    ]  # fmt: skip


def test_the_comparison_stands_before_the_tables_of_the_answer(capsys):
    _, out, _ = spoken(capsys, "memory", "--dp", "8", "--zero", "3", "--before", "zero=1")
    lines = out.splitlines()
    assert lines[2] == "Compared with zero=1"
    assert lines[5].split()[-3:] == ["saved", "model", "state"]
    _, out, _ = spoken(capsys, "memory", "--dp", "8", "--before", "dp=8")
    assert "No row changed." in out.splitlines()


@pytest.mark.parametrize(
    ("settings", "why"), [("zero", "NAME=VALUE"), ("zer=3", "Nearest legal value: zero."), ("zero=9", "“ZeRO")]
)
def test_a_comparison_with_what_is_no_setting_is_refused(settings, why, capsys):
    code, _, err = spoken(capsys, "memory", "--before", settings)
    assert code == 2
    assert why in err
