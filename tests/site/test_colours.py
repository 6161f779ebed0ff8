"""Nine hues that keep apart for every kind of eye, and can be read on the paper of either palette."""

import math
import re
from itertools import combinations
from pathlib import Path

import pytest

from labs.draw.theme import LEDGERS, PARTS

LABS = Path("overrides/assets/labs/labs.css").read_text("utf-8")
SITE = Path("overrides/assets/site/site.css").read_text("utf-8")
PALETTES = ("default", "slate")
# Machado, Oliveira and Fernandes 2009, severity 1.0, on linear RGB.
BLIND = {
    "no": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.01182, 0.04294, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.3039)),
}


def colours(palette):
    """The custom properties that are colours, of both style sheets."""
    blocks = re.findall(rf'\[data-md-color-scheme="{palette}"\] \{{([^}}]*)\}}', SITE + LABS)
    return dict(re.findall(r"--nl-([\w-]+): (#[0-9a-f]{6});", "".join(blocks)))


def linear(colour):
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]


def contrast(one, other):
    light, dark = sorted(
        (0.2126 * r + 0.7152 * g + 0.0722 * b for r, g, b in (linear(one), linear(other))), reverse=True
    )
    return (light + 0.05) / (dark + 0.05)


def oklab(rgb):
    """Björn Ottosson's OKLab: distances in it are about as large as they look."""
    r, g, b = rgb
    lms = (
        0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b,
        0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b,
        0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b,
    )
    x, y, z = (math.cbrt(part) for part in lms)
    return (
        0.2104542553 * x + 0.793617785 * y - 0.0040720468 * z,
        1.9779984951 * x - 2.428592205 * y + 0.4505937099 * z,
        0.0259040371 * x + 0.7827717662 * y - 0.808675766 * z,
    )


def seen(colour, matrix):
    return oklab([max(0, sum(a * b for a, b in zip(row, linear(colour), strict=True))) for row in matrix])


@pytest.mark.parametrize("palette", PALETTES)
@pytest.mark.parametrize("ledger", LEDGERS)
def test_a_ledger_can_be_read_as_text_on_the_paper_and_on_its_wash(palette, ledger):
    has = colours(palette)
    assert contrast(has[ledger], has["paper"]) >= 4.5
    assert contrast(has[ledger], has["wash"]) >= 4.5


@pytest.mark.parametrize("palette", PALETTES)
@pytest.mark.parametrize("ink", ["text", "soft", "link", "good", "warn", "bad"])
def test_every_ink_can_be_read(palette, ink):
    has = colours(palette)
    assert contrast(has[ink], has["paper"]) >= 4.5
    assert contrast(has[ink], has["wash"]) >= 4.5


@pytest.mark.parametrize("palette", PALETTES)
def test_what_changed_can_still_be_read(palette):
    assert contrast(colours(palette)["text"], colours(palette)["changed"]) >= 4.5


@pytest.mark.parametrize("eyes", BLIND)
@pytest.mark.parametrize("palette", PALETTES)
def test_no_two_ledgers_look_alike(palette, eyes):
    has = {ledger: seen(colours(palette)[ledger], BLIND[eyes]) for ledger in LEDGERS}
    near = {(a, b): round(math.dist(has[a], has[b]), 3) for a, b in combinations(LEDGERS, 2)}
    assert min(near.values()) >= 0.04, min(near, key=near.get)


def test_the_style_sheet_knows_every_ledger_and_every_part():
    for ledger in LEDGERS:
        assert f".{ledger} {{ --hue: var(--nl-{ledger}); }}" in LABS
    shaded = set(re.findall(r"\.(\w+)", LABS))
    assert {part for parts in PARTS.values() for part in parts} - shaded <= set(PARTS["parallel"])


def test_paper_is_light_whatever_the_screen_is():
    for sheet in (SITE, LABS):
        assert re.findall(r'(.*)\n\[data-md-color-scheme="slate"\]', sheet) == ["@media screen {"]
