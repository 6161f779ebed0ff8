"""The memory lab asked about a real model: every pipeline stage by itself, and the one that fills its card most."""

from labs.answer import Answer, Verdict
from labs.controls import Values
from labs.ledger import Row
from labs.models.flops import mfu, per_token, six_nd
from labs.models.memory import CUT_FROM
from labs.models.rank_lines import Memory
from labs.units import GB, GIB, TFLOP, both_bytes, bytes_text, number, percent, plain, seconds_text
from labs.views.memory_run_asked import Run, run
from labs.views.memory_run_figure import figure, tables
from labs.views.memory_run_sentences import formulas, moved, saved, traffics
from labs.words import Speaker
from labs.workloads import SOURCES, parameters

LINES = {"layers": "kept", "head input": "head", "logits": "logits_only", "whole gradients": "whole"}
LEDGER = {
    "kept": "activation",
    "prediction": "activation",
    "working": "activation",
    "head": "activation",
    "logits_only": "activation",
}


def answer(values: Values, say: Speaker) -> Answer:
    asked_for = run(values)
    memories = asked_for.stages()
    heaviest = max(range(len(memories)), key=lambda stage: memories[stage].total)
    now, room = memories[heaviest], (GIB if values.unit == "GiB" else GB) * values.capacity
    before = asked_for.baseline().memory(heaviest)
    return Answer(
        rows=(
            *rows(asked_for, now, heaviest),
            *count_rows(asked_for, shape_source(values)),
            *speed_rows(asked_for, values),
        ),
        total=Row("total", now.total, "byte", "formula", "Σ"),
        verdict=verdict(now, heaviest, room, values, say),
        saved=saved(asked_for, now, before, heaviest, say),
        moved=moved(asked_for, now, heaviest, values.link * GB, say),
        figure=figure(asked_for, memories, heaviest, room, values, say),
        formulas=formulas(asked_for, now, heaviest, say),
        tables=tables(asked_for, memories, heaviest, room, say),
        warnings=warnings(asked_for, values, say),
        notes=(
            *shape_note(values, say),
            *map(say, ("notes.run_scope", "notes.run_tags", "notes.run_balance", "notes.units")),
        ),
    )


def rows(asked_for: Run, now: Memory, stage: int) -> tuple[Row, ...]:
    """The heaviest stage, line by line, and what its ranks send."""
    found = []
    for line in now.lines:
        name = LINES.get(line.name, line.name)
        found.append(Row(name, line.size, "byte", line.tag, formula(asked_for, now, stage, line.name), "",
                         LEDGER.get(name, "state" if line.tag == "exact" else "comm")))  # fmt: skip
    return (*found, *traffic_rows(asked_for, stage))


def traffic_rows(asked_for: Run, stage: int) -> tuple[Row, ...]:
    """What a rank of the heaviest stage moves for its states: dense parts and experts each among their own ranks."""
    d, moving = asked_for.degrees, traffics(asked_for, stage, asked_for.degrees.zero)
    ring = "Σ (N−1)/N × … × P"
    return (
        Row(
            "paper_elements", sum(one.elements for one in moving), "count", "formula", f"ZeRO-{d.zero}", "zero", "comm"
        ),
        Row("weights_sent", sum(one.weight_bytes for one in moving), "byte", "formula", ring, "zero", "comm"),
        Row("gradients_sent", sum(one.gradient_bytes for one in moving), "byte", "formula", ring, "zero", "comm"),
    )


def step_flops(asked_for: Run) -> tuple[float, float]:
    """A step of all replicas: the exact count and 6ND."""
    tokens = asked_for.step.s * asked_for.step.b * asked_for.step.m * asked_for.degrees.dp
    exact = per_token(asked_for.shape, asked_for.step.s) * tokens
    return exact, six_nd(parameters(asked_for.shape).active, tokens)


def speed_rows(asked_for: Run, values: Values) -> tuple[Row, ...]:
    """Model FLOPs utilisation of a step that took `step_seconds`, by either count; nothing where no time is given."""
    if not values.step_seconds:
        return ()
    time, world, peak = values.step_seconds, asked_for.degrees.world, values.peak * TFLOP
    how = f"FLOPs / ({number(time)} s × {world} × {number(values.peak)} TFLOP/s)"
    return tuple(
        Row(name, mfu(flops, time, world, peak), "ratio", "formula", how, "", "bubble")
        for name, flops in zip(("mfu", "mfu_6nd"), step_flops(asked_for), strict=True)
    )


def shape_source(values: Values) -> str:
    """Where the shape of a named model was read; a pasted configuration is the reader's own."""
    return "" if values.config else SOURCES[values.model]


def shape_note(values: Values, say: Speaker) -> tuple[str, ...]:
    source = shape_source(values)
    return (say("notes.run_shape", model=values.model, source=source),) if source else ()


def count_rows(asked_for: Run, source: str) -> tuple[Row, ...]:
    """Parameters of the whole model, and the model FLOPs of a step of all replicas."""
    counted = parameters(asked_for.shape)
    flops, simple = step_flops(asked_for)
    return (
        Row("model_total", counted.total, "count", "exact", "", source, "state"),
        Row("model_active", counted.active, "count", "exact", "", source, "moe"),
        Row("step_flops", flops, "flop", "formula", f"6ND = {number(simple)}", "", "bubble"),
    )


def formula(asked_for: Run, now: Memory, stage: int, name: str) -> str:
    """Bytes a parameter × (what is no expert / its ranks + experts / theirs), or layers × micro-batches in flight."""
    if name == "layers":
        return f"{asked_for.degrees.stages(asked_for.shape)[stage]} × {number(now.in_flight)}"
    if name not in CUT_FROM:
        return ""
    d, held = asked_for.degrees, now.held
    cut = d.zero >= CUT_FROM[name]
    parts = [(held.dense_parameters, d.shards), (held.expert_parameters, d.expert_shards)]
    texts = [f"{number(size / 1e9)}e9" + (f" / {ranks}" if cut else "") for size, ranks in parts if size]
    return f"{plain(getattr(asked_for.recipe, name))} × " + (texts[0] if len(texts) == 1 else f"({' + '.join(texts)})")


def verdict(now: Memory, stage: int, room: float, values: Values, say: Speaker) -> Verdict:
    spare, reserve = room - now.total, (GIB if values.unit == "GiB" else GB) * values.reserve
    facts = {"total": both_bytes(now.total), "room": both_bytes(room), "stage": stage,
             "reserve": bytes_text(reserve, values.unit), "spare": bytes_text(abs(spare), values.unit)}  # fmt: skip
    if spare >= reserve:
        return Verdict("good", say("verdicts.run_fits", **facts))
    if spare >= 0:
        return Verdict("warn", say("verdicts.run_tight", **facts))
    key = "run_states" if now.states > room else "run_rest"
    return Verdict("bad", say("verdicts." + key, states=both_bytes(now.states), **facts))


def warnings(asked_for: Run, values: Values, say: Speaker) -> tuple[str, ...]:
    m, pp = asked_for.step.m, asked_for.degrees.pp
    few = (say("warnings.few_micro", m=m, pp=pp),) if m < pp else ()
    share = max((row.value for row in speed_rows(asked_for, values)), default=0)
    least = seconds_text(share * values.step_seconds)
    return (*few, say("warnings.above_peak", least=least, share=percent(share))) if share > 1 else few
