"""A scale for every few numbers keeps an outlier from costing the others their digits, and costs a scale for every few.

*Throughout this module:*

| symbol | meaning                                                                      | source            |
|--------|------------------------------------------------------------------------------|-------------------|
| group  | numbers that share a scale: their largest is stored as the format's largest  | deepseek-v3 §3.3.2 |
| every  | addends after which a short sum is moved into an FP32 one, N_C               | deepseek-v3 §3.3.2 |

`NARROW` stands for the accumulator of an H800's Tensor Core under FP8, "around 14 bits" (deepseek-v3 §3.3.2). It
rounds where the hardware truncates, so that what it loses here is less than what is lost there.
"""

from collections.abc import Sequence
from random import Random

from labs.models.numerics import E4M3, FP32, Format

NARROW = Format("14 bits", 8, 13)


def sample(count: int, outlier: float, seed: int = 1) -> list[float]:
    """Normal numbers of deviation 1, the middle one replaced by `outlier`."""
    rng = Random(seed)
    drawn = [rng.gauss(0.0, 1.0) for _ in range(count)]
    drawn[count // 2] = outlier
    return drawn


def stored(values: Sequence[float], group: int, format: Format = E4M3) -> list[float]:
    """What is read back when each `group` neighbours share a scale."""
    back: list[float] = []
    for at in range(0, len(values), group):
        tile = values[at : at + group]
        scale = max(map(abs, tile)) / format.largest or 1.0
        back += [format.round(value / scale) * scale for value in tile]
    return back


def relative_error(values: Sequence[float], group: int, format: Format = E4M3) -> float:
    """Size of what storing changes over the size of what is stored, both without the largest number."""
    back, most = stored(values, group, format), max(map(abs, values))
    rest = [i for i, value in enumerate(values) if abs(value) < most]
    lost = sum((back[i] - values[i]) ** 2 for i in rest)
    return float((lost / sum(values[i] ** 2 for i in rest)) ** 0.5)


def zeros(values: Sequence[float], group: int, format: Format = E4M3) -> float:
    """The share of numbers that are stored as zero."""
    return sum(value == 0 for value in stored(values, group, format)) / len(values)


def promoted(addend: float, count: int, every: int, format: Format = NARROW) -> float:
    """Add `addend` `count` times: `every` at a time in `format`, each of these sums then in FP32."""
    total, part = 0.0, 0.0
    for i in range(1, count + 1):
        part = format.round(part + addend)
        if i % every == 0 or i == count:
            total, part = FP32.round(total + part), 0.0
    return total
