"""An all-reduce in two levels (Fix-A1, Fix-A2, Fix-C13; reports/courses R14)."""

from hypothesis import given
from hypothesis import strategies as st

from labs.hardware import link
from labs.models.collectives import cost
from labs.models.two_level import flat_ring_through_nics, two_level

GIB = 2**30


def ms(seconds, digits=2):
    return round(seconds * 1e3, digits)


def test_the_phases_inside_a_node_work_on_the_whole_message_and_only_the_middle_one_on_a_gth():
    phases = two_level(1.0, 8, 8, link("nvlink4_h100"), link("ib_ndr_400"))
    assert (phases.scatter.sent, phases.outside.sent, phases.gather.sent) == (7 / 8, 2 * 7 / 8 / 8, 7 / 8)


def test_one_gib_over_8_nodes_of_8_takes_9_1_ms_where_a_single_nic_ring_takes_43_5():
    phases = two_level(GIB, 8, 8, link("nvlink4_h100"), link("ib_ndr_400"))
    transfers = [ms(phase.transfer, 1) for phase in (phases.scatter, phases.outside, phases.gather)]
    assert transfers == [2.1, 4.7, 2.1]
    assert ms(phases.time, 1) == 9.1


def test_7b_gradients_send_3_06_gb_through_each_nic_in_two_levels_and_3_45_in_a_flat_ring():
    phases = two_level(14e9, 8, 8, link("nvlink4_h100"), link("ib_ndr_400"))
    assert round(phases.sent_outside / 1e9, 2) == 3.06
    assert (ms(phases.outside.transfer, 0), ms(phases.scatter.transfer, 0)) == (61, 27)
    flat = flat_ring_through_nics(14e9, 64, nics=8)
    assert (round(flat / 1e9, 2), ms(flat / 50e9, 0)) == (3.45, 69)


@given(st.integers(1, 16), st.integers(1, 16), st.floats(1, 1e12))
def test_two_levels_send_no_more_through_a_nic_than_a_ring_of_all_ranks(G, k, message):
    phases = two_level(message, G, k, link("nvlink4_h100"), link("ib_ndr_400"))
    assert phases.sent_outside <= cost("all_reduce", "ring", G * k, message, 0, 1).sent * (1 + 1e-12)
