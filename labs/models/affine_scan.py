"""A stretch of a delta-rule recurrence is one affine map of its state, so ranks work apart and a scan joins them.

*Throughout this module:*

| symbol      | meaning                                                                     | source            |
|-------------|-----------------------------------------------------------------------------|-------------------|
| S           | recurrent state, d_k × d_v                                                  | kimi-k3 §5.1.2    |
| alpha, beta | retention of each channel, strength of the write                            | kimi-k3 eq. 1     |
| k, v        | key and value of one token                                                  | kimi-k3 eq. 1     |
| M           | (I − β·k·kᵀ)·Diag(α): what a token does to the state that comes in           | kimi-k3 §5.1.2    |
| made        | S̃: the state a stretch leaves when it starts from zero                      | kimi-k3 §5.1.2    |

A token maps S to M·S + β·k·vᵀ; a stretch of tokens to M·S + S̃, with M their product. Maps compose associatively.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce

Matrix = tuple[tuple[float, ...], ...]


def times(a: Matrix, b: Matrix) -> Matrix:
    columns = tuple(zip(*b, strict=True))
    return tuple(tuple(sum(x * y for x, y in zip(row, column, strict=True)) for column in columns) for row in a)


def plus(a: Matrix, b: Matrix) -> Matrix:
    return tuple(tuple(x + y for x, y in zip(row, other, strict=True)) for row, other in zip(a, b, strict=True))


@dataclass(frozen=True)
class Stretch:
    """What a rank sends: both matrices are of fixed size, however many tokens they stand for."""

    M: Matrix
    made: Matrix

    def after(self, S: Matrix) -> Matrix:
        """The state that leaves when S came in."""
        return plus(times(self.M, S), self.made)

    def then(self, later: "Stretch") -> "Stretch":
        return Stretch(times(later.M, self.M), later.after(self.made))


def token(alpha: Sequence[float], beta: float, k: Sequence[float], v: Sequence[float]) -> Stretch:
    """The map of one token."""
    size = range(len(k))
    M = tuple(tuple(((i == j) - beta * k[i] * k[j]) * alpha[j] for j in size) for i in size)
    return Stretch(M, tuple(tuple(beta * x * y for y in v) for x in k))


def joined(parts: Iterable[Stretch]) -> Stretch:
    """One map for several in their order."""
    return reduce(Stretch.then, parts)


def incoming(ranks: Sequence[Stretch]) -> tuple[Matrix, ...]:
    """The state that enters each rank's stretch, all of one document, by going through the maps before it."""
    rows, columns = len(ranks[0].made), len(ranks[0].made[0])
    states: list[Matrix] = [((0.0,) * columns,) * rows]
    for stretch in ranks[:-1]:
        states.append(stretch.after(states[-1]))
    return tuple(states)


def summed(ranks: Sequence[Stretch]) -> tuple[Matrix, ...]:
    """What adding up earlier S̃ would give: right only where M is the identity, as in plain linear attention."""
    states = [tuple((0.0,) * len(row) for row in ranks[0].made)]
    for stretch in ranks[:-1]:
        states.append(plus(states[-1], stretch.made))
    return tuple(states)
