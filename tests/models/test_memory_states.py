"""Model states: each stage is the list of states it cuts, and one function cuts them all."""

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from labs.models.memory import CUT_FROM, STAGES, cut, fewest, largest, states, uneven
from labs.models.recipes import GRADIENTS, RECIPES, graded, with_variance
from labs.refusal import BadValue
from labs.units import GB

RANKS = st.integers(1, 4096)
PARAMS = st.floats(1, 1e13)
RECIPE = st.sampled_from(sorted(RECIPES))


@pytest.mark.parametrize(("zero", "wanted"), list(zip(STAGES, (112, 38.5, 26.25, 14), strict=True)))
def test_7b_on_8_ranks_takes_112_38_26_and_14_gb(zero, wanted):
    assert states(7e9, 8, zero).total / GB == wanted


@pytest.mark.parametrize(("zero", "wanted"), list(zip(STAGES, (1120, 293.1, 155.3, 17.5), strict=True)))
def test_70b_on_64_ranks_fits_80_gb_only_under_zero_3(zero, wanted):
    assert states(70e9, 64, zero).total / GB == pytest.approx(wanted, abs=0.05)


@pytest.mark.parametrize(("zero", "wanted"), list(zip(STAGES, (140, 48.125, 32.8125, 17.5), strict=True)))
def test_70b_in_8_shards_on_8_ranks_takes_140_48_33_and_17_5_gb(zero, wanted):
    assert states(70e9, 8, zero, shard=8).total / GB == wanted


@pytest.mark.parametrize(("zero", "wanted"), list(zip(STAGES, (120, 31.4, 16.6, 1.9), strict=True)))
def test_the_papers_figure_at_7_5b_and_64_ranks(zero, wanted):
    assert states(7.5e9, 64, zero).total / GB == pytest.approx(wanted, abs=0.05)


def test_fp32_main_gradients_make_6p_and_12p_over_n_of_the_distributed_optimizer():
    assert states(7e9, 8, 1, "fp32-gradients").total / GB == 52.5
    assert states(70e9, 8, 1, "fp32-gradients", shard=8).total / GB == 65.625


@pytest.mark.parametrize(
    ("recipe", "wanted"),
    [("fp16-adam", 16), ("fp32-gradients", 18), ("fp32-accumulation", 20), ("fsdp2", 16), ("bf16-moments", 14),
     ("muon", 14), ("weights-gradients", 6), ("frozen", 2), ("adam-8bit", 10.03125)],
)  # fmt: skip
def test_a_recipe_costs_its_bytes_per_parameter(recipe, wanted):
    assert RECIPES[recipe].total == wanted
    assert states(1, recipe=recipe).total == wanted


def test_adding_fp32_accumulation_costs_20p_and_replacing_the_gradient_18p():
    assert graded(RECIPES["fp16-adam"], "both").total == 20
    assert graded(RECIPES["fp16-adam"], "fp32").total == 18


def test_muons_companions_keep_a_variance():
    assert with_variance(RECIPES["muon"]).total == 18
    assert with_variance(RECIPES["fp16-adam"]) is RECIPES["fp16-adam"]
    assert with_variance(RECIPES["frozen"]).total == 2


def test_zero_2_never_falls_below_2p():
    assert states(1, 10**9, 2).total == pytest.approx(2, abs=1e-6)
    assert states(1, 10**9, 1).total == pytest.approx(4, abs=1e-6)


def test_70b_under_zero_3_fits_80_gb_from_14_ranks_on():
    assert fewest(70e9, 80e9, 3) == 14
    assert states(70e9, 13, 3).total > 80e9 >= states(70e9, 14, 3).total


def test_no_number_of_ranks_helps_what_a_stage_leaves_whole():
    assert fewest(70e9, 80e9, 2) is None
    assert fewest(4e9, 80e9, 0) == 1


@given(PARAMS, st.floats(1e9, 1e12), st.sampled_from(STAGES), RECIPE)
def test_the_fewest_ranks_are_enough_and_one_less_is_not(P, capacity, zero, recipe):
    ranks = fewest(P, capacity, zero, recipe)
    if ranks is None:
        assert states(P, 10**12, zero, recipe).total > capacity * (1 - 1e-9)
    else:
        assert states(P, ranks, zero, recipe).total <= capacity
        assert ranks == 1 or states(P, ranks - 1, zero, recipe).total > capacity


@pytest.mark.parametrize(("zero", "dp", "capacity", "wanted"), [(2, 64, 32e9, 14.4e9), (3, 64, 32e9, 128e9)])
def test_the_most_parameters_that_fit(zero, dp, capacity, wanted):
    assert largest(capacity, dp, zero) == pytest.approx(wanted, rel=0.01)


def test_kimi_k2_holds_28_gb_a_gpu_and_an_even_cut_of_the_printed_total_only_24():
    real = uneven(1014.7e9, 256, 11.7e9, 16, recipe="weights-gradients").total
    even = states(1.04e12, recipe="weights-gradients", shard=256).total
    assert (real / GB, even / GB) == (pytest.approx(28.17, abs=0.005), 24.375)
    assert 2 * real / GB == pytest.approx(56.3, abs=0.05)  # DualPipe keeps two copies


@given(PARAMS, RANKS, st.sampled_from(STAGES), RECIPE)
def test_doubling_the_ranks_halves_what_a_stage_cuts_and_leaves_the_rest(P, dp, zero, recipe):
    once, twice = states(P, dp, zero, recipe), states(P, 2 * dp, zero, recipe)
    for name, stage in CUT_FROM.items():
        ratio = 0.5 if zero >= stage else 1
        assert getattr(twice, name) == pytest.approx(ratio * getattr(once, name))


@given(PARAMS, st.integers(2, 4096), RECIPE)
def test_each_stage_keeps_no_more_than_the_one_before(P, dp, recipe):
    totals = [states(P, dp, zero, recipe).total for zero in STAGES]
    assert totals == sorted(totals, reverse=True)


@given(PARAMS, RANKS, st.sampled_from(STAGES), RECIPE)
def test_what_all_ranks_hold_of_a_cut_state_is_one_whole_copy(P, dp, zero, recipe):
    one, whole = states(P, dp, zero, recipe), states(P, 1, 0, recipe)
    for name, stage in CUT_FROM.items():
        copies = 1 if zero >= stage else dp
        assert dp * getattr(one, name) == pytest.approx(copies * getattr(whole, name))


@given(PARAMS, RANKS, st.sampled_from(STAGES), RECIPE)
def test_numpy_sums_the_same_ledger(P, dp, zero, recipe):
    one = RECIPES[recipe]
    each = numpy.array([one.weights, one.gradients, one.accumulation, one.master, one.momentum, one.variance])
    from_stage = numpy.array([3, 2, 2, 1, 1, 1])
    total = float(numpy.dot(each, numpy.where(zero >= from_stage, P / dp, P)))
    assert states(P, dp, zero, recipe).total == pytest.approx(total)


@given(PARAMS, RANKS, st.sampled_from((2, 3)))
def test_gradients_kept_whole_are_not_cut(P, dp, zero):
    assert states(P, dp, zero, whole_gradients=True).gradients == 2 * P


def test_a_cut_shares_evenly():
    assert cut(12, 8) == 1.5


def test_an_unknown_stage_or_recipe_is_refused_by_name():
    with pytest.raises(BadValue) as refused:
        states(7e9, zero=4)
    assert refused.value.field == "zero"
    with pytest.raises(BadValue) as refused:
        states(7e9, recipe="adagrad")
    assert refused.value.field == "recipe" and "fp16-adam" in str(refused.value)


@pytest.mark.parametrize("gradients", [width for width in GRADIENTS if width != "fp32"])
def test_fsdp2_has_no_16_bit_gradient_at_rest(gradients):
    with pytest.raises(BadValue, match="gradients"):
        graded(RECIPES["fsdp2"], gradients)
