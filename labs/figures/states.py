"""Figures of model state: what a parameter costs, who holds which part, and what ZeRO sends."""

from labs import units
from labs.draw.bars import Bar, Part, bars
from labs.draw.legend import legend
from labs.draw.lines import Axis, Line, Mark, loglog
from labs.draw.svg import Markup, figure, join, percent, svg, tag
from labs.draw.theme import classes
from labs.figures import Figure
from labs.models.memory import CUT_FROM, STAGES, states
from labs.models.recipes import RECIPES, Recipe
from labs.models.zero_traffic import traffic
from labs.words import Speaker

HUES = {
    "weights": classes("state", "parameter"),
    "gradients": classes("state", "gradient"),
    "accumulation": classes("state", "gradient"),
    "master": classes("state", "master"),
    "momentum": classes("state", "momentum"),
    "variance": classes("state", "variance"),
}
DRAWN = ("fp16-adam", "fp32-gradients", "fp32-accumulation", "fsdp2", "bf16-moments")
NAMED = (4, 4, 6, 6)  # at which point of its curve a stage is named, so that the names stand apart
CELL, PITCH, HEAD, NAMES = 14, 17, 24, 0.26  # heights in px; the share of the width that the states' names take


def recipes(say: Speaker) -> Markup:
    """Bytes of one parameter, state by state, one bar a recipe."""
    rows = tuple(_recipe(name, RECIPES[name], say) for name in DRAWN)
    label = say("recipes.label", bars="; ".join(f"{row.label} {row.text}" for row in rows))
    shades = legend(tuple({hue: (hue, say("states." + state)) for state, hue in reversed(HUES.items())}.values())[::-1])
    return figure(join([shades, bars(rows, label)]), say("recipes.caption"), say("recipes.title"))


def _recipe(name: str, recipe: Recipe, say: Speaker) -> Bar:
    sizes = {state: getattr(recipe, state) for state in HUES}
    parts = [
        Part(size, HUES[state], f"{say('states.' + state)}: {units.bytes_text(size, 'B')}")
        for state, size in sizes.items()
        if size
    ]
    return Bar(say("recipes.names." + name), units.bytes_text(recipe.total, "B"), tuple(parts), name == DRAWN[0])


def holders(say: Speaker, dp: int) -> Markup:
    """Five states by `dp` ranks, once for each stage: a cell is filled whole, or only in the part its rank keeps."""
    states = [state for state in HUES if getattr(RECIPES["fp16-adam"], state)]
    panel = HEAD + len(states) * PITCH + 8
    drawn = [_panel(stage, states, dp, i * panel, say) for i, stage in enumerate(STAGES)]
    drawing = svg(len(STAGES) * panel - 8, *drawn, label=say("holders.label", dp=dp), class_="nl-holders")
    return figure(drawing, say("holders.caption"), say("holders.title", dp=dp))


def _panel(stage: int, states: list[str], dp: int, top: float, say: Speaker) -> Markup:
    title = tag("text", say(f"stages.{stage}"), x=0, y=f"{top + 13:g}", class_="nl-label")
    rows = [_states(state, stage >= CUT_FROM[state], dp, top + HEAD + i * PITCH, say) for i, state in enumerate(states)]
    return tag("g", title, *rows)


def _states(state: str, cut: bool, dp: int, y: float, say: Speaker) -> Markup:
    name = tag("text", say("states." + state), x=0, y=f"{y + CELL - 3:g}", class_="nl-under")
    return tag("g", name, *(_cell(HUES[state], cut, rank, dp, y) for rank in range(dp)))


def _cell(hue: str, cut: bool, rank: int, dp: int, y: float) -> Markup:
    """The outline is the whole state; the filled part of a cut one is the rank's own N-th, at its place."""
    width = (1 - NAMES) / dp
    left, inner = NAMES + rank * width, width * 0.86
    box = {"y": f"{y:g}", "height": CELL}
    if not cut:
        return tag("rect", x=percent(left), width=percent(inner), class_=hue, **box)
    whole = tag("rect", x=percent(left), width=percent(inner), class_="idle", **box)
    own = tag("rect", x=percent(left + inner * rank / dp), width=percent(inner / dp), class_=hue, **box)
    return join([whole, own])


def floors(say: Speaker, params: float, capacity: float) -> Markup:
    """State of one rank against the number of ranks, one curve a stage, with the capacity of a card."""
    ranks = [2.0**k for k in range(9)]
    held = {stage: [(n, states(params, int(n), stage).total) for n in ranks] for stage in STAGES}
    lines = [Line(points, classes("state", "parameter"), say(f"stages.{stage}")) for stage, points in held.items()]
    lines.append(Line([(1, capacity), (ranks[-1], capacity)], "beside", say("floors.capacity"), dashed=True))
    marks = [
        Mark(points[NAMED[stage]][0], say(f"floors.marks.{stage}"), classes("state"), points[NAMED[stage]][1])
        for stage, points in held.items()
    ]
    x = Axis(1, ranks[-1], units.number, say("floors.x"))
    y = Axis(4e9, 2e12, lambda value: units.bytes_text(value, "auto"), say("floors.y"))
    facts = {"params": units.number(params / 1e9), "capacity": units.bytes_text(capacity)}
    ends = "; ".join(f"{say(f'stages.{stage}')} {units.bytes_text(points[-1][1])}" for stage, points in held.items())
    drawing = loglog(lines, marks, x, y, say("floors.label", ends=ends, ranks=int(ranks[-1]), **facts))
    return figure(drawing, say("floors.caption", **facts), say("floors.title", **facts))


def zero_traffic(say: Speaker, params: float, dp: int, m: int) -> Markup:
    """Bytes that one rank sends in one direction and one step, weights and gradients apart, one bar a stage."""
    rows = tuple(_sent(stage, params, dp, m, say) for stage in STAGES)
    facts = {"params": units.number(params / 1e9), "dp": dp, "m": m}
    label = say("zero-traffic.label", bars="; ".join(f"{row.label} {row.text}" for row in rows), **facts)
    kinds = legend(tuple((classes("comm", kind), say("zero-traffic." + kind)) for kind in ("scatter", "gather")))
    return figure(join([kinds, bars(rows, label)]), say("zero-traffic.caption"), say("zero-traffic.title", **facts))


def _sent(stage: int, params: float, dp: int, m: int, say: Speaker) -> Bar:
    moved = traffic(params, dp, stage, m=m)
    sizes = {"scatter": moved.gradient_bytes, "gather": moved.weight_bytes}
    parts = [
        Part(size, classes("comm", kind), f"{say('zero-traffic.' + kind)}: {units.bytes_text(size)}")
        for kind, size in sizes.items()
        if size
    ]
    return Bar(say(f"stages.{stage}"), units.bytes_text(moved.sent), tuple(parts))


FIGURES = {
    "recipes": Figure(recipes),
    "holders": Figure(holders, {"dp": 8}),
    "floors": Figure(floors, {"params": 70e9, "capacity": 80e9}),
    "zero-traffic": Figure(zero_traffic, {"params": 7e9, "dp": 8, "m": 1}),
}
