"""The collective's calculation with the reader's numbers, and the same bytes sent in other ways."""

from labs.answer import Table
from labs.controls import Values
from labs.draw.svg import Markup, escape
from labs.models.collectives import bus_factor
from labs.refusal import BadValue
from labs.units import bandwidth_text, number, percent, seconds_text
from labs.views.dispatch_bills import NAMED, Bills, bill, far, near, size, speed
from labs.words import Speaker

SIZES = tuple(10.0**k for k in range(3, 12))
CALLS = (1, 10, 100, 1000, 10_000)
OVERLAPS = (0, 50, 95)


def formulas(now: Bills, values: Values, say: Speaker) -> tuple[Markup, ...]:
    hidden = seconds_text(now.overlaps.hidden)
    lines = [
        sent_line(now, values),
        f"T = {time_text(now, values)} = {seconds_text(now.latency)} + {seconds_text(now.transfer)}"
        f" = {seconds_text(now.time)}",
        crossover_line(now, values),
        f"T_exposed = max(0, T − T_hidden) = max(0, {seconds_text(now.time)} − {hidden})"
        f" = {seconds_text(now.overlaps.exposed)}",
        f"algbw = {size(now.message)} ÷ {seconds_text(now.time)} = {bandwidth_text(now.algbw)}; "
        f"busbw = algbw × {number(bus_factor(values.collective, now.n))}",
    ]
    return tuple(Markup(escape(line)) for line in lines)


def sent_line(now: Bills, values: Values) -> str:
    if len(now.phases) == 1:
        return f"sent = {factor(now, values)} × {size(now.message)} = {size(now.sent)}"
    G, k = now.phases[0].n, now.phases[1].n
    return (
        f"sent = 2 × ({G}−1)/{G} × M [NVLink] + 2 × ({k}−1)/{k} × M/{G} [NIC]"
        f" = {size(now.phases[0].sent + now.phases[2].sent)} + {size(now.phases[1].sent)}"
    )


def factor(now: Bills, values: Values) -> str:
    """`2 × (8−1)/8` where that is the factor, else the number itself."""
    share = (now.n - 1) / now.n
    for times in (1, 2):
        if abs(now.sent / now.message - times * share) < 1e-12:
            return f"{'2 × ' if times == 2 else ''}({now.n}−1)/{now.n}"
    return number(now.sent / now.message)


def time_text(now: Bills, values: Values) -> str:
    calls = f"{now.calls:,} × " if now.calls > 1 else ""
    return " + ".join(
        f"{calls}{phase.steps // now.calls:,} × {seconds_text(link.latency)} + {size(phase.path)} ÷ {speed(link)}"
        for phase, link in now.pairs(values)
    )


def crossover_line(now: Bills, values: Values) -> str:
    link = near(values)
    if now.algorithm == "ring" and values.collective == "all_reduce":
        return f"n* = n·α·β = {now.n} × {seconds_text(link.latency)} × {speed(link)} = {size(now.crossover)}"
    return f"n* = T_latency ÷ (T_transfer ÷ n) = {size(now.crossover)}"


def tables(now: Bills, values: Values, say: Speaker) -> tuple[Table, ...]:
    made = (by_size, by_algorithm, by_calls, by_overlap)
    return tuple(one(now, values, say) for one in made)


def _head(say: Speaker, *keys: str) -> tuple[str, ...]:
    return tuple(say(f"tables.{key}") for key in keys)


def by_size(now: Bills, values: Values, say: Speaker) -> Table:
    """The curve as numbers: one call of each size, the reader's among them."""
    mine = now.message / now.calls
    sizes = sorted({*SIZES, mine})
    floor, slope = now.latency / now.calls, now.transfer / now.message
    rows = tuple(
        (size(n), seconds_text(floor), seconds_text(slope * n), seconds_text(floor + slope * n)) for n in sizes
    )
    return Table(say("tables.by_size"), _head(say, "each", "latency", "transfer", "time"), rows, sizes.index(mine))


def by_algorithm(now: Bills, values: Values, say: Speaker) -> Table:
    """Each algorithm of this collective; one that the group's size forbids says so.

    One level over one link is compared with one level, and two levels with what one ring through the NICs would take.
    """
    flat = now.algorithm != "two_level"
    names = [name for name, known in NAMED.items() if values.collective in known and not (flat and name == "two_level")]
    rows = [_priced(name, values, say) for name in names]
    head = _head(say, "algorithm", "steps", "sent", "time", "algbw", "busbw")
    facts = {"n": now.n, "whole": size(now.message), "link": speed(far(values))}
    caption = say("tables.by_algorithm" if flat else "tables.by_level", **facts)
    return Table(caption, head, tuple(rows), names.index(now.algorithm))


def _priced(name: str, values: Values, say: Speaker) -> tuple[object, ...]:
    label = say(f"options.algorithm.{name}")
    try:
        one = bill(values, algorithm=name)
    except BadValue as refused:
        return (label, refused.message(say.language, "dispatch"), "", "", "", "")
    bus = bandwidth_text(one.algbw * bus_factor(values.collective, one.n))
    return (label, f"{one.steps:,}", size(one.sent), seconds_text(one.time), bandwidth_text(one.algbw), bus)


def by_calls(now: Bills, values: Values, say: Speaker) -> Table:
    counts = sorted({*CALLS, now.calls})
    rows = []
    for calls in counts:
        one = bill(values, calls=calls)
        cells = (size(one.message / calls), seconds_text(one.time), percent(one.latency / one.time), size(one.sent))
        rows.append((f"{calls:,}", *cells))
    head = _head(say, "calls", "each", "time", "latency_share", "sent")
    return Table(say("tables.by_calls", whole=size(now.message)), head, tuple(rows), counts.index(now.calls))


def by_overlap(now: Bills, values: Values, say: Speaker) -> Table:
    shares = sorted({*OVERLAPS, values.overlap})
    rows = [
        (f"{number(share)} %", size(now.sent), seconds_text(now.time), seconds_text(now.time * (1 - share / 100)))
        for share in shares
    ]
    head = _head(say, "overlap", "sent", "time", "exposed")
    return Table(say("tables.by_overlap"), head, tuple(rows), shares.index(values.overlap))
