"""Devices and links as data: each constant stands here once, with its direction, its basis and its source.

*Throughout this module:*

| symbol      | meaning                                                                | unit                  |
|-------------|------------------------------------------------------------------------|-----------------------|
| bandwidth β | what one GPU (or one port) sends in one direction                      | bytes/s per direction |
| latency α   | what one message costs before its first byte; the course's assumption  | s                     |
| basis       | nominal (data sheet), effective (as a report states it), measured copy | –                     |

Data sheets quote NVLink in both directions together (900 GB/s on H100); here it is one direction (450 GB/s).
No source states an α that holds across systems: the two round figures below are assumed, and labelled so.
A source is an id of docs/data/sources.yml, a repository at a commit, or an arXiv number.
"""

from dataclasses import dataclass

from labs.units import GB, MIB, TB, TFLOP

INSIDE_NODE = 5e-6  # assumed α of a message that stays inside an NVLink domain or a host, s
BETWEEN_NODES = 10e-6  # assumed α of a message through a NIC, s

ML_ENGINEERING = "stas00/ml-engineering@744d01e18b79"
ISCA = "arXiv:2505.09343"  # Zhao et al. 2025, Insights into DeepSeek-V3


@dataclass(frozen=True)
class Link:
    """One kind of link, with the place in `source` where its bandwidth stands."""

    name: str
    title: str
    bandwidth: float
    latency: float
    basis: str
    source: str
    where: str

    @property
    def duplex(self) -> float:
        """Both directions together, as data sheets for NVLink print it, bytes/s."""
        return 2 * self.bandwidth


@dataclass(frozen=True)
class Device:
    """One accelerator: HBM capacity as sold in bytes, HBM bytes/s, dense BF16 flop/s."""

    name: str
    title: str
    capacity: float
    hbm_bandwidth: float
    bf16: float
    source: str = ML_ENGINEERING
    where: str = "compute/accelerator/README.md"


def _inside(name: str, title: str, gigabytes: float, basis: str, source: str, where: str) -> Link:
    return Link(name, title, gigabytes * GB, INSIDE_NODE, basis, source, where)


def _between(name: str, title: str, gigabytes: float, source: str, where: str) -> Link:
    return Link(name, title, gigabytes * GB, BETWEEN_NODES, "nominal", source, where)


_NVLINK, _PCIE = "network/README.md, NVLink table", "network/README.md, PCIe table"
_COPIES = "network/README.md, nvbandwidth"
_PORTS = "network/README.md, InfiniBand generations"

_ALL = (
    _inside("nvlink3_a100", "A100 NVLink 3", 300, "nominal", ML_ENGINEERING, _NVLINK),
    _inside("nvlink4_h100", "H100 NVLink 4", 450, "nominal", ML_ENGINEERING, _NVLINK),
    _inside("nvlink5_b200", "B200 NVLink 5", 900, "nominal", ML_ENGINEERING, _NVLINK),
    _inside("nvl72_gb200", "GB200 NVL72", 900, "nominal", ISCA, "§2.3.2"),
    _inside("h800_nvlink_nominal", "H800 NVLink", 200, "nominal", ISCA, "§4.1"),
    _inside("h800_nvlink_effective", "H800 NVLink", 160, "effective", "deepseek-v3", "§3.2.2"),
    _inside("h200_nvlink4_measured", "H200 NVLink 4", 396.4, "measured", ML_ENGINEERING, _COPIES),
    _between("ib_hdr_200", "InfiniBand HDR 200 Gb/s", 25, ML_ENGINEERING, _PORTS),
    _between("ib_ndr_400", "InfiniBand NDR 400 Gb/s", 50, "deepseek-v3", "§3.2.2"),
    _between("ib_xdr_800", "InfiniBand XDR 800 Gb/s", 100, ML_ENGINEERING, _PORTS),
    _between("roce_k2", "RoCE 400 Gb/s", 50, "kimi-k2", "§2.4.1"),
    _inside("pcie4_x16", "PCIe 4 ×16", 31, "nominal", ML_ENGINEERING, _PCIE),
    _inside("pcie5_x16", "PCIe 5 ×16", 63, "nominal", ML_ENGINEERING, _PCIE),
    _inside("pcie5_x16_measured", "PCIe 5 ×16", 55.43, "measured", ML_ENGINEERING, _COPIES),
    _inside("pcie6_x16", "PCIe 6 ×16", 121, "nominal", ML_ENGINEERING, _PCIE),
)  # GB/s in one direction

LINKS = {one.name: one for one in _ALL}

DEVICES = {
    one.name: one
    for one in (
        Device("a100", "A100 SXM", 80 * GB, 2.00 * TB, 312 * TFLOP),
        Device("h100", "H100 SXM", 80 * GB, 3.35 * TB, 989 * TFLOP),
        Device("h200", "H200 SXM", 141 * GB, 4.80 * TB, 989 * TFLOP),
        Device("b200", "B200 SXM", 180 * GB, 8.00 * TB, 2250 * TFLOP),
        Device("gb200", "GB200 SXM", 186 * GB, 8.00 * TB, 2500 * TFLOP),
        Device("b300", "B300 SXM", 288 * GB, 8.00 * TB, 2250 * TFLOP),
    )
}

H100_VISIBLE = 81_559 * MIB  # what nvidia-smi reports on an "80 GB" H100, bytes: 79.65 GiB


def link(name: str) -> Link:
    """The link of that name. KeyError: an unknown name, with those there are."""
    if name not in LINKS:
        raise KeyError(f"no link {name!r}; there are {', '.join(LINKS)}")
    return LINKS[name]
