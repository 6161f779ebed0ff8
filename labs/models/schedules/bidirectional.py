"""Two pipelines through the same ranks in opposite directions fill each other's gaps: two copies of every stage.

*Throughout this module:*
    p   stages and ranks, even        m   micro-batches: half enter at rank 0, half at rank p−1      [chimera §3.1]
    unit   up to p micro-batches; a longer step runs several units one after another
    slot   equal time steps in which a unit is drawn: they fix the order, not the times
"""

from labs.models.schedules.actions import Action, B, F, Schedule
from labs.models.schedules.rules import near_even
from labs.refusal import BadValue


def chimera(p: int, m: int) -> Schedule:
    """Each direction is 1F1B with p/2 micro-batches; on a rank no two of its slots meet [chimera Figure 3, N = D].

    Longer steps join the units directly (§3.5). The authors' code takes any m; here it must be even.
    """
    if p % 2:
        raise BadValue("p", p, "chimera_even_p", nearest=near_even(p))
    if m % 2 or (m > p and m % p):
        raise BadValue("m", m, "chimera_m", nearest=_nearest_legal(p, m), p=p)
    return {rank: tuple(_order(rank, p, m)) for rank in range(p)}


def _nearest_legal(p: int, m: int) -> tuple[int, ...]:
    if m < p:
        return near_even(m)
    return m // p * p, m // p * p + p


def _order(rank: int, p: int, m: int) -> list[Action]:
    placed: list[tuple[int, Action]] = []
    for first in range(0, m, p):
        half = min(p, m - first) // 2
        placed += _slots(rank, p, range(first, first + half), 2 * first)
        placed += _slots(p - 1 - rank, p, range(first + half, first + 2 * half), 2 * first)
    return [action for _, action in sorted(placed)]


def _slots(stage: int, p: int, microbatches: range, start: int) -> list[tuple[int, Action]]:
    """Forward i at slot stage + 2i; its backward at the last stage one slot after its forward there.

    A unit fills each slot once modulo 2p on every rank, so units start 2p slots apart.
    """
    forwards = [(start + stage + 2 * i, F(stage, at)) for i, at in enumerate(microbatches)]
    return forwards + [(start + 2 * p - 1 - stage + 2 * i, B(stage, at)) for i, at in enumerate(microbatches)]
