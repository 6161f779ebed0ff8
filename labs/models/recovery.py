"""What a failure costs, how often to save against it, and what saving and restoring move.

*Throughout this module:*

    δ     time one checkpoint takes from the run          seconds
    M     mean time between failures of the whole job     seconds
    τ     time between two checkpoints                    seconds

Young's is of first order, without restarts or failures during a checkpoint. Daly's cost has both, and the time of a
restart drops out of the best interval. Detection is in neither.
"""

from dataclasses import dataclass
from math import sqrt


def between_failures(T: float, failures: int) -> float:
    """M of a run of T seconds that failed so many times.

    >>> round(between_failures(54 * 86400, 419) / 3600, 2)
    3.09
    """
    return T / failures


def young(δ: float, M: float) -> float:
    """Computing time between checkpoints that loses least, √(2δM); valid for δ much smaller than M (Young 1974)."""
    return sqrt(2 * δ * M)


def daly(δ: float, M: float) -> float:
    """Daly's interval, higher order (Daly 2006, eq. 37): for δ < 2M, else M."""
    if δ >= 2 * M:
        return M
    x = δ / (2 * M)
    return young(δ, M) * (1 + sqrt(x) / 3 + x / 9) - δ


@dataclass(frozen=True)
class LostShares:
    """Shares of time: what writing checkpoints takes, and what failures throw away (half an interval each)."""

    checkpoint: float
    rework: float

    @property
    def total(self) -> float:
        return self.checkpoint + self.rework


def lost(τ: float, δ: float, M: float) -> LostShares:
    return LostShares(δ / τ, τ / (2 * M))


def checkpoint_bytes(P: float, per_parameter: float = 14) -> float:
    """Two-byte weights and FP32 master, momentum and variance are 14 bytes a parameter; gradients are not saved."""
    return P * per_parameter


def write_seconds(size: float, bandwidth: float, writers: int = 1) -> float:
    """Time to write `size` bytes when each of `writers` has `bandwidth` bytes/s of its own."""
    return size / (bandwidth * writers)


def resharded_bytes(size: float, before: int, after: int) -> float:
    """Bytes that change rank when `size` bytes, cut evenly and in order over `before` ranks, are cut over `after`.

    Rank r keeps the overlap of its old and its new interval; the rest travels.
    """
    kept = sum(
        max(0.0, min((r + 1) / before, (r + 1) / after) - max(r / before, r / after)) for r in range(min(before, after))
    )
    return size * (1 - kept)


def pause_share(pause: float, resume: float, wait: float) -> float:
    """What pausing and resuming costs beside the wait it frees resources for."""
    return (pause + resume) / wait
