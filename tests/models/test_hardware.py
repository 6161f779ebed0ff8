"""Links and devices: one direction, one place, one source each."""

import pytest

from labs import hardware
from labs.hardware import DEVICES, LINKS, link


def test_nvlink_is_entered_per_direction_and_its_duplex_is_what_data_sheets_print():
    assert (link("nvlink4_h100").bandwidth, link("nvlink4_h100").duplex) == (450e9, 900e9)


def test_nvlink_lies_between_100_and_2000_gb_per_second():
    speeds = [one.bandwidth for name, one in LINKS.items() if "nvl" in name]
    assert len(speeds) == 7
    assert 100e9 <= min(speeds) and max(speeds) <= 2000e9


def test_every_constant_names_its_source_and_its_place():
    assert [one.name for one in (*LINKS.values(), *DEVICES.values()) if not (one.source and one.where)] == []


def test_a_measured_copy_reaches_88_percent_of_its_link():
    assert round(link("h200_nvlink4_measured").bandwidth / link("nvlink4_h100").bandwidth, 2) == 0.88
    assert round(link("pcie5_x16_measured").bandwidth / link("pcie5_x16").bandwidth, 2) == 0.88


def test_a_400_gigabit_port_carries_50_gb_per_second():
    assert {link(name).bandwidth for name in ("ib_ndr_400", "roce_k2")} == {400e9 / 8}


def test_an_80_gb_h100_shows_79_65_gib():
    assert round(hardware.H100_VISIBLE / 2**30, 2) == 79.65


def test_a_link_that_leaves_the_node_costs_twice_the_latency():
    assert {one.latency for name, one in LINKS.items() if name.startswith(("ib", "roce"))} == {10e-6}
    assert {one.latency for name, one in LINKS.items() if not name.startswith(("ib", "roce"))} == {5e-6}


def test_an_unknown_link_is_refused_by_name():
    with pytest.raises(KeyError, match="no link 'nvlink9'; there are nvlink3_a100"):
        link("nvlink9")
