"""Figures of the Kimi lineage: what a second copy would take, what more stages cost, and what is balanced since."""

from labs import units
from labs.draw.bars import Bar, Limit, Part, bars
from labs.draw.boxes import box, note
from labs.draw.columns import Column, columns
from labs.draw.svg import Markup, figure, join, percent, scroll, svg, tag
from labs.draw.theme import classes
from labs.figures import Figure
from labs.models import vision
from labs.models.bubbles import flush_rel
from labs.models.memory import States, states, uneven
from labs.models.schedules.plans import plan
from labs.words import Speaker
from labs.workloads import KIMI_K2
from labs.workloads.count import parameters

PP, EP, GROUP = 16, 16, 256  # kimi-k2 §2.4.2
CAPACITY = 80e9
PUBLISHED = 1.04e12  # parameters as the report rounds them (kimi-k2 Table 2); the bars below count tensors
STAGES = (16, 32)
# Patches of a made-up batch: many small images, a few large, one very large
IMAGES = (256, 300, 324, 400, 484, 576, 576, 784, 900, 1024, 1024, 1444, 1600, 2304, 4096, 16384)
GPUS, MOST = 8, 2048
HEAD, PITCH, LINE = 22, 46, 20  # px
PHASES = (("warm-up", 0.12, 0.32), ("steady", 0.32, 0.68), ("drain", 0.68, 0.86), ("update", 0.86, 1.0))
# row, hue, pieces: name, start and end as fractions of the width, line. Forward above, backward below: they alternate.
LANES = (
    ("experts", "moe load", (("forward", 0.12, 0.68, 0), ("backward", 0.32, 0.86, 1))),
    ("activations", "activation kept", (("out", 0.12, 0.68, 0), ("back", 0.32, 0.86, 1))),
    ("gradients", "state shade-7", (("reduce", 0.32, 0.86, 1),)),
    ("vision", "bubble weight", (("first", 0.12, 0.22, 0), ("gaps", 0.32, 0.68, 0), ("last", 0.76, 0.86, 1))),
    ("optimizer", "comm send", (("fetch", 0.86, 1.0, 0),)),
)


def k2_memory(say: Speaker) -> Markup:
    """Weights and gradients of one GPU: spread evenly, as they lie, and twice over."""
    counted = parameters(KIMI_K2)
    rest = counted.total - counted.routed_total
    real = uneven(counted.routed_total, PP * EP, rest, PP, recipe="weights-gradients")
    bills = {"even": states(PUBLISHED, recipe="weights-gradients", shard=GROUP), "real": real, "twice": real + real}
    rows = tuple(_bill(name, held, say) for name, held in bills.items())
    label = say("k2-memory.label", bars="; ".join(f"{row.label} {row.text}" for row in rows))
    limit = Limit(CAPACITY, units.bytes_text(CAPACITY))
    facts = {"rest": units.number(rest / 1e9, 3), "left": units.bytes_text(CAPACITY - bills["twice"].total, "GB", 3)}
    return figure(bars(rows, label, limit), say("k2-memory.caption", **facts), say("k2-memory.title"))


def _bill(name: str, held: States, say: Speaker) -> Bar:
    parts = tuple(
        Part(size, classes("state", hue), f"{say('states.' + kind)}: {units.bytes_text(size, 'GB', 3)}")
        for kind, hue, size in (
            ("weights", "parameter", held.weights),
            ("gradients", "gradient", held.gradients + held.accumulation),
        )
    )
    return Bar(say("k2-memory." + name), units.bytes_text(held.total, "GB", 3), parts, name == "real")


def more_stages(say: Speaker, m: int) -> Markup:
    """Idle over useful, without interleaving and with a layer a chunk, as finely as K2's layers allow."""
    idle = {(p, cut): flush_rel(p, m) * (p / KIMI_K2.layers if cut else 1) for cut in (False, True) for p in STAGES}
    rows = tuple(
        Bar(
            say("more-stages." + ("cut" if cut else "whole"), p=p), units.percent(value),
            (Part(value, classes("bubble", "weight" if cut else "backward"), units.percent(value)),),
        )
        for (p, cut), value in idle.items()
    )  # fmt: skip
    label = say("more-stages.label", m=m, bars="; ".join(f"{row.label} {row.text}" for row in rows))
    caption = say("more-stages.caption", layers=KIMI_K2.layers)
    return figure(bars(rows, label), caption, say("more-stages.title", m=m))


def images(say: Speaker) -> Markup:
    """A made-up batch of images on eight GPUs, three ways; a column is what one GPU has to encode."""
    ways = {
        "first": vision.first_stage(IMAGES, GPUS),
        "dealt": vision.dealt(IMAGES, GPUS),
        "cut": vision.dealt(vision.cut(IMAGES, MOST), GPUS),
    }
    facts = {name: units.number(vision.ratio(loads), 3) for name, loads in ways.items()}
    drawn = [_way(name, loads, say) for name, loads in ways.items()]
    return figure(join(drawn), say("images.caption", most=units.count(MOST), **facts), say("images.title"))


def _way(name: str, loads: list[float], say: Speaker) -> Markup:
    """Loads over their mean, all on one scale."""
    mean, hue = sum(loads) / len(loads), classes("activation", "kept")
    over = [round(load / mean, 2) for load in loads]
    cells = [
        Column(str(gpu), ((value, hue, units.count(load)),), 1.0, units.count(mean))
        for gpu, (value, load) in enumerate(zip(over, loads, strict=True))
    ]
    title = say("images." + name)
    label = say("images.label", what=title, loads="; ".join(map(units.times_text, over)))
    return join([tag("p", title, class_="nl-figure-title"), columns(cells, label, GPUS)])


def resident(say: Speaker, p: int, m: int, v: int) -> Markup:
    """Sets of activations that each rank of an interleaved pipeline holds at its fullest, beside their mean."""
    peaks = plan("interleaved", p, m, v).peak
    mean, hue = sum(peaks) / p, classes("activation", "kept")
    cells = [
        Column(str(rank), ((peak, hue, units.number(peak)),), mean, units.number(mean))
        for rank, peak in enumerate(peaks)
    ]
    facts = {
        "p": p,
        "m": m,
        "v": v,
        "most": units.number(peaks[0]),
        "least": units.number(peaks[-1]),
        "mean": units.number(mean, 3),
    }
    drawing = columns(cells, say("resident.label", peaks="; ".join(map(units.number, peaks)), **facts))
    return figure(drawing, say("resident.caption", **facts), say("resident.title", **facts))


def phases(say: Speaker) -> Markup:
    """Five objects over the phases of one step, to no scale: what K3 does with each, and when (kimi-k3 §5.2)."""
    drawn = [
        box(start, HEAD + i * PITCH + line * LINE, end - start - 0.005, hue, say(f"phases.{row}.{name}"), LINE - 2)
        for i, (row, hue, pieces) in enumerate(LANES)
        for name, start, end, line in pieces
    ]
    names = [note(say(f"phases.{row}.name"), 0, HEAD + i * PITCH + 16) for i, (row, _, _) in enumerate(LANES)]
    heads = [note(say("phases." + phase), (a + b) / 2, 13, "middle", "nl-label") for phase, a, b in PHASES]
    below = HEAD + len(LANES) * PITCH
    rules = [tag("line", x1=percent(a), x2=percent(a), y1=0, y2=below, class_="nl-gridline") for _, a, _ in PHASES]
    drawing = svg(below, *rules, *heads, *names, *drawn, label=say("phases.label"))
    return figure(scroll(say("phases.title"), drawing, least="38rem"), say("phases.caption"), say("phases.title"))


FIGURES = {
    "k2-memory": Figure(k2_memory),
    "more-stages": Figure(more_stages, {"m": 64}),
    "images": Figure(images),
    "phases": Figure(phases),
    "resident": Figure(resident, {"p": 8, "m": 16, "v": 2}),
}
