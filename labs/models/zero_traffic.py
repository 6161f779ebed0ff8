"""What ZeRO moves in one step, in the paper's convention and in bytes that a ring rank really sends.

The claim: DP, ZeRO-1 and ZeRO-2 move 2P elements and ZeRO-3 moves 3P when a step is one micro-batch; with m of them
the gathers repeat, and so do the reductions unless whole gradients are kept (zero §7).

*Throughout this module:*
    P       parameters of one replica                        count
    dp      N, ranks of the data-parallel group              count
    m       micro-batches accumulated into one step          count
A paper's element is counted once per reduce-scatter or all-gather and has no (N-1)/N; a ring rank sends (N-1)/N of it.
The two are never divided by one another.
"""

from dataclasses import dataclass

from labs.models.collectives import share
from labs.models.memory import STAGES, Named, named
from labs.refusal import BadValue


@dataclass(frozen=True)
class Traffic:
    """Passes over all P elements in one step: `gathers` of weights, `scatters` of gradients."""

    gathers: float
    scatters: float
    P: float
    dp: int
    gathered: float
    reduced: float

    @property
    def elements(self) -> float:
        """Elements moved, zero §7: 2P or 3P; a rank that is alone moves none."""
        return self.P * (self.gathers + self.scatters) if self.dp > 1 else 0.0

    @property
    def ring(self) -> float:
        """(N-1)/N: what one rank of a ring forwards of a tensor that all gather or reduce."""
        return share(self.dp)

    @property
    def weight_bytes(self) -> float:
        """Bytes that one rank sends for weights."""
        return self.ring * self.P * self.gathers * self.gathered

    @property
    def gradient_bytes(self) -> float:
        """Bytes that one rank sends for gradients."""
        return self.ring * self.P * self.scatters * self.reduced

    @property
    def sent(self) -> float:
        """Bytes that one rank sends in one direction in one step."""
        return self.weight_bytes + self.gradient_bytes


def traffic(
    P: float, dp: int, zero: int, recipe: Named = "fp16-adam", m: int = 1, whole_gradients: bool = False
) -> Traffic:
    """One step of `m` micro-batches.

    Plain DP's all-reduce is a reduce-scatter of gradients and an all-gather of the sums: both travel as gradients.

    >>> traffic(7.5e9, dp=8, zero=3).sent / 1e9
    39.375
    """
    if zero not in STAGES:
        raise BadValue("zero", zero, "one_of", None, options=STAGES)
    recipe = named(recipe)
    wide = P, dp, recipe.gathered, recipe.reduced
    if not recipe.gradients:  # frozen: nothing to reduce, and nothing new to gather but what ZeRO-3 took apart
        return Traffic(2 * m if zero == 3 else 0, 0, *wide)
    scatters = m if zero >= 2 and not whole_gradients else 1
    return Traffic(0, 2, *wide) if zero == 0 else Traffic(2 * m if zero == 3 else 1, scatters, *wide)


def all_reduce_then_gather(P: float, dp: int, recipe: Named = "fp16-adam") -> Traffic:
    """DeepSpeed's first stage 1: gradients all-reduced, then weights gathered: 3P, not 2P."""
    recipe = named(recipe)
    return Traffic(1, 2, P, dp, recipe.gathered, recipe.reduced)


def activation_partition(b: int, s: int, h: int) -> tuple[float, float]:
    """(tensor parallelism's elements per block with recomputation, what partitioning activations adds), zero §8.

    Two all-reduces forward, two in the recomputed forward, two backward, each twice its message bsh: 12bsh. P_a adds
    one all-gather of bsh before the backward.
    """
    message = b * s * h
    return 6 * 2 * message, message
