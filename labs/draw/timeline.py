"""Lanes of slots along one axis of time: who does what, when, and where nothing is done.

A figure may hold two thousand slots and is drawn again at every change: what does not depend on time is given once
(`Marks`), and a lane is one string join. Where there are more, a lane is cut into equal pieces of time, and a piece is
filled from the ground up by the share of its time that each kind of slot took.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from labs.draw.scale import nice
from labs.draw.svg import Markup, escape, percent, scroll, svg, tag
from labs.units import number

PITCH, HEIGHT, AXIS = 24, 20, 20
NARROW = 300  # px a lane has at least, on the narrowest page
SLOT = 12  # px of the shortest slot, so that a pointer can rest on it
SCREENS = 12  # how often wider than the narrowest page a lane may become
DIGIT, EDGE = 7, 4  # px of a digit of a slot's text, and of its two edges


@dataclass(frozen=True, slots=True)
class Marks:
    """Per slot of a lane: its classes as in theme, what a pointer is told, and what stands inside where it fits.

    `titled`: a pointer is told so also where the text stands inside, since the title says more than the text.
    """

    classes: tuple[str, ...]
    titles: tuple[str, ...]
    texts: tuple[str, ...]
    titled: bool = False


@dataclass(frozen=True, slots=True)
class Lane:
    """`idle` is what a pointer resting on a gap is told; `bands` are (top, height) of slots not as tall as the lane."""

    label: str
    starts: Sequence[float]
    ends: Sequence[float]
    marks: Marks
    idle: str
    bands: Sequence[tuple[float, float]] = ()


def timeline(lanes: Sequence[Lane], until: float, label: str, shortest: float, scrolls: str) -> Markup:
    """All lanes from 0 to `until`, so wide that the shortest slot can be hit, as far as SCREENS allow."""
    width = min(SCREENS * NARROW, max(NARROW, SLOT * until / shortest))
    height = len(lanes) * PITCH
    drawn = [_lane(lane, i * PITCH, until, width) for i, lane in enumerate(lanes)]
    names = tag("ol", *(tag("li", lane.label) for lane in lanes), class_="nl-lanes")
    canvas = svg(height + AXIS, *drawn, _axis(until, height, width), label=label, class_="nl-timeline")
    least = f"{width:.0f}px" if width > NARROW else ""
    return tag("div", names, scroll(scrolls, canvas, least=least), class_="nl-laned")


def _lane(lane: Lane, y: float, until: float, width: float) -> Markup:
    """Slots of one class are one group, in units of time; their texts keep their size, so they stand outside.

    Slots that show their text and have no more to say are one path, and the texts one text in many places: a browser
    lays those out in half the time of as many elements.
    """
    groups: dict[str, Group] = {classes: Group([], [], []) for classes in lane.marks.classes}
    per, pixels = 100 / until, width / until
    tall = [f'height="{HEIGHT}"'] * len(lane.starts)
    if lane.bands:
        tall = [f'y="{top:.4g}" height="{height:.4g}"' for top, height in lane.bands]
    for start, end, classes, title, text, height in zip(
        lane.starts, lane.ends, lane.marks.classes, lane.marks.titles, lane.marks.texts, tall, strict=True
    ):
        length, group = end - start, groups[classes]
        fits = bool(text) and length * pixels >= DIGIT * len(text) + EDGE
        if fits:
            group.texts.append(f'<tspan x="{(start + end) / 2 * per:.2f}%">{text}</tspan>')
        if fits and not lane.marks.titled:
            group.path.append(f"M{start:.7g} 0h{length:.7g}v{HEIGHT}h-{length:.7g}z")
        else:
            group.rects.append(f'<rect x="{start:.7g}" width="{length:.7g}" {height}><title>{title}</title></rect>')
    return _box(groups, lane.idle, y, until)


class Group(NamedTuple):
    """Slots of one class: outlines of those whose text says it all, elements for the others, the texts."""

    path: list[str]
    rects: list[str]
    texts: list[str]

    def drawn(self, classes: str) -> str:
        path = f'<path d="{"".join(self.path)}"></path>' if self.path else ""
        return f'<g class="slot {classes}">{path}{"".join(self.rects)}</g>'

    def written(self, classes: str) -> str:
        return f'<text y="14" class="nl-inside {classes}">{"".join(self.texts)}</text>' if self.texts else ""


def _box(groups: dict[str, Group], idle: str, y: float, until: float) -> Markup:
    """The gap behind, the slots in units of time, the texts over them."""
    back = tag("rect", tag("title", idle), width=f"{until:.7g}", height=HEIGHT, class_="slot bubble idle")
    drawn = "".join([group.drawn(classes) for classes, group in groups.items()])
    inside = "".join([group.written(classes) for classes, group in groups.items()])
    box = f'height="{HEIGHT}" viewBox="0 0 {until:.7g} {HEIGHT}" preserveAspectRatio="none"'
    inner = f'<svg width="100%" {box}>{back}{drawn}</svg>{inside}'
    return Markup(f'<svg y="{y:g}" width="100%" height="{HEIGHT}">{inner}</svg>')


def marks(classes: Sequence[str], titles: Sequence[str], texts: Sequence[str], titled: bool = False) -> Marks:
    """Titles and texts are escaped here, once."""
    return Marks(tuple(classes), tuple(map(escape, titles)), tuple(map(escape, texts)), titled)


def _axis(until: float, y: float, width: float) -> Markup:
    """Ticks below the lanes; the last one is the end itself."""
    inner = [at for at in nice(until, max(3, int(width / 70))) if until - at > until * 40 / width]
    ticks = [(at, "nl-tick" if at else "nl-tick start") for at in inner] + [(until, "nl-tick end")]
    texts = (tag("text", number(at), x=percent(at / until), y=f"{y + 14:g}", class_=name) for at, name in ticks)
    return tag("g", *texts, class_="nl-axis")


def summarised(lane: Lane, until: float, pieces: int, share: str) -> Lane:
    """The lane in equal pieces of time; in each, every class as tall as its share of the time; the rest is idle.

    `share` is a sentence with {busy} and {titles}: the busy share of a piece, and its first and last slot.
    """
    step, kinds = until / pieces, tuple(dict.fromkeys(lane.marks.classes))
    filled = [dict.fromkeys(kinds, 0.0) for _ in range(pieces)]
    inside: list[list[str]] = [[] for _ in range(pieces)]
    for start, end, classes, title in zip(lane.starts, lane.ends, lane.marks.classes, lane.marks.titles, strict=True):
        for piece in range(int(start / step), min(pieces, int(end / step) + 1)):
            time = min(end, (piece + 1) * step) - max(start, piece * step)
            if time > 0:
                filled[piece][classes] += time / step
                inside[piece].append(title)
    said = [_piece(sum(filled[at].values()), inside[at], escape(share)) for at in range(pieces)]
    drawn = [(at, kind, band) for at in range(pieces) for kind, band in _stacked(filled[at])]
    starts, ends = [at * step for at, _, _ in drawn], [(at + 1) * step for at, _, _ in drawn]
    look = Marks(tuple(kind for _, kind, _ in drawn), tuple(said[at] for at, _, _ in drawn), ("",) * len(drawn))
    return Lane(lane.label, starts, ends, look, lane.idle, [band for _, _, band in drawn])


def _stacked(shares: dict[str, float]) -> list[tuple[str, tuple[float, float]]]:
    """(top, height) of each share that there is, from the ground up."""
    bands, top = [], float(HEIGHT)
    for kind, share in shares.items():
        if share > 0:
            top -= HEIGHT * share
            bands.append((kind, (max(0.0, top), HEIGHT * share)))
    return bands


def _piece(busy: float, titles: list[str], share: str) -> str:
    ends = dict.fromkeys(titles[:1] + titles[-1:])
    return share.format(busy=f"{100 * busy:.0f}", titles=" … ".join(ends))
