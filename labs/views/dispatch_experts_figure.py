"""The expert layer drawn: rows by rank against the busiest, the policies side by side, and what a rank reserves."""

from labs.draw.bars import Bar, Limit, Part, bars
from labs.draw.legend import legend
from labs.draw.loads import Load, loads
from labs.draw.svg import Markup, figure, join
from labs.draw.theme import classes
from labs.models.dispatch import Policy
from labs.units import count, number, percent, times_text, volume
from labs.views.dispatch_reading import Reading
from labs.words import Speaker

LOAD, PADDING, DROPPED = classes("moe", "load"), classes("moe", "padding"), classes("moe", "dropped")


def spread(r: Reading, facts: dict[str, object], say: Speaker) -> Markup:
    """One column a rank under the chosen policy."""
    rows = r.policy.loads.rows
    mean = r.values.S * r.values.K
    columns = [
        Load(n, say("figure.rank", rank=i, rows=count(n), ratio=number(n / mean, 3))) for i, n in enumerate(rows)
    ]
    busiest = say("figure.busiest", rows=count(max(rows)), **_without(facts, "rows"))
    label = say("figure.spread_label", **facts)
    drawn = loads(columns, LOAD, (mean, say("figure.mean", **facts)), busiest, label)
    drawn_all = "figure.all_drawn" if r.layer.exact else "figure.sampled"
    return figure(drawn, say(drawn_all, **facts), say("figure.spread_title", policy=_name(r.values.policy, say)))


def _without(facts: dict[str, object], key: str) -> dict[str, object]:
    return {name: value for name, value in facts.items() if name != key}


def _name(policy: str, say: Speaker) -> str:
    return say(f"options.policy.{policy}")


def compared(r: Reading, facts: dict[str, object], say: Speaker) -> Markup:
    """How long the busiest rank takes under each policy, in units of S·K rows, and what was padded or dropped."""
    rows = tuple(_bar(r, policy, say) for policy in r.layer.policies.values())
    drawn = bars(rows, say("figure.compared_label", **facts), Limit(1.0, say("figure.perfect_line")))
    keys = legend(((LOAD, say("figure.computed")), (PADDING, say("figure.padded")), (DROPPED, say("figure.dropped"))))
    return figure(join([drawn, keys]), say("figure.compared_caption", **facts), say("figure.compared_title"))


def _bar(r: Reading, policy: Policy, say: Speaker) -> Bar:
    """The busiest rank's rows; the rows that were dropped follow it, since somebody asked for them."""
    ratio, rows = r.layer.ratio(policy), r.layer.rows
    padding, dropped = policy.padding / rows, policy.dropped / rows
    parts = [Part(ratio - padding, LOAD, say("figure.computed"))]
    if padding:
        parts.append(Part(padding, PADDING, say("figure.padded")))
    if dropped:
        parts.append(Part(dropped, DROPPED, say("figure.dropped")))
    text = times_text(ratio, 3) + (say("figure.drops", dropped=percent(dropped)) if dropped else "")
    return Bar(_name(policy.name, say), text, tuple(parts), policy.name == r.values.policy)


def buffers(r: Reading, facts: dict[str, object], say: Speaker) -> Markup:
    """Slots of one rank: exactly S·K, every token once, or every row in the worst case."""
    held = r.buffers
    sizes = (("balanced", held.balanced), ("once", held.deduplicated), ("worst", held.worst))
    shade = classes("moe", "buffer")
    rows = tuple(Bar(say(f"figure.buffer_{key}"), volume(n), (Part(n, shade, volume(n)),)) for key, n in sizes)
    drawn = bars(rows, say("figure.buffers_label", **facts))
    return figure(drawn, say("figure.buffers_caption", **facts), say("figure.buffers_title"))
