"""Figures of agentic RL and recovery: whose memory it is, lives that alternate, a long tail, and how often to save."""

from labs import units
from labs.draw.boxes import box, note
from labs.draw.legend import legend
from labs.draw.lines import Axis, Line, Mark, loglog
from labs.draw.svg import Markup, figure, join, percent, svg, tag
from labs.draw.theme import classes
from labs.figures import Figure
from labs.models.recovery import lost, young
from labs.models.rollouts import Rounds, lengths, partial, two_slots
from labs.words import Speaker

PLACES = ("gpu", "cpu", "nvme")
OWNERS = {  # phase → what each place holds, by ledger: kimi-k3 §5.3.1, k2-checkpoint-engine README
    "train": ("state", "state shade-4", "idle"),
    "sync": ("comm", "state shade-4", "state shade-1"),
    "rollout": ("context", "context shade-4", "state shade-1"),
    "reward": ("state shade-4", "state shade-4", "state shade-1"),
}
TURNS = "GGGTGGGGTGGTTGGGGGTG"  # a toy trajectory: G generates, T runs a tool
LANES = {
    "model": {"G": classes("bubble", "forward"), "T": "idle"},
    "kv": {"G": "context", "T": "context shade-2"},
    "sandbox": {"G": "recovery shade-1", "T": "recovery"},
}
RATES = {"calm": "recovery shade-7", "rough": "recovery"}
ROW, HEAD = 28, 20


def owners(say: Speaker) -> Markup:
    """Four phases below one another; in each, what the three places hold."""
    drawn = [_phase(phase, i * 66, say) for i, phase in enumerate(OWNERS)]
    drawing = svg(len(OWNERS) * 66, *drawn, label=say("owners.label"))
    return figure(drawing, say("owners.caption"), say("owners.title"))


def _phase(phase: str, top: float, say: Speaker) -> Markup:
    cells = []
    for i, (place, hue) in enumerate(zip(PLACES, OWNERS[phase], strict=True)):
        x = i / len(PLACES)
        cells.append(box(x, top + HEAD, 0.31, hue, say("owners.places." + place)))
        cells.append(note(say(f"owners.{phase}-{place}"), x, top + HEAD + 37))
    return tag("g", tag("text", say("owners.phases." + phase), x=0, y=top + 14, class_="nl-label"), *cells)


def turns(say: Speaker) -> Markup:
    """One trajectory that generates and calls tools by turns, with its KV and its sandbox under it."""
    rows = [_lane(lane, i * (ROW + HEAD), say) for i, lane in enumerate(LANES)]
    drawing = svg(len(LANES) * (ROW + HEAD), *rows, label=say("turns.label"))
    keys = [(hue, f"turns.{lane}-{turn}") for lane, hues in LANES.items() for turn, hue in hues.items()]
    shades = legend(tuple((hue, say(key)) for hue, key in keys))
    return figure(join([shades, drawing]), say("turns.caption"), say("turns.title"))


def _lane(lane: str, top: float, say: Speaker) -> Markup:
    width = 1 / len(TURNS)
    cells = [box(i * width, top + HEAD, width * 0.96, LANES[lane][turn]) for i, turn in enumerate(TURNS)]
    return tag("g", tag("text", say("turns." + lane), x=0, y=top + 14, class_="nl-label"), *cells)


def slots(say: Speaker, chunks: int) -> Markup:
    """Two buffers taking turns through a reference forward; then gradients take both."""
    steps = two_slots(chunks)
    width = 1 / (len(steps) + 1)
    rows = [_buffer(which, steps, width, say) for which in (0, 1)]
    drawing = svg(2 * (ROW + HEAD), *rows, label=say("two-slots.label", chunks=chunks))
    keys = (
        ("state shade-4", "runs"),
        (classes("comm", "gather"), "loads"),
        (classes("state", "gradient"), "gradients"),
    )
    shades = legend(tuple((hue, say("two-slots." + key)) for hue, key in keys))
    return figure(join([shades, drawing]), say("two-slots.caption"), say("two-slots.title", chunks=chunks))


def _buffer(which: int, steps: tuple[tuple[str, str], ...], width: float, say: Speaker) -> Markup:
    top = which * (ROW + HEAD)
    cells = []
    for i, words in enumerate(pair[which] for pair in steps):
        hue = "idle" if not words else "state shade-4" if words[0] == "F" else classes("comm", "gather")
        cells.append(box(i * width, top + HEAD, width * 0.95, hue, words.removeprefix("load ").removeprefix("F")))
    last = box(len(steps) * width, top + HEAD, width * 0.95, classes("state", "gradient"), "∇")
    name = tag("text", say("two-slots.buffer", which="AB"[which]), x=0, y=top + 14, class_="nl-label")
    return tag("g", name, *cells, last)


def tail(say: Speaker, n: int, share: float, a: float) -> Markup:
    """Trajectories as rows: waiting for the longest, and pausing when `share` of them are done."""
    times = lengths(n, a)
    whole, early = partial(times, 1), partial(times, share)
    facts = {
        "n": n,
        "share": units.percent(share),
        "whole": units.percent(whole.busy),
        "early": units.percent(early.busy),
        "carried": early.carried,
        "shorter": units.times_text(whole.stop / early.stop, 3),
    }
    height = HEAD + n * 6 + 8
    rounds = {"all": whole, "part": early}
    panels = [_tail(rounds[key], key, i * height, max(times), facts, say) for i, key in enumerate(rounds)]
    drawing = svg(2 * height, *panels, label=say("tail.label", **facts))
    keys = ((classes("bubble", "forward"), "runs"), ("context", "carried"), ("idle", "waits"))
    shades = legend(tuple((hue, say("tail." + key)) for hue, key in keys))
    return figure(join([shades, drawing]), say("tail.caption", **facts), say("tail.title", **facts))


def _tail(one: Rounds, key: str, top: float, longest: float, facts: dict[str, object], say: Speaker) -> Markup:
    rows = []
    for i, (length, ran) in enumerate(zip(one.lengths, one.done, strict=True)):
        y = f"{top + HEAD + i * 6:g}"
        hue = "context" if length > one.stop else classes("bubble", "forward")
        rows.append(tag("rect", x=0, width=percent(ran / longest), y=y, height=5, class_=hue))
        if ran < one.stop:
            rest = {"x": percent(ran / longest), "width": percent((one.stop - ran) / longest)}
            rows.append(tag("rect", y=y, height=5, class_="idle", **rest))
    return tag("g", tag("text", say("tail." + key, **facts), x=0, y=top + 14, class_="nl-label"), *rows)


def save_interval(say: Speaker, delta: float, calm: float, rough: float) -> Markup:
    """What is lost against the time between checkpoints, for two failure rates, with the best interval of each."""
    every = [60 * 10 ** (k / 10) for k in range(28)]
    both = {"calm": calm, "rough": rough}
    lines = [
        Line([(t, lost(t, delta, M).total) for t in every], RATES[name], say("save-interval." + name))
        for name, M in both.items()
    ]
    lines.append(Line([(t, delta / t) for t in every], "beside", say("save-interval.writing"), dashed=True))
    marks = [_best(delta, M, say, under=M == calm) for M in both.values()]
    x = Axis(60, every[-1], lambda value: units.seconds_text(value, 2), say("save-interval.x"))
    y = Axis(0.005, 1.5, lambda value: units.percent(value, 2), say("save-interval.y"))
    facts = {name: units.seconds_text(young(delta, M), 3) for name, M in both.items()}
    facts |= {f"{name}_lost": units.percent(lost(young(delta, M), delta, M).total) for name, M in both.items()}
    label = say("save-interval.label", **facts)
    title = say("save-interval.title", delta=units.seconds_text(delta))
    keys = legend(tuple((hue, say("save-interval." + name)) for name, hue in RATES.items()))
    return figure(join([keys, loglog(lines, marks, x, y, label)]), say("save-interval.caption", **facts), title)


def _best(delta: float, M: float, say: Speaker, under: bool) -> Mark:
    """The bottom of a curve; the lower one's name stands under it, where no curve passes."""
    at, name = young(delta, M), say("save-interval.best", at=units.seconds_text(young(delta, M), 3))
    return Mark(at, name, "recovery", lost(at, delta, M).total, under=under, side="start")


FIGURES = {
    "owners": Figure(owners),
    "turns": Figure(turns),
    "two-slots": Figure(slots, {"chunks": 6}),
    "tail": Figure(tail, {"n": 24, "share": 0.75, "a": 2.0}),
    "save-interval": Figure(save_interval, {"delta": 60.0, "calm": 8 * 3600.0, "rough": 54 * 86400 / 419}),
}
