"""Lanes of slots along one axis of time: who does what, when, and where nothing is done.

A figure may hold two thousand slots and is drawn again at every change: what does not depend on time is given once
(`Marks`), and a lane is one string join. Where there are more, a lane is cut into equal pieces of time and each piece
shows what filled most of it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

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
    """Per slot of a lane: its classes as in theme, what a pointer is told, and what stands inside where it fits."""

    classes: tuple[str, ...]
    titles: tuple[str, ...]
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Lane:
    """`idle` is what a pointer resting on a gap is told."""

    label: str
    starts: Sequence[float]
    ends: Sequence[float]
    marks: Marks
    idle: str


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
    """Slots of one class are one group, in units of time; their texts keep their size, so they stand outside."""
    groups: dict[str, tuple[list[str], list[str]]] = {classes: ([], []) for classes in lane.marks.classes}
    per, pixels = 100 / until, width / until
    for start, end, classes, title, text in zip(
        lane.starts, lane.ends, lane.marks.classes, lane.marks.titles, lane.marks.texts, strict=True
    ):
        length = end - start
        rects, texts = groups[classes]
        rects.append(f'<rect x="{start:.7g}" width="{length:.7g}" height="{HEIGHT}"><title>{title}</title></rect>')
        if text and length * pixels >= DIGIT * len(text) + EDGE:
            texts.append(f'<text x="{(start + end) / 2 * per:.2f}%" y="14">{text}</text>')
    idle = tag("rect", tag("title", lane.idle), width=f"{until:.7g}", height=HEIGHT, class_="slot bubble idle")
    drawn = "".join(f'<g class="slot {classes}">{"".join(rects)}</g>' for classes, (rects, _) in groups.items())
    inside = "".join(
        f'<g class="nl-inside {classes}">{"".join(texts)}</g>' for classes, (_, texts) in groups.items() if texts
    )
    box = f'height="{HEIGHT}" viewBox="0 0 {until:.7g} {HEIGHT}" preserveAspectRatio="none"'
    inner = f'<svg width="100%" {box}>{idle}{drawn}</svg>{inside}'
    return Markup(f'<svg y="{y:g}" width="100%" height="{HEIGHT}">{inner}</svg>')


def marks(classes: Sequence[str], titles: Sequence[str], texts: Sequence[str]) -> Marks:
    """Titles and texts are escaped here, once."""
    return Marks(tuple(classes), tuple(map(escape, titles)), tuple(map(escape, texts)))


def _axis(until: float, y: float, width: float) -> Markup:
    """Ticks below the lanes; the last one is the end itself."""
    inner = [at for at in nice(until, max(3, int(width / 70))) if until - at > until * 40 / width]
    ticks = [(at, "nl-tick" if at else "nl-tick start") for at in inner] + [(until, "nl-tick end")]
    texts = (tag("text", number(at), x=percent(at / until), y=f"{y + 14:g}", class_=name) for at, name in ticks)
    return tag("g", *texts, class_="nl-axis")


def summarised(lane: Lane, until: float, pieces: int, share: str) -> Lane:
    """The lane in equal pieces of time, each with the classes that fill most of it; gaps of more than half stay.

    `share` is a sentence with {busy} and {titles}: the busy share of a piece, and its first and last slot.
    """
    step = until / pieces
    filled: list[dict[str, float]] = [{} for _ in range(pieces)]
    inside: list[list[str]] = [[] for _ in range(pieces)]
    for start, end, classes, title in zip(lane.starts, lane.ends, lane.marks.classes, lane.marks.titles, strict=True):
        for piece in range(int(start / step), min(pieces, int(end / step) + 1)):
            time = min(end, (piece + 1) * step) - max(start, piece * step)
            if time > 0:
                filled[piece][classes] = filled[piece].get(classes, 0.0) + time
                inside[piece].append(title)
    kept = [piece for piece, parts in enumerate(filled) if sum(parts.values()) > step / 2]
    titles = [_piece(sum(filled[at].values()) / step, inside[at], escape(share)) for at in kept]
    drawn = Marks(tuple(max(filled[at], key=filled[at].__getitem__) for at in kept), tuple(titles), ("",) * len(kept))
    return Lane(lane.label, [at * step for at in kept], [(at + 1) * step for at in kept], drawn, lane.idle)


def _piece(busy: float, titles: list[str], share: str) -> str:
    return share.format(busy=f"{100 * busy:.0f}", titles=" … ".join(dict.fromkeys((titles[0], titles[-1]))))
