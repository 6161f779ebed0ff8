"""One collective by α–β: where latency ends and bandwidth begins, and what overlap hides without removing a byte."""

from labs.answer import Answer, Verdict
from labs.controls import Values
from labs.draw.svg import join
from labs.ledger import Row
from labs.models.collectives import bus_factor
from labs.units import number, seconds_text
from labs.views.dispatch_bills import Bills, bill, size, speed, told
from labs.views.dispatch_collective_tables import formulas, tables
from labs.views.dispatch_lines import curve, lanes
from labs.words import Speaker

NOTES = ("group", "message", "busbw", "estimate", "alpha")


def answer(values: Values, say: Speaker) -> Answer:
    now, facts = bill(values), told(values)
    about = effect(now, values.collective)
    return Answer(
        rows=rows(now, values),
        verdict=verdict(now, facts, say),
        figure=join([curve(now, facts, say), lanes(now, facts, say)]),
        saved=say(f"saved.{about}", **facts),
        moved=say(f"moved.{about}", **facts),
        formulas=formulas(now, values, say),
        tables=tables(now, values, say),
        notes=tuple(say(f"notes.{key}") for key in NOTES),
    )


def effect(now: Bills, collective: str) -> str:
    """Which choice the two sentences are about: overlap first, then calls, else the algorithm, where there is one."""
    if now.overlaps.hidden:
        return "overlap"
    if now.calls > 1:
        return "calls"
    return now.algorithm if collective != "point_to_point" else collective


def rows(now: Bills, values: Values) -> tuple[Row, ...]:
    times = f"{now.calls:,} × " if now.calls > 1 else ""
    paths = " + ".join(f"{size(phase.path)} ÷ {speed(link)}" for phase, link in now.pairs(values))
    alphas = " + ".join(
        f"{phase.steps // now.calls} × {seconds_text(link.latency)}" for phase, link in now.pairs(values)
    )
    factor = bus_factor(values.collective, now.n)
    return (
        *sent_rows(now, values),
        _row("latency", now.latency, "second", f"{times}({alphas})" if times else alphas),
        _row("transfer", now.transfer, "second", paths),
        _row("time", now.time, "second", f"{seconds_text(now.latency)} + {seconds_text(now.transfer)}"),
        _row("exposed", now.overlaps.exposed, "second", f"max(0, T − {seconds_text(now.overlaps.hidden)})", "estimate"),
        _row("crossover", now.crossover, "byte", "n*: k·α = n ÷ β"),
        _row("algbw", now.algbw, "bandwidth", f"{size(now.message)} ÷ {seconds_text(now.time)}"),
        _row("busbw", now.algbw * factor, "bandwidth", f"algbw × {number(factor)}"),
    )


def sent_rows(now: Bills, values: Values) -> list[Row]:
    """Bytes by link: in two levels, what the slow link is spared is sent over the fast one."""
    if len(now.phases) == 1:
        formula = f"{number(now.sent / now.message)} × {size(now.message)}"
        return [_row("sent", now.sent, "byte", formula, "exact")]
    scatter, middle, gather = now.phases
    inside = f"{size(scatter.sent)} + {size(gather.sent)}"
    share = f"2 × ({middle.n}−1)/{middle.n} × {size(now.message)} ÷ {scatter.n}"
    return [
        _row("sent_outside", middle.sent, "byte", share, "exact"),
        _row("sent_inside", scatter.sent + gather.sent, "byte", inside, "exact"),
    ]


def _row(name: str, value: float, unit: str, formula: str, tag: str = "formula") -> Row:
    return Row(name, value, unit, tag, formula, "", "comm")


def verdict(now: Bills, facts: dict[str, object], say: Speaker) -> Verdict:
    """Hidden, paid once a call, below n*, or a matter of bandwidth."""
    if now.overlaps.hidden:
        kind = "good" if now.overlaps.exposed <= 0.1 * now.time else "warn"
        return Verdict(kind, say("verdicts.overlapped", **facts))
    if now.latency <= now.transfer:
        key = "two_level" if len(now.phases) > 1 else "bandwidth_bound"
        return Verdict("good", say(f"verdicts.{key}", **facts))
    if now.calls > 1:
        return Verdict("bad", say("verdicts.many_calls", **facts))
    return Verdict("warn", say("verdicts.latency_bound", **facts))
