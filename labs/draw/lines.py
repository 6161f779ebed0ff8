"""Curves over two logarithmic axes, with the lines they lean on and the reader's own point.

Curves are drawn in a square of 100 × 100 that is stretched to the figure; text and marks are placed in percent and
pixels beside it, so that neither is stretched.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from labs.draw.scale import Scale, decades, logarithmic
from labs.draw.svg import Markup, percent, svg, tag

HEIGHT, HEAD, FOOT = 220, 20, 36
SPARSE = 6  # above this many decades every second one is named, above twice as many every third …


@dataclass(frozen=True)
class Axis:
    """From `low` to `high`; `text` writes a tick; `title` says what is measured, and in what."""

    low: float
    high: float
    text: Callable[[float], str]
    title: str

    @property
    def scale(self) -> Scale:
        return logarithmic(self.low, self.high)

    def ticks(self) -> list[float]:
        found = decades(self.low, self.high)
        return found[:: 1 + (len(found) - 1) // SPARSE]


@dataclass(frozen=True)
class Line:
    """`points` are (x, y) from left to right; `dashed` for what is only leaned on."""

    points: Sequence[tuple[float, float]]
    classes: str
    title: str
    dashed: bool = False


@dataclass(frozen=True)
class Mark:
    """A point with a name; without y, an upright line through the whole figure, named at its foot or its `top`.

    The name stands on the side with more room unless `side` says start or end, above the point or `under` it.
    """

    x: float
    text: str
    classes: str
    y: float | None = None
    top: bool = False
    under: bool = False
    side: str = ""


@dataclass(frozen=True)
class Note:
    """Words beside a line, `side` of the point (x, y): start, middle or end of the text is there, or `under` it."""

    x: float
    y: float
    text: str
    side: str = "start"
    under: bool = False


def loglog(
    lines: Sequence[Line], marks: Sequence[Mark], x: Axis, y: Axis, label: str, notes: Sequence[Note] = ()
) -> Markup:
    """The figure; what lies outside the axes is cut off."""
    curves = tag(
        "svg", *(_line(line, x.scale, y.scale) for line in lines), y=HEAD, width="100%", height=HEIGHT,
        viewBox="0 0 100 100", preserveAspectRatio="none",
    )  # fmt: skip
    named = [_note(note, x.scale, y.scale) for note in notes]
    grid, ticks = _grid(x, y)
    drawn = [*grid, curves, *ticks, *(_mark(mark, x.scale, y.scale) for mark in marks), *named]
    return svg(HEAD + HEIGHT + FOOT, *drawn, label=label, class_="nl-lines")


def _line(line: Line, x: Scale, y: Scale) -> Markup:
    points = " ".join(f"{100 * x(at):.2f},{100 - 100 * y(value):.2f}" for at, value in line.points)
    classes = "nl-line dashed " if line.dashed else "nl-line "
    title = tag("title", line.title)
    return tag("polyline", title, points=points, class_=classes + line.classes, vector_effect="non-scaling-stroke")


def _down(y: Scale, value: float) -> float:
    return HEAD + HEIGHT * (1 - y(value))


def _grid(x: Axis, y: Axis) -> tuple[list[Markup], list[Markup]]:
    """Lines at the ticks, and their values, which are drawn over the curves; titles of the axes above and below."""
    drawn = [tag("text", y.title, x=0, y=12, class_="nl-axis-title")]
    drawn.append(tag("text", x.title, x="100%", y=HEAD + HEIGHT + 32, text_anchor="end", class_="nl-axis-title"))
    texts = []
    for value in y.ticks():
        level = f"{_down(y.scale, value):.1f}"
        drawn.append(tag("line", x1=0, x2="100%", y1=level, y2=level, class_="nl-gridline"))
        above = max(_down(y.scale, value) - 3, HEAD + 11)
        texts.append(tag("text", y.text(value), x=2, y=f"{above:.1f}", class_="nl-tick"))
    for value in x.ticks():
        at = x.scale(value)
        side = "start" if at < 0.05 else "end" if at > 0.95 else "middle"
        drawn.append(tag("line", x1=percent(at), x2=percent(at), y1=HEAD, y2=HEAD + HEIGHT, class_="nl-gridline"))
        texts.append(
            tag("text", x.text(value), x=percent(at), y=HEAD + HEIGHT + 14, text_anchor=side, class_="nl-tick")
        )
    return drawn, texts


def _note(note: Note, x: Scale, y: Scale) -> Markup:
    at, down = percent(x(note.x)), f"{_down(y, note.y) + (14 if note.under else -5):.1f}"
    return tag("text", note.text, x=at, y=down, text_anchor=note.side, class_="nl-under")


def _mark(mark: Mark, x: Scale, y: Scale) -> Markup:
    at = x(mark.x)
    side = mark.side or ("end" if at > 0.5 else "start")
    shift = 8 if side == "start" else -8
    if mark.y is None:
        shape = tag("line", x1=percent(at), x2=percent(at), y1=HEAD, y2=HEAD + HEIGHT, class_="nl-limit")
        down = HEAD + 12.0 if mark.top else HEAD + HEIGHT - 8.0
    else:
        down = _down(y, mark.y)
        shape = tag("circle", cx=percent(at), cy=f"{down:.1f}", r=6)
        down = down + 20 if mark.under else max(HEAD + 12.0, down - 10)
    text = tag("text", mark.text, x=percent(at), y=f"{down:.1f}", dx=shift, text_anchor=side, class_="nl-value")
    return tag("g", shape, text, class_="nl-mark " + mark.classes)
