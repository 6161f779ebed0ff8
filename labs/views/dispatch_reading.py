"""What the form of an expert layer means: its nodes, its rows in bytes, the routing drawn for it, and its buffers."""

from dataclasses import dataclass

from labs.controls import Values
from labs.models.dispatch import Buffers, Policy, payload, row_bytes
from labs.models.expert_layer import DRAWN, Layers, layer
from labs.refusal import BadValue
from labs.views.dispatch_bills import far, near

ELEMENTS = {"fp8": (1, False), "fp8_scales": (1, True), "bf16": (2, False)}
EXACT = 1 << 24  # rows that the command line draws one by one: about half a minute and 2 GB


@dataclass(frozen=True)
class Reading:
    values: Values
    nodes: int
    layer: Layers
    free: Layers  # the same without a node limit

    @property
    def limited(self) -> bool:
        return self.layer is not self.free

    @property
    def policy(self) -> Policy:
        return self.layer.policies[self.values.policy]

    @property
    def ratio(self) -> float:
        return self.layer.ratio(self.policy)

    @property
    def useful(self) -> float:
        return self.layer.useful(self.policy)

    @property
    def noise(self) -> float:
        """Relative spread that the draw alone gives a rank's rows: 1/√(rows drawn for a rank)."""
        return float((self.values.R / (self.layer.copies.tokens * self.values.K)) ** 0.5)

    @property
    def buffers(self) -> Buffers:
        """In the format of combine, which is what a rank holds for its experts."""
        return Buffers(self.values.S, self.values.K, self.values.R, self.row("combine"))

    def row(self, way: str) -> float:
        """Bytes of one token on its way out (dispatch) or back (combine)."""
        return row_bytes(self.values.width, *ELEMENTS[getattr(self.values, way)])

    def element(self, way: str) -> str:
        """`2 B`, or `1.03125 B` with scales."""
        return f"{self.row(way) / self.values.width:g} B"

    def payload(self, way: str) -> float:
        return payload(self.values.S, self.values.K, self.row(way))

    def away(self, way: str) -> float:
        """Bytes the average rank sends to other ranks, each token once a rank."""
        return self.layer.sent(self.layer.copies.away_ranks, self.row(way))

    def slow(self, way: str) -> float:
        """Bytes the average rank sends through its NIC, each token once a node."""
        return self.layer.sent(self.layer.copies.away_nodes, self.row(way))

    def exchange(self, way: str) -> float:
        """Seconds by whichever link is the slower: NICs on average, NVLink into the rank that receives most."""
        into = self.layer.received(self.row(way)) / near(self.values).bandwidth
        return max(self.slow(way) / far(self.values).bandwidth, into)


def read(values: Values) -> Reading:
    """BadValue: what the layer refuses, ranks that fill no whole nodes, more rows than may be drawn one by one."""
    v = values
    nodes = max(1, v.R // v.per_node)
    if nodes > 1 and v.R % v.per_node:
        below = v.R - v.R % v.per_node
        raise BadValue("R", v.R, "ranks_fill_nodes", (below, below + v.per_node), per_node=v.per_node)
    if v.exact and v.S * v.R * v.K > EXACT:
        raise BadValue("S", v.S, "exact_rows", max(1, EXACT // (v.R * v.K)), most=f"{EXACT:,}")
    most = v.S * v.R if v.exact else DRAWN
    asked = (v.S, v.K, v.E, v.R, v.skew, v.seed, nodes)
    free = layer(*asked, 0, v.factor, most)
    limited = layer(*asked, v.M, v.factor, most) if 0 < v.M < nodes else free
    return Reading(v, nodes, limited, free)
