"""The functions that answer each kind of case, gathered from ``*_kinds.py`` beside this file.

Each such module exports ``KINDS: dict[kind, function of the inputs]`` and may export
``UNMOVED: dict[(kind, input), reason]``: the numeric inputs that its formula does not contain.
A function is handed a copy of the inputs and nothing else: neither a case's id nor its published value.

The answer of a search (``zb_table5`` with ZB-1p or ZB-2p) is ``compare.Searched(value, peak, limit)``:
the runner then also requires that ``peak`` stays within ``limit``.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from importlib import import_module
from pathlib import Path
from typing import Any

from tests.golden.cases import Case
from tests.golden.compare import Searched, differences

Kind = Callable[[dict[str, Any]], Any]


def gather() -> tuple[dict[str, Kind], dict[tuple[str, str], str]]:
    """All kinds and all declared absences; a kind that two modules claim is an error."""
    kinds: dict[str, Kind] = {}
    unmoved: dict[tuple[str, str], str] = {}
    for path in sorted(Path(__file__).parent.glob("*_kinds.py")):
        module = import_module(f"tests.golden.{path.stem}")
        twice = kinds.keys() & module.KINDS.keys()
        if twice:
            raise ValueError(f"{path.name} repeats {sorted(twice)}")
        kinds |= module.KINDS
        unmoved |= getattr(module, "UNMOVED", {})
    return kinds, unmoved


KINDS, UNMOVED = gather()


def answer(case: Case) -> Any:
    """Ours for this case's inputs; a kind that nobody answers is a LookupError."""
    if case.kind not in KINDS:
        raise LookupError(f"unknown kind {case.kind!r}")
    return KINDS[case.kind](deepcopy(case.inputs))


def failures(case: Case) -> list[str]:
    """Why the case fails, a line each; empty when it passes."""
    try:
        got = answer(case)
    except Exception as error:
        return [f"wanted {case.wanted!r}, got {type(error).__name__}: {error}"]
    if isinstance(got, Searched):
        if got.peak > got.limit:
            return [f"peak: wanted at most {got.limit!r}, got {got.peak!r}"]
        got = got.value
    return differences(case, got)
