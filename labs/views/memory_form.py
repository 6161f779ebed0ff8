"""The memory lab's controls and presets: what a preset does not touch is folded away."""

from labs.controls import Choice, Group, Number, Preset, Slider, Text, Toggle, Values
from labs.models.activations import KINDS, WHOLE, dropped
from labs.models.gpu_memory import BLOCKS
from labs.models.recipes import GRADIENTS, RECIPES
from labs.refusal import BadValue
from labs.workloads import WORKLOADS

POWERS = tuple(float(2**k) for k in range(11))
POLICIES_OFFERED = ("none", "selective", "full", "sqrt", "deepseek-v3")
SIZES = (1e9, 3e9, 7e9, 13e9, 34e9, 70e9, 140e9, 405e9, 671e9, 1.04e12)
LENGTHS = tuple(float(2**k) for k in range(10, 21))

STATES = Group(
    "states",
    (
        Slider("params", 7e9, 1, 1e15, stops=SIZES),
        Slider("dp", 8, 1, 2**20, integer=True, stops=POWERS),
        Choice("zero", "1", ("0", "1", "2", "3")),
        Choice("recipe", "auto", ("auto", *RECIPES)),
        Slider("shard", 1, 1, 2**20, integer=True, stops=POWERS),
    ),
    open=True,
)
CARD = Group(
    "card",
    (
        Number("capacity", 80, 1, 1e6),
        Choice("unit", "GB", ("GB", "GiB")),
        Number("reserve", 4, 0, 1e6),
    ),
)
GRADS = Group(
    "gradients",
    (
        Choice("gradients", "recipe", ("recipe", *GRADIENTS)),
        Number("micro", 0, 0, 2**20, integer=True),
        Toggle("whole_gradients"),
    ),
)
BLOCK = Group(
    "activations",
    (
        Choice("block", "off", BLOCKS),
        Slider("seq", 4096, 1, 2**30, integer=True, stops=LENGTHS),
        Number("batch", 1, 1, 2**20, integer=True),
        Number("hidden", 4096, 1, 2**20, integer=True),
        Number("layers", 32, 1, 2**16, integer=True),
        Number("heads", 32, 1, 2**16, integer=True),
        Number("kv_heads", 32, 1, 2**16, integer=True),
        Number("ffn", 11008, 1, 2**24, integer=True),
        Number("vocab", 0, 0, 2**24, integer=True),
        Slider("tp", 1, 1, 1024, integer=True, stops=POWERS[:7]),
        Choice("sp", "auto", ("auto", "on", "off")),
        Number("held", 1, 1, 2**16),
    ),
)
POLICIES = Group(
    "policies",
    (
        Choice("recompute", "none", POLICIES_OFFERED),
        Text("tensors", most=200),
        Toggle("flash", True),
        Toggle("fused", True),
        Toggle("fp8"),
        Slider("offload", 0, 0, 1, stops=(0, 0.25, 0.5, 0.6, 0.75, 0.9, 1)),
        Number("link", 55, 0.001, 1e5, unit="GB/s"),
    ),
)
UNEVEN = Group(
    "uneven",
    (
        Number("routed", 0, 0, 1e15),
        Number("rest", 0, 0, 1e15),
        Number("rest_shard", 1, 1, 2**20, integer=True),
    ),
)

# Those that keep one copy of the parameters and one place for every stage; the pipeline lab compares all of them.
SCHEDULES = ("gpipe", "1f1b", "interleaved", "zb-h1", "zb-h2")

RUN = Group(
    "run",
    (
        Choice("model", "none", ("none", *WORKLOADS)),
        Text("config", lines=3),
        Slider("pp", 1, 1, 1024, integer=True, stops=POWERS[:7]),
        Text("stages", most=2000),
        Slider("cp", 1, 1, 1024, integer=True, stops=POWERS[:7]),
        Slider("ep", 1, 1, 1024, integer=True, stops=POWERS[:9]),
        Number("etp", 1, 1, 1024, integer=True),
        Number("replicas", 1, 1, 2**20, integer=True),
        Choice("schedule", "1f1b", SCHEDULES),
        Number("chunks", 1, 1, 64, integer=True),
        Number("bucket", 0, 0, 1e11),
        Number("step_seconds", 0, 0, 1e9, unit="s"),
        Number("peak", 989, 0.001, 1e6, unit="TFLOP/s"),
    ),
)

GROUPS = (STATES, BLOCK, POLICIES, GRADS, UNEVEN, RUN, CARD)


def settled(values: Values) -> Values:
    """What a control left on auto means: papers' conventions for a bare count, practice for a named model.

    A model that runs under TP runs with SP, its gradients are kept in FP32 (Megatron, FSDP), and its pipeline is full.
    """
    named = values.model != "none" or bool(values.config)
    auto = {
        "recipe": "fp32-gradients" if named else "fp16-adam",
        "sp": "on" if named and values.tp > 1 else "off",
    }
    own = vars(values) | {name: auto[name] for name in auto if getattr(values, name) == "auto"}
    own["recompute"] = recomputed(values)
    return Values(**own | {"sp": own["sp"] == "on", "micro": values.micro or (values.pp if named else 1)})


def recomputed(values: Values) -> str:
    """The policy, with the tensors named besides it. BadValue: no such kind, or the policy rebuilds all anyway."""
    if not values.tensors:
        return str(values.recompute)
    named = tuple(kind.strip() for kind in values.tensors.replace(",", "+").split("+"))
    if values.recompute in WHOLE or not set(named) <= set(KINDS):
        rule, nearest = ("tensors_all", "") if values.recompute in WHOLE else ("tensors_kinds", None)
        raise BadValue("tensors", values.tensors, rule, nearest, kinds=KINDS)
    return "+".join(dict.fromkeys((*dropped(values.recompute), *named)))


LONG = {"params": "7e9", "zero": "3", "dp": "8", "block": "gpt", "seq": "32768", "recompute": "selective"}
PRESETS = (
    Preset("M1", {"params": "7e9", "dp": "8", "zero": "0"}),
    Preset("M2", {"params": "70e9", "dp": "64", "zero": "3"}),
    Preset("M3", {"params": "70e9", "shard": "8", "dp": "8", "zero": "1"}),
    Preset("M4", LONG),
    Preset("M5", LONG | {"recompute": "full"}),
    Preset(
        "M6",
        {
            "params": "1.04e12", "shard": "256", "dp": "1", "zero": "0", "recipe": "weights-gradients",
            "routed": "1.0147e12", "rest": "1.17e10", "rest_shard": "16",
        },
    ),
    Preset("M7", LONG | {"offload": "0.6"}),
    Preset("M8", LONG | {"block": "llama"}),
    Preset(
        "M9",
        {
            "params": "70e9", "shard": "8", "dp": "8", "zero": "1", "block": "gpt", "hidden": "8192", "heads": "64",
            "kv_heads": "8", "layers": "80", "ffn": "28672", "tp": "8", "sp": "on", "recompute": "selective",
        },
    ),
    Preset(
        "R1",
        {"model": "llama3-8b", "dp": "8", "zero": "3", "recipe": "fp32-gradients", "seq": "8192", "unit": "GiB"},
    ),
    Preset(
        "R2",
        {
            "model": "llama3-70b", "tp": "8", "pp": "4", "dp": "4", "zero": "1", "recipe": "fp32-gradients",
            "seq": "4096", "sp": "on", "micro": "16", "recompute": "selective", "unit": "GiB",
        },
    ),
    Preset(
        "R3",
        {
            "model": "deepseek-v3", "pp": "16", "ep": "64", "dp": "128", "zero": "1", "recipe": "fp32-gradients",
            "seq": "4096", "micro": "64", "unit": "GiB",
        },
    ),
)  # fmt: skip
