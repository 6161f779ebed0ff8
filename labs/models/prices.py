"""What it takes to be without a tensor between forward and backward: the bytes given back, the FLOP to make it again.

The claim: FLOP per byte decides. What one operation per element makes comes back for a few FLOP a byte, what a matrix
product makes for as many as its inner dimension, what attention makes for as many as the keys that a query sees. Made
again it is there sooner than after a trip out and back while FLOP per byte stay below 2F/B (`even`).

*Throughout this module:* a Llama block, causal, 16 bits; the list and the sizes are those of blocks.llama
    s, b, h   sequence length, micro-batch, hidden size              count    megatron-sp §4
    g, f      key-value heads / heads; inner width of the MLP / h    -
    F, B      FLOP/s of a GPU; bytes/s of its link, one way          FLOP/s; bytes/s
"""

from collections.abc import Mapping
from dataclasses import dataclass

NORM, GATED = 4, 5  # FLOP an element: square, add, scale, weight; exponential, add, divide, two products


@dataclass(frozen=True)
class Price:
    """Of one layer: `size` bytes that are free meanwhile, `flop` to make them again from what is still there."""

    size: float
    flop: float

    @property
    def per_byte(self) -> float:
        return self.flop / self.size

    def again(self, F: float) -> float:
        """Seconds to make it again."""
        return self.flop / F

    def trip(self, B: float) -> float:
        """Seconds to send it out and to fetch it back."""
        return 2 * self.size / B


def prices(s: int, b: int, h: int, g: float, f: float) -> Mapping[str, Price]:
    """Every tensor of the block but its input, in the order in which forward makes them."""
    stream = float(s * b * h)  # elements as many as the residual stream has
    return {
        "norms": Price(4 * stream, 2 * NORM * stream),
        "qkv": Price((2 + 4 * g) * stream, 2 * h * (1 + 2 * g) * stream),
        "attention": Price(2 * stream, 2 * s * stream),
        "middle": Price(2 * stream, 2 * h * stream),
        "gate-up": Price(4 * f * stream, 4 * f * h * stream),
        "product": Price(2 * f * stream, GATED * f * stream),
    }


def whole(parts: Mapping[str, Price]) -> Price:
    """Everything but the input, made again in one go: full recomputation."""
    return Price(sum(one.size for one in parts.values()), sum(one.flop for one in parts.values()))


def even(F: float, B: float) -> float:
    """FLOP per byte at which making again takes as long as a trip out and back."""
    return 2 * F / B
