"""A seeded router: each token picks K different experts, some experts more often than others.

*Throughout this module:*

| symbol | meaning                                                                          | unit    |
|--------|----------------------------------------------------------------------------------|---------|
| tokens | tokens drawn, of all ranks together                                              | –       |
| E, K   | routed experts of the layer, experts a token                                     | –       |
| skew   | Zipf exponent: the i-th most popular expert has weight i^−skew; 0 is even        | –       |
| seed   | which expert is how popular, and what every token picks                          | –       |
| R      | ranks that share the experts, E/R neighbours each                                | –       |
| nodes  | nodes the ranks stand on, R/nodes neighbours each                                | –       |
| M      | nodes a token may reach (node-limited routing, deepseek-v3 §3.2.2)               | –       |

The router is a teaching model: no published router is Zipf. A token draws one expert after another, without
replacement. Draws are 16-bit integers looked up in a table, so that CPython and the browser agree pick for pick.
"""

from bisect import bisect
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate, chain, islice, repeat
from random import Random

from labs.refusal import BadValue

TABLE = 1 << 16
CHUNK = 1 << 13  # bytes drawn at once
TRIES = 8  # draws a pick from the table, before what is missing is drawn from what is left


@dataclass(frozen=True, eq=False)  # compared by identity, so that what follows from a routing can be kept with it
class Routing:
    """`picks[t]` are token t's K experts in the order drawn."""

    E: int
    K: int
    picks: tuple[tuple[int, ...], ...]

    @property
    def tokens(self) -> int:
        return len(self.picks)

    @cached_property
    def counts(self) -> tuple[int, ...]:
        """Assignments of each expert; they sum to tokens·K."""
        drawn = Counter(chain.from_iterable(self.picks))
        return tuple(drawn[e] for e in range(self.E))


def homes(E: int, R: int) -> list[int]:
    """The rank that owns each expert. BadValue: E does not divide over R."""
    if E % R:
        below = E - E % R
        raise BadValue("E", E, "experts_per_rank", [n for n in (below, below + R) if n], R=R)
    return [e * R // E for e in range(E)]


@lru_cache(maxsize=8)
def route(tokens: int, E: int, K: int, skew: float, seed: int) -> Routing:
    """Draw the picks of `tokens` tokens. BadValue: K > E."""
    if K > E:
        raise BadValue("K", K, "topk_experts", E, E=E)
    router = Router(E, skew, seed)
    return Routing(E, K, tuple(router.pick(K) for _ in range(tokens)))


@lru_cache(maxsize=8)
def limit(routing: Routing, nodes: int, M: int, skew: float, seed: int) -> Routing:
    """Each token kept on the first M nodes it drew; the picks it loses are drawn again on those.

    BadValue: M nodes hold fewer than K experts.
    """
    E, K = routing.E, routing.K
    if M * (E // nodes) < K:
        raise BadValue("M", M, "nodes_hold_k", -(-K * nodes // E), K=K, held=M * (E // nodes))
    router, node = Router(E, skew, seed, stream=1), homes(E, nodes)
    picks = []
    for drawn in routing.picks:
        reached = dict.fromkeys(map(node.__getitem__, drawn))
        if len(reached) > M:
            closed = set(islice(reached, M, None)) | set(range(nodes)).difference(reached)
            drawn = router.fill([e for e in drawn if node[e] not in closed], K, node, closed)
        picks.append(drawn)
    return Routing(E, K, tuple(picks))


class Router:
    """Draws experts by popularity. A second `stream` draws anew from the same popularity."""

    def __init__(self, E: int, skew: float, seed: int, stream: int = 0) -> None:
        self.weights = popularity(E, skew, Random(seed))
        self.rng = Random(2 * seed + stream)
        self.table = [e for e, weight in enumerate(self.weights) for _ in range(weight)]
        self.draws = chain.from_iterable(map(self._chunk, repeat(CHUNK)))

    def _chunk(self, size: int) -> Iterator[int]:
        return map(self.table.__getitem__, memoryview(self.rng.randbytes(size)).cast("H"))

    def pick(self, K: int) -> tuple[int, ...]:
        """K different experts out of all."""
        chosen = tuple(dict.fromkeys(islice(self.draws, K)))
        return chosen if len(chosen) == K else self.fill(chosen, K)

    def fill(
        self, kept: Iterable[int], K: int, node: Sequence[int] = (), closed: Container[int] = ()
    ) -> tuple[int, ...]:
        """Add to the experts `kept` until they are K, none of them on a `closed` node."""
        chosen = dict.fromkeys(kept)
        for _ in range(TRIES * K):
            if len(chosen) == K:
                return tuple(chosen)
            expert = next(self.draws)
            if not node or node[expert] not in closed:
                chosen[expert] = None
        left = [e for e in range(len(self.weights)) if e not in chosen and not (node and node[e] in closed)]
        weights = [self.weights[e] for e in left]
        while len(chosen) < K:
            reach = list(accumulate(weights))
            at = bisect(reach, self.rng.randrange(reach[-1]))
            chosen[left.pop(at)] = None
            weights.pop(at)
        return tuple(chosen)


def popularity(E: int, skew: float, rng: Random) -> list[int]:
    """A whole weight of at least 1 for each expert, TABLE in all; which expert is popular is up to `rng`."""
    raw = [rank**-skew for rank in range(1, E + 1)]
    unit = (TABLE - E) / sum(raw)
    weights = [1 + int(unit * weight) for weight in raw]
    for i in range(TABLE - sum(weights)):  # what rounding down left over, one each from the most popular on
        weights[i % E] += 1
    rng.shuffle(weights)
    return weights
