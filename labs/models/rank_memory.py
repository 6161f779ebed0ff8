"""The memory of one rank of a real model: each tensor cut by the axes that cut it, each line with a name and a tag.

The claim: dividing P by all degrees is wrong in both directions. Norms, routers and latents are on every rank; experts
are cut by EP and their optimizer only by expert-DP; embedding and head live on the first and the last stage; and a
stage keeps as many micro-batches of activations as its schedule has in flight.

*Throughout this module:*
    tp, pp, dp, cp   ranks along each axis of the dense view; states are cut over dp·cp       megatron-3d §2
    ep, etp          ranks among which, and inside which, experts are cut                     gshard §3.2, tutel §2.2
    edp              dp·cp·tp / (ep·etp), what is left for an expert's optimizer              deepseek-v3 §3.2
    replicas         HSDP: states are cut among dp·cp / replicas ranks, whole between groups  pytorch-fsdp §3.2.2
Sizes are bytes.
"""

from dataclasses import dataclass
from math import gcd

from labs.models.memory import States, held
from labs.models.mesh_layers import split, stages
from labs.models.recipes import RECIPES, Recipe, with_variance
from labs.refusal import BadValue, divisors
from labs.workloads import Shape, Tensor, stage_tensors
from labs.workloads.tensors import layer


@dataclass(frozen=True)
class Degrees:
    """`layers` of each of the pp·chunks stages; when empty, as even as they go with a short last stage.

    With `chunks` above 1 a rank holds stages pp apart, as interleaving places them. `zero` is ZeRO's stage.
    """

    tp: int = 1
    pp: int = 1
    dp: int = 1
    cp: int = 1
    ep: int = 1
    etp: int = 1
    replicas: int = 1
    zero: int = 1
    layers: tuple[int, ...] = ()
    chunks: int = 1

    def __post_init__(self) -> None:
        """BadValue: experts' ranks do not fit into a stage, or replicas do not divide the ranks that share states."""
        stage, experts = self.dp * self.cp * self.tp, self.ep * self.etp
        if stage % self.etp:
            raise BadValue("etp", self.etp, "degrees", divisors(stage, self.etp), stage=stage, experts=experts)
        if stage % experts:
            near = divisors(stage // self.etp, self.ep)
            raise BadValue("ep", self.ep, "degrees", near, stage=stage, experts=experts)
        if self.dp * self.cp % self.replicas:
            ranks = self.dp * self.cp
            raise BadValue("replicas", self.replicas, "replicas", divisors(ranks, self.replicas), ranks=ranks)

    @property
    def edp(self) -> int:
        return self.dp * self.cp * self.tp // (self.ep * self.etp)

    @property
    def shards(self) -> int:
        """Ranks among which ZeRO cuts what is not an expert."""
        return self.dp * self.cp // self.replicas

    @property
    def expert_shards(self) -> int:
        """HSDP replicates experts as often as the rest, as far as they have that many copies."""
        return max(1, self.edp // self.replicas)

    @property
    def world(self) -> int:
        return self.dp * self.cp * self.tp * self.pp

    def counts(self, shape: Shape) -> tuple[int, ...]:
        """Layers of each of the pp·chunks stages. BadValue: more stages than layers."""
        if 1 < self.pp <= shape.layers < self.pp * self.chunks:
            layers = shape.layers
            raise BadValue("chunks", self.chunks, "stage_needs_layer", layers // self.pp, layers=layers)
        chunks = self.chunks if self.pp > 1 else 1  # a rank alone holds first and last stage as one
        return self.layers or split(shape.layers, self.pp * chunks).counts

    def stages(self, shape: Shape) -> tuple[int, ...]:
        """Layers that each rank of the pipeline holds."""
        counts = self.counts(shape)
        return tuple(sum(counts[rank :: self.pp]) for rank in range(self.pp))

    def held_layers(self, shape: Shape, rank: int) -> tuple[bool, ...]:
        """Of each layer of a rank, whether it is a mixture of experts (megatron-3d §2.2.2)."""
        placed = stages(self.counts(shape))[rank :: self.pp]
        return tuple(shape.moe[layer - 1] for chunk in placed for layer in chunk)


def ways(tensor: Tensor, shape: Shape, d: Degrees) -> int:
    """Ranks of one stage and one replica among which a tensor is cut."""
    return {"tp": d.tp, "kv": min(d.tp, shape.kv_heads), "ep": d.ep * d.etp, "none": 1}[tensor.cut]


@dataclass(frozen=True)
class Held:
    """One rank of a stage: its own share of the parameters before ZeRO, how much of it is experts, and the states."""

    parameters: float
    expert_parameters: float
    states: States

    @property
    def dense_parameters(self) -> float:
        """All that is no routed expert."""
        return self.parameters - self.expert_parameters


def stage_states(
    shape: Shape, d: Degrees, stage: int, recipe: Recipe | str = "fp32-gradients", mtp: bool = True
) -> Held:
    """The states of one rank of a stage. BadValue: ep does not divide the experts."""
    if shape.experts and shape.experts % d.ep:
        near = divisors(gcd(shape.experts, d.dp * d.cp * d.tp // d.etp), d.ep)
        raise BadValue("ep", d.ep, "experts_spread", near, experts=shape.experts)
    own = RECIPES[recipe] if isinstance(recipe, str) else recipe
    sizes, states = kinds(shape, d, stage, mtp), NO_STATES
    for (expert, matrix), size in sizes.items():
        ranks = d.expert_shards if expert else d.shards
        states += held(size, ranks, d.zero, own if matrix else with_variance(own))
    return Held(sum(sizes.values()), sum(size for (expert, _), size in sizes.items() if expert), states)


NO_STATES = States(0, 0, 0, 0, 0, 0)


def kinds(shape: Shape, d: Degrees, stage: int, mtp: bool) -> dict[tuple[bool, bool], float]:
    """{(routed expert, matrix): parameters on one rank}: what is cut and updated alike is one sum."""
    found: dict[tuple[bool, bool], float] = {}
    counts = d.counts(shape)
    for own in range(stage, len(counts), d.pp):
        for tensor, copies in stage_tensors(shape, counts, own, mtp):
            kind = tensor.cut == "ep", tensor.matrix
            found[kind] = found.get(kind, 0) + tensor.total * copies / ways(tensor, shape, d)
    return found


def layer_share(shape: Shape, d: Degrees, moe: bool) -> float:
    """Parameters of one layer on one rank, before ZeRO: what FSDP gathers at a time."""
    return sum(tensor.total / ways(tensor, shape, d) for tensor in layer(shape, moe))


def table_share(shape: Shape, d: Degrees) -> float:
    """Parameters of one vocabulary table on one rank."""
    return shape.vocab * shape.hidden / d.tp
