"""An expert layer: what is sent, who is busiest, and what padding, dropping, copies or a balanced plan make of it."""

from labs.answer import Answer, Verdict
from labs.controls import Values
from labs.draw.svg import join
from labs.ledger import Row
from labs.models.moonep import bound, tight
from labs.units import number, percent, volume
from labs.views.dispatch_bills import far, near, size, speed
from labs.views.dispatch_experts_figure import buffers, compared, spread
from labs.views.dispatch_experts_tables import formulas, tables
from labs.views.dispatch_reading import Reading, read
from labs.words import Speaker

NOTES = ("local", "router", "logical", "worst", "inside", "planned", "estimate")


def answer(values: Values, say: Speaker) -> Answer:
    reading = read(values)
    facts = told(reading)
    limited = (say("saved.limited", **facts), say("moved.limited", **facts)) if reading.limited else ("", "")
    return Answer(
        rows=rows(reading),
        verdict=verdict(reading, facts, say),
        figure=join([spread(reading, facts, say), compared(reading, facts, say), buffers(reading, facts, say)]),
        saved=say(f"saved.{values.policy}", **facts) + limited[0],
        moved=say(f"moved.{values.policy}", **facts) + limited[1],
        formulas=formulas(reading, facts),
        tables=tables(reading, say),
        notes=tuple(say(f"notes.{key}", **facts) for key in NOTES),
    )


def told(r: Reading) -> dict[str, object]:
    """The facts that sentences about this layer may use."""
    v, layer = r.values, r.layer
    free = r.free.copies
    return {
        "S": f"{v.S:,}", "K": v.K, "E": v.E, "R": v.R, "M": v.M, "nodes": r.nodes, "factor": f"{v.factor:g}",
        "whole": f"{v.S * v.R:,}", "drawn": f"{layer.copies.tokens:,}", "rows": f"{v.S * v.K:,}",
        "noise": percent(r.noise, 2), "ratio": number(r.ratio, 3), "useful": percent(r.useful),
        "wait": percent(1 - r.useful), "dropped": percent(r.policy.dropped / layer.rows),
        "padding": percent(r.policy.padding / layer.rows), "redundant": r.policy.redundant, "bound": bound(v.E, v.R),
        "tight": tight(v.E, v.R), "payload": size(r.payload("dispatch")), "slow": size(r.slow("dispatch")),
        "before": f"{free.per_token(free.node_copies):.2f}", "worst": volume(r.buffers.worst),
        "after": f"{layer.copies.per_token(layer.copies.node_copies):.2f}", "balanced": volume(r.buffers.balanced),
    }  # fmt: skip


def rows(r: Reading) -> tuple[Row, ...]:
    v, rows_all = r.values, r.layer.rows
    moved, each = "moe", f"{v.S:,} × {v.K} × {v.width:,}"
    copies, out = r.layer.copies, f"{v.S:,} × {size(r.row('dispatch'))}"
    ranks, nodes = copies.per_token(copies.away_ranks), copies.per_token(copies.away_nodes)
    found = [
        Row("payload_dispatch", r.payload("dispatch"), "byte", "exact", f"{each} × {r.element('dispatch')}", "", moved),
        Row("payload_combine", r.payload("combine"), "byte", "exact", f"{each} × {r.element('combine')}", "", moved),
        Row("away", r.away("dispatch"), "byte", "estimate", f"{ranks:.2f} × {out}", "deepep", "comm"),
        Row("slow", r.slow("dispatch"), "byte", "estimate", f"{nodes:.2f} × {out}", "deepseek-v3", "comm"),
        Row("exchange", r.exchange("dispatch") + r.exchange("combine"), "second", "estimate",
            f"max(NIC ÷ {speed(far(v))}, NVLink ÷ {speed(near(v))})", "", "comm"),
        Row("makespan", r.ratio, "times", "estimate", "max ÷ S·K", "", moved),
        Row("efficiency", r.useful, "ratio", "estimate", "", "", moved),
        Row("dropped", r.policy.dropped / rows_all, "ratio", "estimate", "Σ max(0, rows − C·S·K·R/E)", "gshard", moved),
        Row("padding", r.policy.padding / rows_all, "ratio", "estimate", "Σ max(0, C·S·K·R/E − rows)", "gshard", moved),
        Row("redundant", r.policy.redundant, "count", "exact", "", "kimi-k3", moved),
        Row("bound", bound(v.E, v.R), "count", "exact", f"E/R = {v.E}/{v.R}", "kimi-k3", moved),
        Row("tight", tight(v.E, v.R), "count", "exact", f"⌈E(R−1)/R²⌉ = ⌈{v.E}·{v.R - 1}/{v.R**2}⌉", "kimi-k3", moved),
        Row("buffer_balanced", r.buffers.balanced, "byte", "exact", "S·K", "moonep", moved),
        Row("buffer_once", r.buffers.deduplicated, "byte", "exact", "S·R", "", moved),
        Row("buffer_worst", r.buffers.worst, "byte", "exact", "S·K·R", "kimi-k3", moved),
    ]  # fmt: skip
    return tuple(row for row in found if row.value or row.name not in ("slow", "dropped", "padding", "redundant"))


def verdict(r: Reading, facts: dict[str, object], say: Speaker) -> Verdict:
    """Rows lost are worse than ranks that wait; balance is good whatever it took."""
    name = r.values.policy
    if name == "perfect":
        return Verdict("good", say("verdicts.perfect", **facts))
    if r.policy.dropped:
        return Verdict("bad", say(f"verdicts.{name}_drops", **facts))
    if name == "padded":
        return Verdict("warn", say("verdicts.padded", **facts))
    kind = "good" if r.ratio <= 1.1 else "warn" if r.ratio <= 1.5 else "bad"
    return Verdict(kind, say(f"verdicts.busiest_{kind}", **facts))
