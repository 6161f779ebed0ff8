"""CONTENT 09-D as calls; NumPy rounds FP16 and FP32 as an independent oracle."""

from math import inf, isnan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from labs.models.numerics import (
    BF16,
    E4M3,
    E5M2,
    FORMATS,
    FP16,
    FP32,
    accumulate,
    muon_gathered,
    muon_owned,
    scaled_bytes,
)  # fmt: skip


@pytest.mark.parametrize(
    ("format", "largest", "smallest"),
    [
        (E4M3, 448, 2**-9),
        (E5M2, 57344, 2**-16),
        (FP16, 65504, 2**-24),
        (BF16, 3.3895e38, 9.1835e-41),
        (FP32, float(np.finfo(np.float32).max), 2**-149),
    ],
)
def test_each_format_has_the_published_ends(format, largest, smallest):
    assert format.largest == pytest.approx(largest, rel=1e-4)
    assert format.smallest == pytest.approx(smallest, rel=1e-4)


def test_the_smallest_normal_number_of_bf16_is_that_of_fp32():
    assert BF16.smallest_normal == FP32.smallest_normal == pytest.approx(1.1755e-38, rel=1e-4)


@given(st.floats(min_value=-70000, max_value=70000))
def test_fp16_rounds_as_numpy_does(x):
    with np.errstate(over="ignore"):
        assert FP16.round(x) == float(np.float16(x))


@given(st.floats(width=64, min_value=-1e38, max_value=1e38))
def test_fp32_rounds_as_numpy_does(x):
    assert FP32.round(x) == float(np.float32(x))


@given(st.sampled_from(FORMATS), st.floats(min_value=-400, max_value=400))
def test_a_rounded_number_stays_where_it_is(format, x):
    assert format.round(format.round(x)) == format.round(x)


def test_overflow_is_infinite_where_the_format_has_infinity_and_nan_where_it_has_none():
    assert (FP16.round(65520), FP16.round(-65520), FP16.round(65519)) == (inf, -inf, 65504)
    assert isnan(E4M3.round(465)) and E4M3.round(463) == 448


def test_a_gradient_below_half_the_smallest_number_is_flushed_and_scaling_saves_it():
    assert FP16.round(2e-8) == 0
    assert FP16.round(2e-8 * 1024) == pytest.approx(2.05e-5, rel=0.01)
    assert 2e-8 * 1024 < FP16.smallest_normal


def test_bf16_loses_an_addend_of_one_part_in_512():
    assert BF16.round(1 + 2**-9) == 1


def test_a_bf16_sum_of_thousandths_stops_at_one_half_and_an_fp32_sum_does_not():
    assert accumulate(1e-3, 100_000, BF16) == 0.5
    assert accumulate(1e-3, 10_000, FP32) == pytest.approx(10, rel=1e-3)


def test_fp8_with_a_scale_a_tile_saves_less_than_half_of_bf16():
    assert scaled_bytes(1, 4, 128) == 1.03125
    assert 1 - scaled_bytes(1, 4, 128) / 2 == pytest.approx(0.484, abs=0.0005)


def test_owning_matrices_divides_what_a_rank_of_muon_receives_by_the_ranks():
    assert muon_gathered(1e9, 8) == 7 / 8 * 2e9
    assert muon_owned(1e9, 8) * 8 == muon_gathered(1e9, 8)
