"""The pipeline lab's tables: schedules on the same work, the chosen one rank by rank, and what v or W would change."""

from dataclasses import replace

from labs.answer import Table
from labs.models.outcomes import Outcomes, compare, outcome
from labs.models.schedules import FAMILIES, Work, tokens
from labs.refusal import BadValue
from labs.units import count, number, percent
from labs.words import Speaker

COMPARED = 4096  # p·m·v up to which every schedule is simulated when a control moves
SPELT = 512  # actions of a rank that the table still spells out
NONE = "—"
USUAL = ("gpipe", "1f1b", "interleaved", "zb-h1", "zb-h2", "dualpipe")
WAITS = ("zb-h1", "zb-h2")


def comparison(asked: Work, chosen: Outcomes, against: Outcomes | None, every: bool, say: Speaker) -> Table:
    """Idle, activations, copies and messages side by side; a schedule that cannot run says why in its row."""
    beside = {one.name: one for one in (chosen, against) if one}
    names = [name for name in FAMILIES if every or name in USUAL or name in beside]
    small = asked.p * asked.m * asked.v <= COMPARED
    outcomes = (compare(names, *asked) if small else {}) | beside
    names = [name for name in beside if name not in FAMILIES] + names
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


def sweep(asked: Work, chosen: Outcomes, say: Speaker) -> tuple[Table, ...]:
    """v = 1, 2, 4 for a schedule with chunks; half of W and W for one that lets W wait."""
    if asked.p * asked.m * 4 > COMPARED:
        return ()
    if chosen.name in FAMILIES and FAMILIES[chosen.name].chunks == 0:
        return (_by_chunks(chosen.name, asked, say),)
    return (_by_weight(asked, say),) if chosen.name in WAITS else ()


def _by_chunks(name: str, asked: Work, say: Speaker) -> Table:
    """A v that this schedule cannot take has no row."""
    rows = []
    for v in (1, 2, 4):
        one = compare([name], *asked._replace(v=v))[name]
        if isinstance(one, Outcomes):
            facts = number(one.idle), percent(one.slots.r_rel), percent(one.slots.r_share)
            rows.append((f"v = {v}", *facts, number(one.peak), number(one.plan.messages)))
    keys = ("chunks", "idle", "r_rel", "r_share", "peak", "messages")
    return Table(say("tables.by_chunks"), tuple(say(f"columns.{key}") for key in keys), tuple(rows))


def _by_weight(asked: Work, say: Speaker) -> Table:
    """Idle time within the longest stay of one rank, since that is what W can fill."""
    cases = [asked._replace(times=replace(asked.times, W=w)) for w in (asked.times.W / 2, asked.times.W)]
    rows = []
    for name in ("1f1b", *WAITS):
        ours = [number(outcome(name, *case).span_idle) for case in cases]
        rows.append((say(f"options.schedule.{name}"), *ours))
    head = (say("columns.schedule"), *(f"W = {number(case.times.W)}" for case in cases))
    return Table(say("tables.by_weight"), head, tuple(rows))
