"""A mesh names the axes of a run: a rank is one number, and its coordinates are that number written in mixed radix.

The claim: everything that can be said of process groups (who is in one, who is next, which groups two ranks share)
follows from the sizes of the axes and their order alone, and only axes of one mesh multiply.

*Throughout this module:*

    world   ranks in the mesh = product of the sizes                         rank   megatron-3d §3.1
    order   the axes, fastest first: ranks 0 and 1 are neighbours along the
            first (Megatron: tp-cp-ep-dp-pp; Llama 3, Figure 5: TP CP PP DP)  –      megatron-3d, mesh-tensorflow
    stride  the step in rank between neighbours along an axis
            = product of the sizes of all faster axes                        rank   derived
    group   the ranks that differ only along the named axes                  rank   megatron-lm
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod

from labs.refusal import BadValue

AXES = ("tp", "cp", "ep", "dp", "pp")
# The last one is nobody's: it puts TP where it hurts, to show what an order is for.
ORDERS = {"megatron": "tp-cp-ep-dp-pp", "llama3": "tp-cp-pp-dp", "tp_outside": "pp-dp-ep-cp-tp"}

Group = tuple[int, ...]
Groups = tuple[Group, ...]


@dataclass(frozen=True)
class Mesh:
    """Axes with their sizes, fastest first."""

    axes: tuple[str, ...]
    sizes: tuple[int, ...]

    @property
    def world(self) -> int:
        return prod(self.sizes)

    @cached_property
    def strides(self) -> tuple[int, ...]:
        return tuple(prod(self.sizes[:place]) for place in range(len(self.sizes)))

    def size(self, axis: str) -> int:
        """1 for an axis that the mesh does not have: nothing is cut along it."""
        return self.sizes[self.axes.index(axis)] if axis in self.axes else 1

    def stride(self, axis: str) -> int:
        return self.strides[self.axes.index(axis)]


def in_order(order: str, **sizes: int) -> Mesh:
    """A mesh in the named or written order. BadValue: an axis that is cut but does not stand in the order.

    >>> in_order("tp-dp-pp", tp=8, dp=2, pp=4).strides
    (1, 8, 16)
    """
    axes = tuple(ORDERS.get(order, order).split("-"))
    if len(set(axes)) != len(axes) or not set(axes) <= set(AXES):
        raise BadValue("order", order, "order_axes", tuple(ORDERS), axes=", ".join(AXES))
    absent = [axis for axis, size in sizes.items() if axis not in axes and size > 1]
    if absent:
        raise BadValue("order", order, "order_lacks", "megatron", axis=absent[0].upper())
    return Mesh(axes, tuple(sizes.get(axis, 1) for axis in axes))


def coordinates(mesh: Mesh, rank: int) -> dict[str, int]:
    """Where a rank stands along each axis. BadValue: a rank outside the mesh.

    >>> coordinates(in_order("tp-dp-pp", tp=8, dp=2, pp=4), 19)
    {'tp': 3, 'dp': 0, 'pp': 1}
    """
    if not 0 <= rank < mesh.world:
        raise BadValue("rank", rank, "rank_range", min(max(rank, 0), mesh.world - 1), last=mesh.world - 1)
    places = zip(mesh.axes, mesh.sizes, mesh.strides, strict=True)
    return {axis: rank // stride % size for axis, size, stride in places}


def rank_at(mesh: Mesh, **at: int) -> int:
    """The rank at these coordinates; an axis that is not named is at 0."""
    return sum(mesh.stride(axis) * place for axis, place in at.items())


def offsets(mesh: Mesh, axes: Sequence[str]) -> list[int]:
    """What to add to a rank at 0 along `axes` to reach each member of its group, in rising order of coordinates."""
    reached = [0]
    for axis, size, stride in zip(mesh.axes, mesh.sizes, mesh.strides, strict=True):
        if axis in axes:
            reached = [stride * place + before for place in range(size) for before in reached]
    return reached


def groups(mesh: Mesh, *axes: str) -> Groups:
    """All groups over one axis or several: within a group only these coordinates change.

    >>> groups(in_order("tp-dp-pp", tp=2, dp=2, pp=2), "dp")
    ((0, 2), (1, 3), (4, 6), (5, 7))
    """
    inside, outside = offsets(mesh, axes), offsets(mesh, [axis for axis in mesh.axes if axis not in axes])
    return tuple(tuple(first + step for step in inside) for first in outside)


def group_of(mesh: Mesh, rank: int, *axes: str) -> Group:
    """The one group over `axes` that holds `rank`, without listing the others."""
    at = coordinates(mesh, rank)
    first = rank - sum(at[axis] * mesh.stride(axis) for axis in axes if axis in at)
    return tuple(first + step for step in offsets(mesh, axes))


def masked_groups(sizes: Sequence[int], mask: Sequence[bool]) -> Groups:
    """Groups over the axes whose mask is true, for axes without names (Megatron's orthogonal groups)."""
    names = tuple(str(place) for place in range(len(sizes)))
    chosen = [name for name, wanted in zip(names, mask, strict=True) if wanted]
    return groups(Mesh(names, tuple(sizes)), *chosen)


def hierarchical_groups(world: int, sizes: Sequence[int]) -> tuple[Groups, ...]:
    """One group cut into levels, innermost first: level i joins the ranks that differ in digit i alone.

    BadValue: the levels do not multiply to the group.
    """
    if prod(sizes) != world:
        raise BadValue("sizes", tuple(sizes), "levels_multiply", world=world, product=prod(sizes))
    levels = Mesh(tuple(str(place) for place in range(len(sizes))), tuple(sizes))
    return tuple(groups(levels, level) for level in levels.axes)


def neighbours(mesh: Mesh, rank: int, axis: str) -> tuple[int, int]:
    """The ranks before and after along an axis, closing the ring: where P2P and ring collectives send."""
    ring = group_of(mesh, rank, axis)
    at = ring.index(rank)
    return ring[at - 1], ring[(at + 1) % len(ring)]


def device_mesh(shape: Sequence[int], names: Sequence[str]) -> Mesh:
    """PyTorch writes a mesh slowest axis first: `(2, 4), ("dp", "tp")` keeps tp's neighbours adjacent."""
    return Mesh(tuple(reversed(names)), tuple(reversed(shape)))


Nested = int | tuple["Nested", ...]


def submesh(mesh: Mesh, rank: int, names: Sequence[str]) -> Nested:
    """The part of a device mesh that `rank` sees along `names` (slowest first), nested as PyTorch prints it."""
    at = coordinates(mesh, rank)
    first = rank - sum(at[name] * mesh.stride(name) for name in names)
    return _nested(mesh, first, tuple(names))


def _nested(mesh: Mesh, first: int, names: tuple[str, ...]) -> Nested:
    if not names:
        return first
    stride = mesh.stride(names[0])
    return tuple(_nested(mesh, first + stride * place, names[1:]) for place in range(mesh.size(names[0])))
