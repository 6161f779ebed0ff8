"""The pipeline lab: the same layers and micro-batches in another order: what waits, what is kept, what is sent."""

from labs.answer import Answer
from labs.controls import Values
from labs.ledger import Row
from labs.models.outcomes import Outcomes, measured, outcome
from labs.models.schedules import FAMILIES, Work, stages_a_rank
from labs.models.schedules.files import from_csv
from labs.refusal import BadValue
from labs.units import count, number
from labs.views.pipeline_figure import figures
from labs.views.pipeline_files import files
from labs.views.pipeline_form import GROUPS, PRESETS, work
from labs.views.pipeline_reading import formulas, idle_line, saved_and_moved, useful_line, verdict
from labs.views.pipeline_tables import comparison, ranks, sweep
from labs.words import Speaker

__all__ = ["GROUPS", "PRESETS", "answer"]

SIMULATED = 1 << 15  # p·m·v: 64 ranks and 512 micro-batches, which take a second or two
NOTES = ("slots", "ratios", "peaks", "h2", "pair", "copies", "secondary", "more")


def answer(values: Values, say: Speaker) -> Answer:
    """BadValue: the chosen schedule cannot take these numbers; one that is only compared says so in a warning."""
    chosen = _chosen(values)
    asked = work(values)._replace(p=chosen.p, m=chosen.m)
    against, refusal = _against(values.against, asked, say)
    saved, moved = saved_and_moved(chosen, against, say)
    compared = comparison(asked, chosen, against, values.every, say)
    return Answer(
        rows=_rows(asked, chosen),
        verdict=verdict(asked, chosen, say),
        figure=figures(chosen, against, say),
        files=files(chosen, values.files, say),
        saved=saved,
        moved=moved,
        formulas=formulas(asked, chosen, say),
        tables=(compared, *sweep(asked, chosen, say), ranks(chosen, say)),
        notes=tuple(say(f"notes.{key}") for key in NOTES),
        warnings=(*refusal, *_warnings(asked, chosen, say)),
    )


def _chosen(values: Values) -> Outcomes:
    """The reader's own order where there is one; it brings its own p and m."""
    if values.order:
        return measured(from_csv(values.order), work(values).times)
    return _outcome(values.schedule, work(values))


def _outcome(name: str, asked: Work) -> Outcomes:
    """BadValue: what the schedule cannot take, or more pieces than are simulated while a reader waits."""
    p, m, v = asked.p, asked.m, stages_a_rank(name, asked.v)
    if p * m * v > SIMULATED:
        fits = SIMULATED // (p * v)
        nearest = max(fits - fits % p, min(fits, p))  # whole rounds, which every schedule takes
        raise BadValue("m", m, "pieces", nearest, pieces=count(p * m * v), most=count(SIMULATED), v=v)
    return outcome(name, *asked)


def _against(name: str, asked: Work, say: Speaker) -> tuple[Outcomes | None, tuple[str, ...]]:
    try:
        return _outcome(name, asked), ()
    except BadValue as refused:
        return None, (refused.message(say.language, "pipeline"),)


def _warnings(asked: Work, chosen: Outcomes, say: Speaker) -> list[str]:
    """Legal, and yet another rule or a large gap waits: rounds that are not p micro-batches long."""
    said, facts = [], {"p": asked.p, "m": asked.m}
    if chosen.name in ("interleaved", "interleaved-zb") and chosen.v > 1:
        if asked.m % asked.p:
            said.append(say("warnings.megatron_rule", **facts))
        if asked.m < asked.p:
            said.append(say("warnings.short_round", **facts))
    if chosen.name in FAMILIES and not FAMILIES[chosen.name].flush:
        said.append(say("warnings.no_flush", versions=number(chosen.peak)))
    return said


def _rows(asked: Work, chosen: Outcomes) -> tuple[Row, ...]:
    """Times in the reader's unit; what a published formula gives stands beside what the simulation counted."""
    source = FAMILIES[chosen.name].source if chosen.name in FAMILIES else ""
    idle, useful, makespan = map(number, (chosen.idle, chosen.useful, chosen.makespan))
    counted = {
        "useful": (chosen.useful, "slot", useful_line(asked, chosen), "bubble"),
        "idle": (chosen.idle, "slot", f"{makespan} − {useful}", "bubble"),
        "makespan": (chosen.makespan, "slot", "", "bubble"),
        "span_idle": (chosen.span_idle, "slot", "", "bubble"),
        "r_rel": (chosen.slots.r_rel, "ratio", f"{idle} ÷ {useful}", "bubble"),
        "r_share": (chosen.slots.r_share, "ratio", f"{idle} ÷ {makespan}", "bubble"),
        "peak": (chosen.peak, "set", "", "activation"),
        "peak_until_weight": (max(chosen.plan.peak_until_weight), "set", "", "activation"),
        "copies": (chosen.plan.copies, "set", "", "state"),
        "messages": (chosen.plan.messages, "count", "", "comm"),
    }
    rows = [Row(name, value, unit, "exact", text, source, of) for name, (value, unit, text, of) in counted.items()]
    if chosen.formula is not None:
        rows.insert(2, Row("formula", chosen.formula, "slot", "formula", idle_line(asked, chosen), source, "bubble"))
    return tuple(rows)
