"""Quoted measurements, read by name from the course's own claims, each with its source."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml

CLAIMS = Path(__file__).parents[2] / "docs" / "data" / "claims.yml"


def slug(text: str) -> str:
    """``EP 8 (max perf)`` → ``ep-8-max-perf``."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def name(inputs: dict[str, Any]) -> str:
    """The claims' common name: words stand alone, numbers after their key (``deepep-internode-ep-16``)."""
    words = [value if isinstance(value, str) else f"{key} {value}" for key, value in inputs.items()]
    return slug(" ".join(["deepep", *words]))


def measured(inputs: dict[str, Any]) -> dict[str, float]:
    """The figures of one measured row; a row without claims, or a claim without a source, is an error."""
    prefix = name(inputs) + "-"
    claims = yaml.safe_load(CLAIMS.read_text(encoding="utf-8"))
    row = {}
    for claim in claims:
        quantity = claim["id"].removeprefix(prefix)
        if quantity in ("dispatch", "combine", "sms"):
            if not claim["source"] or not claim["place"]:
                raise ValueError(f"claim {claim['id']} has no source")
            row[quantity + ("_GBps" if claim["unit"] == "GB/s" else "")] = claim["value"]
    if not row:
        raise KeyError(f"no claim named {prefix}*")
    return row


KINDS = {"measured": measured}
