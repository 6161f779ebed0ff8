"""Copies of popular experts, placed by counted load, even out ranks as far as the counts foretell the next batch.

*Throughout this module:*

| symbol  | meaning                                                                   | unit |
|---------|---------------------------------------------------------------------------|------|
| weights | rows expected at each expert                                              | rows |
| slots   | experts with their copies; every rank holds slots/gpus of them            | –    |
| groups  | expert groups that stay on one node (group-limited routing)               | –    |
| copies  | how many slots an expert has; its rows are split evenly among them        | –    |

Two policies (deepseek-ai/EPLB@d52c72d, README): hierarchical packs groups to nodes, copies experts inside each
node and packs the copies to its GPUs; global ignores groups and nodes. Equal numbers of copies are not equal
numbers of rows: the answer is max ÷ mean of the rows.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush, heapreplace

from labs.refusal import BadValue


@dataclass(frozen=True)
class Placements:
    """`slots[g]` are the experts on GPU g; `copies[e]` how many slots expert e has."""

    weights: tuple[float, ...]
    copies: tuple[int, ...]
    slots: tuple[tuple[int, ...], ...]

    @property
    def loads(self) -> tuple[float, ...]:
        """Rows each GPU expects."""
        return tuple(sum(self.weights[e] / self.copies[e] for e in held) for held in self.slots)

    @property
    def ratio(self) -> float:
        """max ÷ mean of the loads: the makespan in units of perfect balance."""
        return max(self.loads) * len(self.loads) / sum(self.loads)

    @property
    def doubled(self) -> int:
        """GPUs that hold two copies of one expert, which is a slot wasted."""
        return sum(len(set(held)) < len(held) for held in self.slots)


def pack(weights: Sequence[float], packs: int) -> list[list[int]]:
    """Items into packs of equal size: the heaviest left goes to the lightest pack that has room."""
    room = len(weights) // packs
    if room == 1:
        return [[item] for item in range(packs)]
    held: list[list[int]] = [[] for _ in range(packs)]
    lightest = [(0.0, p) for p in range(packs)]
    for item in sorted(range(len(weights)), key=lambda i: (-weights[i], i)):
        load, p = heappop(lightest)
        held[p].append(item)
        if len(held[p]) < room:
            heappush(lightest, (load + weights[item], p))
    return held


def replicate(weights: Sequence[float], slots: int) -> list[int]:
    """Copies of each expert: one each, and every further slot to the expert with most rows a copy."""
    copies = [1] * len(weights)
    heaviest = [(-weight, e) for e, weight in enumerate(weights)]
    heapify(heaviest)
    for _ in range(slots - len(weights)):
        e = heaviest[0][1]
        copies[e] += 1
        heapreplace(heaviest, (-weights[e] / copies[e], e))
    return copies


def place(weights: Sequence[float], slots: int, groups: int, nodes: int, gpus: int) -> Placements:
    """Hierarchical where the groups divide over the nodes, else global.

    BadValue: slots that do not divide over the GPUs or are fewer than the experts, GPUs that do not divide over nodes.
    """
    check(len(weights), slots, groups, nodes, gpus)
    if groups % nodes:
        groups = nodes = 1
    size = len(weights) // groups
    packed = pack([sum(weights[g * size : (g + 1) * size]) for g in range(groups)], nodes)
    copies, held = [0] * len(weights), []
    for mine in packed:
        experts = [g * size + i for g in mine for i in range(size)]
        counts = replicate([weights[e] for e in experts], slots // nodes)
        named = experts + _extra(experts, counts)
        for expert, count in zip(experts, counts, strict=True):
            copies[expert] = count
        held += [tuple(named[i] for i in gpu) for gpu in pack([weights[e] / copies[e] for e in named], gpus // nodes)]
    return Placements(tuple(weights), tuple(copies), tuple(held))


def _extra(experts: Sequence[int], counts: Sequence[int]) -> list[int]:
    """The second and further copies."""
    return [expert for expert, count in zip(experts, counts, strict=True) for _ in range(count - 1)]


def check(experts: int, slots: int, groups: int, nodes: int, gpus: int) -> None:
    """BadValue: whatever does not divide, with the nearest value that does."""
    if gpus % nodes:
        raise BadValue("nodes", nodes, "gpus_per_node", divisor(gpus, nodes), gpus=gpus)
    if experts % groups:
        raise BadValue("groups", groups, "experts_per_group", divisor(experts, groups), experts=experts)
    if slots % gpus or slots < experts:
        below, least = slots - slots % gpus, -(-experts // gpus) * gpus
        near = (least,) if below < least else (below, below + gpus)
        raise BadValue("slots", slots, "slots_per_gpu", near, gpus=gpus, experts=experts)


def divisor(whole: int, wanted: int) -> int:
    """The divisor of `whole` nearest to `wanted`, the smaller one at a tie."""
    return min((d for d in range(1, whole + 1) if whole % d == 0), key=lambda d: (abs(d - wanted), d))
