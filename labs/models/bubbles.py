"""Published formulas for the idle time of a schedule, beside which the simulation is put.

They hold for equal stages and no communication time. `idle` gives None where a formula does not hold.

*Throughout this module:*
    p, m, v      ranks, micro-batches, stages a rank                              [megatron-3d §2.2]
    F, B_in, W   forward, input gradient, weight gradient of one rank's share     [zero-bubble §2: its B is our B_in]
    B            whole backward, B_in + W                                         [deepseek-v3 Table 2: its B]
    FB           a forward and a whole backward that run together                 [deepseek-v3 Table 2: F&B]
    idle         time a rank waits in one step, until the last rank is done
    span idle    the same until the rank's own last action, from its own first    [zero-bubble §5.1: its cost]
"""

from labs.models.schedules.times import Times


def flush_rel(p: int, m: int, v: int = 1) -> float:
    """Idle over useful of GPipe, 1F1B and, with v > 1, interleaved 1F1B [megatron-3d §2.2.1, §2.2.2]."""
    return (p - 1) / (m * v)


def flush_share(p: int, m: int) -> float:
    """Idle over total [gpipe §2.3]."""
    return (p - 1) / (m + p - 1)


def flush_idle(p: int, times: Times) -> float:
    """The same for GPipe and 1F1B, at any m [megatron-3d §2.2.1]."""
    return (p - 1) * times.whole


def interleaved_idle(p: int, m: int, v: int, times: Times) -> float:
    """(p−1)(F+B)/v; below one micro-batch a rank, each of the v−1 later chunks waits for the missing ones too."""
    return ((p - 1) + (v - 1) * max(0, p - m)) * times.whole / v


def h1_idle(p: int, times: Times) -> float:
    """(p−1)(F+B_in−W) [zero-bubble Table 2]; a W longer than F or B_in fills no more than the gap before it."""
    return (p - 1) * max(times.F + times.B_in - times.W, times.F, times.B_in)


def h1_span_idle(p: int, times: Times) -> float:
    return (p - 1) * max(times.F + times.B_in - times.W, times.B_in)


def h2_idle(p: int, times: Times) -> float:
    """End to end one F a rank longer than its longest span, since later ranks start later [golden conventions 5]."""
    return (p - 1) * max(times.F + times.B_in - 2 * times.W, times.F, times.B_in - times.F)


def h2_span_idle(p: int, times: Times) -> float:
    """(p−1)(F+B_in−2W), never below zero [zero-bubble Table 2]."""
    return (p - 1) * max(times.F + times.B_in - 2 * times.W, 0.0, times.B_in - times.F)


def dualpipe_idle(p: int, times: Times) -> float:
    """(p/2 − 1)(F&B + B − 3W) of the rank that waits longest; p counts stages [deepseek-v3 Table 2]."""
    return (p / 2 - 1) * (times.overlap * times.whole + times.back - 3 * times.W)


def chimera_idle(p: int, times: Times) -> float:
    """(p−2) of the longer of F and B, for m = p [chimera Table 2 at F = B; simulation for other times]."""
    return (p - 2) * max(times.F, times.back)


def hanayo_share(p: int, waves: int) -> float:
    """Idle over total at B = 2F, m = p, without communication, as a secondary text has it.

    The paper itself was not read; the placement in `schedules.waves` waits less: 15/63 for p = 8 and 2 waves.
    """
    return (2 * p - 2) / (3 * p * waves + p - 1)


def small_m_total(p: int, m: int, times: Times) -> tuple[float, float]:
    """Makespan of 1F1B and of any zero-bubble schedule for m ≤ p [zero-bubble Appendix H]."""
    return (m + p - 1) * times.whole, (m + p - 1) * (times.F + times.B_in) + times.W


def memory_plateau(p: int, times: Times) -> float:
    """Sets of activations beyond which more memory removes no more idle time [zero-bubble §5.4]."""
    return ((p - 1) * (times.B_in + 2 * times.comm) + p * times.F) / times.F


def leading_shares(p: int, m: int) -> dict[str, float]:
    """Idle over total at F = B_in = W, to leading order [zero-bubble, table in its repository's README]."""
    whole = flush_share(p, m)
    return {"1f1b": whole, "zb-h1": whole / 3, "zb-h2": 0.0, "zb-v": 0.0, "v-half": whole / 2, "v-min": 2 * whole / 3}


def idle(name: str, p: int, m: int, v: int, times: Times) -> float | None:
    """The formula of a schedule with the given times; None: there is none, or this is outside its range."""
    if times.comm or times.load:
        return None
    in_range = {
        "gpipe": True, "1f1b": True, "pipedream": True, "interleaved": True, "zb-h1": m >= p,
        "zb-h2": m >= 2 * p - 1, "dualpipe": m >= 2 * p and dualpipe_idle(p, times) >= 0, "chimera": m == p,
    }  # fmt: skip
    formulas = {
        "gpipe": flush_idle, "1f1b": flush_idle, "pipedream": flush_idle, "zb-h1": h1_idle,
        "zb-h2": h2_idle, "dualpipe": dualpipe_idle,
        "chimera": chimera_idle,
    }  # fmt: skip
    if not in_range.get(name, False):
        return None
    return interleaved_idle(p, m, v, times) if name == "interleaved" else formulas[name](p, times)


def peak_sets(name: str, p: int, m: int, v: int = 1) -> float | None:
    """The most sets of a rank's whole share that rank 0 holds [megatron-3d §2.2; zero-bubble Table 2]."""
    peaks = {
        "gpipe": m, "1f1b": min(p, m), "zb-h1": min(p, m), "zb-h2": min(2 * p - 1, m), "dualpipe": p + 1,
        "interleaved": min(p * (1 + (p - 1) / (p * v)), m),
    }  # fmt: skip
    return peaks.get(name)


def layer_costs(s: int, b: int, h: int, a: int) -> dict[str, float]:
    """FLOPs of F, B_in and W and bytes kept for B_in and for W, of one transformer layer [zero-bubble Table 1]."""
    tokens = s * b * h
    flops = {"F": tokens * (24 * h + 4 * s), "B": tokens * (24 * h + 8 * s), "W": tokens * 24 * h}
    return flops | {"M_B": tokens * (34 + 5 * a * s / h), "M_W": 32 * tokens}
