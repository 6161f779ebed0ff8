"""The memory lab: one GPU's bytes, row by row, against its capacity; and the sentence that says whether they fit."""

from dataclasses import fields, replace

from labs.answer import Answer, Verdict
from labs.controls import Values
from labs.ledger import Row
from labs.models.gpu_memory import Bill, Choices, baseline, bill, state_bytes
from labs.models.memory import CUT_FROM, STAGES, fewest
from labs.units import GB, GIB, both_bytes, bytes_text, number, plain
from labs.views import memory_run
from labs.views.memory_figure import figure
from labs.views.memory_form import GROUPS, PRESETS, settled
from labs.views.memory_run_asked import asked
from labs.views.memory_sentences import formulas, moved, saved, short
from labs.views.memory_tables import tables
from labs.words import Speaker

__all__ = ["GROUPS", "PRESETS", "answer"]


def answer(values: Values, say: Speaker) -> Answer:
    """A named model or a pasted configuration is counted tensor by tensor; else P and a block stand for the model."""
    values = settled(values)
    if asked(values):
        return memory_run.answer(values, say)
    c = choices(values)
    now, before = bill(c), bill(baseline(c))
    return Answer(
        rows=rows(c, now, values),
        total=Row("total", now.total, "byte", "formula", "Σ", "", "state"),
        verdict=verdict(c, now, values, say),
        saved=saved(c, now, before, say),
        moved=moved(c, now, before, values.link * GB, say),
        figure=figure(c, capacity(values), values, say),
        formulas=formulas(c, now, say),
        tables=tables(c, now, capacity(values), say),
        notes=notes(c, values, say),
        warnings=warnings(c, values, say),
    )


def choices(values: Values) -> Choices:
    """The form's values under the model's names; `zero` is a choice of words, so its text is a number only here."""
    own = {field.name: getattr(values, field.name) for field in fields(Choices)}
    return Choices(**own | {"zero": int(values.zero)})


def capacity(values: Values) -> float:
    return unit(values) * float(values.capacity)


def unit(values: Values) -> float:
    return GIB if values.unit == "GiB" else GB


def rows(c: Choices, now: Bill, values: Values) -> tuple[Row, ...]:
    return (*state_rows(c, now), *activation_rows(c, now, values), *traffic_rows(c, now))


def state_rows(c: Choices, now: Bill) -> list[Row]:
    recipe = c.bytes_each
    return [
        Row(name, size, "byte", "formula", state_formula(c, name, getattr(recipe, name)), recipe.source)
        for name, size in now.states.rows()
    ]


def state_formula(c: Choices, name: str, each: float) -> str:
    late = c.whole_gradients and name in ("gradients", "accumulation")
    divided = f" / {c.dp}" if c.zero >= CUT_FROM[name] and not late else ""
    return f"{plain(each)} × {replica_text(c)}{divided}"


def replica_text(c: Choices) -> str:
    """P after the model shard, as a sum of the reader's numbers."""
    if c.routed:
        return f"({short(c.routed)} / {c.shard} + {short(c.rest)} / {c.rest_shard})"
    return short(c.params) if c.shard == 1 else f"{short(c.params)} / {c.shard}"


def activation_rows(c: Choices, now: Bill, values: Values) -> list[Row]:
    kept, away = now.kept, bytes_text(now.kept.offloaded)
    stay = f" × (1 − {number(c.offload)})" if c.offload else ""
    sent = f"{number(c.offload)} × {bytes_text(kept.stored + kept.offloaded)}"
    found = [
        ("kept", kept.stored, "formula", f"{c.layers} × {number(c.held)} × {both_bytes(kept.layer)}{stay}"),
        ("working", kept.working, "formula", f"1 × {both_bytes(kept.working)}"),
        ("logits", now.logits, "formula", "4·s·b·(h + V)/t"),
        ("offloaded", kept.offloaded, "formula", sent),
    ]
    rows = [Row(name, size, "byte", tag, text, "megatron-sp", "activation") for name, size, tag, text in found if size]
    if now.extra_flops:
        rows.append(Row("extra_flops", now.extra_flops, "ratio", "estimate", "", "megatron-sp", "activation"))
    if kept.offloaded:
        time = kept.offloaded / (values.link * GB)
        rows.append(Row("host_time", time, "second", "estimate", f"{away} / {number(values.link)} GB/s", "", "comm"))
    return rows


def traffic_rows(c: Choices, now: Bill) -> list[Row]:
    moving = now.traffic
    passes = plain(moving.gathers + moving.scatters)
    ring = f"({c.dp}−1)/{c.dp} × "
    return [
        Row("paper_elements", moving.elements, "count", "formula", f"{passes} × P", "zero", "comm"),
        Row("weights_sent", moving.weight_bytes, "byte", "formula",
            ring + f"{plain(moving.gathers)} × {plain(moving.gathered)} × P", "zero", "comm"),
        Row("gradients_sent", moving.gradient_bytes, "byte", "formula",
            ring + f"{plain(moving.scatters)} × {plain(moving.reduced)} × P", "zero", "comm"),
    ]  # fmt: skip


def verdict(c: Choices, now: Bill, values: Values, say: Speaker) -> Verdict:
    """Does it fit, and if not, which part is the first that does not."""
    room, reserve = capacity(values), unit(values) * values.reserve
    spare = room - now.total
    facts = {"total": both_bytes(now.total), "room": both_bytes(room), "reserve": bytes_text(reserve, values.unit)}
    if spare >= reserve:
        return Verdict("good", say("verdicts.fits", spare=bytes_text(spare, values.unit), **facts))
    if spare >= 0:
        return Verdict("warn", say("verdicts.tight", spare=bytes_text(spare, values.unit), **facts))
    facts["over"] = bytes_text(-spare, values.unit)
    if now.states.total > room:
        return Verdict("bad", say("verdicts.states", **facts) + cure(c, now, room, say))
    facts["states"] = bytes_text(now.states.total, values.unit)
    return Verdict("bad", say("verdicts." + culprit(now, room), **facts))


def culprit(now: Bill, room: float) -> str:
    """The first part that no longer fits, in the order in which a step fills the card."""
    if now.states.total + now.kept.stored > room:
        return "kept"
    return "working" if now.states.total + now.kept.total > room else "logits"


def cure(c: Choices, now: Bill, room: float, say: Speaker) -> str:
    """The lowest stage that fits with these ranks, else the smallest N at this stage, else what is in the way."""
    stage = next((z for z in STAGES[c.zero + 1 :] if state_bytes(replace(c, zero=z)).total <= room), None)
    if stage:
        return say("verdicts.stage", zero=stage, size=bytes_text(state_bytes(replace(c, zero=stage)).total))
    if c.routed or c.whole_gradients:
        return ""
    ranks = fewest(c.params, room, c.zero, c.bytes_each, c.shard)
    floor = bytes_text(sum(size for name, size in now.states.rows() if c.zero < CUT_FROM[name]))
    return say("verdicts.more_ranks", ranks=ranks) if ranks else say("verdicts.no_ranks", zero=c.zero, floor=floor)


def warnings(c: Choices, values: Values, say: Speaker) -> tuple[str, ...]:
    found, cut = [], values.tp * values.pp
    if (values.pp > 1 or c.block == "off") and c.shard % cut:
        found.append(say("warnings.uncut", cut=cut, shard=c.shard))
    elif c.block != "off" and c.shard % c.tp:
        found.append(say("warnings.tp_shard", tp=c.tp, shard=c.shard))
    if c.recipe == "fsdp2" and c.zero != 3:
        found.append(say("warnings.fsdp2"))
    if c.routed and abs(c.routed + c.rest - c.params) > 0.001 * c.params:
        found.append(say("warnings.counted", counted=short(c.routed + c.rest), params=short(c.params)))
    return tuple(found)


def notes(c: Choices, values: Values, say: Speaker) -> tuple[str, ...]:
    keys = ["scope", "units", "traffic", *(["shard"] if c.shard > 1 else []), *(["muon"] if c.recipe == "muon" else [])]
    if c.block != "off":
        keys += ["in_flight", "block", *(["link"] if c.offload else []), *(["fp8"] if c.fp8 else [])]
    return tuple(say("notes." + key, link=number(values.link)) for key in keys)
