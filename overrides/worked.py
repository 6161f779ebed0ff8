"""Numbers in prose that the models work out at build time: `` `=states(7e9, dp=8, zero=1).total/GB:.1f` ``.

An expression sees the models, the units, the hardware, quoted figures and arithmetic, and nothing else of Python.
"""

import ast
import math
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from html import escape
from importlib import import_module
from pkgutil import walk_packages
from types import ModuleType
from typing import Any

from overrides import kept
from overrides.facts import load

# What may be written: expressions. No name or attribute may begin with an underscore.
ARITHMETIC = {name: getattr(math, name) for name in ("sqrt", "log", "log2", "log10", "ceil", "floor", "pi", "comb")}
BUILTINS: dict[str, Any] = {f.__name__: f for f in (abs, dict, float, int, len, list, max, min, range, round, set, sum)}
PACKAGES = ("labs.models", "labs.workloads")
MODULES = ("labs.units", "labs.hardware")


@dataclass(frozen=True)
class Ambiguous:
    """A name that several modules define, each otherwise: it has to be written with its module."""

    modules: list[str]


@cache
def names() -> dict[str, Any]:
    """Modules by their last name; and each public name of theirs on its own where only one module defines it."""
    modules = _modules()
    owners: dict[str, list[tuple[str, Any]]] = {}
    for short, module in modules.items():
        for name, value in vars(module).items():
            if not name.startswith("_") and _defined(module, value):
                owners.setdefault(name, []).append((short, value))
    flat = {name: held[0][1] if _one(held) else Ambiguous([m for m, _ in held]) for name, held in owners.items()}
    return {"__builtins__": {}, "claim": claim} | ARITHMETIC | BUILTINS | flat | modules


def claim(key: str, part: str = "") -> Any:
    """The value of a quoted figure, so that a page can set ours against it: `=ours/claim('id','part')-1:percent`."""
    quoted = load("claims")[key]["value"]
    return quoted[part] if part else quoted


def _modules() -> dict[str, ModuleType]:
    found = [import_module(name) for name in MODULES]
    for package in map(import_module, PACKAGES):
        found += [package, *(import_module(m.name) for m in walk_packages(package.__path__, package.__name__ + "."))]
    return {module.__name__.rpartition(".")[2]: module for module in found}


def _defined(module: ModuleType, value: Any) -> bool:
    """A function or class belongs to the module that defines it, a constant to each that names it."""
    if isinstance(value, ModuleType):
        return False
    return not callable(value) or getattr(value, "__module__", module.__name__) == module.__name__


def _one(held: list[tuple[str, Any]]) -> bool:
    return all(value is held[0][1] for _, value in held)


def value(expression: str) -> Any:
    """ValueError: not an expression that may be written here; else whatever the models raise."""
    tree = ast.parse(expression.strip(), mode="eval")
    for node in ast.walk(tree):
        name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
        if name.startswith("_") or isinstance(node, ast.Lambda | ast.Await | ast.NamedExpr):
            raise ValueError(f"{ast.unparse(node)!r} may not be used here")
        if isinstance(node, ast.Name) and isinstance(held := names().get(name), Ambiguous):
            raise NameError(
                f"{name!r} is in several modules; write " + " or ".join(f"{m}.{name}" for m in held.modules)
            )
    return eval(compile(tree, "<page>", "eval"), dict(names()))


def remedy(wrong: Exception) -> str:
    """The nearest name there is, where an expression asks for one that there is not."""
    asked = getattr(wrong, "name", None)
    if not asked or not isinstance(wrong, AttributeError | NameError):
        return ""
    held = dir(wrong.obj) if isinstance(wrong, AttributeError) else names()
    near = get_close_matches(asked, [name for name in held if not name.startswith("_")], 1, 0.6)
    return f"; did you mean {near[0]!r}?" if near else ""


WAYS = ("both_bytes", "bandwidth_text", "seconds_text", "times_text", "percent", "number", "count", "plain")


def text(number: Any, spec: str) -> str:
    """`spec` is a unit of bytes, `auto_bytes`, another way of labs/units.py to write a number, or a Python format."""
    units = import_module("labs.units")
    if spec in units.SCALES or spec == "auto_bytes":
        return str(units.bytes_text(number, spec.removesuffix("_bytes")))
    if spec in WAYS:
        return str(getattr(units, spec)(number))
    known = ("auto_bytes", *WAYS, *units.SCALES)
    near = get_close_matches(spec, known, 1, 0.8)
    if near or len(spec) > 8:  # no Python format that a page needs
        meant = f"; did you mean {near[0]!r}? All" if near else ""
        raise ValueError(f"no way to write a number is called {spec!r}{meant}: {', '.join(known)}")
    try:
        return format(number, spec)
    except ValueError as wrong:
        raise ValueError(f"{wrong}; write one of {', '.join(known)}, or one of Python's, such as .1f") from None


def split(code: str) -> tuple[str, str]:
    """`expression:format`, where the last colon outside brackets divides; no format means `number`."""
    depth = 0
    for at in range(len(code) - 1, -1, -1):
        depth += (code[at] in ")]}") - (code[at] in "([{")
        if code[at] == ":" and depth == 0:
            return code[:at], code[at + 1 :]
    return code, "number"


def html(code: str) -> str:
    """The number as a reader sees it, its raw value and the expression that gave it."""

    def make() -> str:
        expression, spec = split(code)
        number = value(expression)
        shown = escape(text(number, spec))
        return f'<span class="nl-computed" data-value="{number!r}" title="{escape(expression)}">{shown}</span>'

    return kept.once("worked", (kept.code(), code), make)
