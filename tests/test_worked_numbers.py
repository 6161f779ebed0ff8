"""Each number that the course works out is one call of `labs`: worked_numbers.txt lists number, call and meaning."""

from ast import literal_eval
from pathlib import Path
from typing import Any

import pytest

from labs.lab import find
from overrides import worked


def row(lab: str, preset: str, name: str = "", **changed: str) -> float:
    """A row of a lab's answer to a preset, or its total, in base units."""
    answered = find(lab).ask(find(lab).form(preset, changed), "en")
    return next(one for one in (*answered.rows, answered.total) if one and one.name == (name or "total")).value


def table() -> list[tuple[str, str, str]]:
    """(chapter · meaning, call, printed number) of each line."""
    chapter, found = "", []
    for line in (Path(__file__).parent / "worked_numbers.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            chapter = line.strip("[]")
        elif line and not line.startswith("#"):
            printed, call, meaning = line.split(" | ")
            found.append((f"{chapter} · {meaning}", call, printed))
    return found


def half_a_digit(printed: str) -> float:
    """Half of the last printed digit: 27.6 stands for 27.55 to 27.65, 1.76e17 for 1.755e17 to 1.765e17."""
    mantissa, _, exponent = printed.partition("e")
    return 0.5 * 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2]))


def answer(call: str) -> Any:
    return eval(call, worked.names() | {"row": row, "tuple": tuple})


@pytest.mark.parametrize(("call", "printed"), [(call, printed) for _, call, printed in table()],
                         ids=[meaning for meaning, _, _ in table()])  # fmt: skip
def test_a_worked_number_is_what_its_call_gives(call: str, printed: str) -> None:
    if printed.startswith("("):
        assert answer(call) == literal_eval(printed)
    else:
        assert answer(call) == pytest.approx(float(printed), rel=0, abs=half_a_digit(printed) * (1 + 1e-9))


def test_every_chapter_has_worked_numbers() -> None:
    assert sorted({meaning[:2] for meaning, _, _ in table()}) == [f"{chapter:02}" for chapter in range(15)]
