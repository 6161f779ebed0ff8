"""From a value to a fraction of the figure's width or height, and the ticks a reader would choose."""

from collections.abc import Callable
from math import ceil, floor, log10

Scale = Callable[[float], float]


def linear(low: float, high: float) -> Scale:
    span = (high - low) or 1.0
    return lambda value: (value - low) / span


def logarithmic(low: float, high: float) -> Scale:
    base, span = log10(low), (log10(high) - log10(low)) or 1.0
    return lambda value: (log10(value) - base) / span


def nice(high: float, most: int = 5) -> list[float]:
    """Ticks 0, step, 2·step … up to `high`, the step 1, 2 or 5 times a power of ten, at most `most` steps.

    >>> nice(112)
    [0.0, 50.0, 100.0]
    """
    if high <= 0:
        return [0.0]
    power = 10.0 ** floor(log10(high / most))
    step = next(power * k for k in (1, 2, 5, 10) if high / (power * k) <= most)
    return [step * i for i in range(floor(high / step + 1e-9) + 1)]


def decades(low: float, high: float) -> list[float]:
    """Powers of ten inside [low, high]."""
    return [10.0**k for k in range(ceil(log10(low) - 1e-9), floor(log10(high) + 1e-9) + 1)]
