"""What answers the golden cases of communication and expert dispatch, each by calling a model of `labs`."""

from __future__ import annotations

from typing import Any

from labs import hardware
from labs.models import collectives, deepep, dispatch, moonep, sequence

Inputs = dict[str, Any]

SPELT = {
    "allgather": "all_gather",
    "reducescatter": "reduce_scatter",
    "allreduce": "all_reduce",
    "alltoall": "all_to_all",
    "bcast": "broadcast",
}
BUS = ("all_reduce", "reduce_scatter", "all_gather", "all_to_all", "broadcast", "reduce")


def named(algorithm: str) -> tuple[str, str]:
    """`ring_allreduce` → ("all_reduce", "ring"): the cases write algorithm and collective as one word."""
    for ending in (*SPELT, *collectives.COLLECTIVES):
        if algorithm.endswith("_" + ending):
            return SPELT.get(ending, ending), algorithm.removesuffix("_" + ending)
    raise LookupError(f"no collective in {algorithm!r}")


def busbw(i: Inputs) -> dict[str, float]:
    return {name: collectives.bus_factor(name, i["n"]) for name in BUS}


def ring_volume(i: Inputs) -> float:
    return collectives.cost(i["collective"], "ring", i["n"], i["bytes"], alpha=0, beta=1).sent


def alpha_beta(i: Inputs) -> float:
    collective, algorithm = named(i["algorithm"])
    return collectives.cost(collective, algorithm, i["p"], i["bytes"], i["alpha"], 1 / i["beta"]).time


def sb_ag(i: Inputs) -> float:
    return i["bytes"] / i["bandwidth"]  # the book's convention: bidirectional ring, (n−1)/n dropped


def nar_tp(i: Inputs) -> float:
    tensor = i["b"] * i["s"] * i["h"]
    return 4 * collectives.cost("all_reduce", "ring", i["t"], tensor, alpha=0, beta=1).sent


def nar_pp(i: Inputs) -> int:
    return i["b"] * i["s"] * i["h"]


def ulysses(i: Inputs) -> dict[str, float]:
    return {
        "ulysses": sequence.ulysses_elements(i["N"], i["h"], i["P"]),
        "megatron_sp": sequence.megatron_sp_elements(i["N"], i["h"]),
    }


def usp(i: Inputs) -> dict[str, float]:
    return {
        "ulysses": i["bs"] * sequence.ulysses_elements(i["L"], i["d"], i["N"], all_to_alls=8),
        "ring": sequence.ring_elements(i["L"], i["d"], i["bs"]),
    }


def v3_ib(i: Inputs) -> dict[str, float]:
    row = i["hidden"] * i["bytes_per_elem"] + i["scale_bytes"]
    copies = deepep.most_copies(i["topk"], i["nodes"])
    return {
        "node_limited": deepep.sent(i["tokens"], copies, row),
        "per_expert": deepep.sent(i["tokens"], i["topk"], row),
    }


def isca(i: Inputs) -> float:
    args = (i["tokens"], i["copies"], i["hidden"], i["bytes_dispatch"], i["bytes_combine"], i["bandwidth"])
    return deepep.exchange(*args) * 1e6


def isca_tpot(i: Inputs) -> float:
    return deepep.decoding_step(i["comm_us"] * 1e-6, i["layers"]) * 1e3


def deepep_ll(i: Inputs) -> dict[str, float]:
    fp8 = dispatch.payload(i["tokens"], i["topk"], dispatch.row_bytes(i["hidden"], 1, scales=True))
    bf16 = dispatch.payload(i["tokens"], i["topk"], dispatch.row_bytes(i["hidden"], 2))
    return {
        "dispatch_GBps": deepep.logical_bandwidth(fp8, i["dispatch_us"] * 1e-6) / 1e9,
        "combine_GBps": deepep.logical_bandwidth(bf16, i["combine_us"] * 1e-6) / 1e9,
    }


def deepep_llbuf(i: Inputs) -> int:
    return deepep.low_latency_buffer(i["tokens"], i["hidden"], i["experts"])


def v3_ratio(i: Inputs) -> dict[str, float]:
    return {
        "ratio": i["nvlink"] / i["ib"],
        "max_experts": round(deepep.reach(i["nvlink"], i["ib"], i["max_nodes"])),
    }


def route_limit(i: Inputs) -> dict[str, int]:
    return {
        "experts_per_device": moonep.bound(i["experts"], i["devices"]),
        "max_copies": deepep.most_copies(i["topk"], i["max_devices"]),
    }


def moonep_bounds(i: Inputs) -> dict[str, float]:
    slots = dispatch.Buffers(i["S"], i["K"], i["R"], row=1)
    return {
        "redundant_upper": moonep.bound(i["E"], i["R"]),
        "redundant_tight": moonep.tight(i["E"], i["R"]),
        "buffer_moonep": slots.balanced,
        "buffer_deepep_worst": slots.worst,
    }


def preset(i: Inputs) -> float:
    return hardware.link(i["preset"]).bandwidth


KINDS = {
    "busbw": busbw, "ring_volume": ring_volume, "alpha_beta": alpha_beta, "sb_ag": sb_ag, "nar_tp": nar_tp,
    "nar_pp": nar_pp, "ulysses": ulysses, "usp": usp, "v3_ib": v3_ib, "isca": isca, "isca_tpot": isca_tpot,
    "deepep_ll": deepep_ll, "deepep_llbuf": deepep_llbuf, "v3_ratio": v3_ratio, "route_limit": route_limit,
    "moonep": moonep_bounds, "preset": preset,
}  # fmt: skip
