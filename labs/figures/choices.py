"""Figures of choosing a road tensor by tensor: what it costs to be without each, and what three reports chose."""

from labs import hardware, units
from labs.draw.boxes import box
from labs.draw.legend import legend
from labs.draw.scale import decades, logarithmic
from labs.draw.svg import Markup, figure, join, percent, svg, tag
from labs.draw.theme import classes
from labs.figures import Figure
from labs.models.activations import FP8_KINDS
from labs.models.prices import Price, even, prices, whole
from labs.words import Speaker
from labs.workloads import LLAMA3_8B

SPEED, LINK = 400e12, "pcie5_x16_measured"  # FLOP/s, as assumed in the chapter
LOW, HIGH, ROW, HEAD = 1.0, 1e6, 46, 26
NARROW, EIGHT = classes("activation", "kept"), classes("numerics")
KINDS = {"norms": "gemm", "qkv": "attention", "attention": "attention", "middle": "norm", "gate-up": "act",
         "product": "product", "whole": "attention"}  # fmt: skip

REPORTS = ("deepseek-v3", "kimi-k2", "kimi-k3")
HUES = {"again": classes("activation", "recomputed"), "eight": EIGHT, "away": classes("activation", "offloaded"),
        "eight-away": EIGHT, "unsaid": "idle",
        "redone": classes("activation", "recomputed")}  # fmt: skip
# tensor → what deepseek-v3 (§3.2.3, §3.3), kimi-k2 (§2.4.3) and kimi-k3 (§5.2.2) do with it
CHOSEN = {
    "norm": ("again", "again", "again"),
    "activated": ("again", "again", "again"),
    "latent-up": ("again", "again", "unsaid"),
    "gated": ("eight", "eight", "unsaid"),
    "expert-in": ("eight", "eight", "redone"),
    "expert-down": ("unsaid", "again", "unsaid"),
    "rest": ("unsaid", "away", "eight-away"),
}


def tensor_prices(say: Speaker, s: int) -> Markup:
    """FLOP per byte of each tensor of a Llama-3-8B layer, against what PCIe would take."""
    shape, link = LLAMA3_8B, hardware.link(LINK).bandwidth
    parts = dict(prices(s, 1, int(shape.hidden), shape.kv_heads / shape.heads, shape.ffn / shape.hidden))
    parts["whole"] = whole(parts)
    limit, scale = even(SPEED, link), logarithmic(LOW, HIGH)
    rows = [_price(name, i * ROW, scale(one.per_byte)) for i, (name, one) in enumerate(parts.items())]
    names = [tag("text", _said(name, one, say), x=0, y=i * ROW + 14, class_="nl-label")
             for i, (name, one) in enumerate(parts.items())]  # fmt: skip
    height = len(parts) * ROW
    line = tag("line", x1=percent(scale(limit)), x2=percent(scale(limit)), y1=0, y2=height, class_="nl-limit")
    ticks = [tag("text", units.count(at), x=percent(scale(at)), y=height + 14, text_anchor="middle", class_="nl-tick")
             for at in decades(LOW, HIGH)[1:-1]]  # fmt: skip
    facts = {"s": units.count(s), "even": units.count(round(limit, -2)), "link": units.bandwidth_text(link)}
    label = say("prices.label", rows="; ".join(_said(name, one, say) for name, one in parts.items()), **facts)
    shades = legend(((EIGHT, say("prices.eight")), (NARROW, say("prices.narrow"))))
    drawing = join([shades, svg(height + 20, *rows, line, tag("g", *names, class_="nl-named"), *ticks, label=label)])
    return figure(drawing, say("prices.caption", **facts), say("prices.title", **facts))


def _said(name: str, one: Price, say: Speaker) -> str:
    per_byte = units.number(one.per_byte) if one.per_byte < 10 else units.count(round(one.per_byte))
    size = units.bytes_text(one.size, "auto")
    return say("prices.row", name=say("prices.names." + name), size=size, per_byte=per_byte)


def _price(name: str, top: float, at: float) -> Markup:
    hue = EIGHT if KINDS[name] in FP8_KINDS else NARROW
    return tag("rect", x=0, width=percent(at), y=top + HEAD - 5, height=12, class_=hue)


def roads(say: Speaker) -> Markup:
    """Rows are kinds of tensors, columns are three reports, and what stands in a cell is the road that was taken."""
    pitch, left = 0.25, 0.25
    heads = [tag("text", say("roads.reports." + name), x=percent(left + i * pitch), y=13, class_="nl-label")
             for i, name in enumerate(REPORTS)]  # fmt: skip
    cells = [_road(kind, roads, 22 + row * 40, say) for row, (kind, roads) in enumerate(CHOSEN.items())]
    listed = "; ".join(
        say("roads.row", kind=say("roads.kinds." + kind), chosen=", ".join(say("roads.ways." + way) for way in ways))
        for kind, ways in CHOSEN.items()
    )
    drawing = svg(22 + len(CHOSEN) * 40, *heads, *cells, label=say("roads.label", rows=listed))
    return figure(drawing, say("roads.caption"), say("roads.title"))


def _road(kind: str, ways: tuple[str, ...], top: float, say: Speaker) -> Markup:
    drawn = [tag("text", say("roads.kinds." + kind), x=0, y=top + 22, class_="nl-under")]
    for i, way in enumerate(ways):
        drawn.append(box(0.25 * (i + 1), top, 0.24, HUES[way], say("roads.ways." + way), 34))
    return tag("g", *drawn)


FIGURES = {"tensor-prices": Figure(tensor_prices, {"s": 32768}), "roads": Figure(roads)}
