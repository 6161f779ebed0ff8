"""Figures of numerics: what formats reach, what a shared scale loses, what a sum swallows, and what Muon fetches."""

from math import log10

from labs import units
from labs.draw.bars import Bar, Part, bars
from labs.draw.boxes import box, note
from labs.draw.lines import Axis, Line, Mark, Note, loglog
from labs.draw.scale import linear
from labs.draw.svg import Markup, figure, percent, svg, tag
from labs.draw.theme import classes
from labs.figures import Figure
from labs.models.block_scaling import promoted, relative_error, sample
from labs.models.numerics import BF16, FORMATS, FP16, FP32, accumulate, muon_gathered, muon_owned
from labs.words import Speaker

ROW, BAR, HEAD = 44, 14, 22  # px
ENDS = (-46, 40)  # powers of ten at the ends of the number line
ADDEND, COUNTS = 1e-3, [2**k for k in range(6, 17)]
OUTLIERS = [10.0**k for k in range(1, 7)]
SIZE, TILE = 2048, 128


def formats(say: Speaker, gradient: float, scale: float) -> Markup:
    """Magnitudes that each format holds, on a logarithmic line, with a small gradient before and after scaling."""
    along = linear(*ENDS)
    height = HEAD + len(FORMATS) * ROW
    drawn = []
    for i, one in enumerate(FORMATS):
        y = HEAD + i * ROW
        low, normal, high = (along(log10(edge)) for edge in (one.smallest, one.smallest_normal, one.largest))
        ends = say("formats.ends", low=_power(one.smallest), high=_power(one.largest))
        drawn += [
            note(f"{one.name}  {1}+{one.e}+{one.m}", 0, y + 13, classes="nl-label"),
            note(ends, 1, y + 13, "end"),
            box(low, y + 18, normal - low, "numerics shade-3", "", BAR),
            box(normal, y + 18, high - normal, "numerics", "", BAR),
        ]
    marks = [_upright(along(log10(at)), height, say("formats." + name), side)
             for name, at, side in (("before", gradient, "end"), ("after", gradient * scale, "start"))]  # fmt: skip
    facts = {"gradient": _power(gradient), "scale": units.number(scale)}
    table = "; ".join(f"{one.name} {_power(one.smallest)} – {_power(one.largest)}" for one in FORMATS)
    drawing = svg(height, *drawn, *marks, label=say("formats.label", table=table, **facts))
    return figure(drawing, say("formats.caption", **facts), say("formats.title"))


def _power(value: float) -> str:
    return units.number(value, 3) if 1e-3 < value < 1e6 else f"{value:.2g}".replace("e-0", "e-").replace("e+", "e")


def _ten(value: float) -> str:
    """A power of ten, written as one."""
    return "10" + str(round(log10(value))).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))


def _upright(x: float, height: float, text: str, side: str) -> Markup:
    line = tag("line", x1=percent(x), x2=percent(x), y1=12, y2=f"{height:g}", class_="nl-limit")
    return tag("g", line, note(text, x + (0.01 if side == "start" else -0.01), 9, side))


def scaling(say: Speaker) -> Markup:
    """Relative error of storing normal numbers in E4M3 beside one outlier: a scale for all, a scale for every 128."""
    groups = {"tensor": SIZE, "tile": TILE}
    curves = {
        name: [(outlier, relative_error(sample(SIZE, outlier), group)) for outlier in OUTLIERS]
        for name, group in groups.items()
    }
    lines = [
        Line(points, classes("numerics"), say("scaling." + name), name == "tile") for name, points in curves.items()
    ]
    named = curves["tensor"][4]
    marks = [Mark(named[0], say("scaling.tensor"), classes("numerics"), named[1])]
    notes = [Note(named[0], 0.019, say("scaling.tile"), "middle")]
    facts = {"all": units.percent(curves["tensor"][-2][1]), "tiled": units.percent(curves["tile"][-2][1])}
    x = Axis(OUTLIERS[0], OUTLIERS[-1], _ten, say("scaling.x"))
    drawing = loglog(
        lines, marks, x, Axis(1e-2, 1, units.percent, say("scaling.y")), say("scaling.label", **facts), notes
    )
    return figure(drawing, say("scaling.caption", size=units.count(SIZE), **facts), say("scaling.title"))


def swallowed(say: Speaker) -> Markup:
    """A sum of thousandths in four accumulators, against how many were added."""
    sums = {
        "fp32": [accumulate(ADDEND, n, FP32) for n in COUNTS],
        "promoted": [promoted(ADDEND, n, TILE) for n in COUNTS],
        "narrow": [promoted(ADDEND, n, n) for n in COUNTS],
        "fp16": [accumulate(ADDEND, n, FP16) for n in COUNTS],
        "bf16": [accumulate(ADDEND, n, BF16) for n in COUNTS],
    }
    curves = {name: list(zip(map(float, COUNTS), totals, strict=True)) for name, totals in sums.items()}
    lines = [
        Line(points, classes("numerics"), say("swallowed." + name), name == "narrow") for name, points in curves.items()
    ]
    named = {"promoted": 7, "narrow": 10, "fp16": 9, "bf16": 7}
    marks = [Mark(x, say("swallowed." + name), classes("numerics"), y)
             for name, at in named.items() for x, y in (curves[name][at],)]  # fmt: skip
    facts = {name: units.number(totals[-1], 3) for name, totals in sums.items()} | {"n": units.count(COUNTS[-1])}
    x = Axis(COUNTS[0], COUNTS[-1], units.number, say("swallowed.x"))
    drawing = loglog(
        lines, marks, x, Axis(0.05, 200, units.number, say("swallowed.y")), say("swallowed.label", **facts)
    )
    return figure(drawing, say("swallowed.caption", **facts), say("swallowed.title"))


def muon_ways(say: Speaker, params: float, N: int) -> Markup:
    """Bytes that a rank receives before orthogonalising: all matrices, its own, or none since it has them whole."""
    sizes = {"all": muon_gathered(params, N), "own": muon_owned(params, N), "whole": 0.0}
    rows = tuple(
        Bar(say("muon-ways." + name), units.bytes_text(size, "auto"), (Part(size, classes("comm", "gather"), ""),))
        for name, size in sizes.items()
    )
    facts = {"params": units.number(params / 1e9), "N": N}
    label = say("muon-ways.label", bars="; ".join(f"{row.label} {row.text}" for row in rows), **facts)
    return figure(bars(rows, label), say("muon-ways.caption"), say("muon-ways.title", **facts))


FIGURES = {
    "formats": Figure(formats, {"gradient": 2e-8, "scale": 1024.0}),
    "scaling": Figure(scaling),
    "swallowed": Figure(swallowed),
    "muon-ways": Figure(muon_ways, {"params": 10e9, "N": 64}),
}
