"""The groups of the chosen rank as tables: who is in them, what they send, how often, over which link."""

from labs.answer import Table
from labs.models.mesh import Group
from labs.models.mesh_layout import members
from labs.models.mesh_links import Crossing, crossing
from labs.views.mesh_figure import VIEWS, cut_axes, drawn_nodes, shown, step
from labs.views.mesh_reading import Reading
from labs.words import Speaker

LISTED = 8


def tables(reading: Reading, say: Speaker) -> tuple[Table, ...]:
    """Dense groups, expert groups where there are any, and the coordinates of every rank that is drawn."""
    return (*(group_table(reading, view, say) for view in shown(reading)), rank_table(reading, say))


def group_table(reading: Reading, view: str, say: Speaker) -> Table:
    head = tuple(say(f"groups_table.{key}") for key in ("group", "size", "members", "link", "flow", "often"))
    rows = tuple(_group_row(reading, names, say) for names in _groups(reading, view))
    return Table(say(f"groups_table.{view}", rank=reading.rank), head, rows)


def _groups(reading: Reading, view: str) -> list[tuple[str, ...]]:
    """One group an axis; with CP, gradients are combined over DP and CP together, which is a group of its own."""
    names: list[tuple[str, ...]] = [(name,) for name in VIEWS[view]]
    if view == "dense" and reading.both.cp > 1:
        names.insert(names.index(("dp",)) + 1, ("dp", "cp"))
    return [one for one in names if one != ("cp",) or reading.both.cp > 1]


def _group_row(reading: Reading, names: tuple[str, ...], say: Speaker) -> tuple[object, ...]:
    group = members(reading.both, reading.rank, *names)
    key = "_".join(names)
    flow = "tp_sp" if key == "tp" and reading.sp == reading.both.tp > 1 else key
    flows = (say(f"flows.{flow}"), say(f"often.{key}")) if len(group) > 1 else ("–", "–")
    return (
        "×".join(names).upper(),
        len(group),
        ranks_text(group),
        link_text(crossing(group, reading.where), say),
        *flows,
    )


def ranks_text(group: Group) -> str:
    """Neighbouring ranks as a span, a short list in full, a long one by its first ranks, its last and its step.

    >>> ranks_text(tuple(range(16, 24))), ranks_text((3, 19, 35, 51)), ranks_text(tuple(range(0, 256, 16)))
    ('16–23', '3, 19, 35, 51', '0, 16, 32, …, 240')
    """
    if len(group) > 2 and group[-1] - group[0] == len(group) - 1:
        return f"{group[0]}–{group[-1]}"
    if len(group) <= LISTED:
        return ", ".join(map(str, group))
    return ", ".join(map(str, group[:3])) + f", …, {group[-1]}"


def link_text(crossed: Crossing, say: Speaker) -> str:
    return say(f"links.{crossed.link}", nodes=crossed.nodes)


def rank_table(reading: Reading, say: Speaker) -> Table:
    """The figure's own data: where each drawn rank stands along each axis that is cut."""
    cut, per_node, rows = cut_axes(reading), reading.where.per_node, []
    for rank in (node * per_node + gpu for node in drawn_nodes(reading) for gpu in range(per_node)):
        at = [step(reading, rank, name) if rank < reading.both.world else "–" for name in cut]
        rows.append((str(rank), rank // per_node, *at))
    head = (say("ranks_table.rank"), say("ranks_table.node"), *(name.upper() for name in cut))
    chosen = next(i for i, row in enumerate(rows) if row[0] == str(reading.rank))
    return Table(say("ranks_table.caption"), head, tuple(rows), chosen)
