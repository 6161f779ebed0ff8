"""The expert layer's calculation with the reader's numbers, and the data of its figures as tables."""

from labs.answer import Table
from labs.draw.svg import Markup, escape
from labs.models.dispatch import capacity
from labs.units import count, number, percent, times_text, volume
from labs.views.dispatch_bills import size
from labs.views.dispatch_reading import Reading
from labs.words import Speaker

LISTED = 64  # ranks that a table names one by one


def formulas(r: Reading, facts: dict[str, object]) -> tuple[Markup, ...]:
    v, rows = r.values, r.policy.loads.rows
    lines = [
        f"S·K·h·b = {v.S:,} × {v.K} × {v.width:,} × {r.element('dispatch')} = {size(r.payload('dispatch'))}",
        f"max ÷ S·K = {count(max(rows))} ÷ {v.S * v.K:,} = {times_text(r.ratio)}",
        f"C·S·K·R/E = {v.factor:g} × {r.layer.rows:,} ÷ {v.E} = {capacity(r.layer.counts, v.factor):,}",
        f"E/R = {v.E} ÷ {v.R} = {facts['bound']}; ⌈E(R−1)/R²⌉ = ⌈{v.E} × {v.R - 1} ÷ {v.R**2:,}⌉ = {facts['tight']}",
        f"S·K = {v.S * v.K:,} × {size(r.row('combine'))} = {volume(r.buffers.balanced)}; "
        f"S·K·R = {v.S * v.K * v.R:,} × {size(r.row('combine'))} = {volume(r.buffers.worst)}",
    ]
    return tuple(Markup(escape(line)) for line in lines)


def tables(r: Reading, say: Speaker) -> tuple[Table, ...]:
    return (by_policy(r, say), by_copy(r, say), by_rank(r, say), by_buffer(r, say))


def _head(say: Speaker, *keys: str) -> tuple[str, ...]:
    return tuple(say(f"tables.{key}") for key in keys)


def by_policy(r: Reading, say: Speaker) -> Table:
    layer = r.layer
    rows = tuple(
        (
            say(f"options.policy.{name}"), times_text(layer.ratio(one), 3), percent(layer.useful(one)),
            percent(one.padding / layer.rows), percent(one.dropped / layer.rows), str(one.redundant),
        )
        for name, one in layer.policies.items()
    )  # fmt: skip
    head = _head(say, "policy", "makespan", "useful", "padding", "dropped", "redundant")
    return Table(say("tables.by_policy"), head, rows, list(layer.policies).index(r.values.policy))


def by_copy(r: Reading, say: Speaker) -> Table:
    """Copies a token makes, without and with the node limit, and the bytes of one rank's dispatch."""
    kinds = ("rank_copies", "away_ranks", "node_copies", "away_nodes")
    row = r.row("dispatch")
    rows: list[tuple[object, ...]] = []
    for kind in kinds:
        free, tied = getattr(r.free.copies, kind), getattr(r.layer.copies, kind)
        limited = f"{r.layer.copies.per_token(tied):.2f}" if r.limited else "–"
        free_text = f"{r.free.copies.per_token(free):.2f}"
        rows.append((say(f"tables.{kind}"), free_text, limited, size(r.layer.sent(tied, row))))
    picks = say("tables.rows_sent")
    rows.insert(0, (picks, number(r.values.K), number(r.values.K) if r.limited else "–", size(r.payload("dispatch"))))
    return Table(say("tables.by_copy"), _head(say, "copies", "free", "limited", "bytes"), tuple(rows))


def by_rank(r: Reading, say: Speaker) -> Table:
    """All ranks, or the busiest of very many."""
    rows, mean = r.policy.loads.rows, r.values.S * r.values.K
    ranks = range(len(rows)) if len(rows) <= LISTED else sorted(range(len(rows)), key=lambda i: -rows[i])[:LISTED]
    cells = tuple((str(i), count(rows[i]), times_text(rows[i] / mean, 3)) for i in ranks)
    key = "tables.by_rank" if len(rows) <= LISTED else "tables.by_busiest"
    return Table(say(key, listed=LISTED, R=len(rows)), _head(say, "rank", "rows", "makespan"), cells)


def by_buffer(r: Reading, say: Speaker) -> Table:
    v, buffers = r.values, r.buffers
    slots = (
        ("balanced", v.S * v.K, buffers.balanced),
        ("once", v.S * v.R, buffers.deduplicated),
        ("worst", v.S * v.K * v.R, buffers.worst),
    )
    rows = tuple((say(f"figure.buffer_{key}"), f"{n:,}", volume(held)) for key, n, held in slots)
    return Table(say("tables.by_buffer"), _head(say, "buffer", "slots", "bytes"), rows)
