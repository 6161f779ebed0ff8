"""Uneven images on GPUs (11-C): what is packed, dealt whole, or cut."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labs.models.vision import cut, dealt, first_stage, ratio

SIZES = st.lists(st.integers(1, 10_000), min_size=1, max_size=60)


@given(SIZES, st.integers(1, 16))
def test_every_way_does_all_the_work(sizes, gpus):
    for loads in (first_stage(sizes, gpus), dealt(sizes, gpus), dealt(cut(sizes, 64), gpus)):
        assert len(loads) == gpus and sum(loads) == pytest.approx(sum(sizes))


def test_one_stage_takes_as_long_as_all_gpus_together():
    assert ratio(first_stage([100, 300, 50], 8)) == 8


@given(SIZES, st.integers(1, 16))
def test_dealing_exceeds_the_larger_of_mean_and_largest_by_a_third_at_most(sizes, gpus):
    most = max(dealt(sizes, gpus))
    two_to_a_gpu = sum(sorted(sizes, reverse=True)[gpus - 1 : gpus + 1]) if len(sizes) > gpus else 0
    assert most <= (4 / 3) * max(sum(sizes) / gpus, max(sizes), two_to_a_gpu) + 1e-9


@given(SIZES, st.integers(1, 500))
def test_no_piece_exceeds_the_bound_and_none_is_lost(sizes, most):
    pieces = cut(sizes, most)
    assert max(pieces) <= most and sum(pieces) == pytest.approx(sum(sizes))


def test_an_image_within_the_bound_stays_whole():
    assert cut([100, 200], 200) == [100, 200] and cut([201], 200) == [100.5, 100.5]
