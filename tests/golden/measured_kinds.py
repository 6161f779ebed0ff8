"""Quoted measurements, read by name from the course's own claims, each with its source."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml

CLAIMS = Path(__file__).parents[2] / "docs" / "data" / "claims.yml"


def slug(text: str) -> str:
    """``EP 8 (max perf)`` → ``ep8-max-perf``: a number joins the word before it."""
    return re.sub(r"[^a-z0-9]+", "-", re.sub(r"(?<=[a-z]) (?=\d)", "", text.lower())).strip("-")


def name(inputs: dict[str, Any]) -> str:
    """The claim that a row of DeepEP's tables is: V1's rows have a type and a size, V2's a machine and a layout."""
    version = "v1" if "type" in inputs else "v2"
    words = [value if isinstance(value, str) else f"{key} {value}" for key, value in inputs.items()]
    return "-".join(["deepep", version, *map(slug, words)])


def measured(inputs: dict[str, Any]) -> Any:
    """The figures of one measured row; a row that is no claim, or a claim without a source, is an error."""
    claims = {claim["id"]: claim for claim in yaml.safe_load(CLAIMS.read_text(encoding="utf-8"))}
    claim = claims[name(inputs)]
    if not claim["source"] or not claim["place"]:
        raise ValueError(f"claim {claim['id']} has no source")
    return claim["value"]


KINDS = {"measured": measured}
