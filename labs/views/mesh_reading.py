"""What a mesh form means: which degrees its semantics reads, the legal layout nearest to it, and how it misses it."""

from dataclasses import dataclass

from labs.controls import Values
from labs.models.mesh import coordinates
from labs.models.mesh_layout import Claim, Layout, data_parallel, layout, multiply_all
from labs.models.mesh_links import Cluster, cluster
from labs.refusal import BadValue

# The axes each semantics takes into account; a deliberate conflict multiplies whatever has a name.
READS = {
    "dense": ("tp", "pp", "dp"),
    "moe": ("tp", "pp", "cp", "dp", "ep", "etp"),
    "long": ("tp", "pp", "cp", "dp"),
    "conflict": ("tp", "pp", "cp", "dp", "ep", "etp"),
}
DEGREES = ("tp", "cp", "pp", "dp", "ep", "etp")


@dataclass(frozen=True)
class Reading:
    """`both` is always legal: on fewer GPUs than there are where the product is smaller than the cluster."""

    both: Layout
    where: Cluster
    rank: int
    sp: int
    unread: tuple[str, ...]
    claim: Claim | None

    @property
    def idle(self) -> int:
        return self.where.gpus - self.both.world

    @property
    def experts(self) -> bool:
        """Whether expert layers see other groups than dense ones do."""
        return self.both.ep * self.both.etp > 1


def read(values: Values) -> Reading:
    """BadValue: a product larger than the cluster, EP that does not divide, a rank that nobody is, an SP of its own."""
    where = cluster(values.nodes, values.per_node, values.domain)
    degrees = {name: getattr(values, name) if name in READS[values.semantics] else 1 for name in DEGREES}
    unread = tuple(name for name in DEGREES if degrees[name] != getattr(values, name))
    product = degrees["tp"] * degrees["cp"] * degrees["pp"] * degrees["dp"]
    both = layout(min(product, where.gpus), order=values.order, **degrees)
    coordinates(both.dense, values.rank)
    return Reading(both, where, values.rank, _sequence(values), unread, _claim(values, degrees))


def _sequence(values: Values) -> int:
    """SP is on (it has TP's degree) or off (1); only the deliberate conflict may claim another axis of it."""
    sp: int = values.sp
    if values.semantics != "conflict" and sp not in (1, values.tp):
        raise BadValue("sp", sp, "sp_shares_tp", (1, values.tp) if values.tp > 1 else 1, tp=values.tp)
    return sp


def _claim(values: Values, degrees: dict[str, int]) -> Claim | None:
    """Only the deliberate conflict claims a product, and only with a degree that is no axis."""
    dense = {name: degrees[name] for name in ("tp", "cp", "pp", "dp", "ep")}
    claim = multiply_all(sp=values.sp, **dense)
    return claim if values.semantics == "conflict" and claim.shared else None


def completing_dp(reading: Reading) -> int:
    """The dp that would use every GPU. BadValue: none does, because another degree does not divide them."""
    both = reading.both
    return data_parallel(reading.where.gpus, both.tp, both.cp, both.pp)
