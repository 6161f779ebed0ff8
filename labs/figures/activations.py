"""Figures of activations: what a layer keeps, how it grows, and what becomes of it between forward and backward."""

from labs import units
from labs.draw.bars import Bar, Part, bars
from labs.draw.lines import Axis, Line, Mark, loglog
from labs.draw.svg import Markup, figure, percent, svg, tag
from labs.draw.theme import classes
from labs.figures import Figure
from labs.models.activations import layer_bytes, sqrt_segments
from labs.models.blocks import Saved, gpt, llama
from labs.models.gpt_totals import core_ratio
from labs.words import Speaker
from labs.workloads import LLAMA2_7B, LLAMA3_8B, LLAMA3_70B
from labs.workloads.shape import Shape

KEPT, REBUILT, AWAY = (classes("activation", part) for part in ("kept", "recomputed", "offloaded"))
ROW, GAP, HEAD = 26, 30, 20  # px
# name → pieces of a life as (from, to, height, classes): fractions of the step and of the tensor
LIVES = {
    "keep": ((0.08, 0.92, 1.0, KEPT),),
    "recompute": ((0.08, 0.16, 1.0, KEPT), (0.74, 0.82, 1.0, REBUILT), (0.82, 0.92, 1.0, KEPT)),
    "compress": ((0.08, 0.14, 1.0, KEPT), (0.14, 0.86, 0.5, KEPT), (0.86, 0.92, 1.0, KEPT)),
    "offload": (
        (0.08, 0.16, 1.0, KEPT),
        (0.16, 0.28, 1.0, AWAY),
        (0.68, 0.82, 1.0, AWAY),
        (0.82, 0.92, 1.0, KEPT),
    ),
}


def of(shape: Shape, fused: bool = True, fp32_norm: bool = False) -> tuple[Saved, ...]:
    return llama(shape.kv_heads / shape.heads, shape.ffn / shape.hidden, fused, fp32_norm)


def block_kinds(say: Speaker) -> Markup:
    """Bytes over s·b·h that one layer of each block keeps, attention computed without its matrix of scores."""
    blocks = {
        "gpt": gpt(4096, 32, 4096, flash=True),
        "gpt-plain": gpt(4096, 32, 4096, dropout=False, flash=True),
        "llama2-7b": of(LLAMA2_7B),
        "llama3-8b": of(LLAMA3_8B),
        "llama3-70b": of(LLAMA3_70B),
        "llama3-8b-unfused": of(LLAMA3_8B, fused=False),
        "llama3-8b-fp32": of(LLAMA3_8B, fp32_norm=True),
    }
    rows = tuple(_block(say("block-kinds.names." + name), block) for name, block in blocks.items())
    label = say("block-kinds.label", bars="; ".join(f"{row.label} {row.text}" for row in rows))
    return figure(bars(rows, label), say("block-kinds.caption"), say("block-kinds.title"))


def _block(label: str, block: tuple[Saved, ...]) -> Bar:
    parts = tuple(Part(one.size, KEPT, f"{one.name}: {units.number(one.size)}") for one in block)
    return Bar(label, units.number(layer_bytes(block, 1), 3), parts)


def sequence_growth(say: Speaker, h: int, a: int) -> Markup:
    """One layer's linear part, 34sbh, and its matrix of scores, 5as²b, against s."""
    lengths = [2.0**k for k in range(9, 18)]
    linear = [(s, layer_bytes(gpt(h, a, int(s), flash=True), s * h)) for s in lengths]
    core = [(s, core_ratio(a, int(s), h) * s * h) for s in lengths]
    cross = linear[0][1] / core[0][1] * lengths[0]
    lines = [Line(linear, KEPT, say("sequence-growth.linear")), Line(core, KEPT, say("sequence-growth.core"), True)]
    marks = [Mark(*points[-3][:1], say("sequence-growth." + name), classes("activation"), points[-3][1])
             for name, points in (("linear", linear), ("core", core))]  # fmt: skip
    facts = {"h": units.number(h), "a": a, "cross": units.count(cross), "high": units.count(lengths[-1])}
    sizes = {"linear": units.bytes_text(linear[-1][1]), "core": units.bytes_text(core[-1][1])}
    x = Axis(lengths[0], lengths[-1], units.number, say("sequence-growth.x"))
    y = Axis(1e7, 4e12, lambda value: units.bytes_text(value, "auto"), say("sequence-growth.y"))
    drawing = loglog(lines, marks, x, y, say("sequence-growth.label", **facts, **sizes))
    return figure(drawing, say("sequence-growth.caption", **facts), say("sequence-growth.title", **facts))


def segments(say: Speaker, n: int) -> Markup:
    """n layers all kept, and n layers with a checkpoint a segment while the last segment is rebuilt."""
    cut = sqrt_segments(n)
    facts = {"n": n, "count": cut.count, "live": cut.live, "units": cut.units}
    alive = ["idle"] * (n - cut.live) + [REBUILT] * cut.live
    marks = [_checkpoint(i, n) for i in range(0, n, cut.live)]
    drawn = [
        _layers(say("segments.all", **facts), [KEPT] * n, 0),
        _layers(say("segments.some", **facts), alive, ROW + GAP),
        *marks,
    ]
    drawing = svg(2 * (ROW + GAP) - 8, *drawn, label=say("segments.label", **facts))
    return figure(drawing, say("segments.caption", **facts), say("segments.title", **facts))


def _layers(text: str, cells: list[str], top: float) -> Markup:
    width = 1 / len(cells)
    drawn = [
        tag("rect", x=percent(i * width), width=percent(width * 0.9), y=top + HEAD, height=ROW, class_=hue)
        for i, hue in enumerate(cells)
    ]
    return tag("g", tag("text", text, x=0, y=top + HEAD - 6, class_="nl-label"), *drawn)


def _checkpoint(layer: int, n: int) -> Markup:
    """What enters a segment, as a bar at its left edge."""
    top = ROW + GAP + HEAD - 3
    return tag("rect", x=percent(layer / n), width=percent(0.3 / n), y=top, height=ROW + 6, class_=KEPT)


def policies(say: Speaker) -> Markup:
    """The four lifelines, drawn to no scale: only what is there when, and what must happen before backward."""
    drawn = [_life(say("policies." + name), LIVES[name], i * (ROW + GAP)) for i, name in enumerate(LIVES)]
    height = len(LIVES) * (ROW + GAP)
    times = [
        tag("text", say("policies." + name), x=percent(at), y=height + 12, text_anchor=anchor, class_="nl-under")
        for name, at, anchor in (("forward", 0.08, "start"), ("backward", 0.92, "end"))
    ]
    return figure(
        svg(height + 18, *drawn, *times, label=say("policies.label")), say("policies.caption"), say("policies.title")
    )


def _life(text: str, pieces: tuple[tuple[float, float, float, str], ...], top: float) -> Markup:
    base = top + HEAD + ROW
    axis = tag("line", x1=percent(0.08), x2=percent(0.92), y1=base, y2=base, class_="nl-gridline")
    drawn = [
        tag(
            "rect",
            x=percent(start),
            width=percent(end - start),
            y=f"{base - ROW * tall:g}",
            height=f"{ROW * tall:g}",
            class_=hue,
        )
        for start, end, tall, hue in pieces
    ]
    return tag("g", tag("text", text, x=0, y=top + HEAD - 6, class_="nl-label"), axis, *drawn)


FIGURES = {
    "block-kinds": Figure(block_kinds),
    "sequence-growth": Figure(sequence_growth, {"h": 4096, "a": 32}),
    "segments": Figure(segments, {"n": 64}),
    "policies": Figure(policies),
}
