"""Figures of the walk through the labs: four bills handed on, one group under two names, and bytes that only hide."""

from labs import units
from labs.draw.bars import Bar, Part, bars
from labs.draw.grid import Block, Cell, grid
from labs.draw.legend import legend
from labs.draw.pairs import Pair, Side, pairs
from labs.draw.svg import Markup, figure, join
from labs.draw.theme import classes
from labs.figures import Figure
from labs.hardware import link
from labs.models.collectives import Costs, cost, overlap
from labs.models.memory import states
from labs.models.mesh import Mesh, group_of, in_order
from labs.models.mesh_layout import multiply_all
from labs.models.outcomes import outcome
from labs.models.schedules import Times
from labs.models.zero_traffic import traffic
from labs.words import Speaker

STATE, COMM, WORK = classes("state", "parameter"), classes("comm", "send"), classes("bubble", "backward")
SHARES = (0.0, 0.5, 0.95)
NAMED = {"tp": "parallel shade-7", "pp": "parallel shade-4", "dp": "parallel shade-1"}  # rank 0's groups


def tour(say: Speaker) -> Markup:
    """The four steps: what each changed, from and to, in the ledger that it eased and in the one that it loaded."""
    rows = tuple(_step(name, *sides, say) for name, sides in _steps().items())
    label = say("tour.label", pairs="; ".join(row.spoken for row in rows))
    return figure(pairs(rows, label), say("tour.caption"), say("tour.title"))


def _step(name: str, eased: tuple[str, str], loaded: tuple[str, str], say: Speaker) -> Pair:
    return Pair(say("tour." + name), Side(*eased, say(f"tour.{name}-eased")), Side(*loaded, say(f"tour.{name}-loaded")))


def _steps() -> dict[str, tuple[tuple[str, str], tuple[str, str]]]:
    sent = [units.number(traffic(70e9, 64, stage).sent / units.GB, 3) for stage in (0, 3)]
    held = [units.number(states(70e9, 64, stage).total / units.GB) for stage in (0, 3)]
    mesh = multiply_all(tp=8, sp=8, cp=1, pp=4, dp=2, ep=1)
    one, two = outcome("1f1b", 8, 20), outcome("dualpipe", 8, 20, 1, Times(1, 1, 1, FB=3))
    sum_up = _far()
    shown = [overlap(sum_up.time, part).exposed for part in (0.0, 0.95)]
    return {
        "memory": ((STATE, " → ".join(held) + "\u00a0GB"), (COMM, " → ".join(sent) + "\u00a0GB")),
        "mesh": (("parallel shade-1", str(mesh.claimed)), ("parallel", str(mesh.product))),
        "pipeline": (
            (WORK, f"{one.idle:g} → {two.idle:g}"),
            (STATE, f"{one.plan.copies:g} → {two.plan.copies:g}"),
        ),
        "dispatch": (
            (classes("comm", "exposed"), f"{units.seconds_text(shown[0], 3)} → {units.seconds_text(shown[1], 2)}"),
            (COMM, " = ".join([units.bytes_text(sum_up.sent, digits=3)] * 2)),
        ),
    }


def _far() -> Costs:
    """C2: an all-reduce of 1 GiB over 64 nodes with one rank each."""
    wire = link("ib_ndr_400")
    return cost("all_reduce", "ring", 64, units.GIB, wire.latency, wire.bandwidth)


def same_group(say: Speaker) -> Markup:
    """64 ranks of TP8 × DP2 × PP4, with the groups that rank 0 belongs to; TP's is Megatron SP's as well."""
    mesh = in_order("tp-dp-pp", tp=8, dp=2, pp=4)
    blocks = tuple(_node(node, mesh, say) for node in range(mesh.world // 8))
    keys = tuple((hue, say("same-group." + axis)) for axis, hue in NAMED.items())
    drawing = grid(blocks, say("same-group.label"))
    return figure(join([legend(keys), drawing]), say("same-group.caption"), say("same-group.title"))


def _node(node: int, mesh: Mesh, say: Speaker) -> Block:
    of = {axis: group_of(mesh, 0, axis) for axis in NAMED}
    cells = []
    for rank in range(8 * node, 8 * node + 8):
        mine = [axis for axis, ranks in of.items() if rank in ranks]
        words = "all" if rank == 0 else mine[0] if mine else ""
        under = say("same-group.short." + words) if words else ""
        cells.append(Cell(str(rank), under, NAMED[mine[0]] if mine else "idle", f"rank {rank} {under}".strip()))
    return Block(say("same-group.node", node=node), tuple(cells))


def hidden_bytes(say: Speaker) -> Markup:
    """One all-reduce with nothing, half and nearly all of it under computing: bytes sent, and time hidden and shown."""
    whole = _far()
    rows = tuple(_hidden(part, whole, say) for part in SHARES)
    sent = units.bytes_text(whole.sent, digits=3)
    label = say("hidden-bytes.label", bars="; ".join(f"{row.label} {row.text}" for row in rows), sent=sent)
    keys = tuple((classes("comm", kind), say("hidden-bytes." + kind)) for kind in ("exposed", "hidden"))
    drawing = join([legend(keys), bars(rows, label)])
    return figure(drawing, say("hidden-bytes.caption", sent=sent), say("hidden-bytes.title", sent=sent))


def _hidden(part: float, whole: Costs, say: Speaker) -> Bar:
    seen = overlap(whole.time, part)
    sizes = {"exposed": seen.exposed, "hidden": seen.hidden}
    pieces = tuple(
        Part(time, classes("comm", kind), f"{say('hidden-bytes.' + kind)}: {units.seconds_text(time, 3)}")
        for kind, time in sizes.items()
        if time
    )
    name = say("hidden-bytes.bar", part=units.percent(part), sent=units.bytes_text(whole.sent, digits=3))
    return Bar(name, units.seconds_text(seen.exposed, 3), pieces)


FIGURES = {"tour": Figure(tour), "same-group": Figure(same_group), "hidden-bytes": Figure(hidden_bytes)}
