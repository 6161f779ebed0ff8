"""The arithmetic of a mesh with the reader's numbers: the product, expert-DP, and a rank in mixed radix."""

from math import prod

from labs.draw.svg import Markup, tag
from labs.models.mesh import Mesh, coordinates
from labs.models.mesh_layout import EXPERT_AXES
from labs.views.mesh_reading import Reading


def formulas(reading: Reading) -> tuple[Markup, ...]:
    """The product, and the chosen rank as a number in mixed radix, in each view that there is."""
    both, at = reading.both, reading.rank
    lines = [_claimed(reading)] if reading.claim else []
    lines += [
        f"GPU = TP·CP·PP·DP = {both.tp} × {both.cp} × {both.pp} × {both.dp} = {both.world}",
        radix(both.dense, at, {}),
    ]
    if reading.experts:
        left = f"{both.dp}·{both.cp}·{both.tp}/({both.ep}·{both.etp})"
        lines.append(f"EDP = DP·CP·TP/(EP·ETP) = {left} = {both.edp}")
        lines.append(radix(both.expert, at, {axis: name for name, axis in EXPERT_AXES.items()}))
    return tuple(tag("code", line) for line in lines)


def _claimed(reading: Reading) -> str:
    both = reading.both
    named = {"tp": both.tp, "sp": reading.sp, "cp": both.cp, "pp": both.pp, "dp": both.dp, "ep": both.ep}
    cut = {name.upper(): str(degree) for name, degree in named.items() if degree > 1}
    claimed = prod(named.values())
    return f"{'·'.join(cut)} = {' × '.join(cut.values())} = {claimed} ≠ {reading.where.gpus}"


def radix(mesh: Mesh, rank: int, names: dict[str, str]) -> str:
    """`rank = tp + TP·(dp + DP·pp) = 3 + 8·(0 + 2·1) = 19`, over the axes that are cut."""
    cut = [axis for axis in mesh.axes if mesh.size(axis) > 1] or [mesh.axes[0]]
    called = {axis: names.get(axis, axis) for axis in cut}
    letters = _nest([(called[axis], called[axis].upper()) for axis in cut])
    at = coordinates(mesh, rank)
    numbers = _nest([(str(at[axis]), str(mesh.size(axis))) for axis in cut])
    return f"rank = {letters} = {numbers} = {rank}"


def _nest(pairs: list[tuple[str, str]]) -> str:
    place, width = pairs[0]
    if len(pairs) == 1:
        return place
    inner = _nest(pairs[1:])
    return f"{place} + {width}·" + (f"({inner})" if len(pairs) > 2 else inner)
