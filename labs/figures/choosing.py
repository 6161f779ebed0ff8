"""Figures of the playbook: which question to ask first, and a plan checked for room and for time."""

from labs import units
from labs.draw.bars import Bar, Limit, Part, bars
from labs.draw.boxes import box, note
from labs.draw.legend import legend
from labs.draw.svg import Markup, figure, join, svg, tag
from labs.draw.theme import classes
from labs.figures import Figure
from labs.hardware import DEVICES, link
from labs.models.activations import kept
from labs.models.blocks import gpt
from labs.models.memory import states
from labs.models.step import compute_seconds
from labs.models.zero_traffic import traffic
from labs.words import Speaker

# In the order in which to ask; the first that is answered yes is the row to begin with.
ROWS = {
    "recovery": "recovery",
    "state": "state",
    "context": "context",
    "activation": "activation",
    "bubble": "bubble backward",
    "moe": "moe load",
    "comm": "comm exposed",
    "compute": "numerics",
}
PITCH = 52
P, SHARD, DP, TOKENS, TP = 70e9, 8, 8, 4096, 8  # 70B, cut eight ways by TP, over eight replicas
RECIPES = ("fp16-adam", "fp32-gradients")
STATES = {
    "weights": classes("state", "parameter"),
    "gradients": classes("state", "gradient"),
    "optimizer": classes("state", "master"),
}
VOCABULARY = 128_256
EFFICIENCY = 0.4  # assumed share of the dense peak


def decision(say: Speaker) -> Markup:
    """Eight questions from top to bottom, each with the ledger to open if the answer is yes."""
    drawn = [_question(row, hue, i * PITCH, i == len(ROWS) - 1, say) for i, (row, hue) in enumerate(ROWS.items())]
    drawing = svg(len(ROWS) * PITCH, *drawn, label=say("decision.label"))
    return figure(drawing, say("decision.caption"), say("decision.title"))


def _question(row: str, hue: str, top: float, last: bool, say: Speaker) -> Markup:
    arrow = "" if last else note("↓ " + say("decision.no"), 0.02, top + 38)
    yes = note(say("decision.yes") + " →", 0.36, top + 38, "end")
    ask = tag("text", say(f"decision.ask.{row}"), x=0, y=top + 15, class_="nl-label")
    return tag("g", ask, arrow, yes, box(0.38, top + 22, 0.62, hue, say(f"decision.open.{row}")))


def plan_memory(say: Speaker) -> Markup:
    """States, activations and logits of one GPU under two ways of holding gradients, against the card."""
    rows = tuple(_plan(recipe, say) for recipe in RECIPES)
    limit = Limit(80 * units.GB, say("plan-memory.limit"))
    label = say("plan-memory.label", bars="; ".join(f"{row.label} {row.text}" for row in rows))
    hues = STATES | {"activations": classes("activation", "kept"), "logits": classes("activation", "logits")}
    shades = legend(tuple((hue, say("plan-memory." + name)) for name, hue in hues.items()))
    return figure(join([shades, bars(rows, label, limit)]), say("plan-memory.caption"), say("plan-memory.title"))


def _plan(recipe: str, say: Speaker) -> Bar:
    held = states(P, DP, 1, recipe, shard=SHARD)
    shape = (TOKENS, 1, 8192, 80)
    sizes = {name: (getattr(held, name), hue) for name, hue in STATES.items()}
    stored = kept(gpt(8192, 64, TOKENS), *shape, t=TP, sp=True, recompute="selective").stored
    sizes["activations"] = (stored, classes("activation", "kept"))
    sizes["logits"] = (4 * TOKENS * VOCABULARY / TP, classes("activation", "logits"))
    parts = tuple(
        Part(size, hue, f"{say('plan-memory.' + name)}: {units.bytes_text(size)}")
        for name, (size, hue) in sizes.items()
    )
    total = sum(size for size, _ in sizes.values())
    return Bar(say("plan-memory.recipes." + recipe), units.bytes_text(total, digits=3), parts)


def plan_hide(say: Speaker) -> Markup:
    """Time on the wire of the two halves of a step's reduction, and the computing that each could hide behind."""
    wire = link("ib_ndr_400").bandwidth
    bars_of = [_wire(recipe, half, wire, say) for recipe in RECIPES for half in ("scatter", "gather")]
    work = {half: compute_seconds(passes * P * TOKENS, TP, DEVICES["h100"].bf16, EFFICIENCY) for half, passes in PASSES}
    shown = [_cover(half, seconds, say) for half, seconds in work.items()]
    rows = (shown[0], bars_of[0], bars_of[2], shown[1], bars_of[1])
    label = say("plan-hide.label", bars="; ".join(f"{row.label} {row.text}" for row in rows))
    return figure(bars(rows, label), say("plan-hide.caption"), say("plan-hide.title"))


PASSES = (("scatter", 4), ("gather", 2))  # the backward of the last micro-batch, the forward of the next step's first


def _wire(recipe: str, half: str, wire: float, say: Speaker) -> Bar:
    moved = traffic(P / SHARD, DP, 1, recipe)
    size = moved.gradient_bytes if half == "scatter" else moved.weight_bytes
    name = say("plan-hide." + half, recipe=say("plan-hide.recipes." + recipe), size=units.bytes_text(size, digits=3))
    return Bar(name, units.seconds_text(size / wire, 3), (Part(size / wire, classes("comm", "send"), name),))


def _cover(half: str, seconds: float, say: Speaker) -> Bar:
    name = say(f"plan-hide.{half}-cover")
    return Bar(name, units.seconds_text(seconds, 3), (Part(seconds, classes("bubble", "forward"), name),))


FIGURES = {"decision": Figure(decision), "plan-memory": Figure(plan_memory), "plan-hide": Figure(plan_hide)}
