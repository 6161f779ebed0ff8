"""A golden case: a published figure, its inputs, and the tolerance within which a model must meet it.

*Throughout:* ``wanted`` is the published value, ``got`` is ours; ``slug`` is the lab whose tests a case joins.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml


class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]  # libyaml is ten times faster
    """Reads `1e9` as a number, as people write it; YAML 1.1 wants a point, and a sign in the exponent."""


EXPONENT = re.compile(r"[-+]?\d+(\.\d*)?[eE][-+]?\d+$")
Loader.add_implicit_resolver("tag:yaml.org,2002:float", EXPONENT, list("-+0123456789"))

SLUGS = {"mem": "memory", "mesh": "mesh", "pp": "pipeline", "model": "models"}
SLUGS |= dict.fromkeys(("comm", "link", "moe"), "dispatch")

SEARCHED = {"zb_table5": ("ZB-1p", "ZB-2p"), "v_sched": ()}


@dataclass(frozen=True)
class Case:
    """One entry of a case file, as written there."""

    id: str
    kind: str
    inputs: dict[str, Any]
    wanted: Any
    abs_tol: Any
    rel_tol: Any
    recompute: bool
    source: str

    @property
    def name(self) -> str:
        """The test's name: ``memory-mem-zero-gpt2-states``, so that ``-k memory`` runs all of memory's."""
        prefix = self.id.split("-")[0]
        return f"{SLUGS.get(prefix, prefix)}-{self.id}"

    @property
    def searched(self) -> bool:
        """Whether the figure is the best that a search found, so that ours need only be no worse."""
        if self.kind not in SEARCHED:
            return False
        schedules = SEARCHED[self.kind]
        return not schedules or self.inputs.get("schedule") in schedules


def read(entry: dict[str, Any]) -> Case:
    """One YAML entry as a case; a missing field is a KeyError that names it."""
    expected = entry["expected"]
    return Case(
        id=str(entry["id"]),
        kind=str(entry["kind"]),
        inputs=entry["inputs"],
        wanted=expected["value"],
        abs_tol=expected.get("abs_tol"),
        rel_tol=expected.get("rel_tol"),
        recompute=bool(entry.get("recompute", True)),
        source=str(entry.get("source", "")),
    )


def load(path: Path) -> list[Case]:
    """The cases of one file, in its order."""
    return [read(entry) for entry in yaml.load(path.read_text(encoding="utf-8"), Loader)["cases"]]


PUBLIC = Path(__file__).with_name("cases.yml")
