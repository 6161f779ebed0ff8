"""Two stages a rank, the second on the way back: rank r holds stages r and 2p−1−r, first and last stage share a rank.

*Throughout this module:*
    p   ranks            m   micro-batches
    0, 1   the stage a rank holds on the way out, and on the way back
"""

from collections.abc import Iterator

from labs.models.schedules.actions import Action, F, I, Schedule, W


def zb_v(p: int, m: int) -> Schedule:
    """The hand-made order: no idle slot when F = I = W, at the memory of 1F1B [zero-bubble §6; pytorch pipelining].

    It is drawn for at least 2p−1 micro-batches; with fewer, those that are not there are left out.
    """
    drawn = max(m, 2 * p - 1)
    return {rank: tuple(a for a in _order(rank, p, drawn) if a.microbatch < m) for rank in range(p)}


def _order(rank: int, p: int, m: int) -> Iterator[Action]:
    out, back = rank, 2 * p - 1 - rank
    ahead = 2 * (p - rank) - 1  # forwards on the way out before the first micro-batch returns
    lead = 2 * p - 1 - rank  # and by how much stage 0's forwards lead when the steady state begins
    whole = p - rank  # micro-batches whose backward on stage 1 falls in the warm-up
    yield from (F(out, i) for i in range(ahead))
    for i in range(rank):
        yield F(back, i)
        yield F(out, ahead + i)
    for i in range(whole):
        yield from (F(back, rank + i), I(back, i), W(back, i))
    for i in range(m - p):
        if lead + i < m:
            yield F(out, lead + i)
        yield from (I(out, i), W(out, i))
        yield from (F(back, p + i), I(back, whole + i), W(back, whole + i))
    yield from _drain(rank, p, m, out, back)


def _drain(rank: int, p: int, m: int, out: int, back: int) -> Iterator[Action]:
    """Input gradients first, since the ranks before wait for them; the weight gradients fill in behind."""
    for i in range(rank):
        yield from (I(out, m - p + i), I(back, m - rank + i))
    for i in range(p - rank):
        yield from (I(out, m - p + rank + i), W(out, m - p + i))
    yield from (W(back, m - rank + i) for i in range(rank))
    yield from (W(out, m - rank + i) for i in range(rank))
