"""Where two published figures disagree, both are there under the name of their convention."""

import pytest

from labs.models.bubbles import flush_rel, flush_share
from labs.models.conventions import FIGURES, published
from labs.models.zero_traffic import traffic
from labs.refusal import BadValue
from labs.units import GIB


@pytest.mark.parametrize(
    ("figure", "convention", "wanted", "digit"),
    [
        ("zero-2-states", "document", 15.93 * GIB, 0.005 * GIB),
        ("zero-2-states", "code", 11.28 * GIB, 0.005 * GIB),
        ("extra-activations", "text", 0.0001, 0),
        ("extra-activations", "formula", 0.0057, 0.00005),
        ("kimi-k2-total", "printed", 1.04e12, 0),
        ("kimi-k2-total", "counted", 1.0264e12, 0.00005e12),
        ("kimi-k2-active", "text", 32e9, 0),
        ("kimi-k2-active", "table", 32.6e9, 0),
        ("deepseek-v3-active", "readme", 36.7e9, 0),
        ("deepseek-v3-active", "head-only", 36.63e9, 0.005e9),
        ("deepseek-v3-active", "both-tables", 37.55e9, 0.005e9),
        ("gpt-3-total", "printed", 175.0e9, 0),
        ("gpt-3-total", "counted", 174.60e9, 0.005e9),
        ("llama-3-405b-total", "paper", 405_845_000_192, 0),
        ("llama-3-405b-total", "checkpoint", 405_853_388_800, 0),
        ("kimi-k3-total", "text", 2.8e12, 0),
        ("kimi-k3-total", "table", 2.78e12, 0),
        ("kimi-k3-active", "text", 104e9, 0),
        ("kimi-k3-active", "table", 104.2e9, 0),
    ],
)
def test_either_figure_can_be_asked_for_by_name(figure, convention, wanted, digit):
    assert published(figure, convention).value == pytest.approx(wanted, rel=0, abs=digit)


def test_the_conventions_of_a_figure_disagree():
    for figure, conventions in FIGURES.items():
        values = [published(figure, convention).value for convention in conventions]
        assert len(set(values)) == len(values) > 1


def test_idle_time_is_given_over_useful_and_over_all_time():
    assert (flush_rel(8, 32), round(flush_share(8, 32), 4)) == (0.21875, 0.1795)


def test_zero_volumes_are_given_as_the_paper_counts_and_as_a_ring_sends():
    moved = traffic(7.5e9, 8, 3)
    assert (moved.elements / 7.5e9, moved.sent / 7.5e9) == (3, 3 * 2 * 7 / 8)


@pytest.mark.parametrize(
    ("figure", "convention", "field"), [("gpt-4-total", "printed", "figure"), ("gpt-3-total", "code", "convention")]
)
def test_what_was_never_published_is_refused_with_what_was(figure, convention, field):
    with pytest.raises(BadValue) as refused:
        published(figure, convention)
    assert refused.value.field == field and refused.value.facts["options"]
