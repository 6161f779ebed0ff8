"""One expert layer of one step: drawn tokens stand for all S·R, and every policy is asked about the same rows.

*Throughout this module:*

| symbol | meaning                                                                       | unit |
|--------|-------------------------------------------------------------------------------|------|
| S      | tokens of one rank; S·R are routed                                            | –    |
| most   | tokens drawn at most, all ranks together; counts are scaled to S·R            | –    |
| nodes  | nodes that the R ranks stand on                                               | –    |
| M      | nodes a token may reach; 0 is no limit                                        | –    |
| factor | capacity of an expert over the mean                                           | –    |
"""

from dataclasses import dataclass
from functools import lru_cache

from labs.models.dispatch import Policy, Traffic, policies, scaled, traffic
from labs.models.routing import homes, limit, route
from labs.refusal import BadValue

DRAWN = 2048  # tokens that a browser draws at most


@dataclass(frozen=True)
class Layers:
    """`counts` are rows by expert, S·K·R in all; `copies` are of the tokens drawn."""

    S: int
    R: int
    counts: tuple[int, ...]
    copies: Traffic
    policies: dict[str, Policy]

    @property
    def rows(self) -> int:
        """All rows of the layer."""
        return sum(self.counts)

    def ratio(self, policy: Policy) -> float:
        """Rows of the busiest rank ÷ S·K: the time of the layer in units of perfect balance."""
        return max(policy.loads.rows) * self.R / self.rows

    def useful(self, policy: Policy) -> float:
        """The part of all ranks' time in which rows that were asked for are computed."""
        return (self.rows - policy.dropped) / (max(policy.loads.rows) * self.R)

    @property
    def exact(self) -> bool:
        """Whether every token was drawn."""
        return self.copies.tokens == self.S * self.R

    def sent(self, copies: int, row: float) -> float:
        """Bytes the average rank sends when the drawn tokens make so many copies."""
        return self.copies.per_token(copies) * self.S * row

    def received(self, row: float) -> float:
        """Bytes the rank that receives most takes from others, each token once."""
        return max(self.copies.received) * self.S * self.R / self.copies.tokens * row


def drawn(S: int, R: int, most: int) -> int:
    """Tokens to draw: all, or as many as divide over the ranks and do not exceed `most`; at least one a rank."""
    return S * R if S * R <= most else max(1, most // R) * R


@lru_cache(maxsize=16)
def layer(
    S: int, K: int, E: int, R: int, skew: float, seed: int, nodes: int = 1, M: int = 0, factor: float = 1.25,
    most: int = DRAWN,
) -> Layers:  # fmt: skip
    """BadValue: K > E, experts that do not divide over R, ranks that do not divide over nodes, nodes too few for K."""
    homes(E, R)
    if R % nodes:
        raise BadValue("R", R, "ranks_per_node", (R - R % nodes, R - R % nodes + nodes), nodes=nodes)
    routing = route(drawn(S, R, most), E, K, skew, seed)
    if 0 < M < nodes:
        routing = limit(routing, nodes, M, skew, seed)
    counts = scaled(routing.counts, S * R * K)
    known = {policy.name: policy for policy in policies(counts, R, factor)}
    return Layers(S, R, counts, traffic(routing, R, nodes), known)
