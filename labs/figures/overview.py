"""Figures of the nine ledgers together: what each counts, whom a faster GPU helps, and where four savings went."""

from labs import units
from labs.draw.bars import Bar, Part, bars
from labs.draw.boxes import box, note
from labs.draw.legend import legend
from labs.draw.pairs import Pair, Side, pairs
from labs.draw.svg import Markup, figure, join, svg, tag
from labs.draw.theme import LEDGERS, classes
from labs.figures import Figure
from labs.hardware import link
from labs.models.activations import kept
from labs.models.blocks import gpt
from labs.models.memory import states
from labs.models.outcomes import outcome
from labs.models.schedules import Times
from labs.models.step import PASSES, StepTimes
from labs.models.zero_traffic import traffic
from labs.words import Speaker

LAYERS = ("time", "network", "capacity", "compute")
# The layer that a ledger's unit measures first, then those where its bill arrives as well.
FELT = {
    "state": ("capacity",),
    "activation": ("capacity", "compute"),
    "parallel": ("network", "capacity"),
    "bubble": ("time",),
    "comm": ("network", "time"),
    "moe": ("network", "time", "compute"),
    "context": ("capacity", "network"),
    "numerics": ("compute", "capacity"),
    "recovery": ("time", "network", "capacity"),
}
ROW, HEAD, NAMES = 42, 24, 0.38
STEPS = {"waits": StepTimes(1.00, 0.15, 0.35, 0.20), "wires": StepTimes(1.00, 0.55, fixed=0.15)}
PCIE = "pcie5_x16_measured"
CAUSES = {
    "compute": classes("bubble", "forward"),
    "exposed": classes("comm", "exposed"),
    "bubble": "idle",
    "straggler": classes("moe", "load"),
    "fixed": classes("recovery"),
}


def nine_ledgers(say: Speaker) -> Markup:
    """A row a ledger with its unit and its chapter; a column a layer of resource."""
    columns = [
        note(say("nine-ledgers.layers." + layer), _column(i) + 0.5 * _pitch(), 14, "middle", "nl-tick")
        for i, layer in enumerate(LAYERS)
    ]
    rows = [_ledger(ledger, i, say) for i, ledger in enumerate(LEDGERS)]
    drawing = svg(HEAD + len(rows) * ROW, *columns, *rows, label=say("nine-ledgers.label"))
    shades = legend((("state", say("nine-ledgers.own")), (classes("state", "variance"), say("nine-ledgers.also"))))
    return figure(join([shades, drawing]), say("nine-ledgers.caption"), say("nine-ledgers.title"))


def _pitch() -> float:
    return (1 - NAMES) / len(LAYERS)


def _column(i: int) -> float:
    return NAMES + i * _pitch()


def _ledger(ledger: str, row: int, say: Speaker) -> Markup:
    top, felt = HEAD + row * ROW, FELT[ledger]
    name = tag("text", say("ledgers." + ledger), x=0, y=top + 16, class_="nl-label")
    under = tag("text", say("nine-ledgers.units." + ledger), x=0, y=top + 31, class_="nl-under")
    cells = [
        box(_column(i), top + 4, _pitch() * 0.94, _felt(ledger, felt.index(layer)), height=ROW - 8)
        for i, layer in enumerate(LAYERS)
        if layer in felt
    ]
    line = tag("line", x1=0, x2="100%", y1=top, y2=top, class_="nl-gridline")
    return tag("g", line, name, under, *cells)


def _felt(ledger: str, at: int) -> str:
    return ledger if at == 0 else f"{ledger} shade-2"


def two_steps(say: Speaker) -> Markup:
    """Two steps of equal length, as they are and on GPUs twice as fast; the first also without its bubble."""
    rows = []
    for name, step in STEPS.items():
        rows += [_step(name, "now", step, say), _step(name, "faster", step.faster(2), say)]
    rows.insert(2, _step("waits", "filled", STEPS["waits"].without("bubble"), say))
    label = say("two-steps.label", bars="; ".join(f"{row.label} {row.text}" for row in rows))
    shades = legend(tuple((hue, say("two-steps.causes." + cause)) for cause, hue in CAUSES.items()))
    caption = say("two-steps.caption", total=rows[0].text)
    return figure(join([shades, bars(tuple(rows), label)]), caption, say("two-steps.title"))


def _step(name: str, change: str, step: StepTimes, say: Speaker) -> Bar:
    parts = [
        Part(time, CAUSES[cause], f"{say('two-steps.causes.' + cause)}: {units.seconds_text(time)}")
        for cause, time in vars(step).items()
        if time
    ]
    ratio = f" ({units.times_text(STEPS[name].speedup(step), 3)})" if change != "now" else ""
    return Bar(
        say(f"two-steps.{change}", step=say("two-steps." + name)), f"{step.total:.3g}\u00a0s{ratio}", tuple(parts)
    )


def moved(say: Speaker) -> Markup:
    """Four savings, each a box of the ledger that got lighter and a box of the one that got heavier."""
    rows = tuple(
        Pair(say("moved." + name), Side(*saved, say(f"moved.{name}-saved")), Side(*bill, say(f"moved.{name}-bill")))
        for name, (saved, bill) in _savings().items()
    )
    label = say("moved.label", pairs="; ".join(row.spoken for row in rows))
    caption = say("moved.caption", link=units.bandwidth_text(link(PCIE).bandwidth))
    return figure(pairs(rows, label), caption, say("moved.title"))


Amount = tuple[str, str]  # classes of the ledger, and how much


def _savings() -> dict[str, tuple[Amount, Amount]]:
    one, three = states(7e9, 8, 0), states(7e9, 8, 3)
    sent = traffic(7e9, 8, 3).sent - traffic(7e9, 8, 2).sent
    shape = (32768, 1, 4096, 32)
    whole = kept(gpt(4096, 32, 32768, flash=True), *shape).total
    full = kept(gpt(4096, 32, 32768, flash=True), *shape, recompute="full").total
    away = kept(gpt(4096, 32, 32768), *shape, recompute="selective", offload=0.6).offloaded
    plain, dual = outcome("1f1b", 8, 20), outcome("dualpipe", 8, 20, 1, Times(1, 1, 1, FB=3))
    state, activation, comm = classes("state", "parameter"), classes("activation", "kept"), classes("comm", "send")
    work = classes("bubble", "backward")
    again, there = PASSES["recompute"] / PASSES["train"] - 1, away / link(PCIE).bandwidth
    return {
        "zero": ((state, "−" + units.bytes_text(one.total - three.total)), (comm, "+" + units.bytes_text(sent))),
        "recompute": ((activation, "−" + units.bytes_text(whole - full)), (work, "+" + units.percent(again))),
        "offload": ((activation, "−" + units.bytes_text(away)), (comm, "2 × " + units.seconds_text(there, 3))),
        "dualpipe": (
            (work, "−" + units.number(plain.idle - dual.idle)),
            (state, f"+{dual.plan.copies - plain.plan.copies:g}"),
        ),
    }


FIGURES = {
    "nine-ledgers": Figure(nine_ledgers),
    "two-steps": Figure(two_steps),
    "moved": Figure(moved),
}
