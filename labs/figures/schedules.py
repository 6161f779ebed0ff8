"""Figures of pipelines: two ratios of one idle time, what each schedule costs thrice, and what may wait or overlap."""

from labs import units
from labs.draw.bars import Bar, Part, bars
from labs.draw.legend import legend
from labs.draw.lines import Axis, Line, Mark, loglog
from labs.draw.svg import Markup, figure, join, percent, svg, tag
from labs.draw.theme import classes
from labs.draw.timeline import Lane, marks, timeline
from labs.figures import Figure
from labs.models.bubbles import flush_rel, flush_share
from labs.models.outcomes import outcome
from labs.models.pipeline import Slots, run
from labs.models.schedules.actions import Action, Pair
from labs.models.schedules.times import UNIT
from labs.words import Speaker

COMPARED = (("gpipe", 1), ("1f1b", 1), ("interleaved", 2), ("zb-h1", 1), ("zb-h2", 1), ("dualpipe", 1))
PARTS = {"F": "forward", "B": "backward", "I": "input", "W": "weight"}
LANE, BOX = 30, 26  # px
# A forward and a backward of two micro-batches: what computes in a quarter, and what is sent meanwhile
PAIRED = (("f-attention", "b-combine"), ("b-mlp", "f-dispatch"), ("f-mlp", "b-dispatch"), ("b-attention", "f-combine"))


def two_ratios(say: Speaker, p: int) -> Markup:
    """The idle time of a flush schedule over useful time and over total time, against m."""
    counts = [2.0**k for k in range(8)]
    rel = [(m, flush_rel(p, int(m))) for m in counts]
    share = [(m, flush_share(p, int(m))) for m in counts]
    hue = classes("bubble", "backward")
    lines = [Line(rel, hue, say("two-ratios.rel")), Line(share, hue, say("two-ratios.share"), dashed=True)]
    named = (("rel", rel[1]), ("share", share[2]))
    dots = [Mark(m, say("two-ratios." + name), classes("bubble"), y) for name, (m, y) in named]
    x = Axis(1, counts[-1], units.number, say("two-ratios.x"))
    y = Axis(0.04, 10, units.percent, say("two-ratios.y"))
    facts = {"p": p, "rel": units.percent(rel[-1][1]), "share": units.percent(share[-1][1]), "m": int(counts[-1])}
    drawing = loglog(lines, dots, x, y, say("two-ratios.label", **facts))
    return figure(drawing, say("two-ratios.caption"), say("two-ratios.title", p=p))


def three_costs(say: Speaker, p: int, m: int) -> Markup:
    """Idle time of the rank that waits longest, sets of activations of the fullest rank, and copies of parameters."""
    compared = {name: outcome(name, p, m, v) for name, v in COMPARED}
    costs = {
        "idle": ("bubble backward", {name: one.idle for name, one in compared.items()}),
        "peak": ("activation kept", {name: one.peak for name, one in compared.items()}),
        "copies": ("state parameter", {name: one.plan.copies for name, one in compared.items()}),
    }
    drawn = [_cost(kind, hue, values, say) for kind, (hue, values) in costs.items()]
    return figure(join(drawn), say("three-costs.caption"), say("three-costs.title", p=p, m=m))


def _cost(kind: str, hue: str, values: dict[str, float], say: Speaker) -> Markup:
    rows = tuple(
        Bar(say(f"schedules.{name}"), units.number(value), (Part(value, hue, units.number(value)),))
        for name, value in values.items()
    )
    title = say(f"three-costs.{kind}")
    label = say("three-costs.label", kind=title, bars="; ".join(f"{row.label} {row.text}" for row in rows))
    return join([tag("p", title, class_="nl-figure-title"), bars(rows, label)])


def split_backward(say: Speaker, p: int, m: int) -> Markup:
    """1F1B and ZB-H1 on the same work, slot by slot."""
    until = run("1f1b", p, m, 1, UNIT).makespan
    kinds = legend(tuple((classes("bubble", part), say("slots." + part)) for part in (*PARTS.values(), "idle")))
    drawn = [_order(name, run(name, p, m, 1, UNIT), until, say) for name in ("1f1b", "zb-h1")]
    return figure(join([kinds, *drawn]), say("split-backward.caption"), say("split-backward.title", p=p, m=m))


def _order(name: str, slots: Slots, until: float, say: Speaker) -> Markup:
    lanes = [_lane(rank, slots, say) for rank in range(slots.graph.ranks)]
    title = say(f"schedules.{name}")
    label = say("split-backward.label", name=title, makespan=units.number(slots.makespan))
    drawing = timeline(lanes, until, label, 1, say("scroll", what=title))
    return join([tag("p", title, class_="nl-figure-title"), drawing])


def _lane(rank: int, slots: Slots, say: Speaker) -> Lane:
    mine = [node for node, at in enumerate(slots.graph.rank) if at == rank]
    drawn = [slots.graph.actions[node] for node in mine]
    hues = [classes("bubble", _part(action)) for action in drawn]
    inside = [str(action.parts[0].microbatch) for action in drawn]
    faces = marks(hues, [str(action) for action in drawn], inside)
    starts, ends = [slots.starts[node] for node in mine], [slots.ends[node] for node in mine]
    return Lane(str(rank), starts, ends, faces, say("slots.idle"))


def _part(action: Action | Pair) -> str:
    return "pair" if isinstance(action, Pair) else PARTS[action.letter]


def pair(say: Speaker) -> Markup:
    """One forward beside one backward: each quarter computes for one of them and sends for the other."""
    drawn = [_quarter(i, *names, say) for i, names in enumerate(PAIRED)]
    lanes = [
        tag("text", say("pair." + name), x=0, y=y, class_="nl-under")
        for name, y in (("compute", 12), ("send", 2 * LANE + 22))
    ]
    drawing = svg(2 * LANE + 60, *lanes, *drawn, label=say("pair.label"), class_="nl-pair")
    return figure(drawing, say("pair.caption"), say("pair.title"))


def _quarter(i: int, computed: str, sent: str, say: Speaker) -> Markup:
    hues = {"f": classes("bubble", "forward"), "b": classes("bubble", "backward")}
    return tag(
        "g",
        _box(i, 18, hues[computed[0]], say("pair." + computed)),
        _box(i, 2 * LANE + 28, classes("comm", "hidden"), say("pair." + sent)),
    )


def _box(i: int, y: float, hue: str, text: str) -> Markup:
    box = tag("rect", x=percent(i / 4), width=percent(0.245), y=y, height=BOX, class_=hue)
    look = f"nl-inside {hue.split()[-1]} nl-inside-text"
    return tag("g", box, tag("text", text, x=percent((i + 0.49) / 4), y=y + 17, text_anchor="middle", class_=look))


FIGURES = {
    "two-ratios": Figure(two_ratios, {"p": 8}),
    "three-costs": Figure(three_costs, {"p": 8, "m": 20}),
    "split-backward": Figure(split_backward, {"p": 4, "m": 4}),
    "pair": Figure(pair),
}
