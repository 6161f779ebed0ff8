"""An answer is computed: change a numeric input that the formula contains, and the answer moves.

A kind that returned a remembered figure would fail here. What a formula does not contain stands in
``UNMOVED`` beside the kind, with its reason; an entry there that moves is as wrong as an input that does not.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest

from labs.refusal import BadValue
from tests.golden.cases import PUBLIC, Case, load
from tests.golden.compare import is_number
from tests.golden.kinds import KINDS, UNMOVED

QUOTED = ("measured", "preset")  # looked up by name, not computed
BY_KIND: dict[str, list[Case]] = {}
for _case in load(PUBLIC):
    if _case.kind not in QUOTED:
        BY_KIND.setdefault(_case.kind, []).append(_case)
for _cases in BY_KIND.values():
    _cases.sort(key=lambda case: case.inputs.get("p", 1) * case.inputs.get("m", 1))  # small schedules first


def changed(value: float) -> Iterator[float]:
    """Other values of the same type, near, far and the least, none of them 0: that would divide."""
    if isinstance(value, int):
        others = (2 * value, value + 1, 4 * value, value // 2, 3 * value, value - 1, value + 2, 1)
        yield from (other for other in others if other > 0 and other != value)
    else:
        yield from (2 * value, 1.25 * value, value / 2)


def variants(inputs: dict[str, Any], key: str) -> Iterator[dict[str, Any]]:
    """The inputs with ``key`` changed; of a list, each number in turn."""
    value = inputs[key]
    places = [None] if is_number(value) else [place for place, one in enumerate(value) if is_number(one)]
    for place in places:
        for other in changed(value if place is None else value[place]):
            variant = deepcopy(inputs)
            if place is None:
                variant[key] = other
            else:
                variant[key][place] = other
            yield variant


def moves(kind: str, key: str) -> bool:
    """Whether a change of ``key`` alone changes the answer of some case, or none is legal beside the other inputs."""
    legal = 0
    for case in BY_KIND[kind]:
        if not numeric(case.inputs.get(key)):  # absent, or null where this case has no such part
            continue
        before = KINDS[kind](deepcopy(case.inputs))
        for variant in variants(case.inputs, key):
            try:
                after = KINDS[kind](variant)
            except BadValue:
                continue
            legal += 1
            if after != before:
                return True
    return legal == 0


def numeric(value: Any) -> bool:
    return is_number(value) or (isinstance(value, list) and any(map(is_number, value)))


INPUTS = sorted(
    {
        (kind, key)
        for kind, cases in BY_KIND.items()
        for case in cases
        for key, value in case.inputs.items()
        if numeric(value)
    }
)


@pytest.mark.parametrize(("kind", "key"), INPUTS, ids=[f"{kind}-{key}" for kind, key in INPUTS])
def test_an_answer_moves_with_each_number_its_formula_contains(kind: str, key: str) -> None:
    assert moves(kind, key) is ((kind, key) not in UNMOVED)


def test_each_declared_absence_names_an_input_of_the_public_file() -> None:
    assert set(UNMOVED) <= set(INPUTS)
    assert all(UNMOVED.values())
