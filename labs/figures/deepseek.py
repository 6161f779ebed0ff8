"""Figures of the DeepSeek lineage: what one layer leaves the next, a token's way, and what a limit on nodes buys."""

from math import comb

from labs import hardware, units
from labs.draw.bars import Bar, Part, bars
from labs.draw.boxes import box, note
from labs.draw.legend import legend
from labs.draw.lines import Axis, Line, Mark, loglog
from labs.draw.svg import Markup, figure, join, svg
from labs.draw.theme import classes
from labs.figures import Figure
from labs.models.dispatch import traffic
from labs.models.routing import homes, limit, route
from labs.words import Speaker

LAYERS = {"model": "parallel tp", "routing": "moe load", "kernels": "comm send", "schedule": "bubble backward"}
ROW, CELL, HEAD = 46, 22, 20  # px
E, K, R, NODES, GPUS, LIMIT = 256, 8, 64, 8, 8, 4  # V3's layer on one copy of its experts (deepseek-v3 §3.2)
TOKENS = 2048
SHOWN = 1100  # the token whose way is drawn
IB, NVLINK = hardware.link("ib_ndr_400").bandwidth, hardware.link("h800_nvlink_effective").bandwidth
STAGES, COLUMNS = 16, 16  # pipeline ranks of V3, and nodes of each


def loop(say: Speaker) -> Markup:
    """Four layers below one another, each with the debt that it hands down; the last debt goes back to the first."""
    drawn = []
    for i, (layer, hue) in enumerate(LAYERS.items()):
        y = i * ROW
        drawn += [
            box(0, y, 0.3, hue, say("loop." + layer)),
            note(say("loop.arrow." + ("up" if layer == "schedule" else "down")), 0.15, y + 38, "middle", "nl-value"),
            note(say(f"loop.debts.{layer}"), 0.33, y + 38),
        ]
    drawing = svg(len(LAYERS) * ROW, *drawn, label=say("loop.label"))
    return figure(drawing, say("loop.caption"), say("loop.title"))


def token_path(say: Speaker) -> Markup:
    """Nodes by GPUs: where one token of the seeded router starts, arrives and ends."""
    picks = limit(route(TOKENS, E, K, 0.0, 1), NODES, LIMIT, 0.0, 1).picks[SHOWN]
    own, home = SHOWN * R // TOKENS, homes(E, R)
    experts = [home[expert] for expert in picks]
    reached = sorted({rank // GPUS for rank in experts})
    drawn = []
    for rank in range(R):
        node, gpu = divmod(rank, GPUS)
        arrives = node in reached and gpu == own % GPUS and node != own // GPUS
        hue, text = _cell(rank == own, arrives, experts.count(rank), say)
        drawn.append(box(0.16 + gpu * 0.105, HEAD + node * (CELL + 3), 0.1, hue, text, CELL))
    names = [note(say("token-path.node", node=node), 0, HEAD + node * (CELL + 3) + 15) for node in range(NODES)]
    heads = [note(gpu, 0.16 + gpu * 0.105 + 0.05, 13, "middle") for gpu in range(GPUS)]
    facts = {
        "own": own,
        "node": own // GPUS,
        "nodes": len(reached),
        "away": len(set(reached) - {own // GPUS}),
        "ranks": len(set(experts)),
    }
    hues = (("comm send", "ib"), ("moe load", "expert"))
    key = legend(tuple((hue, say("token-path." + word)) for hue, word in hues))
    drawing = svg(HEAD + NODES * (CELL + 3), *heads, *names, *drawn, label=say("token-path.label", **facts))
    return figure(join([key, drawing]), say("token-path.caption", **facts), say("token-path.title"))


def _cell(own: bool, arrives: bool, experts: int, say: Speaker) -> tuple[str, str]:
    count = str(experts) if experts else ""
    if own:
        return "parallel tp", say("token-path.own") + count
    if arrives:
        return "comm send", "IB" + (f" {count}" if count else "")
    return ("moe load", count) if experts else ("idle", "")


def fan_out(say: Speaker, row: float) -> Markup:
    """Time of one token over either link, against the experts it chooses on four nodes."""
    counts = [4.0, 6, 8, 10, 12, 16, 24, 32]
    over_ib = LIMIT * row / IB
    curves = {"ib": [(k, over_ib) for k in counts], "nvlink": [(k, k * row / NVLINK) for k in counts]}
    most = LIMIT * NVLINK / IB
    lines = [
        Line(curves["ib"], classes("comm", "send"), say("fan-out.ib")),
        Line(curves["nvlink"], classes("comm", "send"), say("fan-out.nvlink"), dashed=True),
    ]
    marks = [
        Mark(8, say("fan-out.ib"), classes("comm"), over_ib),
        Mark(24, say("fan-out.nvlink"), classes("comm"), 24 * row / NVLINK),
        Mark(most, say("fan-out.most", most=units.number(most)), classes("comm")),
    ]
    x = Axis(counts[0], counts[-1], units.number, say("fan-out.x"))
    y = Axis(1e-7, 3e-6, units.seconds_text, say("fan-out.y"))
    facts = {"most": units.number(most), "ib": units.bandwidth_text(IB), "nvlink": units.bandwidth_text(NVLINK)}
    facts["row"] = f"{units.count(row)} B"
    drawing = loglog(lines, marks, x, y, say("fan-out.label", **facts))
    return figure(drawing, say("fan-out.caption", **facts), say("fan-out.title"))


def node_limit(say: Speaker) -> Markup:
    """Copies of a token that leave its node: one an expert, one a node, and one a node under limits."""
    drawn = route(TOKENS, E, K, 0.0, 1)
    sent = {"expert": K * (NODES - 1) / NODES, "node": traffic(drawn, R, NODES).away_nodes / TOKENS}
    for M in (4, 2, 1):
        sent[f"limit-{M}"] = traffic(limit(drawn, NODES, M, 0.0, 1), R, NODES).away_nodes / TOKENS
    rows = tuple(
        Bar(
            say("node-limit." + name.partition("-")[0], M=name.partition("-")[2]), f"{value:.2f}",
            (Part(value, classes("comm", "send"), f"{value:.2f}"),), name == "limit-4",
        )
        for name, value in sent.items()
    )  # fmt: skip
    label = say("node-limit.label", bars="; ".join(f"{row.label} {row.text}" for row in rows))
    missed = comb(E - E // NODES, K) / comb(E, K)  # a node holds none of the K experts
    facts = {"expert": rows[0].text, "node": rows[1].text, "four": rows[2].text}
    facts |= {"tokens": units.count(TOKENS), "mean": f"{(NODES - 1) * (1 - missed):.2f}"}
    facts |= {"worst": str(min(K, NODES - 1)), "limit": str(LIMIT)}  # its own node takes nothing over IB
    return figure(bars(rows, label), say("node-limit.caption", **facts), say("node-limit.title"))


def rank_map(say: Speaker) -> Markup:
    """Pipeline ranks by their nodes: two copies of the experts in a row, and every stage on two rows."""
    stage, width, drawn = 2, 0.62 / COLUMNS, []
    for pp in range(STAGES):
        y, mirrored = HEAD + pp * 17, STAGES - 1 - pp
        held = stage in (pp, mirrored)
        for node in range(COLUMNS):
            hue = f"parallel shade-{(6 if held else 2) - (node >= COLUMNS // 2)}"
            drawn.append(box(0.14 + node * width, y, width * 0.9, hue, "", 14))
        drawn += [note(f"PP {pp}", 0, y + 11), note(say("rank-map.stages", one=pp, other=mirrored), 1, y + 11, "end")]
    heads = [note(say("rank-map.copy", copy=copy), 0.14 + (0.25 + 0.5 * at) * 0.62, 13, "middle")
             for at, copy in enumerate("AB")]  # fmt: skip
    facts = {"stage": stage, "mirror": STAGES - 1 - stage}
    drawing = svg(HEAD + STAGES * 17, *heads, *drawn, label=say("rank-map.label", **facts))
    return figure(drawing, say("rank-map.caption", **facts), say("rank-map.title"))


FIGURES = {
    "loop": Figure(loop),
    "token-path": Figure(token_path),
    "fan-out": Figure(fan_out, {"row": 7168.0}),
    "node-limit": Figure(node_limit),
    "rank-map": Figure(rank_map),
}
