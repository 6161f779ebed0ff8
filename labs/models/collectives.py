"""A collective costs steps × α + bytes ÷ β; overlap hides time and never bytes.

*Throughout this module:*

| symbol  | meaning                                                                      | unit                  |
|---------|------------------------------------------------------------------------------|-----------------------|
| n       | ranks in the group, not in the world                                         | –                     |
| calls   | calls that share the message evenly                                          | –                     |
| message | the tensor; gathered size of an all-gather, input of a reduce-scatter, one   |                       |
|         | rank's whole send buffer of an all-to-all (the S of nccl-tests)              | bytes                 |
| alpha α | what one step costs before its first byte                                    | s                     |
| beta β  | bandwidth of one rank                                                        | bytes/s per direction |
| steps   | messages one after another on the longest path                               | –                     |
| path    | bytes one after another on the longest path                                  | bytes                 |
| sent    | bytes that leave the rank that sends most                                    | bytes                 |

The step and byte counts are those of Thakur, Rabenseifner and Gropp 2005 (MPICH) without the cost of reducing;
bus bandwidth is defined as in NVIDIA/nccl-tests@a0b82b2260cf, doc/PERFORMANCE.md: its factor is a ring's, so it is
no wire speed where a switch reduces (NVLS, SHARP), for a tree, or where a node uses several NICs at once.
"""

from collections.abc import Callable
from dataclasses import dataclass

from labs.refusal import BadValue


@dataclass(frozen=True)
class Costs:
    """What `calls` calls take one after another: `latency` + `transfer` seconds, and the bytes they move."""

    collective: str
    algorithm: str
    n: int
    calls: int
    message: float
    steps: int
    path: float
    sent: float
    alpha: float
    beta: float

    @property
    def latency(self) -> float:
        return self.steps * self.alpha

    @property
    def transfer(self) -> float:
        return self.path / self.beta

    @property
    def time(self) -> float:
        return self.latency + self.transfer

    @property
    def algbw(self) -> float:
        """Message over time, bytes/s: what a caller sees."""
        return self.message / self.time

    @property
    def busbw(self) -> float:
        """algbw × the factor of the collective, bytes/s: comparable with β where ranks send no more than they must."""
        return self.algbw * bus_factor(self.collective, self.n)

    @property
    def crossover(self) -> float:
        """n*: the message of one call whose latency equals its transfer, bytes; n·α·β for a ring all-reduce."""
        return self.latency / self.calls * self.beta * self.message / self.path if self.path else 0.0


def share(n: int) -> float:
    """(n−1)/n: the part of a message that is not at home already."""
    return (n - 1) / n


def doublings(n: int) -> int:
    """⌈log₂ n⌉."""
    return (n - 1).bit_length()


@dataclass(frozen=True)
class Algorithm:
    """Functions of n: steps, and path and sent in messages; `powers_only` where n must be a power of two."""

    steps: Callable[[int], int]
    path: Callable[[int], float]
    sent: Callable[[int], float]
    powers_only: bool = False


def _even(steps: Callable[[int], int], path: Callable[[int], float], powers_only: bool = False) -> Algorithm:
    """Every rank sends the same, so that the path is what each of them sends."""
    return Algorithm(steps, path, path, powers_only)


def _around(n: int) -> int:
    return n - 1


ALGORITHMS: dict[tuple[str, str], Algorithm] = {
    ("all_gather", "ring"): _even(_around, share),
    ("all_gather", "recursive_doubling"): _even(doublings, share, True),
    ("all_gather", "bruck"): _even(doublings, share),
    ("all_gather", "direct"): _even(lambda n: min(1, n - 1), share),
    ("reduce_scatter", "ring"): _even(_around, share),
    ("reduce_scatter", "pairwise"): _even(_around, share),
    ("reduce_scatter", "recursive_halving"): _even(doublings, share, True),
    ("reduce_scatter", "recursive_doubling"): _even(doublings, lambda n: doublings(n) - share(n), True),
    ("reduce_scatter", "direct"): _even(lambda n: min(1, n - 1), share),
    ("all_reduce", "ring"): _even(lambda n: 2 * (n - 1), lambda n: 2 * share(n)),
    ("all_reduce", "recursive_doubling"): _even(doublings, doublings, True),
    ("all_reduce", "rabenseifner"): _even(lambda n: 2 * doublings(n), lambda n: 2 * share(n), True),
    ("all_reduce", "direct"): _even(lambda n: 2 * min(1, n - 1), lambda n: 2 * share(n)),
    # reduce up a binomial tree, broadcast down again; the root only sends on the way down
    ("all_reduce", "tree"): Algorithm(lambda n: 2 * doublings(n), lambda n: 2 * doublings(n), doublings),
    ("all_to_all", "pairwise"): _even(_around, share),
    ("all_to_all", "bruck"): _even(doublings, lambda n: doublings(n) / 2, True),
    ("all_to_all", "direct"): _even(lambda n: min(1, n - 1), share),
    ("broadcast", "binomial"): Algorithm(doublings, doublings, doublings),
    ("broadcast", "scatter_allgather"): Algorithm(
        lambda n: doublings(n) + n - 1 if n > 1 else 0, lambda n: 2 * share(n), lambda n: 2 * share(n)
    ),
    ("reduce", "binomial"): Algorithm(doublings, doublings, lambda n: min(1, n - 1)),
    # scatter the sums by halving, gather them at the root up a binomial tree, where one rank sends half of them
    ("reduce", "rabenseifner"): Algorithm(
        lambda n: 2 * doublings(n), lambda n: 2 * share(n), lambda n: share(n) + min(1, n - 1) / 2, True
    ),
    ("point_to_point", "direct"): _even(lambda n: 1, lambda n: 1),
}

COLLECTIVES = tuple(dict.fromkeys(collective for collective, _ in ALGORITHMS))


def algorithms(collective: str) -> tuple[str, ...]:
    """The algorithms known for a collective, the usual one first."""
    return tuple(algorithm for one, algorithm in ALGORITHMS if one == collective)


def cost(collective: str, algorithm: str, n: int, message: float, alpha: float, beta: float, calls: int = 1) -> Costs:
    """The cost of moving `message` bytes in `calls` calls.

    BadValue: no such algorithm for this collective, or n not a power of two where it must be one.
    """
    known = ALGORITHMS.get((collective, algorithm))
    if known is None:
        raise BadValue("algorithm", algorithm, "no_algorithm", algorithms(collective), collective=collective)
    if known.powers_only and n & (n - 1):
        below = 1 << (n.bit_length() - 1)
        raise BadValue("n", n, "power_of_two", (below, 2 * below), algorithm=algorithm)
    steps, path, sent = calls * known.steps(n), known.path(n) * message, known.sent(n) * message
    return Costs(collective, algorithm, n, calls, message, steps, path, sent, alpha, beta)


def bus_factor(collective: str, n: int) -> float:
    """busbw ÷ algbw (nccl-tests, doc/PERFORMANCE.md): derived for a ring and for point-to-point links."""
    if collective == "all_reduce":
        return 2 * share(n)
    return share(n) if collective in ("all_gather", "reduce_scatter", "all_to_all") else 1.0


@dataclass(frozen=True)
class Overlaps:
    """Communication beside computation: what is hidden and what still shows. Bytes are not its business."""

    time: float
    hidden: float

    @property
    def exposed(self) -> float:
        """T_exposed = max(0, T_comm − T_hidden), s."""
        return max(0.0, self.time - self.hidden)


def overlap(time: float, part: float) -> Overlaps:
    """Hide `part` (0…1) of a communication of `time` seconds: the computation beside it is long enough for that."""
    return Overlaps(time, part * time)


def behind(time: float, compute: float) -> Overlaps:
    """Hide a communication of `time` seconds behind a computation of `compute` seconds."""
    return Overlaps(time, min(time, compute))
