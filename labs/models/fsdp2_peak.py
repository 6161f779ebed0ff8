"""The peak of an FSDP2 run moment by moment, and what its allocator reserves beyond that.

The claim: every byte of a measured peak has a name. Buffers that never live at the same time are still reserved side
by side when no block freed by one kind serves another; the sum of each kind's own maximum, less the live peak, is
what this model calls slack. It is an estimate and nothing in it is fitted.

*Throughout this module:*
    tokens   b·s/cp, tokens of one micro-batch on one rank                   count
    shards   dp_shard × cp, ranks that share FP32 parameters and moments     count   pytorch-fsdp §3
    m        micro-batches of a step; more than one only with a pipeline     count
    moment   loss, backward (of the first layer that it reaches), end (of backward)
Sizes are bytes. torchtitan at 9dec370 (December 2024): FP32 parameters, gradients and moments sharded, weights gathered
in BF16 or FP8, gradients reduced in FP32, cross-entropy eager and in FP32, every block checkpointed.
"""

from dataclasses import dataclass, field

from labs.models.activations import full_layer, layer_bytes
from labs.models.blocks import every_second_product, gradients_of
from labs.models.layer_blocks import block
from labs.models.rank_lines import in_flight
from labs.models.rank_memory import Degrees, layer_share, stage_states, table_share
from labs.workloads import Shape

FP32, HALF = 4, 2
LOGIT = 3 * FP32  # log-probabilities, their gradient by the loss, and its gradient through the softmax
LOGIT_PARALLEL = 4 * FP32  # loss parallelism holds the exponentials beside those three
NORM = HALF + 6  # the last norm runs eagerly: its input and FP32 copies


@dataclass(frozen=True)
class Run:
    """`chunks` a rank (interleaved); layers are gathered `gather` bytes wide (1 in FP8); `eager`: not compiled."""

    shape: Shape
    tokens: int
    shards: int
    tp: int = 1
    pp: int = 1
    m: int = 1
    schedule: str = "1f1b"
    chunks: int = 1
    full: bool = True
    gather: float = HALF
    eager: bool = False
    layers: tuple[int, ...] = field(default=())

    @property
    def degrees(self) -> Degrees:
        return Degrees(tp=self.tp, pp=self.pp, dp=self.shards, zero=3, layers=self.layers)

    @property
    def sbh(self) -> float:
        return self.tokens * self.shape.hidden


Lines = dict[str, float]


@dataclass(frozen=True)
class Peaks:
    """`moments`: {moment: {line: bytes}} of the stage that reserves most."""

    stage: int
    moments: dict[str, Lines]

    @property
    def moment(self) -> str:
        """When most is alive."""
        return max(self.moments, key=lambda name: sum(self.moments[name].values()))

    @property
    def live(self) -> float:
        return sum(self.moments[self.moment].values())

    @property
    def lines(self) -> Lines:
        """What is alive at the peak."""
        return {name: size for name, size in self.moments[self.moment].items() if size}

    @property
    def reserved(self) -> float:
        """Each line at its own maximum, as if no two ever shared a block."""
        names = dict.fromkeys(name for lines in self.moments.values() for name in lines)
        return sum(max(lines.get(name, 0) for lines in self.moments.values()) for name in names)

    @property
    def slack(self) -> float:
        return self.reserved - self.live


def peaks(run: Run) -> Peaks:
    """The stage whose reserved memory is largest: the published tables give the maximum over ranks."""
    stages = [Peaks(stage, moments(run, stage)) for stage in range(run.pp)]
    return max(stages, key=lambda one: one.reserved)


def moments(run: Run, stage: int) -> dict[str, Lines]:
    """Loss (last stage only), the first layer's backward, and the end of backward."""
    always, last = residents(run, stage), stage == run.pp - 1
    kept = outputs(run) if last else {}
    flying = {"layers": stored_bytes(run, stage)} | accumulation(run, stage) | kept
    merged = kept | {name + " merged": size for name, size in kept.items()}
    found = {
        "backward": always | flying | {"working": working(run)} | one_layer(run),
        "end": always | {"gradients": FP32 * stage_share(run, stage) / run.shards} | at_root(run, stage) | merged,
    }
    return found | ({"loss": always | flying | head_and_loss(run)} if last else {})


def stage_share(run: Run, stage: int) -> float:
    """Parameters of a stage on one rank before FSDP cuts them."""
    return stage_states(run.shape, run.degrees, stage).parameters


def residents(run: Run, stage: int) -> Lines:
    """FP32 parameters and both moments; the root's tables, gathered all step; with a pipeline, every layer gathered.

    Without a pipeline a layer is gathered when it is needed: the one in use and the one ahead.
    """
    shard = stage_share(run, stage) / run.shards
    count = layers_on(run, stage) if run.pp > 1 else 2
    layers = count * layer_share(run.shape, run.degrees, False) * run.gather
    return {
        "parameters": FP32 * shard,
        "moments": 2 * FP32 * shard,
        "gathered layers": layers,
        "gathered tables": tables(run, stage) * HALF,
    }


def layers_on(run: Run, stage: int) -> int:
    return run.degrees.stages(run.shape)[stage]


def tables(run: Run, stage: int) -> float:
    """Vocabulary parameters on this stage: the input table on the first, the head on the last."""
    return ((stage == 0) + (stage == run.pp - 1)) * table_share(run.shape, run.degrees)


def stored_bytes(run: Run, stage: int) -> float:
    """Checkpoints of all layers in flight; in a pipeline also the outputs and gradients that cross to the neighbour."""
    depth = in_flight(run.schedule, run.pp, run.m, run.chunks)[stage]
    crossing = (depth + run.m) * run.chunks * full_layer(run.sbh, run.tp, True) if run.pp > 1 else 0
    return depth * layers_on(run, stage) * stored_layer(run) + crossing


def stored_layer(run: Run) -> float:
    if run.full:
        return full_layer(run.sbh, run.tp, sp=True)
    shape = run.shape
    saved = every_second_product(shape.heads, shape.hidden, shape.kv_heads / shape.heads, shape.ffn / shape.hidden)
    return layer_bytes(saved, run.sbh, run.tp, sp=True)


def working(run: Run) -> float:
    """The layer in backward: its tensors rebuilt, their gradients, and under TP the two inputs gathered whole."""
    saved = block(run.shape, False, run.tokens, fused=not run.eager, fp32_norm=run.eager)
    rebuilt = layer_bytes(saved, run.sbh, run.tp, sp=True) - (0 if run.full else stored_layer(run))
    gradients = layer_bytes(gradients_of(run.shape.ffn / run.shape.hidden), run.sbh, run.tp, sp=True)
    return rebuilt + gradients + 2 * HALF * run.sbh * (1 - 1 / run.tp)


def accumulation(run: Run, stage: int) -> Lines:
    """A pipeline adds up whole FP32 gradients until a chunk's last micro-batch; later chunks have finished by then."""
    return {"whole gradients": FP32 * stage_share(run, stage) / run.chunks} if run.pp > 1 else {}


def outputs(run: Run) -> Lines:
    """The pipeline's last stage keeps each micro-batch's 16-bit logits, and joins them into one tensor when done."""
    return {"all logits": run.m * HALF * run.tokens * run.shape.vocab / run.tp} if run.pp > 1 else {}


def one_layer(run: Run) -> Lines:
    """A layer's 16-bit gradients and the FP32 buffer that is scattered."""
    return {"reduce buffer": (HALF + FP32) * layer_share(run.shape, run.degrees, False)}


def at_root(run: Run, stage: int) -> Lines:
    """The root's tables are reduced together, when all else is done."""
    return {"reduce buffer": (HALF + FP32) * tables(run, stage)}


def head_and_loss(run: Run) -> Lines:
    """The last norm on its shard of the sequence, the head's input gathered whole, the logits divided by TP."""
    each = LOGIT if run.tp == 1 else LOGIT_PARALLEL
    norm = NORM * run.sbh / run.tp + HALF * run.sbh
    return {"last norm and head input": norm, "logits": each * run.tokens * run.shape.vocab / run.tp}
