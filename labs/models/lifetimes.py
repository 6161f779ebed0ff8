"""When each state of a training step is needed, and when it is merely there: every saving of memory lives in between.

*Throughout this module:*
    STAGES   the five parts of a synchronous step, in order
    n        layers                                                    count
    k        the layer looked at, 1…n                                  count
    A, G     a step's activations and a replica's gradients            bytes
    slot     one layer's forward or backward; n forward, then n back   -

The forward of layer k is slot k−1, its backward slot 2n−k (sublinear-memory §4.1: the order is a stack's).
"""

from dataclasses import dataclass

STAGES = ("data", "forward", "backward", "reduce", "update")


@dataclass(frozen=True)
class Lives:
    """`born` and `gone` are the first and the last stage in which a state is there; `needed` those that touch it."""

    born: str
    gone: str
    needed: tuple[str, ...]

    def at(self, stage: str) -> str:
        """needed, idle (there, untouched) or absent."""
        if stage in self.needed:
            return "needed"
        there = STAGES.index(self.born) <= STAGES.index(stage) <= STAGES.index(self.gone)
        return "idle" if there else "absent"


# Mixed-precision Adam with nothing cut (zero §3.1); token ids are read once more by the embedding's backward.
LIVES = {
    "data": Lives("data", "backward", ("data", "forward", "backward")),
    "weights": Lives("data", "update", ("forward", "backward", "update")),
    "activations": Lives("forward", "backward", ("forward", "backward")),
    "gradients": Lives("backward", "update", ("backward", "reduce", "update")),
    "optimizer": Lives("data", "update", ("update",)),
}
POLICIES = ("kept", "zero-3", "recompute", "offload")


def layer_life(policy: str, k: int, n: int) -> tuple[str, ...]:
    """Where one layer's tensor is in each of 2n slots: here, moving, away, or nowhere.

    kept: an activation from its forward to its backward; zero-3: the layer's weights, gathered a slot early;
    recompute: the activation is made again; offload: it leaves after its forward and is fetched a slot early.
    """
    forward, backward = k - 1, 2 * n - k
    return tuple(_where(policy, slot, forward, backward) for slot in range(2 * n))


def _where(policy: str, slot: int, forward: int, backward: int) -> str:
    if slot in (forward, backward):
        return "here"
    if policy == "zero-3":
        return "moving" if slot + 1 in (forward, backward) else "away"
    if not forward < slot < backward:
        return "nowhere"
    if policy == "offload":
        return "moving" if slot in (forward + 1, backward - 1) else "away"
    return "here" if policy == "kept" else "nowhere"


@dataclass(frozen=True)
class Slices:
    """Bytes on one GPU at the end of a slice of the step."""

    stage: str
    weights: float
    optimizer: float
    gradients: float
    activations: float

    @property
    def total(self) -> float:
        return self.weights + self.optimizer + self.gradients + self.activations


def profile(weights: float, optimizer: float, G: float, A: float, n: int) -> tuple[Slices, ...]:
    """n slices of forward, n of backward, the reduction and the update: A piles up and drains, G takes its place.

    Gradients come into being layer by layer and go when the update is done; nothing temporary is counted.
    """
    rising = [("forward", 0.0, i / n) for i in range(1, n + 1)]
    falling = [("backward", i / n, 1 - i / n) for i in range(1, n + 1)]
    ends = [("reduce", 1.0, 0.0), ("update", 1.0, 0.0)]
    return tuple(Slices(stage, weights, optimizer, g * G, a * A) for stage, g, a in rising + falling + ends)


def peak(slices: tuple[Slices, ...]) -> int:
    """The slice that holds most, the first if several do: the last of forward if A > G, else the last of backward."""
    return max(range(len(slices)), key=lambda i: slices[i].total)
