"""Keys and values pass round a ring: each rank meets every block once, exactly, and zig-zag makes a causal step even.

*Throughout this module:*

| symbol  | meaning                                                                               | source             |
|---------|---------------------------------------------------------------------------------------|--------------------|
| P       | ranks of the ring, each with its own queries                                          | ring-attention §3  |
| block j | the keys and values that rank j starts with                                           |                    |
| chunk   | half a block; in order, rank i has chunks 2i and 2i+1; zig-zag gives it i and 2P−1−i  | usp §3, Figure 3   |
| work    | pairs of a query and a key, in units of one chunk by one chunk                        |                    |
| m, l, o | largest score so far, sum of exp(score − m), and the output divided by l              | flashattention §3  |
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, inf


def held(P: int, step: int) -> tuple[int, ...]:
    """The block that each rank has before it for its queries in a step, 0 to P−1."""
    return tuple((rank - step) % P for rank in range(P))


def chunks(P: int, zigzag: bool) -> tuple[tuple[int, int], ...]:
    """The two chunks of each rank."""
    return tuple((i, 2 * P - 1 - i) if zigzag else (2 * i, 2 * i + 1) for i in range(P))


def pairs(query: int, key: int) -> float:
    """Work of one chunk of queries on one chunk of keys under a causal mask: all, half on the diagonal, or none."""
    return 1.0 if key < query else 0.5 if key == query else 0.0


def work(P: int, step: int, zigzag: bool) -> tuple[float, ...]:
    """What each rank has to do in a step under a causal mask; without a mask it is 4."""
    owned, blocks = chunks(P, zigzag), held(P, step)
    return tuple(sum(pairs(q, k) for q in owned[rank] for k in owned[blocks[rank]]) for rank in range(P))


def rank_work(P: int, zigzag: bool) -> tuple[float, ...]:
    """The same over all steps, over the mean of the ranks."""
    steps = [work(P, step, zigzag) for step in range(P)]
    return tuple(sum(step[rank] for step in steps) / (2 * P) for rank in range(P))


def ring_time(P: int, zigzag: bool) -> float:
    """Time of all steps over that without a mask: in each step all wait for the busiest rank."""
    return sum(max(work(P, step, zigzag)) for step in range(P)) / (4 * P)


@dataclass(frozen=True)
class Running:
    """A softmax under way; `o` is already what attention to the keys met so far would give."""

    m: float = -inf
    l: float = 0.0  # noqa: E741 - the letter of the paper
    o: float = 0.0

    def meet(self, scores: Sequence[float], values: Sequence[float]) -> "Running":
        """One more block of keys and values."""
        m = max(self.m, *scores)
        weights = [exp(score - m) for score in scores]
        kept = self.l * exp(self.m - m)
        total = kept + sum(weights)
        added = sum(w * v for w, v in zip(weights, values, strict=True))
        return Running(m, total, (kept * self.o + added) / total)
