"""CONTENT 13-D as calls, and the interval that loses least found by search."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labs.models.recovery import (
    checkpoint_bytes,
    daly,
    lost,
    pause_share,
    resharded_bytes,
    write_seconds,
    young,
)  # fmt: skip

HOUR, DAY = 3600, 86400


def test_a_minute_of_checkpoint_and_eight_hours_between_failures_want_31_minutes():
    assert young(60, 8 * HOUR) == pytest.approx(1859, abs=0.5)


def test_llama_3s_rate_of_failures_loses_a_tenth_half_of_it_writing():
    M = 54 * DAY / 419
    assert M == pytest.approx(3.09 * HOUR, rel=0.002)
    τ = young(60, M)
    assert τ == pytest.approx(19.3 * 60, rel=0.002)
    shares = lost(τ, 60, M)
    assert shares.checkpoint == pytest.approx(0.052, abs=0.0005) == shares.rework
    assert shares.total == pytest.approx(0.104, abs=0.0005)


@given(st.floats(min_value=1, max_value=600), st.floats(min_value=6000, max_value=1e6), st.floats(0.2, 5))
def test_no_other_interval_loses_less_than_youngs(δ, M, factor):
    τ = young(δ, M)
    assert lost(τ, δ, M).total <= lost(τ * factor, δ, M).total + 1e-12


def test_dalys_interval_nears_youngs_less_the_checkpoint_when_failures_are_rare():
    assert daly(60, 1e9) == pytest.approx(young(60, 1e9) - 60, rel=1e-3)
    assert daly(60, 20) == 20


def test_a_checkpoint_of_7b_is_98_gb_and_eight_writers_share_it():
    assert checkpoint_bytes(7e9) == 98e9
    assert write_seconds(98e9, 2e9, writers=8) == pytest.approx(6.125)


@pytest.mark.parametrize(("before", "after", "share"), [(8, 8, 0), (1, 2, 0.5), (2, 1, 0.5), (4, 8, 0.875)])
def test_resharding_moves_what_no_longer_lies_on_its_rank(before, after, share):
    owner = [(i * before // 8, i * after // 8) for i in range(8)]
    assert resharded_bytes(8, before, after) == sum(a != b for a, b in owner) == pytest.approx(8 * share)


def test_pausing_around_a_wait_of_thirty_seconds_costs_under_a_percent():
    assert pause_share(0.133, 0.049, 30) == pytest.approx(0.006, abs=0.0002)
