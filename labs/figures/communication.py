"""Figures of communication: a ring step by step, links side by side, one message in pieces, and what overlap hides."""

from labs import hardware, units
from labs.draw.bars import Bar, Part, bars
from labs.draw.svg import Markup, figure, percent, svg, tag
from labs.draw.theme import classes
from labs.figures import Figure
from labs.models.collectives import cost, overlap
from labs.models.ring_steps import State, states
from labs.words import Speaker

CELL, ACROSS, HEAD = 20, 4, 22  # px of a cell's height; panels in a row; px of a panel's title
LADDER = ("nvlink4_h100", "h800_nvlink_effective", "pcie5_x16", "ib_ndr_400")
PIECES = (1, 160, 16_000)
SHARES = (0.0, 0.5, 0.95)


def ring_steps(say: Speaker, n: int) -> Markup:
    """Rank by chunk, once before the first step and after each: how many contributions a chunk holds."""
    panel = HEAD + n * CELL + 14
    drawn = [_panel(i, state, n, panel, say) for i, state in enumerate(states(n))]
    rows = -(-len(drawn) // ACROSS)
    facts = {"n": n, "steps": 2 * (n - 1), "half": n - 1}
    drawing = svg(rows * panel - 8, *drawn, label=say("ring-steps.label", **facts), class_="nl-ring")
    return figure(drawing, say("ring-steps.caption"), say("ring-steps.title", **facts))


def _panel(i: int, state: State, n: int, height: float, say: Speaker) -> Markup:
    left, top = i % ACROSS / ACROSS, i // ACROSS * height
    key = "start" if i == 0 else "reduce" if i < n else "gather"
    title = tag("text", say("ring-steps." + key, step=i), x=percent(left), y=top + 14, class_="nl-under")
    cells = [
        _held(len(chunk), n, left + c * 0.9 / ACROSS / n, 0.86 / ACROSS / n, top + HEAD + rank * CELL)
        for rank, chunks in enumerate(state)
        for c, chunk in enumerate(chunks)
    ]
    return tag("g", title, *cells)


def _held(count: int, n: int, x: float, width: float, y: float) -> Markup:
    hue = classes("comm", "send" if count == n else "scatter" if count > 1 else "gather")
    box = tag("rect", x=percent(x), width=percent(width), y=y, height=CELL - 3, class_=hue)
    text = tag("text", count, x=percent(x + width / 2), y=y + 13, text_anchor="middle", class_="nl-tick")
    return tag("g", box, text, class_="nl-full" if count == n else None)


def link_ladder(say: Speaker) -> Markup:
    """Bytes a second: the memory of a GPU, reads and writes together, and the ways out of it, one direction each."""
    device = hardware.DEVICES["h100"]
    links = [hardware.link(name) for name in LADDER]
    steps = [(f"HBM ({device.title})", device.hbm_bandwidth)]
    steps += [(f"{one.title} ({say('link-ladder.' + one.basis)})", one.bandwidth) for one in links]
    rows = tuple(
        Bar(name, units.bandwidth_text(speed), (Part(speed, classes("comm", "bandwidth"), name),))
        for name, speed in steps
    )
    label = say("link-ladder.label", bars="; ".join(f"{row.label} {row.text}" for row in rows))
    return figure(bars(rows, label), say("link-ladder.caption"), say("link-ladder.title"))


def pieces(say: Speaker, message: float, n: int) -> Markup:
    """One all-reduce in 1, 160 and 16,000 calls: transfer stays, latency grows."""
    far = hardware.link("ib_ndr_400")
    costs = [cost("all_reduce", "ring", n, message, far.latency, far.bandwidth, calls) for calls in PIECES]
    rows = tuple(
        Bar(
            say("pieces.bar", calls=units.count(one.calls), size=units.volume(one.message / one.calls)),
            units.seconds_text(one.time),
            (
                Part(one.transfer, classes("comm", "bandwidth"), say("pieces.transfer")),
                Part(one.latency, classes("comm", "latency"), say("pieces.latency")),
            ),
        )
        for one in costs
    )
    label = say("pieces.label", bars="; ".join(f"{row.label} {row.text}" for row in rows))
    facts = {"size": units.bytes_text(message), "n": n}
    return figure(bars(rows, label), say("pieces.caption"), say("pieces.title", **facts))


def overlap_lanes(say: Speaker) -> Markup:
    """The same communication after, half under and nearly all under a computation twice as long."""
    pitch = 3 * CELL + 16
    drawn = [_lanes(part, i * pitch, say) for i, part in enumerate(SHARES)]
    label = say("overlap-lanes.label")
    return figure(
        svg(len(SHARES) * pitch, *drawn, label=label), say("overlap-lanes.caption"), say("overlap-lanes.title")
    )


def _lanes(part: float, top: float, say: Speaker) -> Markup:
    """Computation takes 2, communication 1, on an axis of 3."""
    shown = overlap(1.0, part)
    text = say("overlap-lanes.lane", part=units.percent(part), exposed=units.number(shown.exposed))
    box = {"height": CELL - 2}
    return tag(
        "g",
        tag("text", text, x=0, y=top + 14, class_="nl-label"),
        tag("rect", x=0, width=percent(2 / 3), y=top + HEAD, class_=classes("bubble", "forward"), **box),
        _piece((2 - shown.hidden) / 3, shown.hidden / 3, top + HEAD + CELL, classes("comm", "hidden")),
        _piece(2 / 3, shown.exposed / 3, top + HEAD + CELL, classes("comm", "exposed")),
    )


def _piece(x: float, width: float, y: float, hue: str) -> Markup:
    return tag("rect", x=percent(x), width=percent(width), y=y, height=CELL - 2, class_=hue) if width else Markup("")


FIGURES = {
    "ring-steps": Figure(ring_steps, {"n": 4}),
    "link-ladder": Figure(link_ladder),
    "pieces": Figure(pieces, {"message": 1e9, "n": 8}),
    "overlap-lanes": Figure(overlap_lanes),
}
