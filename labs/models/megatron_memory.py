"""Megatron-LM's theoretical memory report, in its own conventions: the most loaded stage, a GELU block, "MB" for MiB.

The claim: it is a capacity estimate, not a ledger. It takes SwiGLU for a plain MLP (18 + 4f) and an MoE layer for a
dense one in its activations, splits 61 layers on 16 stages evenly, and asked for full recomputation reports more than
for selective.
Ours differ in each of these; this module keeps the published figures reproducible.

*Throughout this module:*
    h, a, d, f  hidden, heads, head size (kv_channels), MLP width         count
    V           vocabulary, padded                                        count
    t, p, v     tensor and pipeline ranks, virtual chunks (or None)       count
    dp          data-parallel ranks, m micro-batches                      count
    ep, etp     ranks among and inside which experts are divided          count
    world       all ranks                                                 count
Place: megatron/training/theoretical_memory_usage.py of NVIDIA/Megatron-LM, August 2026. Sizes are bytes.
"""

from dataclasses import dataclass

from labs.models.activations import interleaving
from labs.workloads import Shape
from labs.workloads.count import total
from labs.workloads.tensors import layer

MISCELLANY = 1.05  # its allowance for temporaries, in the branch without sequence parallelism only


@dataclass(frozen=True)
class Plan:
    """`vocab` is padded; `v` None is a plain schedule; `m` None assumes a full pipeline; `mtp` prediction layers."""

    s: int
    b: int
    t: int
    p: int
    dp: int
    v: int | None = None
    m: int | None = None
    sp: bool = True
    selective: bool = True
    distributed_optimizer: bool = True
    mtp: int = 0
    ep: int = 1
    etp: int = 1
    world: int = 1

    @property
    def expert_dp(self) -> int:
        return max(1, self.world // (self.etp * self.ep * self.p))


@dataclass(frozen=True)
class Report:
    states: float
    activations: float

    @property
    def total(self) -> float:
        return self.states + self.activations


def report(shape: Shape, plan: Plan) -> Report:
    precise = plan.sp and plan.selective
    return Report(
        reported_states(shape, plan),
        reported_activations(shape, plan) if precise else activations_without_sp(shape, plan),
    )


def reported_states(shape: Shape, plan: Plan) -> float:
    """18 bytes a parameter, or 6 + 12/dp with the distributed optimizer; experts have their own data parallelism."""
    last, mtp = shape.hidden * (1 if shape.norm == "rmsnorm" else 2), plan.mtp
    parts: list[float] = [
        sum(sizes) / plan.p for sizes in zip(*(layer_parts(shape, moe) for moe in shape.moe), strict=True)
    ]
    ahead = layer_parts(shape, shape.moe[-1]) if mtp else (0, 0, 0)
    tables = shape.hidden * shape.vocab * (2 if plan.p == 1 and not shape.tied else 1)
    cut, whole, routed = (size + mtp * extra for size, extra in zip(parts, ahead, strict=True))
    dense = (cut + tables) / plan.t + whole + last / plan.p
    return dense * bytes_each(plan, plan.dp) + routed / (plan.etp * plan.ep) * bytes_each(plan, plan.expert_dp)


def bytes_each(plan: Plan, dp: int) -> float:
    return 6 + 12 / dp if plan.distributed_optimizer else 18


WHOLE = ("attention norm", "mlp norm", "router", "router bias", "to expert latent", "from expert latent")
SMALL = ("q norm", "k norm")


def layer_parts(shape: Shape, moe: bool) -> tuple[int, int, int]:
    """(cut by TP, whole on every rank, routed experts). It cuts the latents' projections too, and counts no bias
    but the router's and no norm on query and key heads.
    """
    kept = [one for one in layer(shape, moe) if one.name not in SMALL]
    kept = [one for one in kept if one.name == "router bias" or not one.name.endswith(" bias")]
    whole, routed = total(one for one in kept if one.name in WHOLE), total(one for one in kept if one.cut == "ep")
    return total(kept) - whole - routed, whole, routed


def schedule_factor(plan: Plan) -> float:
    """What the schedule multiplies a model's worth of activations by on the first stage."""
    if plan.v is not None:
        return interleaving(plan.p, plan.v)
    return min(1.0, plan.m / plan.p) if plan.p > 1 and plan.m is not None else 1.0


def stack(shape: Shape, plan: Plan, per_layer: float) -> float:
    """L layers (p micro-batches of L/p), the embedding's token ids in 8 bytes, and its dropout mask."""
    tokens = plan.s * plan.b
    return (tokens * shape.hidden * per_layer * shape.layers + tokens * plan.p * (8 + shape.hidden)) * schedule_factor(
        plan
    )


def reported_activations(shape: Shape, plan: Plan) -> float:
    """megatron-sp Table 2 with 16 replaced by 4f/h, and 4sbh(1 + V/h) when one stage has the head."""
    tokens, f = plan.s * plan.b, shape.ffn or shape.moe_ffn
    output = tokens * 4 * (shape.hidden + shape.vocab) if plan.p == 1 else 0
    return (stack(shape, plan, 18 + 4 * f / shape.hidden) + output) / plan.t


def activations_without_sp(shape: Shape, plan: Plan) -> float:
    """sbh(10 + 24/t) a layer whatever the MLP, 16-bit logits, and a fixed allowance."""
    tokens = plan.s * plan.b
    output = tokens * 2 * (shape.hidden + shape.vocab / plan.t) if plan.p == 1 else 0
    return (stack(shape, plan, 10 + 24 / plan.t) + output) * MISCELLANY
