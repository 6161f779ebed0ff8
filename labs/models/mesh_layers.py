"""Which layers a pipeline rank holds: one run of them, v interleaved chunks, or a V that starts and ends on one rank.

The claim: a placement is a list of chunks per rank, and whatever differs between ranks (a short last stage,
embedding and head on one rank) can be read from that list; nothing is averaged.

*Throughout this module:*

    L   layers, numbered from 1                                      –
    p   pipeline stages (ranks along PP)                             –
    v   chunks a rank holds; chunk c of rank r is stage c·p + r      –   megatron-3d §2.2.2
    V   two chunks a rank: stage r and stage 2p − 1 − r              –   zero-bubble §6
"""

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate

from labs.refusal import BadValue

Chunk = tuple[int, ...]
Placement = tuple[tuple[Chunk, ...], ...]


@dataclass(frozen=True)
class Split:
    """Layers per stage; `uneven` are the stages that differ from what most stages hold."""

    counts: tuple[int, ...]

    @property
    def uneven(self) -> tuple[int, ...]:
        usual = Counter(self.counts).most_common(1)[0][0]
        return tuple(stage for stage, held in enumerate(self.counts) if held != usual)

    @property
    def heaviest(self) -> int:
        return max(self.counts)


def split(layers: int, p: int) -> Split:
    """Layers over p stages: equal where they divide; else full stages and a short last one; else the first ones longer.

    BadValue: fewer layers than stages.

    >>> split(61, 16).counts[-2:], split(61, 16).uneven
    ((4, 1), (15,))
    """
    if layers < p:
        raise BadValue("pp", p, "stage_needs_layer", layers, layers=layers)
    full = -(-layers // p)
    last = layers - full * (p - 1)
    if last > 0:
        return Split((full,) * (p - 1) + (last,))
    short, longer = divmod(layers, p)
    return Split((short + 1,) * longer + (short,) * (p - longer))


@lru_cache(maxsize=8)  # every rank of a run asks for the same
def stages(counts: tuple[int, ...]) -> tuple[Chunk, ...]:
    """Layer numbers of each stage, for any counts: the layers are handed out in order."""
    ends = tuple(accumulate(counts))
    return tuple(tuple(range(end - held + 1, end + 1)) for end, held in zip(ends, counts, strict=True))


def interleaved(layers: int, p: int, v: int) -> Placement:
    """v chunks a rank, p stages apart; v = 1 is the plain pipeline. BadValue: layers that p·v does not divide.

    >>> interleaved(16, 4, 2)[0]
    ((1, 2), (9, 10))
    """
    each = _equal(layers, p * v)
    return tuple(tuple(each[chunk * p + rank] for chunk in range(v)) for rank in range(p))


def v_shaped(layers: int, p: int) -> Placement:
    """Down the ranks and back: the first and the last stage share rank 0, so the loss is where the tokens are.

    >>> v_shaped(16, 4)[0]
    ((1, 2), (15, 16))
    """
    each = _equal(layers, 2 * p)
    return tuple((each[rank], each[2 * p - 1 - rank]) for rank in range(p))


def _equal(layers: int, chunks: int) -> tuple[Chunk, ...]:
    if layers % chunks:
        below = layers // chunks * chunks
        nearest = tuple(one for one in (below, below + chunks) if one)
        raise BadValue("layers", layers, "chunks_divide_layers", nearest, chunks=chunks)
    return stages((layers // chunks,) * chunks)
