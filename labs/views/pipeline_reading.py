"""What the pipeline lab says of two outcomes: a verdict, what was saved, where the cost went, and the calculation."""

from collections.abc import Callable

from labs.answer import Verdict
from labs.draw.svg import Markup, tag
from labs.models import bubbles
from labs.models.outcomes import Outcomes
from labs.models.schedules import Pair, Work
from labs.units import number, percent
from labs.words import Speaker

# Idle over useful: below the first it is small, above the second it asks for more micro-batches.
SMALL, LARGE = 0.1, 0.3


def verdict(asked: Work, chosen: Outcomes, say: Speaker) -> Verdict:
    """The first of these that holds; each is a sentence of its own."""
    rel, facts = chosen.slots.r_rel, _facts(asked, chosen)
    if asked.times.overlap > 1 and any(isinstance(kind, Pair) for kind in chosen.plan.graph.kinds):
        return Verdict("bad", say("verdicts.slower_together", **facts))
    if asked.m < asked.p:
        return Verdict("bad", say("verdicts.never_full", **facts))
    if chosen.span_idle < 1e-9 < chosen.idle:
        return Verdict("good", say("verdicts.span_full", **facts))
    if rel > LARGE:
        return Verdict("warn", say("verdicts.large", **facts))
    return Verdict("good", say("verdicts.small" if rel <= SMALL else "verdicts.middling", **facts))


def _facts(asked: Work, one: Outcomes) -> dict[str, object]:
    apart, together = asked.times.whole, asked.times.overlap * asked.times.whole
    return {
        "idle": number(one.idle), "useful": number(one.useful), "rel": percent(one.slots.r_rel),
        "share": percent(one.slots.r_share), "makespan": number(one.makespan), "p": asked.p, "m": asked.m,
        "together": number(together), "apart": number(apart), "rank": one.slots.worst,
    }  # fmt: skip


# What two outcomes are told apart by; for each, less is a saving and more is where the cost went.
COMPARED: dict[str, Callable[[Outcomes], float]] = {
    "idle": lambda one: one.idle,
    "makespan": lambda one: one.makespan,
    "peak": lambda one: one.peak,
    "kept": lambda one: sum(one.plan.peak_until_weight),
    "copies": lambda one: one.plan.copies,
    "messages": lambda one: one.plan.messages,
}


def saved_and_moved(chosen: Outcomes, against: Outcomes | None, say: Speaker) -> tuple[str, str]:
    """Two sentences: quantities that fell and quantities that rose, against the reader's other schedule."""
    if against is None:
        return say("saved.nothing_beside"), say("moved.nothing_beside")
    name = say(f"options.schedule.{against.name}")
    if against.name == chosen.name:
        return say("saved.same", name=name), say("moved.same", name=name)
    fell: list[str] = []
    rose: list[str] = []
    for key, of in COMPARED.items():
        before, after = of(against), of(chosen)
        if abs(after - before) > 1e-9 * max(1.0, abs(before)):
            change = say(f"changes.{key}", before=number(before), after=number(after))
            (fell if after < before else rose).append(change)
    between = say("changes.between")
    saved = say("saved.fell", name=name, changes=between.join(fell)) if fell else say("saved.nothing", name=name)
    moved = say("moved.rose", name=name, changes=between.join(rose)) if rose else say("moved.nothing", name=name)
    return saved, moved + say("moved.debt." + chosen.name)


def formulas(asked: Work, chosen: Outcomes, say: Speaker) -> tuple[Markup, ...]:
    """Useful time, idle time by the formula and by simulation, both ratios, and the peak, with the reader's numbers."""
    t, useful = asked.times, number(chosen.useful)
    back = f"{number(t.F)} + {number(t.B_in)} + {number(t.W)}"
    lines = [f"m · (F + B_in + W) = {asked.m} × ({back}) = {number(asked.m * t.whole)}"]
    if abs(chosen.useful - asked.m * t.whole) > 1e-9 * chosen.useful:
        lines.append(say("formulas.uneven" if t.load else "formulas.paired", useful=useful, rank=chosen.slots.worst))
    lines += [
        idle_line(asked, chosen) or say("formulas.none"),
        say("formulas.simulated", idle=number(chosen.idle), rank=chosen.slots.worst),
    ]
    lines.append(f"r_rel = {number(chosen.idle)} ÷ {useful} = {percent(chosen.slots.r_rel)}")
    total = number(chosen.makespan)
    lines.append(f"r_share = {number(chosen.idle)} ÷ {total} = {percent(chosen.slots.r_share)}")
    peak = bubbles.peak_sets(chosen.name, asked.p, asked.m, chosen.v)
    if peak is not None:
        rule = PEAKS[chosen.name].format(p=asked.p, m=asked.m, v=chosen.v)
        lines.append(say("formulas.peak", rule=rule, peak=number(peak), simulated=number(chosen.peak)))
    return tuple(tag("span", line) for line in lines)


def useful_line(asked: Work, chosen: Outcomes) -> str:
    """m · (F + B_in + W) of the rank that waits longest, in numbers: its pairs at F&B, or its share of uneven parts."""
    t, whole = asked.times, asked.m * asked.times.whole
    each = f"({number(t.F)} + {number(t.B_in)} + {number(t.W)})"
    if abs(chosen.useful - whole) <= 1e-9 * whole:
        return f"{asked.m} × {each}"
    if t.load:
        return f"{asked.m} × {each} × {number(chosen.useful / whole)}"
    pairs = round((whole - chosen.useful) / (t.whole * (1 - t.overlap)))
    return f"{pairs} × {number(t.overlap * t.whole)} + {asked.m - pairs} × {each}"


def idle_line(asked: Work, chosen: Outcomes) -> str:
    """The published formula in letters, in numbers, and its value; empty where there is none."""
    if chosen.formula is None:
        return ""
    t, p = asked.times, asked.p
    facts = {"F": number(t.F), "B_in": number(t.B_in), "W": number(t.W), "B": number(t.back), "v": chosen.v}
    facts |= {"p": p, "p1": p - 1, "p2": p - 2, "half": number(p / 2 - 1), "FB": number(t.overlap * t.whole)}
    symbols, numbers = IDLE[chosen.name]
    return f"{symbols} = {numbers.format(**facts)} = {number(chosen.formula)}"


FLUSH = ("(p − 1)(F + B_in + W)", "{p1} × ({F} + {B_in} + {W})")
IDLE = {
    "gpipe": FLUSH,
    "1f1b": FLUSH,
    "pipedream": FLUSH,
    "interleaved": ("(p − 1)(F + B_in + W) / v", "{p1} × ({F} + {B_in} + {W}) ÷ {v}"),
    "zb-h1": (
        "(p − 1) · max(F + B_in − W, F, B_in)",
        "{p1} × max({F} + {B_in} − {W}, {F}, {B_in})",
    ),
    "zb-h2": (
        "(p − 1) · max(F + B_in − 2W, F, B_in − F)",
        "{p1} × max({F} + {B_in} − 2×{W}, {F}, {B_in} − {F})",
    ),
    "dualpipe": ("(p/2 − 1)(F&B + B − 3W)", "{half} × ({FB} + {B} − 3×{W})"),
    "chimera": ("(p − 2) · max(F, B)", "{p2} × max({F}, {B})"),
}
PEAKS = {
    "gpipe": "m = {m}",
    "1f1b": "min(p, m) = min({p}, {m})",
    "zb-h1": "min(p, m) = min({p}, {m})",
    "zb-h2": "min(2p − 1, m) = min(2×{p} − 1, {m})",
    "dualpipe": "p + 1 = {p} + 1",
    "interleaved": "min(p·(1 + (p − 1)/(p·v)), m) = min({p}×(1 + ({p} − 1)/({p}×{v})), {m})",
}
