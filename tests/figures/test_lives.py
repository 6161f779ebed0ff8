"""Figures of order and of lives: the same work in another order, and who holds what in the meantime."""

import re

import pytest

from labs.figures import draw
from labs.words import LANGUAGES


def test_inside_a_rank_the_longest_first_end_sooner_with_the_same_rows():
    shown = str(draw("lanes", "en"))
    by_number, longest = (int(n) for n in re.findall(r'nl-figure-title">[^<]*done after (\d+) rows', shown))
    assert longest < by_number
    rows = [int(n) for n in re.findall(r"expert \d+, (\d+) rows", shown)]
    assert sum(rows) == 2 * 256


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_given_up_is_paler_than_what_is_held(language):
    """KV and sandbox begin and end full, and between them hold less and less."""
    hues = re.findall(r'class="(?:context|recovery)( shade-\d)?"', draw("two-lives", language))
    assert hues == ["", " shade-4", " shade-1", ""] * 2


@pytest.mark.parametrize("language", LANGUAGES)
def test_under_dep_vision_holds_activations_at_the_ends_of_a_step_only(language):
    drawing = draw("vision-step", language)
    held = re.findall(r'width="([\d.]+)%"[^>]*class="activation kept"', drawing)
    assert float(held[0]) > 95 and float(held[1]) < 30 and len(held) == 2
    assert drawing.count('class="activation recomputed"') == 1
