"""The pipeline lab: the same layers and micro-batches in another order: what waits, what is kept, what is sent."""

from labs.answer import Answer
from labs.controls import Values
from labs.ledger import Row
from labs.models.outcomes import Outcomes, outcome
from labs.models.schedules import FAMILIES
from labs.refusal import BadValue
from labs.units import number
from labs.views.pipeline_figure import figures
from labs.views.pipeline_form import GROUPS, PRESETS, times
from labs.views.pipeline_reading import formulas, idle_line, saved_and_moved, verdict
from labs.views.pipeline_tables import comparison, ranks, sweep
from labs.words import Speaker

__all__ = ["GROUPS", "PRESETS", "answer"]


def answer(values: Values, say: Speaker) -> Answer:
    """BadValue: the chosen schedule cannot take these numbers; one that is only compared says so in a warning."""
    chosen = outcome(values.schedule, values.p, values.m, values.v, times(values))
    against, refusal = _against(values, say)
    saved, moved = saved_and_moved(chosen, against, say)
    return Answer(
        rows=_rows(values, chosen),
        verdict=verdict(values, chosen, say),
        figure=figures(chosen, against, say),
        saved=saved,
        moved=moved,
        formulas=formulas(values, chosen, say),
        tables=(comparison(values, chosen, say), *sweep(values, chosen, say), ranks(chosen, say)),
        notes=tuple(say(f"notes.{key}") for key in NOTES),
        warnings=(*refusal, *_warnings(values, chosen, say)),
    )


NOTES = ("slots", "ratios", "peaks", "h2", "pair", "copies", "more")


def _against(values: Values, say: Speaker) -> tuple[Outcomes | None, tuple[str, ...]]:
    try:
        return outcome(values.against, values.p, values.m, values.v, times(values)), ()
    except BadValue as refused:
        return None, (refused.message(say.language, "pipeline"),)


def _warnings(values: Values, chosen: Outcomes, say: Speaker) -> list[str]:
    """Legal, and yet another rule or a large gap waits: rounds that are not p micro-batches long."""
    said, p, m = [], values.p, values.m
    if FAMILIES[chosen.name].chunks == 0 and chosen.v > 1:
        if m % p:
            said.append(say("warnings.megatron_rule", p=p, m=m))
        if m < p:
            said.append(say("warnings.short_round", p=p, m=m))
    if not FAMILIES[chosen.name].flush:
        said.append(say("warnings.no_flush", versions=number(chosen.peak)))
    return said


def _rows(values: Values, chosen: Outcomes) -> tuple[Row, ...]:
    """Times in the reader's unit; what a published formula gives stands beside what the simulation counted."""
    source, t, idle, all_of_it = (
        FAMILIES[chosen.name].source,
        times(values),
        number(chosen.idle),
        number(chosen.makespan),
    )
    useful, work = number(chosen.useful), f"{values.m} × ({number(t.F)} + {number(t.B_in)} + {number(t.W)})"
    counted = {
        "useful": (chosen.useful, "slot", work, "bubble"),
        "idle": (chosen.idle, "slot", f"{all_of_it} − {useful}", "bubble"),
        "makespan": (chosen.makespan, "slot", "", "bubble"),
        "span_idle": (chosen.span_idle, "slot", "", "bubble"),
        "r_rel": (chosen.slots.r_rel, "ratio", f"{idle} ÷ {useful}", "bubble"),
        "r_share": (chosen.slots.r_share, "ratio", f"{idle} ÷ {all_of_it}", "bubble"),
        "peak": (chosen.peak, "set", "", "activation"),
        "peak_until_weight": (max(chosen.plan.peak_until_weight), "set", "", "activation"),
        "copies": (chosen.plan.copies, "set", "", "state"),
        "messages": (chosen.plan.messages, "count", "", "comm"),
    }
    rows = [
        Row(name, value, unit, "exact", text, source, ledger) for name, (value, unit, text, ledger) in counted.items()
    ]
    if chosen.formula is not None:
        rows.insert(2, Row("formula", chosen.formula, "slot", "formula", idle_line(values, chosen), source, "bubble"))
    return tuple(rows)
