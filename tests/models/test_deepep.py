"""DeepEP and DeepSeek-V3: buffers, what a bandwidth counts, and who holds which tokens."""

import pytest

from labs.models import deepep
from labs.refusal import BadValue


@pytest.mark.parametrize(("tokens", "gib"), [(2048, 35.55), (1856, 32.21), (1840, 31.94), (1536, 26.66)])
def test_c09_a_low_latency_buffer_of_448_experts_takes_tens_of_gib(tokens, gib):
    size = deepep.low_latency_buffer(tokens, 5120, 448)
    assert size / 2**30 == pytest.approx(gib, abs=0.01)
    assert size == pytest.approx(4 * 448 * tokens * (2 * 5120 + 5120 / 32), rel=1e-6)


def test_c09_without_the_64_redundant_experts_it_takes_30_47_gib():
    assert deepep.low_latency_buffer(2048, 5120, 384) / 2**30 == pytest.approx(30.47, abs=0.01)


def test_c08_half_of_what_two_nodes_print_never_crossed_the_wire():
    assert deepep.wire_bandwidth(43.24, 2) == pytest.approx(21.6, abs=0.05)


def test_c11_ranks_that_share_a_replica_share_its_tokens():
    assert deepep.tokens_a_rank(128, 8) == 16
    assert deepep.tokens_a_rank(128, 8) * 32 == 512


def test_c11_tokens_that_do_not_divide_over_a_replica_are_refused():
    with pytest.raises(BadValue) as refused:
        deepep.tokens_a_rank(100, 8)
    assert (refused.value.field, refused.value.nearest) == ("tokens", (96, 104))


def test_c18_a_combine_that_reduces_saves_one_all_reduce_in_each_moe_layer():
    assert (deepep.reductions(48, 24, False), deepep.reductions(48, 24, True)) == (96, 72)


def test_four_nodes_times_the_ratio_of_the_links_reach_12_8_experts():
    assert deepep.reach(160e9, 50e9, 4) == 12.8
