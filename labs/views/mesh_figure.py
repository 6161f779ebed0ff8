"""The cluster drawn as its nodes: a cell a rank, shaded along one axis, with the groups of the chosen rank marked.

Up to 128 GPUs every rank is a cell. Beyond that the node of the chosen rank and the nearest nodes that its groups
reach are drawn in full, above an overview with a square for each node.
"""

from labs.draw.grid import Block, Cell, grid, overview, shade
from labs.draw.svg import Markup, figure, join
from labs.draw.theme import classes
from labs.models.mesh_layout import EXPERT_AXES, members
from labs.views.mesh_reading import Reading
from labs.words import Speaker

ALL_DRAWN = 128
FULL_NODES = 4
SQUARES = 512
VIEWS = {"dense": ("tp", "cp", "dp", "pp"), "expert": ("etp", "ep", "edp", "pp")}
USUAL = {"dense": "pp", "expert": "ep"}


def step(reading: Reading, rank: int, name: str) -> int:
    """One coordinate of a rank, along an axis named as people say it."""
    mesh, axis = (reading.both.expert, EXPERT_AXES[name]) if name in EXPERT_AXES else (reading.both.dense, name)
    return rank // mesh.stride(axis) % mesh.size(axis) if axis in mesh.axes else 0


def cut_axes(reading: Reading) -> tuple[str, ...]:
    """The axes of the views that are drawn, where they are cut at all."""
    names = dict.fromkeys(name for view in shown(reading) for name in VIEWS[view])
    return tuple(name for name in names if size(reading, name) > 1)


def size(reading: Reading, name: str) -> int:
    both = reading.both
    return both.expert.size(EXPERT_AXES[name]) if name in EXPERT_AXES else both.dense.size(name)


def drawn_nodes(reading: Reading) -> tuple[int, ...]:
    """All nodes of a small cluster; of a large one the chosen rank's, then the nearest that its groups reach."""
    where = reading.where
    if where.gpus <= ALL_DRAWN:
        return tuple(range(where.nodes))
    home = reading.rank // where.per_node
    reached = {one // where.per_node for view in shown(reading) for one in marks(reading, view)}
    nearest = sorted(reached - {home}, key=lambda node: (abs(node - home), node))[: FULL_NODES - 1]
    return tuple(sorted((home, *nearest)))


def shown(reading: Reading) -> tuple[str, ...]:
    return ("dense", "expert") if reading.experts else ("dense",)


def marks(reading: Reading, view: str) -> dict[int, str]:
    """{rank: axis} for all that share a group with the chosen rank; two axes share no other rank than it."""
    groups = {name: members(reading.both, reading.rank, name) for name in VIEWS[view]}
    return {one: name for name, group in groups.items() for one in group if one != reading.rank}


def figures(reading: Reading, colour: str, say: Speaker) -> Markup:
    """The dense view, and under it the expert view of the same ranks where experts are cut at all."""
    return join([_view(reading, view, colour, say) for view in shown(reading)])


def _view(reading: Reading, view: str, colour: str, say: Speaker) -> Markup:
    axis = colour if colour in VIEWS[view] else USUAL[view]
    facts = {"axis": axis.upper(), "size": size(reading, axis), "rank": reading.rank, "gpus": reading.where.gpus}
    label, marked = say(f"figure.{view}", **facts), marks(reading, view)
    blocks = tuple(_node(reading, node, axis, marked, say) for node in drawn_nodes(reading))
    drawing, caption = grid(blocks, label), say("figure.caption", **facts)
    if reading.where.gpus > ALL_DRAWN:
        drawing = join([drawing, _overview(reading, axis, marked, say)])
        caption += say("figure.squares", nodes=reading.where.nodes)
    return figure(drawing, caption, say(f"figure.{view}_title"))


def _node(reading: Reading, node: int, axis: str, marked: dict[int, str], say: Speaker) -> Block:
    first = node * reading.where.per_node
    ranks = range(first, first + reading.where.per_node)
    return Block(say("figure.node", node=node), tuple(_cell(reading, rank, axis, marked, say) for rank in ranks))


def _cell(reading: Reading, rank: int, axis: str, marked: dict[int, str], say: Speaker) -> Cell:
    if rank >= reading.both.world:
        return Cell(str(rank), "", "idle", say("figure.idle", rank=rank))
    at, mark = step(reading, rank, axis), marked.get(rank, "")
    hue = _classes(axis, shade(at, size(reading, axis)), "chosen" if rank == reading.rank else "", mark)
    under = f"{axis}{at}" + (f" {mark.upper()}" if mark else " ●" if rank == reading.rank else "")
    along = ", ".join(f"{name} {step(reading, rank, name)}" for name in cut_axes(reading))
    return Cell(str(rank), under, hue, f"rank {rank}: {along}" if along else f"rank {rank}")


def _classes(axis: str, tint: str, chosen: str, mark: str) -> str:
    hue = {"etp": "tp"}.get(axis, axis)
    return classes("parallel", hue, tint, chosen, f"member member-{mark}" if mark else "")


def _overview(reading: Reading, axis: str, marked: dict[int, str], say: Speaker) -> Markup:
    """A square for each node, or for each run of nodes where there are more than 512 of them."""
    nodes, each = reading.where.nodes, -(-reading.where.nodes // SQUARES)
    width = reading.where.per_node * each
    reached = {rank // width: name for rank, name in marked.items()}
    home, last = reading.rank // width, size(reading, axis)
    squares = []
    for square in range(-(-nodes // each)):
        first = square * width
        chosen, mark = "chosen" if square == home else "", reached.get(square, "")
        tint = shade(step(reading, first, axis), last)
        squares.append(Cell("", "", _classes(axis, tint, chosen, mark) if first < reading.both.world else "idle", ""))
    return overview(tuple(squares), say("figure.overview", nodes=nodes, axis=axis.upper()))
