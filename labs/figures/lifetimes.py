"""Figures of one training step: which state lives when, where a layer's tensor is meanwhile, what it adds up to."""

from labs import hardware, units
from labs.draw.bars import Bar, Part, bars
from labs.draw.boxes import box, note
from labs.draw.columns import Column, columns
from labs.draw.legend import legend
from labs.draw.svg import Markup, figure, join, svg, tag
from labs.draw.theme import classes
from labs.figures import Figure
from labs.models.activations import kept
from labs.models.blocks import gpt
from labs.models.collectives import share
from labs.models.lifetimes import LIVES, POLICIES, STAGES, Slices, layer_life, peak, profile
from labs.models.memory import states
from labs.models.two_level import flat_ring_through_nics, two_level
from labs.words import Speaker

ROW, HEAD, NAMES = 34, 24, 0.22
HUES = {  # of a state: needed, and merely there
    "data": (classes("recovery"), "recovery shade-1"),
    "weights": (classes("state", "parameter"), "state shade-1"),
    "activations": (classes("activation", "kept"), "activation shade-1"),
    "gradients": (classes("state", "gradient"), "state shade-1"),
    "optimizer": (classes("state", "master"), "state shade-1"),
}
PLACES = {
    "kept": {"here": classes("activation", "kept")},
    "zero-3": {
        "here": classes("state", "parameter"),
        "moving": classes("comm", "send"),
        "away": classes("comm", "gather"),
    },
    "recompute": {"here": classes("activation", "kept"), "again": classes("activation", "recomputed")},
    "offload": {
        "here": classes("activation", "kept"),
        "moving": classes("comm", "send"),
        "away": classes("activation", "offloaded"),
    },
}
LAYERS, LOOKED_AT, SLICES, CELL = 8, 3, 4, 22


def lifelines(say: Speaker) -> Markup:
    """Five stages across, a lifeline a state: dark where the state is needed, light where it is only there."""
    width = (1 - NAMES) / len(STAGES)
    heads = [
        note(say("lifelines.stages." + stage), NAMES + (i + 0.5) * width, 14, "middle", "nl-tick")
        for i, stage in enumerate(STAGES)
    ]
    lines = [_life(state, HEAD + i * ROW, width, say) for i, state in enumerate(LIVES)]
    drawing = svg(HEAD + len(LIVES) * ROW, *heads, *lines, label=say("lifelines.label"))
    shades = legend((("state", say("lifelines.needed")), ("state shade-1", say("lifelines.idle"))))
    return figure(join([shades, drawing]), say("lifelines.caption"), say("lifelines.title"))


def _life(state: str, top: float, width: float, say: Speaker) -> Markup:
    needed, idle = HUES[state]
    hues = {"needed": needed, "idle": idle}
    found = [(i, LIVES[state].at(stage)) for i, stage in enumerate(STAGES)]
    cells = [box(NAMES + i * width, top + 4, width * 0.985, hues[how]) for i, how in found if how in hues]
    return tag("g", tag("text", say("lifelines." + state), x=0, y=top + 20, class_="nl-label"), *cells)


def whereabouts(say: Speaker) -> Markup:
    """One layer's tensor over the slots of forward and backward, under four policies."""
    panel = HEAD + CELL + 12
    drawn = [_panel(policy, i * panel, say) for i, policy in enumerate(POLICIES)]
    foot = len(POLICIES) * panel
    halves = {"forward": 0.25, "backward": 0.75}
    names = [note(say("whereabouts." + half), x, foot + 6, "middle") for half, x in halves.items()]
    facts = {"k": LOOKED_AT, "n": LAYERS}
    drawing = svg(foot + 12, *drawn, *names, label=say("whereabouts.label", **facts))
    keys = (
        (classes("activation", "kept"), "here"),
        (classes("comm", "send"), "moving"),
        (classes("comm", "gather"), "others"),
        (classes("activation", "offloaded"), "slower"),
        (classes("activation", "recomputed"), "again"),
        ("idle", "nowhere"),
    )
    shades = legend(tuple((hue, say("whereabouts." + key)) for hue, key in keys))
    return figure(join([shades, drawing]), say("whereabouts.caption"), say("whereabouts.title", **facts))


def _panel(policy: str, top: float, say: Speaker) -> Markup:
    life = list(layer_life(policy, LOOKED_AT, LAYERS))
    if policy == "recompute":
        life[2 * LAYERS - LOOKED_AT] = "again"
    width = 1 / len(life)
    cells = [
        box(slot * width, top + HEAD, width * 0.94, PLACES[policy].get(where, "idle"), _number(slot), CELL)
        for slot, where in enumerate(life)
    ]
    return tag("g", tag("text", say("whereabouts." + policy), x=0, y=top + 15, class_="nl-label"), *cells)


def _number(slot: int) -> int:
    """The layer whose forward or backward runs in a slot."""
    return slot + 1 if slot < LAYERS else 2 * LAYERS - slot


def step_memory(say: Speaker, params: float, dp: int, seq: int) -> Markup:
    """Bytes on one GPU through the step: ZeRO-1, a micro-batch of one sample, no scores stored, nothing recomputed."""
    held = states(params, dp, 1)
    stored = kept(gpt(4096, 32, seq, flash=True), seq, 1, 4096, 32).total
    slices = profile(held.weights, held.optimizer, held.gradients, stored, SLICES)
    at = peak(slices)
    top = units.bytes_text(slices[at].total)
    facts = {"params": units.number(params / 1e9), "dp": dp, "seq": units.count(seq), "peak": top, "n": SLICES}
    drawing = columns([_slice(i, one, say) for i, one in enumerate(slices)], say("step-memory.label", **facts))
    hues = {"weights": "weights", "optimizer": "optimizer", "gradients": "gradients", "activations": "activations"}
    shades = legend(tuple((HUES[state][0], say("lifelines." + word)) for state, word in hues.items()))
    return figure(join([shades, drawing]), say("step-memory.caption", **facts), say("step-memory.title", **facts))


def _slice(i: int, one: Slices, say: Speaker) -> Column:
    parts = tuple(
        (round(size / units.GB, 1), HUES[state][0], f"{say('lifelines.' + state)}: {units.bytes_text(size)}")
        for state in ("weights", "optimizer", "gradients", "activations")
        if (size := getattr(one, state))
    )
    named = {0: "F", SLICES: "B", 2 * SLICES: "R", 2 * SLICES + 1: "U"}
    return Column(named.get(i, ""), parts)


def gradient_roads(say: Speaker, message: float) -> Markup:
    """One all-reduce over eight nodes of eight GPUs, reckoned four ways."""
    near, far = hardware.link("nvlink4_h100"), hardware.link("ib_ndr_400")
    rail, levels = flat_ring_through_nics(message, 64, 8), two_level(message, 8, 8, near, far)
    inside = levels.sent_inside / near.bandwidth
    roads = {
        "shared": (2 * share(64) * message / far.bandwidth, 0.0),
        "rails": (rail / far.bandwidth, 0.0),
        "serial": (levels.sent_outside / far.bandwidth, inside),
        "overlapped": (levels.sent_outside / far.bandwidth, 0.0),
    }
    rows = tuple(_road(name, outside, within, say) for name, (outside, within) in roads.items())
    label = say("gradient-roads.label", bars="; ".join(f"{row.label} {row.text}" for row in rows))
    facts = {"size": units.bytes_text(message)}
    return figure(bars(rows, label), say("gradient-roads.caption"), say("gradient-roads.title", **facts))


def _road(name: str, outside: float, within: float, say: Speaker) -> Bar:
    parts = [Part(outside, classes("comm", "send"), say("gradient-roads.outside"))]
    if within:
        parts.append(Part(within, classes("comm", "gather"), say("gradient-roads.inside")))
    return Bar(say("gradient-roads." + name), units.seconds_text(outside + within, 3), tuple(parts))


FIGURES = {
    "lifelines": Figure(lifelines),
    "whereabouts": Figure(whereabouts),
    "step-memory": Figure(step_memory, {"params": 7e9, "dp": 8, "seq": 4096}),
    "gradient-roads": Figure(gradient_roads, {"message": 14e9}),
}
