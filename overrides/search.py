"""The theme's search index, one file a language: a page loads its own language's only, when a reader types.

The i18n plugin leaves one index of both languages, whose locations tell them apart.
"""

import json
import logging
from pathlib import Path

import jieba

from overrides.kept import CACHE

ROOTS = {"zh": "", "en": "en/"}
PLACE = "search/search_index.json"


def prepare() -> None:
    """The cutter of Chinese words keeps its dictionary in this folder, not where all users may write, and is silent."""
    CACHE.mkdir(exist_ok=True)
    jieba.dt.tmp_dir = str(CACHE)
    jieba.setLogLevel(logging.WARNING)


def split(site: Path, offline: bool) -> None:
    whole = json.loads((site / PLACE).read_text("utf-8"))
    for language, root in ROOTS.items():
        docs = [one for one in whole["docs"] if one["location"].startswith("en/") == (language == "en")]
        text = compact({"config": whole["config"], "docs": docs})
        path = site / root / PLACE
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        if offline:  # no page opened from a folder may fetch, but any may load a script
            path.with_suffix(".js").write_text(f"self.__index = {text}", "utf-8")


def compact(index: object) -> str:
    """UTF-8 instead of escapes, which cost Chinese twice the bytes."""
    return json.dumps(index, ensure_ascii=False, separators=(",", ":")).replace("\u2028", " ").replace("\u2029", " ")
