"""Zero bubble placed by the measured times under a memory limit: several tries, the shortest of them kept.

The rules are those that Zero Bubble describes for its own search [zero-bubble §3.1]: forwards until
the first gradient returns, then one input gradient and one forward in turn; a weight gradient where it fits into a gap,
where memory asks for one, or where waiting would make this stage the one that has waited longest.

*Throughout this module:*
    p, m    stages, micro-batches            now    time at which a stage is free
    limit   sets of activations a stage may hold, M_limit / M_B                     [zero-bubble §3.1]
    KEPT    share of a set that the weight gradient still needs, M_W / M_B          [zero-bubble Table 1]
    lead    forwards a stage may be ahead of its own input gradients
    trip    time from the end of a stage's forward to the arrival of its gradient, with nothing in the way
    cost    the longest stay of one stage, from its first start to its last end     [zero-bubble §5.1]
"""

from heapq import heapify, heappop, heappush
from math import ceil, floor, inf

from labs.models.schedules.actions import Action, F, I, Schedule, W
from labs.models.schedules.interleaved import zb_h1, zb_h2
from labs.models.schedules.times import Times

KEPT = 32 / 74  # 32·sbh of (34 + 5as/h)·sbh at as/h = 8, the 6.2B model
OFFSETS = (-0.25, 0.0, 0.5, 1.0, 2.0)  # forwards beyond those that just fill the trip
SLOPES = (1.0, 0.5, 1.5, 0.0)  # sets a stage leaves free for each stage before it, where memory is short
ACTIONS = 150_000  # that all tries together may place


def place(p: int, m: int, times: Times, limit: float) -> Schedule:
    """The try with the least cost; `limit` is in sets of one stage, so p is 1F1B's own memory."""
    limit, room = max(1.0, limit), max(2, ACTIONS // (3 * p * m))
    tries = [_Try(p, m, times, limit, lead) for lead in _leads(p, times, limit)[:room]]
    by_hand = [(zb_h1, p), (zb_h2, 2 * p - 1)] if room > 2 else []
    tries += [_Replay(p, m, times, order(p, m)) for order, sets in by_hand if sets <= limit]
    best = min(tries, key=lambda one: one.cost)
    return {stage: tuple(actions) for stage, actions in enumerate(best.actions)}


def _leads(p: int, times: Times, limit: float) -> list[tuple[int, ...]]:
    """Without doubles; the first is the one that suits most times."""
    trip, forwards = [0.0] * p, [times.of(F(stage, 0), p) for stage in range(p)]
    for stage in range(p - 2, -1, -1):
        after = times.of(F(stage + 1, 0), p) + times.of(I(stage + 1, 0), p) + 2 * times.comm
        trip[stage] = trip[stage + 1] + after
    tried = (
        tuple(
            max(1, min(floor(limit - slope * stage), ceil(trip[stage] / forwards[stage] + offset)))
            for stage in range(p)
        )
        for slope in SLOPES
        for offset in OFFSETS
    )
    return list(dict.fromkeys(tried))


class _Try:
    """One placement, in order of time; `waited` is each stage's idle time after its first forward."""

    def __init__(self, p: int, m: int, times: Times, limit: float, lead: tuple[int, ...]) -> None:
        self.p, self.m, self.comm, self.limit, self.lead = p, m, times.comm, limit + 1e-9, lead
        self.time = [[times.of(make(stage, 0), p) for make in (F, I, W)] for stage in range(p)]
        self.arrived = [[[inf] * m, [inf] * m] for _ in range(p)]
        self.arrived[0][0] = [0.0] * m
        self.done = [[0, 0, 0] for _ in range(p)]
        self.held, self.waited = [0.0] * p, [0.0] * p
        self.first, self.end = [0.0] * p, [0.0] * p
        self.actions: list[list[Action]] = [[] for _ in range(p)]
        self.asleep = [False] * p
        self.run()

    @property
    def cost(self) -> float:
        return max(end - first for first, end in zip(self.first, self.end, strict=True))

    def run(self) -> None:
        self.queue = [(0.0, stage) for stage in range(self.p)]
        heapify(self.queue)
        while self.queue:
            now, stage = heappop(self.queue)
            if self.done[stage][2] < self.m:
                self.step(now, stage)

    def step(self, now: float, stage: int) -> None:
        """Start what this stage should do now, or come back when what it waits for is there."""
        part = self.wanted(now, stage)
        if part < 2:
            arrival = self.arrived[stage][part][self.done[stage][part]]
            if arrival > now:
                if not self.fills(stage, arrival - now):
                    self.wait(stage, arrival)
                    return
                part = 2
        self.start(now, stage, part)

    def wanted(self, now: float, stage: int) -> int:
        """0, 1, 2 for F, I, W: the turn of a forward or of an input gradient, whether or not it is there yet."""
        forwards, inputs, weights = self.done[stage]
        if inputs == self.m:
            return 2
        if forwards == self.m or forwards - inputs >= self.lead[stage]:
            return 1
        if self.held[stage] + 1 > self.limit:
            return 2 if weights < inputs else 1
        here = self.arrived[stage]
        late = here[0][forwards] > now and inputs < forwards and here[1][inputs] <= now
        return 1 if late else 0

    def fills(self, stage: int, gap: float) -> bool:
        """Whether a weight gradient goes into a gap: it fits, or this stage has no more right to wait."""
        _, inputs, weights = self.done[stage]
        if weights == inputs:
            return False
        return gap >= self.time[stage][2] or self.waited[stage] + gap > max(self.waited) + 1e-9

    def wait(self, stage: int, arrival: float) -> None:
        if arrival < inf:
            heappush(self.queue, (arrival, stage))
        else:
            self.asleep[stage] = True

    def start(self, now: float, stage: int, part: int) -> None:
        at, end = self.done[stage][part], now + self.time[stage][part]
        if self.actions[stage]:
            self.waited[stage] += now - self.end[stage]
        else:
            self.first[stage] = now
        self.actions[stage].append((F, I, W)[part](stage, at))
        self.done[stage][part] += 1
        self.held[stage] += (1.0, KEPT - 1.0, -KEPT)[part]
        self.end[stage] = end
        heappush(self.queue, (end, stage))
        self.hand_on(now, stage, part, at, end)

    def hand_on(self, now: float, stage: int, part: int, at: int, end: float) -> None:
        """Activations to the stage after, gradients to the stage before; the last stage turns round by itself."""
        to, kind = (stage + 1, 0) if part == 0 else (stage - 1, 1)
        if part == 2 or to < 0:
            return
        if to == self.p:
            self.arrived[stage][1][at] = end
            return
        self.arrived[to][kind][at] = end + self.comm
        if self.asleep[to]:
            self.asleep[to] = False
            heappush(self.queue, (now, to))


class _Replay(_Try):
    """A given order, timed in the same way."""

    def __init__(self, p: int, m: int, times: Times, order: Schedule) -> None:
        self.order = {
            stage: ["FIW".index(part.letter) for a in row for part in a.parts] for stage, row in order.items()
        }
        super().__init__(p, m, times, inf, ())

    def wanted(self, now: float, stage: int) -> int:
        return self.order[stage][len(self.actions[stage])]

    def fills(self, stage: int, gap: float) -> bool:
        return False
