"""How long one micro-batch keeps one rank: the durations every simulation and every placement is given.

*Throughout this module:*
    F, B_in, W   forward, gradient of the inputs, gradient of the weights; any unit of time        [zero-bubble §2]
    B            a backward in one piece; B_in + W unless given
    FB           a forward and a whole backward that run together: F&B; F + B unless given         [deepseek-v3 Table 2]
    comm         from the end of an action to the arrival of its output on another rank
    load         weights of equal parts of the model in its order, such as layers a stage; empty: all alike.
                 Their mean is the F, B_in and W above, so uneven layers do not change the work
"""

from dataclasses import dataclass
from operator import mul

from labs.models.schedules.actions import Action, Pair
from labs.refusal import BadValue


@dataclass(frozen=True)
class Times:
    """Of a rank's whole share; an action of one of its v stages takes 1/v of it. W and comm may be 0."""

    F: float = 1.0
    B_in: float = 1.0
    W: float = 1.0
    FB: float | None = None
    comm: float = 0.0
    load: tuple[float, ...] = ()
    B: float | None = None

    def __post_init__(self) -> None:
        for name, value in (("f", self.F), ("b_in", self.B_in)):
            if not value > 0:
                raise BadValue(name, value, "no_time")

    @property
    def back(self) -> float:
        return self.B_in + self.W if self.B is None else self.B

    @property
    def whole(self) -> float:
        """One micro-batch through one rank, forward and back."""
        return self.F + self.back

    @property
    def overlap(self) -> float:
        """Time of a pair over the time of its halves one after the other."""
        return 1.0 if self.FB is None else self.FB / self.whole

    def of(self, action: Action | Pair, stages: int = 0) -> float:
        """Time of an action of one of `stages` stages, were a stage a rank's whole share."""
        if isinstance(action, Pair):
            return self.overlap * (self.of(action.forward, stages) + self.of(action.backward, stages))
        cost = {"F": self.F, "B": self.back, "I": self.B_in, "W": self.W}[action.letter]
        return cost * self.weight(action.stage, stages) if self.load else cost

    def weight(self, stage: int, stages: int) -> float:
        """A stage's piece of the model's parts over the mean of all stages: however many, they share the same work."""
        parts = len(self.load)
        stages = stages or parts
        first, last = stage * parts, (stage + 1) * parts  # of the model, in parts·stages pieces
        pieces = (max(0, min(last, (at + 1) * stages) - max(first, at * stages)) for at in range(parts))
        return float(sum(map(mul, self.load, pieces)) / sum(self.load))


UNIT = Times()
