"""What a tensor costs to make again, against the list of the block and against counts of operations."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labs.models.activations import layer_bytes
from labs.models.blocks import llama
from labs.models.prices import even, prices, whole

SHAPE = {"s": st.integers(1, 1 << 17), "b": st.integers(1, 4), "h": st.sampled_from([1024, 4096, 8192]),
         "g": st.sampled_from([0.125, 0.25, 1.0]), "f": st.floats(1, 5)}  # fmt: skip


@given(**SHAPE)
def test_with_the_input_the_tensors_are_the_whole_list_of_the_block(s, b, h, g, f):
    kept = layer_bytes(llama(g, f), s * b * h)
    assert whole(prices(s, b, h, g, f)).size + 2 * s * b * h == pytest.approx(kept)


@given(**SHAPE)
def test_matrix_products_cost_two_flop_a_weight_and_token(s, b, h, g, f):
    """Q, K, V, output, gate and up; the down-projection is not needed again for this layer's backward."""
    found = prices(s, b, h, g, f)
    weights = h * h * (2 + 2 * g) + 2 * f * h * h
    assert sum(found[name].flop for name in ("qkv", "middle", "gate-up")) == pytest.approx(2 * weights * s * b)


@given(**SHAPE)
def test_flop_per_byte_are_a_few_or_the_width_or_the_length(s, b, h, g, f):
    found = prices(s, b, h, g, f)
    assert found["norms"].per_byte == 2 and found["product"].per_byte == pytest.approx(2.5)
    for name in ("qkv", "middle", "gate-up"):
        assert found[name].per_byte == pytest.approx(h)
    assert found["attention"].per_byte == pytest.approx(s)


@given(F=st.floats(1e12, 1e15), B=st.floats(1e9, 1e12), **SHAPE)
def test_below_the_line_making_again_is_quicker_than_a_trip(F, B, s, b, h, g, f):
    for one in prices(s, b, h, g, f).values():
        if one.per_byte < even(F, B) * 0.999:
            assert one.again(F) < one.trip(B)
        if one.per_byte > even(F, B) * 1.001:
            assert one.again(F) > one.trip(B)
