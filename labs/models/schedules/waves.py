"""Hanayo: a micro-batch runs to the last rank and back w times over 2w stages a rank; no parameter is copied.

No text that spells the order out was read here. It is placed as a secondary text describes it: a backward as soon as
it can run, otherwise the forward of the earliest micro-batch, at B = 2F.

*Throughout this module:*
    p, m    ranks, micro-batches              w      waves: once out and back over all ranks; v = 2w stages a rank
    time    in halves of a backward: a forward takes 1, a backward 2
"""

from heapq import heappop, heappush

from labs.models.schedules.actions import Action, B, F, Schedule
from labs.models.schedules.rules import near_even
from labs.refusal import BadValue

TIME = {"F": 1, "B": 2}


def hanayo(p: int, m: int, v: int) -> Schedule:
    if v % 2:
        raise BadValue("v", v, "hanayo_even_v", nearest=near_even(v))
    return _Placement(p, m, v).run()


class _Placement:
    """`able[r]` is what rank r could run now, most urgent first; `coming` what becomes possible later."""

    def __init__(self, p: int, m: int, v: int) -> None:
        self.p, self.last = p, p * v - 1
        self.free = [0] * p
        self.able: list[list[tuple[bool, int, int, Action]]] = [[] for _ in range(p)]
        self.coming = [(0, F(0, microbatch)) for microbatch in range(m)]
        self.left = 2 * p * v * m
        self.actions: list[list[Action]] = [[] for _ in range(p)]

    def rank(self, stage: int) -> int:
        """Out over the ranks, and back."""
        place = stage % (2 * self.p)
        return min(place, 2 * self.p - 1 - place)

    def run(self) -> Schedule:
        clock = [0]
        while self.left:
            now = heappop(clock)
            while self.coming and self.coming[0][0] <= now:
                self.offer(heappop(self.coming)[1])
            for rank in range(self.p):
                if self.able[rank] and self.free[rank] <= now:
                    heappush(clock, self.start(rank, now))
        return {rank: tuple(actions) for rank, actions in enumerate(self.actions)}

    def offer(self, action: Action) -> None:
        urgent = (action.letter == "F", action.microbatch, -action.stage)
        heappush(self.able[self.rank(action.stage)], (*urgent, action))

    def start(self, rank: int, now: int) -> int:
        action = heappop(self.able[rank])[-1]
        self.free[rank] = end = now + TIME[action.letter]
        self.actions[rank].append(action)
        self.left -= 1
        if action.letter == "F":
            after = F(action.stage + 1, action.microbatch) if action.stage < self.last else B(*action[::2])
        else:
            after = B(action.stage - 1, action.microbatch)
        if after.stage >= 0:
            heappush(self.coming, (end, after))
        return end
