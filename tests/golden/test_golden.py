"""Every published figure is met by the function that a lab also calls, and so is what other programs print."""

from __future__ import annotations

import pytest

from tests.golden.cases import PUBLIC, Case, load
from tests.golden.kinds import failures

CASES = load(PUBLIC)
FURTHER = load(PUBLIC.with_name("further.yml"))


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_published_figure(case: Case) -> None:
    assert failures(case) == []


@pytest.mark.parametrize("case", FURTHER, ids=[case.name for case in FURTHER])
def test_other_programs_print_the_same_for_other_inputs(case: Case) -> None:
    assert failures(case) == []


def test_the_public_file_holds_312_cases() -> None:
    assert len(CASES) == 312
    assert len({case.id for case in CASES}) == 312
