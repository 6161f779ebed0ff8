"""Number formats: what the largest, the smallest and the next number are, and what is lost when small meets large.

*Throughout this module:*

    e, m     exponent and mantissa bits of a format (the sign is one more)      bits
    N        ranks that share an optimizer's work                               count
    P_m      parameters in matrix form, which Muon orthogonalises               count

E4M3 is the "fn" variant: no infinities, one NaN code, so that its top exponent holds numbers (448).
"""

from dataclasses import dataclass
from math import floor, inf, isnan, log2


@dataclass(frozen=True)
class Format:
    """A binary floating-point format with subnormals; `finite_only` has no infinity code."""

    name: str
    e: int
    m: int
    finite_only: bool = False

    @property
    def bits(self) -> int:
        return 1 + self.e + self.m

    @property
    def bias(self) -> int:
        return (1 << (self.e - 1)) - 1

    @property
    def largest(self) -> float:
        """IEEE formats give their top exponent to infinity and NaN; a finite-only one gives up a single code."""
        if self.finite_only:
            return (2.0 - 2.0 * 2.0**-self.m) * 2.0 ** ((1 << self.e) - 1 - self.bias)
        return (2.0 - 2.0**-self.m) * 2.0**self.bias

    @property
    def smallest_normal(self) -> float:
        return 2.0 ** (1 - self.bias)

    @property
    def smallest(self) -> float:
        """The smallest subnormal."""
        return self.smallest_normal * 2.0**-self.m

    @property
    def epsilon(self) -> float:
        """The gap between 1 and the next number."""
        return 2.0**-self.m

    def round(self, x: float) -> float:
        """x to the nearest number of the format, ties to even. Overflow: infinity, or NaN in a finite-only format."""
        if x == 0 or isnan(x) or abs(x) == inf:
            return x
        exponent = max(floor(log2(abs(x))), 1 - self.bias)
        step = 2.0 ** (exponent - self.m)
        rounded = round(x / step) * step
        if abs(rounded) <= self.largest:
            return rounded
        return float("nan") if self.finite_only else inf if x > 0 else -inf


FP32 = Format("FP32", 8, 23)
BF16 = Format("BF16", 8, 7)
FP16 = Format("FP16", 5, 10)
E4M3 = Format("E4M3", 4, 3, finite_only=True)
E5M2 = Format("E5M2", 5, 2)
FORMATS = (FP32, BF16, FP16, E4M3, E5M2)


def scaled_bytes(element: float = 1, scale: float = 4, tile: int = 128) -> float:
    """Bytes an element when every `tile` elements share a scale: 1 + 4/128 for FP8 with FP32 scales (deepseek-v3)."""
    return element + scale / tile


def accumulate(addend: float, count: int, format: Format) -> float:
    """Add `addend` to a running sum `count` times, rounding the sum to `format` after each addition."""
    total = 0.0
    for _ in range(count):
        added = format.round(total + addend)
        if added == total:
            return total
        total = added
    return total


def muon_gathered(P_m: float, N: int, element: float = 2) -> float:
    """Bytes each rank receives when every rank gathers all matrices: (N−1)/N · P_m elements."""
    return (N - 1) / N * P_m * element


def muon_owned(P_m: float, N: int, element: float = 2) -> float:
    """Bytes each rank receives when it fetches only the shards of matrices it owns; equal ownership, gather only."""
    return muon_gathered(P_m, N, element) / N
