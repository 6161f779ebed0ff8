"""Which rank holds which layers: even, uneven, interleaved, V-shaped."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labs.models.mesh_layers import interleaved, split, stages, v_shaped
from labs.refusal import BadValue


def test_p11_61_layers_on_16_stages_are_15_of_4_and_a_last_one_of_1() -> None:
    held = split(61, 16)
    assert held.counts == (4,) * 15 + (1,)
    assert held.uneven == (15,)


def test_p12_two_ranks_may_interleave() -> None:
    assert interleaved(8, 2, 2) == (((1, 2), (5, 6)), ((3, 4), (7, 8)))


def test_an_equal_split_has_no_uneven_stage() -> None:
    assert split(60, 15).counts == (4,) * 15
    assert split(60, 15).uneven == ()


def test_where_a_short_last_stage_would_be_empty_the_first_stages_are_longer() -> None:
    assert split(9, 8).counts == (2, 1, 1, 1, 1, 1, 1, 1)
    assert split(9, 8).uneven == (0,)


def test_the_heaviest_stage_counts_not_the_average() -> None:
    assert split(7, 3).heaviest == 3
    assert [len(stage) for stage in stages((1, 2, 2, 3))] == [1, 2, 2, 3]


def test_more_stages_than_layers_are_refused() -> None:
    with pytest.raises(BadValue, match="each stage needs a layer, and the model has 3") as refused:
        split(3, 4)
    assert (refused.value.field, refused.value.nearest) == ("pp", 3)


def test_a_v_puts_the_first_and_the_last_layers_on_one_rank() -> None:
    assert v_shaped(16, 4) == (((1, 2), (15, 16)), ((3, 4), (13, 14)), ((5, 6), (11, 12)), ((7, 8), (9, 10)))


def test_layers_that_chunks_do_not_divide_are_refused_with_the_neighbours() -> None:
    with pytest.raises(BadValue, match="the layers must divide into 8 equal chunks") as refused:
        interleaved(61, 4, 2)
    assert (refused.value.field, refused.value.nearest) == ("layers", (56, 64))


@given(st.integers(1, 8), st.integers(1, 4), st.integers(1, 4))
def test_every_layer_is_placed_once(p: int, v: int, each: int) -> None:
    layers = p * v * each
    placed = [layer for rank in interleaved(layers, p, v) for chunk in rank for layer in chunk]
    assert sorted(placed) == list(range(1, layers + 1))
    folded = [layer for rank in v_shaped(2 * p * each, p) for chunk in rank for layer in chunk]
    assert sorted(folded) == list(range(1, 2 * p * each + 1))


@given(st.integers(1, 200), st.integers(1, 64))
def test_a_split_hands_out_every_layer_and_leaves_no_stage_empty(layers: int, p: int) -> None:
    if layers < p:
        return
    held = split(layers, p)
    assert (sum(held.counts), len(held.counts)) == (layers, p)
    assert min(held.counts) >= 1
    assert held.heaviest == -(-layers // p)
