"""The pipeline lab's figure: two timelines on one scale, and the activations each rank holds at most."""

from functools import lru_cache

from labs.draw.columns import Column, columns
from labs.draw.legend import legend
from labs.draw.svg import Markup, figure, join
from labs.draw.theme import classes
from labs.draw.timeline import Lane, Marks, marks, summarised, timeline
from labs.models.outcomes import Outcomes
from labs.models.schedules import Action, Pair, Plan
from labs.units import number
from labs.words import Speaker

DRAWN = 2048  # slots of one timeline; a phone lays out twice as many without a pause one would notice
PARTS = {"F": "forward", "B": "backward", "I": "input", "W": "weight"}
CLASSES = {letter: classes("bubble", part) for letter, part in PARTS.items()}
PAIR, IDLE = classes("bubble", "pair"), classes("bubble", "idle")


def figures(chosen: Outcomes, against: Outcomes | None, say: Speaker) -> Markup:
    both = [chosen] + ([against] if against and against.name != chosen.name else [])
    until = max(one.makespan for one in both)
    drawn = [_timeline(one, until, say) for one in both]
    return join([*drawn, _legend(both, say), _peaks(chosen, both[-1] if len(both) > 1 else None, say)])


def _timeline(one: Outcomes, until: float, say: Speaker) -> Markup:
    """Slot by slot, or in pieces where there are too many; the caption says which."""
    name, graph, slots = say(f"options.schedule.{one.name}"), one.plan.graph, one.slots
    lanes, pieces, key = _lanes(one, say), max(16, DRAWN // (4 * graph.ranks)), "figure.timeline"
    if len(graph.actions) > DRAWN:
        lanes = [summarised(lane, until, pieces, say("figure.piece")) for lane in lanes]
        key = "figure.timeline_summed"
    shortest = min(end - start for lane in lanes for start, end in zip(lane.starts, lane.ends, strict=True))
    facts = {"idle": number(one.idle), "makespan": number(one.makespan), "rank": slots.worst}
    drawing = timeline(lanes, until, say("figure.label", name=name, **facts), shortest, say("scroll", what=name))
    return figure(drawing, say(key, slots=len(graph.actions), pieces=pieces, **facts), name)


def _lanes(one: Outcomes, say: Speaker) -> list[Lane]:
    starts, ends, lanes = one.slots.starts, one.slots.ends, []
    without = "" if one.times.W else "W"
    for rank, (nodes, drawn) in enumerate(_faces(one.plan, without)):
        idle = say("figure.idle", idle=number(one.slots.idle[rank]))
        lanes.append(Lane(str(rank), [starts[n] for n in nodes], [ends[n] for n in nodes], drawn, idle))
    return lanes


@lru_cache(maxsize=16)
def _faces(plan: Plan, without: str) -> tuple[tuple[tuple[int, ...], Marks], ...]:
    """Per rank its nodes and how they look; kept, since a reader who moves a time changes neither.

    A letter that takes no time (`without`) has no slot.
    """
    graph = plan.graph
    nodes: list[list[int]] = [[] for _ in range(graph.ranks)]
    for node, (rank, action) in enumerate(zip(graph.rank, graph.actions, strict=True)):
        if isinstance(action, Pair) or action.letter not in without:
            nodes[rank].append(node)
    return tuple((tuple(mine), _marks([graph.actions[node] for node in mine])) for mine in nodes)


def _marks(actions: list[Action | Pair]) -> Marks:
    """A pair shows both of its micro-batches."""
    return marks(
        [PAIR if isinstance(action, Pair) else CLASSES[action.letter] for action in actions],
        [str(action) for action in actions],
        ["·".join(str(part.microbatch) for part in action.parts) for action in actions],
    )


def _legend(both: list[Outcomes], say: Speaker) -> Markup:
    """Only what the two timelines contain."""
    kinds = {"pair" if isinstance(a, Pair) else PARTS[a.letter] for one in both for a in one.plan.graph.kinds}
    shown = [part for part in (*PARTS.values(), "pair") if part in kinds] + ["idle"]
    return legend(tuple((classes("bubble", part), say(f"parts.{part}")) for part in shown))


def _peaks(chosen: Outcomes, against: Outcomes | None, say: Speaker) -> Markup:
    name = say(f"options.schedule.{chosen.name}")
    cells = []
    for rank, (kept, waiting) in enumerate(zip(chosen.plan.peak, chosen.plan.peak_until_weight, strict=True)):
        facts = {"rank": rank, "kept": number(kept), "waiting": number(waiting)}
        parts = [(kept, classes("activation", "kept"), say("figure.kept", **facts))]
        if waiting > kept:
            parts.append((waiting - kept, classes("activation", "waiting"), say("figure.waiting", **facts)))
        beside = against.plan.peak[rank] if against else None
        titled = say("figure.beside", rank=rank, kept=number(beside or 0))
        cells.append(Column(str(rank), tuple(parts), beside, titled))
    drawing = columns(cells, say("figure.peaks_label", name=name, most=number(chosen.peak)))
    caption = say("figure.peaks", most=number(chosen.peak), waiting=number(max(chosen.plan.peak_until_weight)))
    if against:
        caption += say("figure.peaks_beside", name=say(f"options.schedule.{against.name}"))
    return figure(drawing, caption, say("figure.peaks_title"))
