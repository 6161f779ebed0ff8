"""Two streams of micro-batches meet in eight steps, a forward of one beside a backward of the other.

DualPipe lets them enter at both ends, so a rank holds two stages of the model twice over; DualPipeV folds the pipeline
in the middle, so that half as many ranks hold the same stages once. The order of a rank is the same in both
[deepseek-v3 §3.2.1 and its published code].

*Throughout this module:*
    p   ranks                    m   micro-batches
    H   ranks from an end to the fold: p/2 (DualPipe), p (DualPipeV)
    h   ranks between this one and its end, 0 … H−1
    n   micro-batches of one stream: m/2 (DualPipe), m (DualPipeV)
    0   the stream a rank hears first; 1 the other. Stage of stream k: stages[k]; its first micro-batch: starts[k]
"""

from collections import Counter, deque

from labs.models.schedules.actions import Action, B, F, I, Pair, Schedule, W
from labs.models.schedules.rules import near_even
from labs.refusal import BadValue


def dualpipe(p: int, m: int) -> Schedule:
    """p even, m even, m ≥ 2p, as the published code asserts [DualPipe dualpipe.py, step()]."""
    if p % 2:
        raise BadValue("p", p, "dualpipe_even_p", nearest=near_even(p))
    if m % 2 or m < 2 * p:
        raise BadValue("m", m, "dualpipe_m", nearest=near_even(m) if m > 2 * p else (2 * p,), p=p, least=2 * p)
    return {rank: _eight_steps(*_ends(rank, p, m)) for rank in range(p)}


def _ends(rank: int, p: int, m: int) -> tuple[int, int, int, tuple[int, int], tuple[int, int]]:
    """H, h, n and, for each stream, the stage a rank holds and the micro-batch that enters first."""
    near, far = (0, m // 2) if rank < p // 2 else (m // 2, 0)
    stages = (rank, p - 1 - rank) if rank < p // 2 else (p - 1 - rank, rank)
    return p // 2, min(rank, p - 1 - rank), m // 2, stages, (near, far)


def dualpipe_v(p: int, m: int) -> Schedule:
    """Stages r and 2p−1−r on rank r; m ≥ 2p, no parity rule [deepseek-v3, DualPipe README; pytorch pipelining]."""
    if m < 2 * p:
        raise BadValue("m", m, "dualpipev_m", nearest=(2 * p,), p=p, least=2 * p)
    return {rank: _eight_steps(p, rank, m, (rank, 2 * p - 1 - rank), (0, 0)) for rank in range(p)}


class _Rank:
    """One rank's list as it grows: the next micro-batch of each stream and kind, and the weight gradients put off."""

    def __init__(self, stages: tuple[int, int], starts: tuple[int, int]) -> None:
        self.stages, self.starts = stages, starts
        self.count: Counter[tuple[str, int]] = Counter()
        self.waiting: deque[Action] = deque()
        self.actions: list[Action | Pair] = []

    def _next(self, way: str, stream: int) -> tuple[int, int]:
        self.count[way, stream] += 1
        return self.stages[stream], self.starts[stream] + self.count[way, stream] - 1

    def forward(self, stream: int) -> None:
        self.actions.append(F(*self._next("forward", stream)))

    def backward(self, stream: int, *, split: bool = False) -> None:
        at = self._next("backward", stream)
        self.actions.append(I(*at) if split else B(*at))
        if split:
            self.waiting.append(W(*at))

    def weights(self) -> None:
        if self.waiting:
            self.actions.append(self.waiting.popleft())

    def pair(self, forward: int, backward: int) -> None:
        self.actions.append(Pair(F(*self._next("forward", forward)), B(*self._next("backward", backward))))


def _eight_steps(H: int, h: int, n: int, stages: tuple[int, int], starts: tuple[int, int]) -> tuple[Action | Pair, ...]:
    rank, folded = _Rank(stages, starts), h == H - 1
    for _ in range(2 * (H - h - 1)):  # 1: forwards of the near stream
        rank.forward(0)
    for _ in range(h + 1):  # 2: the far stream has arrived
        rank.forward(0)
        rank.forward(1)
    for _ in range(H - h - 1):  # 3: its gradients return; weights at once
        rank.backward(1, split=True)
        rank.weights()
        rank.forward(1)
    for turn in range(n - 2 * H + h + 1):  # 4: the steady state, in pairs
        if turn == 0 and folded:  # left apart where the pipeline folds: less idle time
            rank.forward(0)
            rank.backward(1)
        else:
            rank.pair(0, 1)
        rank.pair(1, 0)
    for _ in range(H - h - 1):  # 5: the near stream has no forwards left
        rank.backward(1)
        rank.pair(1, 0)
    for turn in range(2 * (h + 1)):  # 6: backwards only; weights wait in the second half
        rank.backward(1 - turn % 2, split=turn > h)
    for _ in range(H - h - 1):  # 7: they fill the gaps of the last gradients
        rank.weights()
        rank.backward(0, split=True)
    for _ in range(h + 1):  # 8: and the rest
        rank.weights()
    return tuple(rank.actions)
