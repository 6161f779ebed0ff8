"""The pipeline lab's controls and presets: two schedules on the same work, and how long its parts take."""

from labs.controls import Choice, Group, Preset, Slider, Text, Toggle, Values
from labs.models.schedules import FAMILIES, Times, Work
from labs.refusal import BadValue
from labs.units import parse, plain

RANKS = (2, 4, 6, 8, 12, 16, 24, 32, 64)
MICROBATCHES = (1, 2, 4, 8, 10, 12, 16, 20, 24, 32, 48, 64, 96, 128, 256, 512)
LEAST = 0.001  # time of a part that takes any
LIGHTEST, HEAVIEST = 1e-6, 1e6  # of the parts of an uneven model
LOADS = {"low": "1e-6", "high": "1e6"}
DURATIONS = (0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 2.5, 3, 4)

WORK = Group(
    "work",
    (
        Choice("schedule", "1f1b", tuple(FAMILIES)),
        Choice("against", "gpipe", tuple(FAMILIES)),
        Slider("p", 4, 1, 64, integer=True, stops=RANKS),
        Slider("m", 8, 1, 512, integer=True, stops=MICROBATCHES),
        Slider("v", 2, 1, 8, integer=True, stops=(1, 2, 3, 4, 6, 8)),
    ),
    open=True,
)
TIMES = Group(
    "times",
    (
        Slider("f", 1, LEAST, 1e6, stops=DURATIONS),
        Slider("b_in", 1, LEAST, 1e6, stops=DURATIONS),
        Slider("w", 1, 0, 1e6, stops=(0, *DURATIONS)),
        Slider("fb", 0, 0, 1e6, stops=(0, 1, 1.5, 2, 2.5, 3, 4, 6)),
        Slider("comm", 0, 0, 1e6, stops=(0, 0.05, 0.1, 0.25, 0.5, 1)),
        Text("load", most=400),
    ),
)

MORE = Group(
    "more",
    (
        Toggle("every"),
        Slider("limit", 1, 0.05, 8, stops=(0.5, 0.75, 1, 1.25, 1.5, 2, 3)),
        Text("order", most=60_000, lines=4),
        Toggle("files"),
    ),
)

GROUPS = (WORK, TIMES, MORE)

PRESETS = (
    Preset("P1", {"schedule": "1f1b", "against": "gpipe", "p": "4", "m": "8"}),
    Preset("P2", {"schedule": "interleaved", "against": "1f1b", "p": "8", "m": "32", "v": "2"}),
    Preset("P3", {"schedule": "dualpipe", "against": "1f1b", "p": "8", "m": "20", "fb": "3"}),
    Preset("P4", {"schedule": "zb-h1", "against": "1f1b", "p": "8", "m": "20", "w": "1"}),
    Preset("P5", {"schedule": "dualpipe", "against": "1f1b", "p": "8", "m": "20", "fb": "2"}),
    Preset("P6", {"schedule": "1f1b", "against": "gpipe", "p": "16", "m": "8"}),
)


def work(values: Values) -> Work:
    """The form's 0 for F&B means that running together gains nothing: F + B."""
    load = _weights(values.load, 1 if values.order else values.p)
    if 0 < values.fb < LEAST:
        raise BadValue("fb", values.fb, "pair_time", (0, LEAST), low=LEAST)
    times = Times(values.f, values.b_in, values.w, FB=values.fb or None, comm=values.comm, load=load)
    return Work(values.p, values.m, values.v, times, values.limit)


def _weights(text: str, p: int) -> tuple[float, ...]:
    """`1, 2, 2, 3`: positive numbers, as many as ranks or a few to or of a rank. BadValue: anything else."""
    try:
        weights = tuple(parse(part) for part in text.replace("，", ",").replace(" ", ",").split(",") if part)
    except ValueError:
        raise BadValue("load", text, "load_weights", **LOADS) from None
    if not all(LIGHTEST <= weight <= HEAVIEST for weight in weights):
        raise BadValue("load", text, "load_weights", **LOADS)
    if weights and p % len(weights) and len(weights) % p:
        near = (weights + weights[-1:] * p)[:p]
        raise BadValue("load", text, "load_parts", ",".join(map(plain, near)), parts=len(weights), p=p)
    return weights
