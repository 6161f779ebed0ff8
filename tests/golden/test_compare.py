"""The judge itself: what passes, what fails, and what it says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.golden import kinds
from tests.golden.__main__ import run
from tests.golden.cases import Case, load, read
from tests.golden.compare import Searched, differences


def case(wanted: Any, kind: str = "any", inputs: dict[str, Any] | None = None, **tolerances: Any) -> Case:
    return read({"id": "mem-x", "kind": kind, "inputs": inputs or {}, "expected": {"value": wanted, **tolerances}})


def test_without_a_tolerance_only_the_exact_value_passes() -> None:
    assert differences(case(3), 3) == []
    assert differences(case(3), 3.0000001) == ["value: wanted 3 (± 0), got 3.0000001"]


def test_a_tolerance_may_be_given_per_key() -> None:
    pair = case({"a": 10, "b": 10}, abs_tol={"a": 1})
    assert differences(pair, {"a": 11, "b": 10}) == []
    assert differences(pair, {"a": 10, "b": 11}) == ["b: wanted 10 (± 0), got 11"]


def test_a_relative_tolerance_scales_with_the_wanted_value() -> None:
    assert differences(case(200.0, rel_tol=0.01), 202.0) == []
    assert differences(case(200.0, rel_tol=0.01), 202.1) == ["value: wanted 200.0 (± 2), got 202.1"]


def test_a_missing_key_fails_and_a_further_key_does_not() -> None:
    assert differences(case({"a": 1}), {"a": 1, "b": 2}) == []
    assert differences(case({"a": 1, "b": 2}), {"a": 1}) == ["b: wanted 2, got nothing"]


def test_lists_must_agree_in_length_and_in_each_place() -> None:
    assert differences(case([[0, 1], [2, 3]]), ((0, 1), (2, 3))) == []
    assert differences(case([[0, 1]]), [[0, 2]]) == ["[0][1]: wanted 1 (± 0), got 2"]
    assert differences(case([0, 1]), [0]) == ["value: wanted [0, 1], got [0]"]


@pytest.mark.parametrize("got", [float("nan"), float("inf"), None, "3", True])
def test_what_is_not_a_finite_number_never_meets_a_number(got: object) -> None:
    assert len(differences(case(3, abs_tol=1e9), got)) == 1


def test_true_is_not_one() -> None:
    assert differences(case(True), 1) == ["value: wanted True, got 1"]
    assert differences(case(True), True) == []


def test_a_searched_schedule_passes_when_no_worse_and_others_from_both_sides_only() -> None:
    searched = case(0.10, "zb_table5", {"schedule": "ZB-2p"}, abs_tol=0.001)
    assert differences(searched, 0.02) == []
    assert differences(searched, 0.102) == ["value: wanted 0.1 (± 0.001), got 0.102"]
    placed = case(0.10, "zb_table5", {"schedule": "ZB-H1"}, abs_tol=0.001)
    assert differences(placed, 0.02) == ["value: wanted 0.1 (± 0.001), got 0.02"]


def test_the_yardstick_of_a_v_schedule_is_met_from_both_sides() -> None:
    searched = case({"cost": 107, "one_f_one_b_chunk_activations": 8}, "v_sched")
    assert differences(searched, {"cost": 100, "one_f_one_b_chunk_activations": 8}) == []
    assert len(differences(searched, {"cost": 100, "one_f_one_b_chunk_activations": 7})) == 1


def test_a_search_that_exceeds_its_memory_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(kinds.KINDS, "zb_table5", lambda inputs: Searched(0.01, peak=17, limit=16))
    searched = case(0.10, "zb_table5", {"schedule": "ZB-2p"})
    assert kinds.failures(searched) == ["peak: wanted at most 16, got 17"]


def test_an_unknown_kind_is_a_failure_that_says_so() -> None:
    assert kinds.failures(case(1, "no_such_kind")) == ["wanted 1, got LookupError: unknown kind 'no_such_kind'"]


def test_a_kind_sees_a_copy_of_the_inputs_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[dict[str, Any]] = []
    monkeypatch.setitem(kinds.KINDS, "any", lambda inputs: seen.append(inputs) or inputs.clear())
    asked = case(1, "any", {"p": 4})
    kinds.failures(asked)
    assert asked.inputs == {"p": 4}
    assert len(seen) == 1


def test_the_last_line_counts_what_passed_and_failed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(kinds.KINDS, "twice", lambda inputs: 2 * inputs["n"])
    entries = [f"- {{id: mem-{n}, kind: twice, inputs: {{n: {n}}}, expected: {{value: 4}}}}" for n in (2, 3)]
    file = tmp_path / "cases.yml"
    file.write_text("cases:\n" + "\n".join(entries))
    assert run([file]) == 1
    assert capsys.readouterr().out == "FAILED mem-3 (twice) value: wanted 4 (± 0), got 6\n1 passed, 1 failed\n"


def test_a_number_whose_exponent_has_no_sign_is_a_number(tmp_path: Path) -> None:
    file = tmp_path / "cases.yml"
    file.write_text("cases: [{id: mem-1, kind: k, inputs: {params: 1.0e9, alpha: 5e-6}, expected: {value: 2E3}}]")
    (one,) = load(file)
    assert (one.inputs, one.wanted) == ({"params": 1e9, "alpha": 5e-6}, 2000.0)
