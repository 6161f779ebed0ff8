"""One set of ranks has two views: dense layers see TP, CP, DP; expert layers see ETP, EP, expert-DP; both share PP.

The claim: EP is not a further factor of the GPU count. It re-cuts the ranks of one pipeline stage, so ETP·EP must
divide DP·CP·TP, and what is left over is expert-DP, the number of ranks that hold the same expert. Likewise
Megatron's SP re-uses the TP group and multiplies nothing.

*Throughout this module:*

    tp, cp, pp, dp   degrees of the dense view; tp·cp·pp·dp = GPUs           –   megatron-3d §3.1
    ep, etp          expert-parallel and expert-tensor degrees               –   deepseek-v3 §3.2
    edp              expert-DP = dp·cp·tp / (ep·etp)                         –   derived
    sp               Megatron sequence parallelism: the TP group again       –   megatron-sp §4.2.2
"""

from dataclasses import dataclass
from functools import cached_property
from math import lcm

from labs.models.mesh import ORDERS, Group, Mesh, group_of, in_order
from labs.refusal import BadValue, divisors


@dataclass(frozen=True)
class Layout:
    """Legal degrees: built by `layout`, which refuses the others."""

    tp: int
    cp: int
    pp: int
    dp: int
    ep: int
    etp: int
    order: str

    @property
    def world(self) -> int:
        return self.tp * self.cp * self.pp * self.dp

    @property
    def stage(self) -> int:
        """Ranks of one pipeline stage: what both views divide among themselves."""
        return self.tp * self.cp * self.dp

    @property
    def edp(self) -> int:
        return self.stage // (self.ep * self.etp)

    @cached_property
    def dense(self) -> Mesh:
        return in_order(self.order, tp=self.tp, cp=self.cp, dp=self.dp, pp=self.pp)

    @cached_property
    def expert(self) -> Mesh:
        """The same ranks as expert layers see them; an order without `ep` has no place for EP above 1."""
        return in_order(self.order, tp=self.etp, ep=self.ep, dp=self.edp, pp=self.pp)


def layout(
    world: int, *, tp: int = 1, cp: int = 1, pp: int = 1, dp: int | None = None, ep: int = 1, etp: int = 1,
    order: str = ORDERS["megatron"],
) -> Layout:  # fmt: skip
    """Degrees for `world` GPUs; dp is what is left where it is not given. BadValue: the first rule that is broken."""
    left = data_parallel(world, tp, cp, pp)
    if dp not in (None, left):
        raise BadValue("dp", dp, "mesh_product", left, product=tp * cp * pp * (dp or 0), gpus=world)
    stage = tp * cp * left
    _divides(stage, ep, etp)
    both = Layout(tp, cp, pp, left, ep, etp, order)
    _share_pipeline(both)
    return both


def data_parallel(world: int, tp: int, cp: int, pp: int) -> int:
    """The one dp that completes the mesh. BadValue: the first degree that does not divide what is left of the GPUs."""
    left = world
    for name, degree in (("tp", tp), ("cp", cp), ("pp", pp)):
        if left % degree:
            raise BadValue(name, degree, "mesh_indivisible", divisors(left, degree), left=left, gpus=world)
        left //= degree
    return left


def _divides(stage: int, ep: int, etp: int) -> None:
    """Name etp where no ep would help."""
    if stage % etp:
        raise BadValue("etp", etp, "ep_divides", divisors(stage, etp), stage=stage, etp=etp)
    if stage // etp % ep:
        raise BadValue("ep", ep, "ep_divides", divisors(stage // etp, ep), stage=stage, etp=etp)


def _share_pipeline(both: Layout) -> None:
    """A rank has one stage, so both views must place PP alike: by coming last, or by equal widths inside it."""
    dense, expert = both.dense, both.expert
    if both.pp > 1 and both.ep * both.etp > 1 and dense.stride("pp") != expert.stride("pp"):
        raise BadValue("order", both.order, "order_shares_pp", "megatron")


# What people call the axes of the expert view, and what they are called inside its own mesh.
EXPERT_AXES = {"etp": "tp", "ep": "ep", "edp": "dp"}


def members(both: Layout, rank: int, *names: str) -> Group:
    """The group of `rank` over axes named as people say them: `edp` is the DP axis of the expert view.

    >>> members(layout(16, pp=2, ep=4), 5, "edp"), members(layout(16, pp=2, ep=4), 5, "pp")
    ((1, 5), (5, 13))
    """
    if set(names) <= set(EXPERT_AXES):
        return group_of(both.expert, rank, *(EXPERT_AXES[name] for name in names))
    return group_of(both.dense, rank, *names)


def smallest_world(*, tp: int = 1, cp: int = 1, pp: int = 1, ep: int = 1, etp: int = 1) -> int:
    """The fewest GPUs on which these degrees are legal: one model-parallel group. K2: PP16, EP16 → 256."""
    return pp * lcm(tp * cp, ep * etp)


@dataclass(frozen=True)
class Claim:
    """What somebody gets who multiplies every abbreviation, beside the product of the axes that are independent."""

    claimed: int
    product: int
    shared: tuple[str, ...]


def multiply_all(*, tp: int, sp: int, cp: int, pp: int, dp: int, ep: int) -> Claim:
    """TP8·SP8·PP4·DP2 claims 512, and its independent axes multiply to 64 (preset X4).

    `shared` names the degrees that are no axis of their own: SP is the TP group, EP re-cuts DP·CP·TP.
    """
    product = tp * cp * pp * dp
    shared = tuple(name for name, degree in (("sp", sp), ("ep", ep)) if degree > 1)
    return Claim(product * sp * ep, product, shared)
