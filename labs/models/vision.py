"""Images of uneven size: on one stage they hold all up, dealt whole the largest does, and cut by patches nothing does.

*Throughout this module:*

| symbol | meaning                                                               | source           |
|--------|-----------------------------------------------------------------------|------------------|
| sizes  | patches of each image; the work of an encoder is taken as proportional | kimi-k2.5 §4.5.1 |
| gpus   | GPUs, or pipeline stages where one of them has the encoder            |                  |
| most   | patches above which an image is cut, along its patches                | kimi-k3 §5.2.3   |

Attention inside an image grows faster than its patches; that is left out, and makes large images worse than here.
"""

from collections.abc import Sequence
from heapq import heapify, heapreplace


def first_stage(sizes: Sequence[float], gpus: int) -> list[float]:
    """All on stage 0, as where the encoder is packed with the embedding."""
    return [float(sum(sizes))] + [0.0] * (gpus - 1)


def dealt(sizes: Sequence[float], gpus: int) -> list[float]:
    """Whole images, each largest to the GPU with least; DEP balances by load, by a rule it does not publish."""
    loads = [(0.0, gpu) for gpu in range(gpus)]
    heapify(loads)
    for size in sorted(sizes, reverse=True):
        load, gpu = loads[0]
        heapreplace(loads, (load + size, gpu))
    return [load for load, _ in sorted(loads, key=lambda pair: pair[1])]


def cut(sizes: Sequence[float], most: float) -> list[float]:
    """Images above `most` patches in equal pieces of at most that."""
    pieces: list[float] = []
    for size in sizes:
        count = -(-size // most)
        pieces += [size / count] * int(count)
    return pieces


def ratio(loads: Sequence[float]) -> float:
    """Busiest over mean: how many times longer than a perfect split."""
    return max(loads) * len(loads) / sum(loads)
