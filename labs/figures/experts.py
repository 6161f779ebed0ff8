"""Figures of experts: who is chosen, what unevenness costs, how it is filled, what is reserved, the order inside."""

from labs import units
from labs.draw.bars import Bar, Part, bars
from labs.draw.columns import Column, columns
from labs.draw.legend import legend
from labs.draw.lines import Axis, Line, Mark, loglog
from labs.draw.svg import Markup, figure, join, percent, svg, tag
from labs.draw.theme import classes
from labs.draw.timeline import Lane, marks, timeline
from labs.figures import Figure
from labs.models.dispatch import Buffers, Policy, dropless, dropping, padded, perfect, rank_loads, row_bytes
from labs.models.lanes import Lanes, hand_out, resident
from labs.models.moonep import Plans, plan
from labs.models.routing import homes, route
from labs.words import Speaker

TOY = (110, 50, 60, 40, 50, 30, 40, 20)  # rows of eight experts, two a rank: 160, 100, 80, 60
RANKS = 4
ROW, HEAD, NAMES = 17, 40, 0.16  # px of a token's row and of the heading; the share of the width for tokens' names
LOAD, PADDING, REDUNDANT = (classes("moe", part) for part in ("load", "padding", "redundant"))


def routes(say: Speaker, tokens: int, skew: float) -> Markup:
    """Tokens by experts, experts in the order of their ranks: which K a token picked, and what that makes a rank do."""
    drawn = route(tokens, len(TOY), 2, skew, seed=3)
    home, loads = homes(drawn.E, RANKS), rank_loads(drawn.counts, RANKS)
    rows = [_picks(token, picks, drawn.E, say) for token, picks in enumerate(drawn.picks)]
    heads = [_rank(rank, home.count(rank), drawn.E, loads.rows[rank], say) for rank in range(RANKS)]
    facts = {"tokens": tokens, "loads": ", ".join(map(units.number, loads.rows)), "busiest": int(max(loads.rows))}
    drawing = svg(HEAD + tokens * ROW, *heads, *rows, label=say("routes.label", **facts))
    return figure(drawing, say("routes.caption", mean=units.number(loads.mean), **facts), say("routes.title", **facts))


def _rank(rank: int, experts: int, E: int, load: float, say: Speaker) -> Markup:
    left = NAMES + (1 - NAMES) * rank * experts / E
    name = tag("text", say("routes.rank", rank=rank), x=percent(left), y=13, class_="nl-label")
    return tag("g", name, tag("text", say("routes.load", load=int(load)), x=percent(left), y=30, class_="nl-under"))


def _picks(token: int, picks: tuple[int, ...], E: int, say: Speaker) -> Markup:
    y, width = HEAD + token * ROW, (1 - NAMES) / E
    cells = [
        tag("rect", x=percent(NAMES + e * width), width=percent(width * (0.9 if e % 2 else 0.96)), y=y, height=ROW - 3,
            class_=LOAD if e in picks else "idle")
        for e in range(E)
    ]  # fmt: skip
    return tag("g", tag("text", say("routes.token", token=token), x=0, y=y + 11, class_="nl-under"), *cells)


def uneven(say: Speaker, factor: float) -> Markup:
    """The same uneven rows under four policies: what the busiest rank computes, and what is lost."""
    found = (padded(TOY, RANKS, factor), dropping(TOY, RANKS, factor), dropless(TOY, RANKS), perfect(TOY, RANKS))
    rows = tuple(_policy(one, say) for one in found)
    facts = {"factor": units.number(factor), "mean": units.number(sum(TOY) / RANKS)}
    label = say("uneven.label", bars="; ".join(f"{row.label}, {row.text}" for row in rows), **facts)
    shades = legend(((LOAD, say("uneven.load")), (PADDING, say("uneven.padding"))))
    return figure(join([shades, bars(rows, label)]), say("uneven.caption", **facts), say("uneven.title", **facts))


def _policy(one: Policy, say: Speaker) -> Bar:
    """Padding lies evenly on the ranks; the busiest rank's real rows are the rest of what it computes."""
    busiest, padding = max(one.loads.rows), one.padding / RANKS
    parts = (Part(busiest - padding, LOAD, say("uneven.load")), Part(padding, PADDING, say("uneven.padding")))
    facts = {"dropped": units.number(one.dropped), "redundant": one.redundant}
    return Bar(say("uneven.names." + one.name, **facts), units.number(busiest), tuple(p for p in parts if p.value))


def fills(say: Speaker) -> Markup:
    """Rows of each rank after planning, its own and those taken over, beside what it had before."""
    made, before = plan(TOY, RANKS), rank_loads(TOY, RANKS).rows
    cells = [_filled(rank, made, before[rank], say) for rank in range(RANKS)]
    moves = "; ".join(say("fills.move", rank=f.rank, source=f.source, rows=f.rows) for f in made.fills)
    facts = {"before": ", ".join(map(units.number, before)), "after": units.number(made.rows[0]), "moves": moves}
    shades = legend(((LOAD, say("fills.own")), (REDUNDANT, say("fills.taken"))))
    drawing = join([shades, columns(cells, say("fills.label", **facts))])
    return figure(drawing, say("fills.caption", **facts), say("fills.title"))


def _filled(rank: int, made: Plans, before: float, say: Speaker) -> Column:
    taken = sum(fill.rows for fill in made.fills if fill.rank == rank)
    parts = [(made.rows[rank] - taken, LOAD, say("fills.own"))]
    parts += [(taken, REDUNDANT, say("fills.taken"))] if taken else []
    return Column(str(rank), tuple(parts), before, say("fills.was", rows=units.number(before)))


def buffers(say: Speaker, S: int, K: int, width: int) -> Markup:
    """Bytes one rank reserves against R: S·K where receipt is fixed, S·K·R in the report's worst case."""
    ranks = [2.0**k for k in range(1, 9)]
    row = row_bytes(width, 2)
    fixed = [(R, Buffers(S, K, int(R), row).balanced) for R in ranks]
    worst = [(R, Buffers(S, K, int(R), row).worst) for R in ranks]
    lines = [Line(fixed, LOAD, say("buffers.fixed")), Line(worst, LOAD, say("buffers.worst"), dashed=True)]
    marks = [Mark(*fixed[3][:1], say("buffers.fixed"), classes("moe"), fixed[3][1]),
             Mark(*worst[3][:1], say("buffers.worst"), classes("moe"), worst[3][1])]  # fmt: skip
    x = Axis(2, ranks[-1], units.number, say("buffers.x"))
    y = Axis(2e8, 3e11, lambda value: units.bytes_text(value, "auto"), say("buffers.y"))
    facts = {"S": S, "K": K, "width": width, "R": int(ranks[-1])}
    sizes = {"fixed": units.bytes_text(fixed[-1][1]), "worst": units.bytes_text(worst[-1][1])}
    drawing = loglog(lines, marks, x, y, say("buffers.label", **facts, **sizes))
    return figure(drawing, say("buffers.caption"), say("buffers.title", **facts))


def lanes(say: Speaker, rank: int, n: int) -> Markup:
    """The products of one balanced rank on n lanes of its SMs, in the order of their numbers and the longest first."""
    made = plan(route(256, 32, 4, 0.8, seed=6).counts, RANKS)
    rows = [resident(made, r) for r in range(RANKS)]
    given, longest = ([hand_out(tuple(work.values()), n, first) for work in rows] for first in (False, True))
    shades = legend(((LOAD, say("lanes.own")), (REDUNDANT, say("lanes.taken"))))
    until = given[rank].makespan
    drawn = [
        _order("numbered", rows[rank], given[rank], until, say),
        _order("longest", rows[rank], longest[rank], until, say),
    ]
    facts = {"rank": rank, "n": n, "rows": made.rows[rank], "mean": units.number(given[rank].mean)}
    facts |= {key: ", ".join(str(one.makespan) for one in ends) for key, ends in (("given", given), ("long", longest))}
    return figure(join([shades, *drawn]), say("lanes.caption", **facts), say("lanes.title", **facts))


def _order(name: str, work: dict[int, int], made: Lanes, until: float, say: Speaker) -> Markup:
    title = say(f"lanes.{name}", makespan=made.makespan)
    drawn = [_on(lane, work, made, say) for lane in range(made.n)]
    drawing = timeline(drawn, until, say("lanes.label", order=title), 5, say("scroll", what=title))
    return join([tag("p", title, class_="nl-figure-title"), drawing])


def _on(lane: int, work: dict[int, int], made: Lanes, say: Speaker) -> Lane:
    mine = sorted((i for i, at in enumerate(made.lane) if at == lane), key=lambda i: made.start[i])
    experts = [list(work)[i] for i in mine]
    own = min(work) // len(TOY)  # as many experts a rank as the toy has in all
    hues = [LOAD if e // len(TOY) == own else REDUNDANT for e in experts]
    titles = [say("lanes.product", expert=e, rows=work[e]) for e in experts]
    ends = [made.start[i] + made.sizes[i] for i in mine]
    return Lane(str(lane), [made.start[i] for i in mine], ends, marks(hues, titles, [str(e) for e in experts], True),
                say("lanes.idle"))  # fmt: skip


FIGURES = {
    "routes": Figure(routes, {"tokens": 12, "skew": 0.8}),
    "uneven": Figure(uneven, {"factor": 1.25}),
    "fills": Figure(fills),
    "buffers": Figure(buffers, {"S": 4096, "K": 8, "width": 7168}),
    "lanes": Figure(lanes, {"rank": 2, "n": 4}),
}
