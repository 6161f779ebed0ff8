"""One step of ring attention: does passing on a block of keys and values hide behind the attention on the last one?"""

from math import gcd

from labs.answer import Answer, Table, Verdict
from labs.controls import Values
from labs.draw.bars import Bar, Part, bars
from labs.draw.legend import legend
from labs.draw.svg import Markup, escape, figure, join
from labs.draw.theme import classes
from labs.ledger import Row
from labs.models import sequence
from labs.refusal import BadValue, divisors
from labs.units import TFLOP, count, number, percent, seconds_text
from labs.views.dispatch_bills import near, size, speed
from labs.words import Speaker

DRAWN = 16  # steps that are drawn one by one
CLOSE = 1.1  # hidden with less than a tenth to spare


def answer(values: Values, say: Speaker) -> Answer:
    """BadValue: key/value heads that do not divide the heads, or fewer tokens than ranks."""
    ring = steps(values, values.causal, values.kv_heads)
    facts = told(values, ring)
    how = state(ring)
    return Answer(
        rows=rows(values, ring),
        verdict=Verdict({"hides": "good", "close": "warn", "shows": "bad"}[how], say(f"verdicts.ring_{how}", **facts)),
        figure=drawn(ring, facts, say),
        saved=say("saved.ring_" + ("shows" if how == "shows" else "hides"), **facts),
        moved=say("moved.ring_" + ("shows" if how == "shows" else "hides"), **facts),
        formulas=formulas(values, ring),
        tables=(variants(values, say), layouts(values, ring, say)),
        notes=tuple(say(f"notes.{key}") for key in ("forward", "zigzag", "heads", "alpha_ring", "estimate")),
    )


def steps(values: Values, causal: bool, kv_heads: int) -> sequence.RingSteps:
    if values.heads % kv_heads:
        raise BadValue("kv_heads", kv_heads, "kv_heads_divide", divisors(values.heads, kv_heads), a=values.heads)
    if values.seq < values.cp:
        raise BadValue("seq", values.seq, "rank_needs_token", values.cp, cp=values.cp)
    F, share = values.tflops * TFLOP, kv_heads / values.heads
    return sequence.ring(values.seq, values.cp, values.hidden, F, near(values).bandwidth, causal, share)


def state(ring: sequence.RingSteps) -> str:
    if not ring.hides:
        return "shows"
    return "hides" if ring.compute >= CLOSE * ring.send else "close"


def told(values: Values, ring: sequence.RingSteps) -> dict[str, object]:
    F, share = values.tflops * TFLOP, values.kv_heads / values.heads
    least = sequence.least_block(F, near(values).bandwidth, values.causal) * share
    return {
        "block": size(ring.block), "send": seconds_text(ring.send), "compute": seconds_text(ring.compute),
        "exposed": seconds_text(ring.overlap.exposed), "sent": size(ring.sent), "steps": values.cp,
        "tokens": count(values.seq / values.cp), "least": count(least), "sends": values.cp - 1,
        "spare": percent(1 - ring.send / ring.compute, 2), "time": seconds_text(ring.time),
        "ranks": max(1, int(values.seq // least)), "speed": speed(near(values)),
    }  # fmt: skip


def rows(values: Values, ring: sequence.RingSteps) -> tuple[Row, ...]:
    c, F = number(values.seq / values.cp), f"{number(values.tflops)} TFLOP/s"
    heads = f"{values.kv_heads}/{values.heads} × " if values.kv_heads != values.heads else ""
    half = " ÷ 2" if values.causal else ""
    return (
        Row(
            "block", ring.block, "byte", "exact", f"2 × {c} × {values.hidden} × {heads}2 B", "ring-attention", "context"
        ),
        Row(
            "send",
            ring.send,
            "second",
            "formula",
            f"{size(ring.block)} ÷ {speed(near(values))}",
            "ring-attention",
            "comm",
        ),
        Row("flop", ring.flop, "flop", "formula", f"4 × {c}² × {values.hidden}{half}", "ring-attention", "context"),
        Row("compute", ring.compute, "second", "estimate", f"{number(ring.flop / TFLOP)} TFLOP ÷ {F}", "", "context"),
        Row(
            "step_exposed",
            ring.overlap.exposed,
            "second",
            "estimate",
            "max(0, send − compute)",
            "ring-attention",
            "comm",
        ),
        Row(
            "ring_time", ring.time, "second", "estimate", f"{ring.P} × compute + {ring.P - 1} × exposed", "", "context"
        ),
        Row("ring_sent", ring.sent, "byte", "exact", f"{ring.P - 1} × {size(ring.block)}", "", "comm"),
    )


def drawn(ring: sequence.RingSteps, facts: dict[str, object], say: Speaker) -> Markup:
    """The first steps in two lanes: what is longer decides when the next one starts."""
    many = min(ring.P, DRAWN)
    work, sends = classes("context"), classes("comm", "hidden")
    shows = classes("comm", "exposed")
    computing: list[Part] = []
    sending: list[Part] = []
    for i in range(many):
        computing.append(Part(ring.compute, work, say("figure.block_used", step=i, t=facts["compute"])))
        if i == ring.P - 1:
            break
        hidden, exposed = min(ring.send, ring.compute), ring.overlap.exposed
        sending.append(Part(hidden, sends, say("figure.block_sent", step=i, t=facts["send"])))
        if exposed:
            sending.append(Part(exposed, shows, say("figure.block_shows", step=i, t=facts["exposed"])))
            computing.append(Part(exposed, "bubble idle", say("figure.block_waits", step=i, t=facts["exposed"])))
        else:
            sending.append(Part(ring.compute - ring.send, "bubble idle", say("figure.link_idle")))
    lanes = (
        Bar(say("figure.attention"), say("figure.each", t=facts["compute"]), tuple(computing)),
        Bar(say("figure.passing"), say("figure.each", t=facts["send"]), tuple(part for part in sending if part.value)),
    )
    keys = legend(((work, say("figure.attention")), (sends, say("figure.hidden")), (shows, say("figure.exposed"))))
    chart = join([bars(lanes, say("figure.ring_label", **facts)), keys])
    key = "figure.ring_caption" if ring.P <= DRAWN else "figure.ring_first"
    return figure(chart, say(key, drawn=many, **facts), say("figure.ring_title"))


def formulas(values: Values, ring: sequence.RingSteps) -> tuple[Markup, ...]:
    c, link = values.seq / values.cp, near(values)
    share = f" × {values.kv_heads}/{values.heads}" if values.kv_heads != values.heads else ""
    twice, half = ("2 × ", " ÷ 2") if values.causal else ("", "")
    F = values.tflops * TFLOP
    least = sequence.least_block(F, link.bandwidth, values.causal) * values.kv_heads / values.heads
    lines = (
        f"c = S/P = {values.seq:,} ÷ {values.cp} = {number(c)}",
        f"K+V = 2·c·h·2 B = 2 × {number(c)} × {values.hidden:,}{share} × 2 B = {size(ring.block)}",
        f"t_send = {size(ring.block)} ÷ {speed(link)} = {seconds_text(ring.send)}",
        f"t_compute = 4·c²·h{half} ÷ F = {number(ring.flop / TFLOP)} TFLOP ÷ {number(values.tflops)} TFLOP/s"
        f" = {seconds_text(ring.compute)}",
        f"c ≥ {twice}F/β{share} = {count(least)}",
    )
    return tuple(Markup(escape(line)) for line in lines)


def variants(values: Values, say: Speaker) -> Table:
    """With and without a causal mask; with the reader's key/value heads, with all of them and with a quarter."""
    quarter = values.heads // 4 if values.heads % 4 == 0 else values.heads
    heads = {values.heads, values.kv_heads, quarter}
    kinds = sorted({(causal, kv) for causal in (False, True) for kv in heads}, key=lambda kind: (kind[0], -kind[1]))
    rows = []
    for causal, kv in kinds:
        one = steps(values, causal, kv)
        name = say(f"tables.mask_{'causal' if causal else 'full'}", kv=kv, heads=values.heads)
        hides = say(f"tables.step_{state(one)}")
        rows.append((name, size(one.block), seconds_text(one.send), seconds_text(one.compute), hides))
    head = tuple(say(f"tables.{key}") for key in ("mask", "block", "send", "compute", "hides"))
    return Table(say("tables.by_mask"), head, tuple(rows), kinds.index((values.causal, values.kv_heads)))


def layouts(values: Values, ring: sequence.RingSteps, say: Speaker) -> Table:
    """What a rank sends in the forward pass of one layer, by layout of the same sequence."""
    share = values.kv_heads / values.heads
    ulysses = sequence.ulysses(values.seq, values.cp, values.hidden, share)
    fits = "heads_fit" if values.kv_heads % values.cp == 0 else "heads_short"
    U = gcd(values.cp, values.kv_heads)
    both = sequence.usp(values.seq, U, values.cp // U, values.hidden, share)
    ringed = say("tables.usp_remark", outside=size(both.outside))
    rows = (
        (say("tables.ring"), size(ring.sent), say("tables.grows")),
        (say("tables.ulysses"), size(ulysses), say(f"tables.{fits}", cp=values.cp)),
        (say("tables.usp", ulysses=U, ring=values.cp // U), size(both.sent), ringed),
        (say("tables.kda"), size(sequence.kda(values.cp, 96, 128)), say("tables.flat")),
    )
    head = tuple(say(f"tables.{key}") for key in ("layout", "sent", "remark"))
    return Table(say("tables.by_layout"), head, rows, 0)
