"""A column of a page's table asks for the room of what a reader sees in it, not of what was written there."""

import re

import pytest
from markdown import Markdown

from overrides.tables import read


def asked(*rows: str) -> list[float]:
    head = "|" + " |" * rows[0].count("|") + "\n|" + " - |" * rows[0].count("|")
    text = Markdown(extensions=["tables", "overrides.tables"]).convert("\n".join([head, *("| " + row for row in rows)]))
    return [float(em) for em in re.findall(r'style="min-width:([\d.]+)em"', text)]


@pytest.mark.parametrize(
    ("written", "seen"),
    [
        ('[ZeRO](reading/zero.md "Rajbhandari et al.: (ZeRO)"){.nl-cite}', "ZeRO"),
        ("<span>30 GB</span><small popover>where it stands</small>", "30 GB"),
        (r"**total** $\alpha_t$", "total t"),
    ],
)
def test_addresses_origins_and_marks_are_not_seen(written, seen):
    assert read(written) == seen


def test_each_column_is_asked_for_its_own_longest_text():
    short, long = asked("02 | a sentence that would be a tower of single words on a telephone |", "3 | b |")
    assert short < 4 < long
