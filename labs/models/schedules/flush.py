"""One stage a rank, whole backwards, one flush a step: they differ only in how long a forward's activations wait.

*Throughout this module:*
    p   stages, one a rank        m   micro-batches of a step       [gpipe §2.3, megatron-3d §2.2]
    v   stages a rank holds; only looped breadth-first has more than one
"""

from itertools import chain

from labs.models.schedules.actions import Action, B, F, Schedule


def gpipe(p: int, m: int) -> Schedule:
    """All forwards, then all backwards, first micro-batch first as in PyTorch: m sets of activations wait."""
    return {rank: (*(F(rank, i) for i in range(m)), *(B(rank, i) for i in range(m))) for rank in range(p)}


def one_f_one_b(p: int, m: int) -> Schedule:
    """p − rank forwards, then a backward and a forward in turn: at most p − rank sets wait [megatron-3d §2.2.1]."""
    return {rank: tuple(_in_turn(rank, m, warmup=min(p - rank, m))) for rank in range(p)}


def _in_turn(stage: int, m: int, warmup: int) -> list[Action]:
    forwards = [F(stage, i) for i in range(m)]
    backwards = [B(stage, i) for i in range(m)]
    steady = zip(backwards[: m - warmup], forwards[warmup:], strict=True)
    return [*forwards[:warmup], *chain.from_iterable(steady), *backwards[m - warmup :]]


def looped_bfs(p: int, m: int, v: int) -> Schedule:
    """All micro-batches through a stage before the rank's next; backwards in reverse [pytorch pipelining]."""
    return {rank: tuple(_looped(range(rank, p * v, p), m)) for rank in range(p)}


def _looped(stages: range, m: int) -> list[Action]:
    forwards = [F(stage, i) for stage in stages for i in range(m)]
    return forwards + [B(stage, i) for stage in reversed(stages) for i in reversed(range(m))]
