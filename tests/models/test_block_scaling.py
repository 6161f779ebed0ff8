"""What a shared scale and a short accumulator lose (09-C; deepseek-v3 §3.3.2); NumPy adds up as a witness."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from labs.models.block_scaling import NARROW, promoted, relative_error, sample, stored, zeros
from labs.models.numerics import E4M3, FP32, accumulate

MODEST = st.floats(-100, 100).filter(lambda x: abs(x) > 1e-6)


@given(st.lists(MODEST, min_size=1, max_size=200), st.integers(1, 64))
def test_the_largest_of_each_group_is_stored_exactly(values, group):
    back = stored(values, group)
    for at in range(0, len(values), group):
        most = max(map(abs, values[at : at + group]))
        assert max(map(abs, back[at : at + group])) == pytest.approx(most)


@given(st.lists(MODEST, min_size=1, max_size=100))
def test_a_number_with_a_scale_of_its_own_loses_nothing(values):
    assert stored(values, 1) == pytest.approx(values)


def test_an_outlier_of_ten_thousand_deviations_hardly_harms_e4m3():
    values = sample(2048, 1e4)
    assert relative_error(values, 2048) == pytest.approx(0.0271, abs=5e-4)
    assert relative_error(values, 128) == pytest.approx(0.0262, abs=5e-4)


def test_ten_times_larger_it_costs_one_scale_three_times_what_it_costs_tiles():
    values = sample(2048, 1e5)
    assert relative_error(values, 2048) / relative_error(values, 128) == pytest.approx(3.02, abs=0.01)


def test_at_a_million_one_scale_leaves_nearly_nothing_but_zeros():
    values = sample(2048, 1e6)
    assert zeros(values, 2048) > 0.97 and zeros(values, 128) < 0.07


def test_fourteen_bits_stop_at_32_and_promotion_every_128_does_not():
    assert promoted(1e-3, 65536, 65536) == accumulate(1e-3, 65536, NARROW) == 32
    assert promoted(1e-3, 65536, 128) == pytest.approx(65.536, rel=5e-4)


@given(st.integers(1, 500))
def test_promoting_every_addend_is_adding_in_fp32(count):
    total = np.float32(0)
    for _ in range(count):
        total += np.float32(NARROW.round(1e-3))
    assert promoted(1e-3, count, 1) == float(total)


def test_a_scale_of_zero_leaves_zeros():
    assert stored([0.0, 0.0], 2, E4M3) == [0.0, 0.0] and FP32.round(0.0) == 0
