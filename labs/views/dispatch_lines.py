"""The collective drawn: time against message on two logarithmic axes, and communication beside computation."""

from collections.abc import Callable
from math import ceil, floor, log10

from labs.draw.bars import Bar, Part, bars
from labs.draw.legend import legend
from labs.draw.lines import Axis, Line, Mark, Note, loglog
from labs.draw.svg import Markup, figure, join
from labs.draw.theme import classes
from labs.units import bytes_text, seconds_text
from labs.views.dispatch_bills import Bills
from labs.words import Speaker

BESIDE = 100  # messages from a hundredth to a hundred times of what matters are shown
STEPS = 24  # points of the curve; the two lines it leans on need only two


def curve(now: Bills, facts: dict[str, object], say: Speaker) -> Markup:
    """One call of any size: α's floor, β's slope, their sum, n*, and the reader's call."""
    message, slope, floor_ = now.message / now.calls, now.transfer / now.message, now.latency / now.calls
    low, high = decade(min(message, now.crossover) / BESIDE, floor), decade(max(message, now.crossover) * BESIDE, ceil)
    sizes = [low * (high / low) ** (i / STEPS) for i in range(STEPS + 1)]
    lines = (
        Line([(low, floor_), (high, floor_)], "comm latency", say("figure.latency"), dashed=True),
        Line([(low, slope * low), (high, slope * high)], "comm bandwidth", say("figure.transfer"), dashed=True),
        Line([(size, floor_ + slope * size) for size in sizes], "comm send", say("figure.total")),
    )
    at = now.time / now.calls
    marks = (
        Mark(now.crossover, say("figure.crossover", **facts), "comm", top=True),
        Mark(message, say("figure.here", at=seconds_text(at), **facts), "comm send", at),
    )
    x = Axis(low, high, size_text, say("figure.size"))
    y = Axis(decade(floor_ / 10, floor), decade((floor_ + slope * high), ceil), seconds_text, say("figure.time"))
    foot = y.low * (y.high / y.low) ** 0.02
    notes = (
        Note(high, floor_, say("figure.latency"), "end", under=True),  # above it a small call is named
        Note(max(low, foot / slope * 2), foot, say("figure.transfer")),
    )
    drawn = loglog(lines, marks, x, y, say("figure.curve_label", **facts), notes)
    return figure(drawn, say("figure.curve_caption", **facts), say("figure.curve_title"))


def decade(value: float, towards: Callable[[float], int]) -> float:
    """The power of ten next to a value, below it (floor) or above it (ceil)."""
    return float(10.0 ** towards(log10(value)))


def size_text(size: float) -> str:
    return bytes_text(size, "auto", 3)


def lanes(now: Bills, facts: dict[str, object], say: Speaker) -> Markup:
    """One after the other; and below, the hidden part of the communication beside the computation that hides it."""
    time, hidden, exposed = now.time, now.overlaps.hidden, now.overlaps.exposed
    work, hides, shows = classes("bubble", "forward"), classes("comm", "hidden"), classes("comm", "exposed")
    computing, sending = say("figure.computing"), say("figure.sending")
    ahead = Part(hidden, "bubble idle", say("figure.waits"))
    alone = Part(time, shows, say("figure.exposed"))
    computed = (Part(hidden, work, computing),)
    rows = [Bar(say("figure.apart", what=sending), seconds_text(time), (ahead, alone))]
    if hidden:
        rows = [Bar(say("figure.apart", what=computing), seconds_text(hidden), computed), *rows]
        rows.append(Bar(say("figure.beside", what=computing), seconds_text(hidden), computed))
        parts = (Part(hidden, hides, say("figure.hidden")), Part(exposed, shows, say("figure.exposed")))
        rows.append(Bar(say("figure.beside", what=sending), say("figure.shows", exposed=seconds_text(exposed)), parts))
    keys = legend(((work, computing), (hides, say("figure.hidden")), (shows, say("figure.exposed"))))
    drawn = bars(tuple(rows), say("figure.lanes_label", **facts))
    return figure(join([drawn, keys]), say("figure.lanes_caption", **facts), say("figure.lanes_title"))
