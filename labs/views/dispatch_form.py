"""The controls and presets of the dispatch lab. Its four questions share one form; a style sheet shows what each needs.

`S` is the tokens of one rank; `seq` is the tokens of a whole sequence that `cp` ranks share.
"""

from labs.controls import Choice, Group, Number, Preset, Slider, Toggle
from labs.hardware import LINKS
from labs.models.collectives import COLLECTIVES
from labs.units import GIB, MIB

QUESTIONS = ("collective", "experts", "loads", "ring")
ALGORITHMS = ("ring", "direct", "tree", "doubling", "halving", "two_level")
POLICIES = ("dropless", "padded", "dropping", "replicated", "perfect")
FORMATS = ("fp8", "fp8_scales", "bf16")
NETWORKS = tuple(name for name in LINKS if name.startswith(("ib", "roce")))
LEAST, MOST = 1, 1e15  # bytes of a message


def powers(low: int, high: int) -> tuple[float, ...]:
    """2^low … 2^high."""
    return tuple(2.0**k for k in range(low, high + 1))


def whole(name: str, start: int, low: int, high: int, stops: tuple[float, ...]) -> Slider:
    return Slider(name, start, low, high, integer=True, stops=stops)


GROUPS = (
    Group("question", (Choice("mode", "collective", QUESTIONS),), open=True),
    Group("collective", (
        Choice("collective", "all_reduce", COLLECTIVES),
        Choice("algorithm", "ring", ALGORITHMS),
        Slider("message", GIB, LEAST, MOST, unit="B",
               stops=(64 * 1024, MIB, 16 * MIB, 64 * MIB, 256 * MIB, GIB, 4 * GIB, 16 * GIB, 64 * GIB)),
        whole("n", 8, 2, 16384, powers(1, 12)),
        whole("calls", 1, 1, 1_000_000, (1, 2, 5, 10, 20, 50, 160, 500, 1600, 5000, 16000)),
        Slider("overlap", 0, 0, 100, unit="%", stops=(0, 25, 50, 75, 90, 95, 100)),
    ), open=True),
    Group("experts", (
        Choice("policy", "dropless", POLICIES),
        Slider("skew", 0.3, 0, 1.5, stops=(0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1, 1.2, 1.5)),
        whole("K", 8, 1, 64, (1, 2, 4, 6, 8, 16, 32)),
        whole("E", 256, 1, 4096, (8, 16, 32, 64, 128, 160, 256, 384, 512, 896)),
        whole("R", 64, 1, 1024, powers(0, 9)),
        whole("S", 4096, 1, 1_048_576, powers(7, 14)),
        whole("M", 0, 0, 1024, (0, 1, 2, 3, 4, 8)),
    ), open=True),
    Group("row", (
        whole("width", 7168, 1, 65536, (2048, 3584, 4096, 5120, 7168, 8192)),
        Choice("dispatch", "bf16", FORMATS),
        Choice("combine", "bf16", FORMATS),
        Slider("factor", 1.25, 0.01, 64, stops=(1, 1.1, 1.25, 1.5, 2, 4)),
        Number("seed", 1, 0, 2**31 - 1, integer=True),
        Toggle("exact", shell=True),
    )),
    Group("loads", tuple(Number(f"load_{i}", rows, 0, 1e12) for i, rows in enumerate((100, 100, 100, 100))), open=True),
    Group("ring", (
        whole("seq", 131_072, 1, 1_073_741_824, powers(12, 20)),
        whole("cp", 8, 2, 1024, powers(1, 8)),
        Toggle("causal"),
        whole("hidden", 4096, 1, 65536, (2048, 4096, 5120, 7168, 8192, 16384)),
        whole("heads", 32, 1, 1024, (8, 16, 32, 64, 96, 128)),
        whole("kv_heads", 32, 1, 1024, (1, 2, 4, 8, 16, 32, 64)),
        Slider("tflops", 400, 1, 1e5, unit="TFLOP/s", stops=(100, 200, 400, 600, 989, 2250)),
    ), open=True),
    Group("link", (
        Choice("link", "nvlink4_h100", ("custom", *LINKS)),
        Number("alpha_us", 5, 0.01, 1e6, unit="µs"),
        Number("beta_gbs", 450, 0.001, 1e5, unit="GB/s"),
        Choice("outside", "ib_ndr_400", NETWORKS),
        whole("per_node", 8, 1, 576, (1, 2, 4, 8, 16, 32, 64)),
    ), open=True),
)  # fmt: skip

V3 = {"mode": "experts", "S": "4096", "K": "8", "E": "256", "R": "64", "width": "7168", "outside": "ib_ndr_400"}

PRESETS = (
    Preset("C1", {"message": "1073741824", "n": "8", "link": "nvlink4_h100"}),
    Preset("C2", {"message": "1073741824", "n": "64", "link": "ib_ndr_400", "overlap": "95"}),
    Preset("C3", {"message": "1e9", "n": "8", "link": "ib_ndr_400", "calls": "16000"}),
    Preset("C4", {"mode": "loads"}),
    Preset("C5", {"mode": "loads", "load_0": "160", "load_1": "100", "load_2": "80", "load_3": "60"}),
    Preset("C6", V3 | {"policy": "perfect"}),
    Preset("C7", V3 | {"M": "4"}),
    Preset("C8", {"mode": "ring", "seq": "131072", "cp": "8", "hidden": "4096", "link": "ib_ndr_400"}),
    Preset("C9", {"message": "1073741824", "n": "64", "algorithm": "two_level"}),
    Preset("C10", V3 | {"policy": "dropping", "skew": "0.5"}),
    Preset("C11", V3 | {"S": "8192", "K": "16", "E": "896", "width": "3584", "policy": "perfect", "skew": "0.5"}),
)
