"""An all-reduce in two levels sends M/G through each NIC instead of M: the fast links carry what the slow ones do not.

*Throughout this module:*

| symbol  | meaning                                                                | unit                  |
|---------|------------------------------------------------------------------------|-----------------------|
| M       | the tensor that every rank holds and wants summed (`message`)          | bytes                 |
| G, k    | ranks a node, nodes                                                    | –                     |
| inside  | link between the ranks of one node, β per rank                         | bytes/s per direction |
| outside | link of one rank's own NIC                                             | bytes/s per direction |

Three phases: reduce-scatter inside the node (G−1)/G·M, all-reduce between the nodes 2(k−1)/k·M/G, all-gather inside
the node (G−1)/G·M. The first and the last work on all of M; only the middle one works on M/G
(stas00/ml-engineering@744d01e18b79, network/README.md, where the three terms are also measured).
"""

from dataclasses import dataclass

from labs.hardware import Link
from labs.models.collectives import Costs, cost, share


@dataclass(frozen=True)
class Phases:
    """Reduce-scatter inside, all-reduce outside, all-gather inside; one after the other."""

    scatter: Costs
    outside: Costs
    gather: Costs

    @property
    def time(self) -> float:
        return self.scatter.time + self.outside.time + self.gather.time

    @property
    def sent_inside(self) -> float:
        """Bytes each rank sends over the links of its node."""
        return self.scatter.sent + self.gather.sent

    @property
    def sent_outside(self) -> float:
        """Bytes each rank sends through its NIC."""
        return self.outside.sent


def two_level(message: float, G: int, k: int, inside: Link, outside: Link, calls: int = 1) -> Phases:
    """An all-reduce of `message` bytes over k nodes of G ranks, each rank with a NIC of its own."""
    near, far = (inside.latency, inside.bandwidth, calls), (outside.latency, outside.bandwidth, calls)
    return Phases(
        cost("reduce_scatter", "ring", G, message, *near),
        cost("all_reduce", "ring", k, message / G, *far),
        cost("all_gather", "ring", G, message, *near),
    )


def flat_ring_through_nics(message: float, n: int, nics: int) -> float:
    """Bytes each NIC sends when `nics` flat rings over n ranks share one all-reduce, a rail each.

    Every ring carries message/nics and leaves a node once, so a NIC sends 2(n−1)/n · message/nics.
    """
    return 2 * share(n) * message / nics
