"""Rollouts end at very different times: what waiting for the last costs, what stopping early carries over, and who
may use whose memory meanwhile.

*Throughout this module:*

    n        trajectories of an iteration (N prompts × K samples)       count    kimi-k3 §4.1.2
    λ        the share of them after which generation pauses            ratio    kimi-k3 §4.1.2
    a        exponent of the toy's tail: the smaller, the longer        -        the course's assumption
    VPP      chunks of the reference model, two of them held at once    count    kimi-k3 §5.3.1

Lengths are times in units of the shortest trajectory, a Pareto law at its quantiles, so that a run draws no lots.
"""

from dataclasses import dataclass
from math import ceil


def lengths(n: int, a: float) -> tuple[float, ...]:
    """(1 − u)^(−1/a) at u = (i + ½)/n, from the shortest to the longest.

    >>> [round(x, 2) for x in lengths(4, 2)]
    [1.07, 1.26, 1.63, 2.83]
    """
    return tuple((1 - (i + 0.5) / n) ** (-1 / a) for i in range(n))


@dataclass(frozen=True)
class Rounds:
    """One iteration that stops at `stop`: what was generated, what waited, what goes on in the next."""

    lengths: tuple[float, ...]
    stop: float

    @property
    def done(self) -> tuple[float, ...]:
        """Time each trajectory ran in this iteration."""
        return tuple(min(one, self.stop) for one in self.lengths)

    @property
    def carried(self) -> int:
        """Trajectories that are not finished: their context goes over to the next iteration."""
        return sum(one > self.stop for one in self.lengths)

    @property
    def busy(self) -> float:
        """Share of the slots' time in which a trajectory was running."""
        return sum(self.done) / (len(self.lengths) * self.stop)


def partial(times: tuple[float, ...], share: float) -> Rounds:
    """Stop when the share λ of the trajectories has finished; λ = 1 waits for the last."""
    ordered = sorted(times)
    return Rounds(tuple(ordered), ordered[ceil(share * len(ordered)) - 1])


def two_slots(chunks: int) -> tuple[tuple[str, str], ...]:
    """What each of two buffers does at each step of a reference forward in `chunks` pieces: F3, load 4, or nothing.

    While a chunk runs in one buffer the next is fetched into the other; the first fetch has nothing to hide behind.

    >>> two_slots(3)
    (('load 1', ''), ('F1', 'load 2'), ('load 3', 'F2'), ('F3', ''))
    """
    steps = []
    for step in range(chunks + 1):
        pair = ["", ""]
        if step:
            pair[(step - 1) % 2] = f"F{step}"
        if step < chunks:
            pair[step % 2] = f"load {step + 1}"
        steps.append((pair[0], pair[1]))
    return tuple(steps)


def at_rest(waiting: float) -> float:
    """How many would share one slot if only those that are not waiting held it: 1/(1 − w), a bound on overcommit."""
    return 1 / (1 - waiting)
