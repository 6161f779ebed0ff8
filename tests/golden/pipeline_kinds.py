"""The kinds of the pipeline cases: a published schedule is simulated, a published formula is asked for by name."""

from collections.abc import Mapping
from typing import Any

from labs.models import bubbles
from labs.models.pipeline import Slots, simulate
from labs.models.schedules import BY_TORCH_NAME, Times, automatic, held, plan, stages_a_rank
from tests.golden.compare import Searched

Inputs = Mapping[str, Any]


def table2_times(i: Inputs) -> Times:
    """Zero Bubble's letters: its B leaves the weight gradient out."""
    return Times(i["T_F"], i["T_B"], i["T_W"], comm=i.get("T_comm", 0.0))


def v3_times(i: Inputs) -> Times:
    """DeepSeek's letters: its B is the whole backward."""
    return Times(i["F"], i["B_full"] - i["W"], i["W"], FB=i["F_and_B"])


def chunk_times(i: Inputs) -> Times:
    """torch_schedules.json counts the time of one chunk; a rank's share is v of them."""
    v = i["v"]
    return Times(v * i["F"], v * i["I"], v * i["W"], B=v * i["B"])


def zb_table2(i: Inputs) -> dict[str, float]:
    p, times = i["p"], table2_times(i)
    return {
        "bubble_1f1b": bubbles.flush_idle(p, times),
        "bubble_h1": bubbles.h1_span_idle(p, times),
        "bubble_h2": bubbles.h2_span_idle(p, times),
        "peak_1f1b": max(plan("1f1b", p, 2 * p).peak),
        "peak_h1": max(plan("zb-h1", p, 2 * p).peak),
        "peak_h2": max(plan("zb-h2", p, 2 * p).peak),
    }


def zb_worker_mem(i: Inputs) -> dict[str, list[float]]:
    p = i["p"]
    graphs = {key: plan(f"zb-{key}", p, 2 * p).graph for key in ("h1", "h2")}
    return {key: list(held.peak_bytes(graph, i["M_B"], i["M_W"])) for key, graph in graphs.items()}


def zb_small_m(i: Inputs) -> dict[str, float]:
    slots = {name: simulate(plan(name, i["p"], i["m"]).graph, table2_times(i)) for name in ("1f1b", "zb-h1")}
    return {"one_f_one_b": slots["1f1b"].makespan, "zb": slots["zb-h1"].makespan}


def bubble_frac(i: Inputs) -> dict[str, float]:
    return {"over_ideal": bubbles.flush_rel(i["p"], i["m"]), "over_total": bubbles.flush_share(i["p"], i["m"])}


def zb_readme(i: Inputs) -> dict[str, float]:
    theirs = {"1f1b": "1F1B", "zb-h1": "ZB1P", "zb-h2": "ZB2P", "zb-v": "ZBV", "v-half": "V-Half", "v-min": "V-Min"}
    return {theirs[name]: share for name, share in bubbles.leading_shares(i["p"], i["m"]).items()}


def dualpipe_table(i: Inputs) -> dict[str, dict[str, float]]:
    """PP counts stages; DualPipeV holds two of them a rank, which is twice the parameters of one."""
    pp, times = i["PP"], v3_times(i)
    idle = {"1F1B": bubbles.flush_idle(pp, times), "ZB1P": bubbles.h1_span_idle(pp, times)}
    idle |= dict.fromkeys(("DualPipe", "DualPipeV"), bubbles.dualpipe_idle(pp, times))
    ours = {"1F1B": "1f1b", "ZB1P": "zb-h1", "DualPipe": "dualpipe", "DualPipeV": "dualpipev"}
    rows = {}
    for theirs, name in ours.items():
        ranks = pp // stages_a_rank(name, 1)
        graph = plan(name, ranks, 2 * pp).graph
        stages = held.copies(graph) * pp / ranks
        act = max(held.peak_sets(graph))
        rows[theirs] = {"bubble": idle[theirs], "params": stages, "act": act, "devices": ranks}
    return rows


def torch_schedule(i: Inputs) -> dict[str, float]:
    name, p, m, v = BY_TORCH_NAME[i["schedule"]], i["p"], i["m"], i["v"]
    graph = plan(name, p, m, v).graph
    slots = simulate(graph, chunk_times(i))
    return {
        "makespan": slots.makespan,
        "bubble": slots.bubble,
        "max_stage_span": slots.span,
        "peak_until_input_grad": max(held.peak_sets(graph, "input")),
        "peak_until_weight_grad": max(held.peak_sets(graph, "weight")),
    }


def dualpipe_sim(i: Inputs) -> dict[str, float]:
    p, m = i["p"], i["m"]
    ours = plan("dualpipe", p, m)
    slots = simulate(ours.graph, v3_times(i))
    forwards = sum(part.letter == "F" for action in ours.schedule[0] for part in action.parts)
    return {"total": slots.makespan, "idle_per_rank": slots.bubble, "forward_slots": forwards, "peak": max(ours.peak)}


def chimera(i: Inputs) -> float:
    return simulate(plan("chimera", i["D"], i["N"]).graph, Times(i["t_f"], i["t_b"] / 2, i["t_b"] / 2)).r_share


def zb_table5(i: Inputs) -> float | Searched:
    """Their rate: what the longest stay of one rank exceeds its own work by, over that stay."""
    p, times, limit = i["p"], table2_times(i), i.get("M_limit_in_pM_B", 1)
    graph = plan(TABLE5[i["schedule"]], p, i["m"], i.get("v", 1), times, limit).graph
    rate = span_rate(simulate(graph, times))
    if "M_limit_in_pM_B" not in i:
        return rate
    return Searched(rate, peak=max(held.peak_bytes(graph, 1, automatic.KEPT)), limit=limit * p + 1e-9)


def span_rate(slots: Slots) -> float:
    return (slots.span - max(slots.busy)) / slots.span


TABLE5 = {
    "1F1B": "1f1b",
    "1F1B-I": "interleaved",
    "ZB-H1": "zb-h1",
    "ZB-H2": "zb-h2",
    "ZB-1p": "zb-auto",
    "ZB-2p": "zb-auto",
}


def v_sched(i: Inputs) -> dict[str, float]:
    """Their cost is a chunk's actions on the longest stay of one rank; 1F1B's own peak is p stages of two chunks."""
    p, m, cost = i["p"], i["m"], i["chunk_cost"]
    graph = plan({"V-Min": "v-min", "V-Half": "v-half", "V-ZB": "zb-v"}[i["mode"]], p, m).graph
    slots = simulate(graph, Times(2 * cost, 2 * cost, 2 * cost))
    return {
        "cost": slots.span,
        "bubble_rate": span_rate(slots),
        "peak_chunk_activations": max(held.peak_sets(graph, "weight")),
        "one_f_one_b_chunk_activations": 2 * max(plan("1f1b", p, m).peak),
    }


KINDS = {
    "bubble_frac": bubble_frac,
    "bubble_frac_v": lambda i: bubbles.flush_rel(i["p"], i["m"], i["v"]),
    "chimera": chimera,
    "dualpipe_sim": dualpipe_sim,
    "dualpipe_table": dualpipe_table,
    "hanayo": lambda i: bubbles.hanayo_share(i["P"], i["W"]),
    "torch_schedule": torch_schedule,
    "v_sched": v_sched,
    "zb_plateau": lambda i: bubbles.memory_plateau(i["p"], table2_times({"T_W": 0.0} | dict(i))),
    "zb_readme": zb_readme,
    "zb_small_m": zb_small_m,
    "zb_table1": lambda i: bubbles.layer_costs(i["s"], i["b"], i["h"], i["a"]),
    "zb_table2": zb_table2,
    "zb_table5": zb_table5,
    "zb_worker_mem": zb_worker_mem,
}

UNMOVED: dict[tuple[str, str], str] = {}
