"""Where an answer leaves the published value: nothing is loosened, and each difference names its place."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

from tests.golden.cases import Case


class Searched(NamedTuple):
    """What a search found, with the memory it needed and the memory it was allowed, in one unit."""

    value: float
    peak: float
    limit: float


def tolerance(limit: Any, key: str | None) -> float:
    """The tolerance for one key; a file gives one number for all keys, a number per key, or none (exact)."""
    if isinstance(limit, dict):
        return float(limit.get(key, 0.0))
    return 0.0 if limit is None else float(limit)


def is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def met(wanted: float, got: float, slack: float, one_sided: bool) -> bool:
    """``got`` within ``slack`` of ``wanted``, from both sides unless only more is worse; NaN never is."""
    return got <= wanted + slack if one_sided else abs(got - wanted) <= slack


def differences(case: Case, got: Any) -> list[str]:
    """Every place where ``got`` misses the case, as text with wanted and got; empty when it passes."""
    return list(_compare(case, case.wanted, got, "", None))


def _compare(case: Case, wanted: Any, got: Any, place: str, key: str | None) -> Iterator[str]:
    if isinstance(wanted, dict):
        yield from _compare_mapping(case, wanted, got, place)
    elif isinstance(wanted, (list, tuple)):
        yield from _compare_sequence(case, wanted, got, place, key)
    elif is_number(wanted):
        yield from _compare_number(case, wanted, got, place, key)
    elif wanted != got or type(wanted) is not type(got):
        yield f"{place or 'value'}: wanted {wanted!r}, got {got!r}"


def _compare_mapping(case: Case, wanted: dict[str, Any], got: Any, place: str) -> Iterator[str]:
    if not isinstance(got, dict):
        yield f"{place or 'value'}: wanted {wanted!r}, got {got!r}"
        return
    for key, value in wanted.items():
        where = f"{place}.{key}" if place else str(key)
        if key in got:
            yield from _compare(case, value, got[key], where, str(key))
        else:
            yield f"{where}: wanted {value!r}, got nothing"


def _compare_sequence(case: Case, wanted: Any, got: Any, place: str, key: str | None) -> Iterator[str]:
    if not isinstance(got, (list, tuple)) or len(got) != len(wanted):
        yield f"{place or 'value'}: wanted {wanted!r}, got {got!r}"
        return
    for index, (one, other) in enumerate(zip(wanted, got, strict=True)):
        yield from _compare(case, one, other, f"{place}[{index}]", key)


def _compare_number(case: Case, wanted: float, got: Any, place: str, key: str | None) -> Iterator[str]:
    if not is_number(got) or not math.isfinite(got):
        yield f"{place or 'value'}: wanted {wanted!r}, got {got!r}"
        return
    slack = max(tolerance(case.abs_tol, key), tolerance(case.rel_tol, key) * abs(wanted))
    # The yardstick of a V-schedule (1F1B's own peak) was computed, not searched: it must be met from both sides.
    one_sided = case.searched and not (key or "").startswith("one_f_one_b")
    if not met(wanted, got, slack, one_sided):
        yield f"{place or 'value'}: wanted {wanted!r} (± {slack:.3g}), got {got!r}"
