"""Drawn tokens stand for all of them; every policy is asked about the same rows; a layer is kept while it stands."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labs.models.expert_layer import DRAWN, drawn, layer
from labs.refusal import BadValue


@given(st.integers(1, 10_000), st.integers(1, 1024))
def test_at_most_2048_tokens_are_drawn_and_each_rank_has_as_many(S, R):
    tokens = drawn(S, R, DRAWN)
    assert tokens <= DRAWN and tokens % R == 0 and tokens // R <= S


def test_all_tokens_are_drawn_where_they_are_few_or_asked_for():
    assert layer(16, 2, 8, 4, 0.3, 1).exact
    assert not layer(4096, 2, 8, 4, 0.3, 1).exact
    assert layer(4096, 2, 8, 4, 0.3, 1, most=4096 * 4).exact


@given(st.integers(1, 5000), st.integers(1, 8), st.floats(0, 1.2), st.integers(0, 9))
@settings(deadline=None, max_examples=20)
def test_scaled_rows_are_s_k_r_and_a_perfect_plan_has_s_k_on_every_rank(S, K, skew, seed):
    found = layer(S, K, 32, 8, skew, seed)
    assert found.rows == S * K * 8
    assert set(found.policies["perfect"].loads.rows) == {S * K}
    assert found.ratio(found.policies["perfect"]) == found.useful(found.policies["perfect"]) == 1


def test_a_layer_is_kept_while_its_inputs_stand():
    assert layer(4096, 8, 256, 64, 0.3, 1, 8) is layer(4096, 8, 256, 64, 0.3, 1, 8)


def test_padding_takes_its_capacity_and_is_useful_for_what_was_not_dropped():
    found = layer(4096, 8, 256, 64, 0.5, 1, factor=1.25)
    padded = found.policies["padded"]
    assert found.ratio(padded) == pytest.approx(1.25)
    assert found.useful(padded) == pytest.approx((1 - padded.dropped / found.rows) / 1.25)


def test_the_full_draw_and_the_sample_agree_within_chance():
    sample, full = layer(512, 4, 32, 8, 0.4, 3), layer(512, 4, 32, 8, 0.4, 3, most=4096)
    assert (sample.copies.tokens, full.copies.tokens) == (2048, 4096)
    by = [sorted(count / one.rows for count in one.counts) for one in (sample, full)]
    assert max(abs(a - b) for a, b in zip(*by, strict=True)) < 0.005


def test_received_bytes_are_those_of_the_busiest_rank_at_full_size():
    found = layer(4096, 8, 256, 64, 0.3, 1, 8)
    assert found.received(row=2) == max(found.copies.received) * 4096 * 64 / 2048 * 2


def test_ranks_that_do_not_divide_over_the_nodes_are_refused():
    with pytest.raises(BadValue) as refused:
        layer(16, 2, 30, 10, 0.3, 1, nodes=4)
    assert (refused.value.field, refused.value.rule, refused.value.nearest) == ("R", "ranks_per_node", (8, 12))
