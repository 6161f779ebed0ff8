"""One training step as time: what computing costs, and what is waited for besides.

*Throughout this module:*

    P     parameters that a token passes through            count
    D     tokens in a step                                  count
    F     floating-point operations                         flop
    k     how many times faster the GPUs become             ratio

A faster GPU shortens its own computing and the waiting for other GPUs' computing (bubble, straggler); what is moved
over a wire or fetched from a host takes as long as before, and less of it can hide behind the shorter computing.
"""

from dataclasses import dataclass

# Forward 2, backward 4; recomputing the whole forward adds 2. Attention's own s² term is not in it.
PASSES = {"forward": 2, "train": 6, "recompute": 8}


def flops(P: float, D: float, passes: str = "train") -> float:
    """6·P·D for a training step, 2·P·D forward only, 8·P·D with full recomputation; without attention's s² term."""
    return PASSES[passes] * P * D


def compute_seconds(F: float, gpus: int, peak: float, efficiency: float) -> float:
    """Time of F flop on `gpus` devices of `peak` flop/s (dense) at the share `efficiency` of it."""
    return F / (gpus * peak * efficiency)


def achieved(F: float, gpu_seconds: float) -> float:
    """flop/s per device of a run that took `gpu_seconds` device-seconds."""
    return F / gpu_seconds


@dataclass(frozen=True)
class StepTimes:
    """One step's seconds by cause; `exposed` is communication that computing does not hide, `fixed` any other wait."""

    compute: float
    exposed: float = 0.0
    bubble: float = 0.0
    straggler: float = 0.0
    fixed: float = 0.0

    @property
    def total(self) -> float:
        return self.compute + self.exposed + self.bubble + self.straggler + self.fixed

    def faster(self, k: float) -> "StepTimes":
        """The same step on GPUs k times as fast, as if communication hid as much as before: a lower bound."""
        return StepTimes(self.compute / k, self.exposed, self.bubble / k, self.straggler / k, self.fixed)

    def without(self, cause: str) -> "StepTimes":
        """The same step with one cause gone."""
        return StepTimes(**{name: 0.0 if name == cause else value for name, value in vars(self).items()})

    def speedup(self, other: "StepTimes") -> float:
        """How many times shorter `other` is."""
        return self.total / other.total
