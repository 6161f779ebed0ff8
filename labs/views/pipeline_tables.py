"""The pipeline lab's tables: schedules on the same work, the chosen one rank by rank, and what v or W would change."""

from dataclasses import replace

from labs.answer import Table
from labs.controls import Values
from labs.models.outcomes import Outcomes, compare, outcome
from labs.models.schedules import FAMILIES, tokens
from labs.refusal import BadValue
from labs.units import count, number, percent
from labs.views.pipeline_form import times
from labs.words import Speaker

COMPARED = 4096  # p·m·v up to which every schedule is simulated when a control moves
SPELT = 512  # actions of a rank that the table still spells out
NONE = "—"
USUAL = ("gpipe", "1f1b", "interleaved", "zb-h1", "zb-h2", "dualpipe")
WAITS = ("zb-h1", "zb-h2")


def comparison(values: Values, chosen: Outcomes, say: Speaker) -> Table:
    """Idle, activations, copies and messages side by side; a schedule that cannot run says why in its row."""
    small = values.p * values.m * values.v <= COMPARED
    names = [name for name in FAMILIES if values.every or name in (*USUAL, chosen.name, values.against)]
    simulated = names if small else [chosen.name]
    outcomes = compare(simulated, values.p, values.m, values.v, times(values))
    rows = [_compared(name, outcomes.get(name), say) for name in names]
    keys = ("schedule", "makespan", "idle", "formula", "r_rel", "r_share", "span_idle", "peak", "copies", "messages")
    head = tuple(say(f"columns.{key}") for key in (*keys, "note"))
    return Table(say("tables.comparison"), head, tuple(rows), chosen=names.index(chosen.name))


def _compared(name: str, one: Outcomes | BadValue | None, say: Speaker) -> tuple[object, ...]:
    label = say(f"options.schedule.{name}")
    if not isinstance(one, Outcomes):
        why = say("tables.too_many", most=count(COMPARED)) if one is None else one.message(say.language, "pipeline")
        return (label, *[NONE] * 9, why)
    formula = NONE if one.formula is None else number(one.formula)
    ratios = percent(one.slots.r_rel), percent(one.slots.r_share)
    held = number(one.peak), number(one.plan.copies), number(one.plan.messages)
    note = say(f"remarks.{name}") if say.has(f"remarks.{name}") else ""
    return (label, number(one.makespan), number(one.idle), formula, *ratios, number(one.span_idle), *held, note)


def ranks(chosen: Outcomes, say: Speaker) -> Table:
    """What the timeline and the columns show, and each rank's order as tokens."""
    slots, plan = chosen.slots, chosen.plan
    spelt = tokens(plan.schedule)
    rows = [
        (
            rank, number(slots.busy[rank]), number(slots.idle[rank]), number(slots.spans[rank]),
            number(plan.peak[rank]), number(plan.peak_until_weight[rank]), _order(spelt[rank], say),
        )
        for rank in spelt
    ]  # fmt: skip
    keys = ("rank", "busy", "idle", "span", "peak", "peak_until_weight", "order")
    return Table(say("tables.ranks"), tuple(say(f"columns.{key}") for key in keys), tuple(rows))


def _order(spelt: tuple[str, ...], say: Speaker) -> str:
    rest = len(spelt) - SPELT
    return " ".join(spelt[:SPELT]) + (" " + say("tables.more", count=rest) if rest > 0 else "")


def sweep(values: Values, chosen: Outcomes, say: Speaker) -> tuple[Table, ...]:
    """v = 1, 2, 4 for a schedule with chunks; half of W and W for one that lets W wait."""
    if values.p * values.m * 4 > COMPARED:
        return ()
    if FAMILIES[chosen.name].chunks == 0:
        return (_by_chunks(chosen.name, values, say),)
    return (_by_weight(values, say),) if chosen.name in WAITS else ()


def _by_chunks(name: str, values: Values, say: Speaker) -> Table:
    """A v that this schedule cannot take has no row."""
    rows = []
    for v in (1, 2, 4):
        one = compare([name], values.p, values.m, v, times(values))[name]
        if isinstance(one, Outcomes):
            facts = number(one.idle), percent(one.slots.r_rel), percent(one.slots.r_share)
            rows.append((f"v = {v}", *facts, number(one.peak), number(one.plan.messages)))
    keys = ("chunks", "idle", "r_rel", "r_share", "peak", "messages")
    return Table(say("tables.by_chunks"), tuple(say(f"columns.{key}") for key in keys), tuple(rows))


def _by_weight(values: Values, say: Speaker) -> Table:
    """Idle time within the longest stay of one rank, since that is what W can fill."""
    weights = values.w / 2, values.w
    rows = []
    for name in ("1f1b", *WAITS):
        ours = [outcome(name, values.p, values.m, 1, replace(times(values), W=w)).span_idle for w in weights]
        rows.append((say(f"options.schedule.{name}"), *map(number, ours)))
    head = (say("columns.schedule"), *(f"W = {number(w)}" for w in weights))
    return Table(say("tables.by_weight"), head, tuple(rows))
