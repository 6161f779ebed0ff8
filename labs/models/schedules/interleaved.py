"""v stages a rank, p apart: the idle unit shrinks to 1/v of a stage, the messages grow v-fold [megatron-3d §2.2.2].

*Throughout this module:*
    p   ranks                     v   stages a rank holds (virtual chunks)
    m   micro-batches             n   micro-batches of a round: m // max(1, m // p)   [pytorch pipelining]
    w   forwards of a rank before its first backward
"""

from collections.abc import Iterator
from itertools import islice

from labs.models.schedules.actions import Action, B, F, I, Schedule, W
from labs.refusal import BadValue


def round_size(p: int, m: int) -> int:
    """Micro-batches that pass one stage before the rank turns to its next: PyTorch's rule, any m its rounds divide."""
    rounds = max(1, m // p)
    if m % rounds:
        raise BadValue("m", m, "interleaved_rounds", nearest=nearest_legal(p, m), p=p, rounds=rounds)
    return m // rounds


def nearest_legal(p: int, m: int) -> tuple[int, int]:
    """The closest m below and above that split into whole rounds: 8 and 10 for p 4, m 9."""
    below = next(k for k in range(m - 1, 0, -1) if k % max(1, k // p) == 0)
    above = next(k for k in range(m + 1, m + p + 1) if k % (k // p) == 0)
    return below, above


def interleaved(p: int, m: int, v: int) -> Schedule:
    """w = (v−1)·n + 2·(p−1−rank) forwards first, then one forward and one backward in turn [megatron-3d §2.2.2]."""
    n = round_size(p, m)
    return {rank: tuple(_whole(rank, p, m, v, n)) for rank in range(p)}


def warmup(rank: int, p: int, m: int, v: int, n: int, hop: int = 2) -> int:
    """Forwards of a rank before it alternates: `hop` more for every rank between it and the last, never above m·v."""
    return min((v - 1) * n + hop * (p - 1 - rank), m * v)


def _whole(rank: int, p: int, m: int, v: int, n: int) -> Iterator[Action]:
    forwards = (F(*at) for at in turns(rank, p, m, v, n))
    backwards = (B(*at) for at in turns(rank, p, m, v, n, back=True))
    yield from islice(forwards, warmup(rank, p, m, v, n))
    for forward in forwards:
        yield forward
        yield next(backwards)
    yield from backwards


def interleaved_zero_bubble(p: int, m: int, v: int) -> Schedule:
    """One more forward a hop instead of two, backwards split: rank r lets r weight gradients wait [pytorch pipelining].

    With v = 1 this is ZB-H1: the last gradients no longer wait for weights, at the memory of 1F1B [zero-bubble §2.3].
    """
    return _zero_bubble(p, m, v, hop=1)


def zb_h1(p: int, m: int) -> Schedule:
    return _zero_bubble(p, m, 1, hop=1)


def zb_h2(p: int, m: int) -> Schedule:
    """Twice the forwards before the first backward, twice the weight gradients behind the last [zero-bubble §2.3]."""
    return _zero_bubble(p, m, 1, hop=2)


def _zero_bubble(p: int, m: int, v: int, hop: int) -> Schedule:
    n = round_size(p, m) if v > 1 else m
    return {rank: tuple(_split(rank, p, m, v, n, hop)) for rank in range(p)}


def _split(rank: int, p: int, m: int, v: int, n: int, hop: int) -> Iterator[Action]:
    forwards = (F(*at) for at in turns(rank, p, m, v, n))
    weights = (W(*at) for at in turns(rank, p, m, v, n, back=True))
    yield from islice(forwards, warmup(rank, p, m, v, n, hop))
    for count, at in enumerate(turns(rank, p, m, v, n, back=True)):
        yield from islice(forwards, 1)
        yield I(*at)
        if count >= hop * rank:
            yield next(weights)
    yield from weights


def turns(rank: int, p: int, m: int, v: int, n: int, *, back: bool = False) -> Iterator[tuple[int, int]]:
    """(stage, micro-batch) in a rank's order: n micro-batches on one stage, then on its next, round by round."""
    for first in range(0, m, n):
        for chunk in reversed(range(v)) if back else range(v):
            for microbatch in range(first, first + n):
                yield chunk * p + rank, microbatch
