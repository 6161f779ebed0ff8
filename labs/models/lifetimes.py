"""When each state of a training step is alive and when it is used, and how memory rises and falls over the step.

The claim: optimizer states are used in one phase of five and lie about in the other four; and the peak stands where
forward ends if activations are larger than gradients, and where backward ends if they are smaller.

*Throughout this module:*
    w, o, a, g   bytes of weights, optimizer states, activations of one micro-batch, gradients     byte
    L            layers, each with an equal share of a and g                                        count
Weights and optimizer states are resident all through; activations are released and gradients made layer by layer.
"""

from dataclasses import dataclass

PHASES = ("data", "forward", "backward", "reduce", "update")


@dataclass(frozen=True)
class Life:
    """Phases in which a state is in memory, and those in which something reads or writes it."""

    name: str
    alive: tuple[str, ...]
    used: tuple[str, ...]

    @property
    def idle(self) -> tuple[str, ...]:
        """In memory and not needed: what sharding, recomputation and offload are after."""
        return tuple(phase for phase in self.alive if phase not in self.used)


LIVES = (
    Life("batch", ("data", "forward"), ("data", "forward")),
    Life("weights", PHASES, ("forward", "backward", "update")),
    Life("activations", ("forward", "backward"), ("forward", "backward")),
    Life("gradients", ("backward", "reduce", "update"), ("backward", "reduce", "update")),
    Life("optimizer", PHASES, ("update",)),
)


@dataclass(frozen=True)
class Moment:
    """What is in memory at one moment of a step: `at` runs from 0 to 1 within forward, and from 1 to 2 in backward."""

    at: float
    activations: float
    gradients: float


def course(a: float, g: float, L: int) -> tuple[Moment, ...]:
    """Activations and gradients after each layer of forward, then after each layer of backward."""
    forward = [Moment(i / L, a * i / L, 0.0) for i in range(L + 1)]
    backward = [Moment(1 + i / L, a * (L - i) / L, g * i / L) for i in range(1, L + 1)]
    return (*forward, *backward)


def peak(w: float, o: float, a: float, g: float) -> float:
    """The most bytes at any moment of the step: w + o + max(a, g), since one falls as the other rises.

    >>> peak(14, 84, 18.25, 14)
    116.25
    """
    return w + o + max(a, g)
