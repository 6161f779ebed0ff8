"""Figures of one long sequence: what has to travel so that queries meet keys, and how many bytes that is."""

from labs import units
from labs.draw.bars import Bar, Part, bars
from labs.draw.boxes import box, note, place
from labs.draw.legend import legend
from labs.draw.lines import Axis, Line, Mark, loglog
from labs.draw.svg import Markup, figure, join, svg
from labs.draw.theme import classes
from labs.figures import Figure
from labs.models import affine_scan, sequence
from labs.models.ring_attention import Running, chunks, held, pairs, rank_work, ring_time
from labs.words import Speaker

PITCH, HEAD = 28, 22  # px of a row and of the words above a panel
SCORES = ((0.0, 1.0), (3.0, 2.0), (1.0, 2.0), (2.0, 4.0))  # a made-up query: its scores of the keys of four blocks
VALUES = ((1.0, 2.0), (4.0, 3.0), (0.0, 1.0), (2.0, 5.0))
DEGREES = ((8, 1), (4, 2), (2, 4), (1, 8))
SEQUENCES = [2.0**k for k in range(13, 21)]
TOY = (0.95, 0.25)  # retention and write strength of the scan's one-channel example; values are 1, 2, 3 …


def layouts(say: Speaker, P: int) -> Markup:
    """Pieces of the sequence by groups of heads, with the rank that holds each, before and after an all-to-all."""
    drawn = [_panel(name, 0.55 * at, P, say) for at, name in enumerate(("tokens", "heads"))]
    arrow = note("⇄", 0.5, HEAD + P * PITCH / 2 + 6, "middle", "nl-value")
    drawing = svg(HEAD + P * PITCH + 18, *drawn, arrow, label=say("layouts.label", P=P))
    return figure(drawing, say("layouts.caption"), say("layouts.title", P=P))


def _panel(name: str, left: float, P: int, say: Speaker) -> Markup:
    """Rows are pieces of the sequence, columns groups of heads."""
    width = 0.45 / P
    cells = [
        box(left + column * width, HEAD + row * PITCH, width * 0.94, place("context", rank, P), rank, PITCH - 4)
        for row in range(P)
        for column in range(P)
        for rank in ((row if name == "tokens" else column),)
    ]
    title, foot = note(say("layouts." + name), left, 14, classes="nl-label"), HEAD + P * PITCH + 10
    return join([title, *cells, note(say("layouts.across"), left, foot)])


def ring_keys(say: Speaker) -> Markup:
    """Which block each rank of four has in each step, and what one query of rank 0 knows after it."""
    P, query, drawn = len(SCORES), Running(), []
    for step in range(P):
        blocks, y = held(P, step), HEAD + step * PITCH
        query = query.meet(SCORES[blocks[0]], VALUES[blocks[0]])
        known = say("ring-keys.known", m=units.number(query.m), l=f"{query.l:.2f}", o=f"{query.o:.2f}")
        drawn += [note(say("ring-keys.step", step=step), 0, y + 16), note(known, 1, y + 16, "end")]
        drawn += [
            box(0.12 + rank * 0.11, y, 0.1, place("context", block, P), f"KV{block}")
            for rank, block in enumerate(blocks)
        ]
    names = [note(f"Q{rank}", 0.17 + rank * 0.11, 14, "middle", "nl-label") for rank in range(P)]
    drawn.append(note(say("ring-keys.query"), 1, 14, "end", "nl-label"))
    exact = Running().meet(sum(SCORES, ()), sum(VALUES, ()))
    facts = {"m": units.number(exact.m), "l": f"{exact.l:.2f}", "o": f"{exact.o:.2f}"}
    drawing = svg(HEAD + P * PITCH, *names, *drawn, label=say("ring-keys.label", **facts))
    return figure(drawing, say("ring-keys.caption", **facts), say("ring-keys.title"))


def causal_split(say: Speaker, P: int) -> Markup:
    """A causal mask in 2P × 2P chunks with the rank that computes each row, in order and in zig-zag."""
    drawn = [_mask(name, 0.55 * at, P, say) for at, name in enumerate(("order", "zigzag"))]
    drawing = svg(HEAD + 2 * P * 16 + 22, *drawn, label=say("causal-split.label", P=P))
    shares = {"none": 1.0, "order": ring_time(P, False), "zigzag": ring_time(P, True)}
    rows = tuple(
        Bar(say("causal-split.time." + name), units.percent(value), (Part(value, "context", units.percent(value)),))
        for name, value in shares.items()
    )
    time = bars(rows, say("causal-split.times", bars="; ".join(f"{row.label} {row.text}" for row in rows)))
    return figure(join([drawing, time]), say("causal-split.caption"), say("causal-split.title", P=P))


def _mask(name: str, left: float, P: int, say: Speaker) -> Markup:
    zigzag, width, drawn = name == "zigzag", 0.4 / (2 * P), []
    for rank, owned in enumerate(chunks(P, zigzag)):
        for query in owned:
            y = HEAD + query * 16
            drawn.append(note(rank, left + 0.02, y + 12, "middle"))
            for key in range(query + 1):
                hue = place("context", rank, P)
                drawn.append(box(left + 0.05 + key * width, y, width * 0.92 * pairs(query, key), hue, "", 14))
    title = note(say("causal-split." + name), left, 14, classes="nl-label")
    ends = rank_work(P, zigzag)
    foot = say("causal-split.work", first=units.times_text(ends[0]), last=units.times_text(ends[-1]), end=P - 1)
    return join([title, *drawn, note(foot, left, HEAD + 2 * P * 16 + 14)])


def usp_splits(say: Speaker, S: int, h: int, kv: float) -> Markup:
    """Bytes a rank sends in the forward of one layer, by how eight ranks are divided into Ulysses and ring."""
    rows = tuple(_split(sequence.usp(S, *degrees, h, kv), say) for degrees in DEGREES)
    hues = {"inside": classes("comm", "gather"), "outside": classes("comm", "send")}
    shades = legend(tuple((hue, say("usp-splits." + kind)) for kind, hue in hues.items()))
    label = say("usp-splits.label", bars="; ".join(f"{row.label} {row.text}" for row in rows))
    facts = {"S": units.count(S), "h": units.number(h)}
    more = units.number(rows[-1].total / rows[0].total, 2)
    drawing = join([shades, bars(rows, label)])
    return figure(drawing, say("usp-splits.caption", more=more), say("usp-splits.title", **facts))


def _split(cut: sequence.Usps, say: Speaker) -> Bar:
    sizes = {"inside": (cut.inside, "gather"), "outside": (cut.outside, "send")}
    parts = tuple(
        Part(size, classes("comm", hue), f"{say('usp-splits.' + kind)}: {units.bytes_text(size, 'auto')}")
        for kind, (size, hue) in sizes.items()
        if size
    )
    return Bar(say("usp-splits.bar", ulysses=cut.ulysses, ring=cut.ring), units.bytes_text(cut.sent, "auto", 3), parts)


def kda_scan(say: Speaker) -> Markup:
    """Four ranks of four tokens in one channel: what each sends, the state it gets back, and what a plain sum gives."""
    alpha, beta = TOY
    ranks = [
        affine_scan.joined(affine_scan.token((alpha,), beta, (1.0,), (float(4 * rank + at),)) for at in range(1, 5))
        for rank in range(4)
    ]
    true, plain = affine_scan.incoming(ranks), affine_scan.summed(ranks)
    drawn = [note(say("kda-scan." + name), x, 14, side, "nl-label")
             for name, x, side in (("sent", 0.2, "start"), ("state", 0.72, "middle"), ("sum", 1, "end"))]  # fmt: skip
    for rank, stretch in enumerate(ranks):
        y = HEAD + rank * PITCH
        drawn += [
            note(say("kda-scan.rank", rank=rank), 0, y + 16),
            box(0.2, y, 0.17, place("context", rank, 4), f"M {stretch.M[0][0]:.2f}"),
            box(0.38, y, 0.17, place("context", rank, 4), f"S̃ {stretch.made[0][0]:.2f}"),
            box(0.64, y, 0.16, "context", f"{true[rank][0][0]:.2f}"),
            note(f"{plain[rank][0][0]:.2f}", 1, y + 16, "end"),
        ]
    facts = {"true": f"{true[-1][0][0]:.2f}", "plain": f"{plain[-1][0][0]:.2f}"}
    drawing = svg(HEAD + 4 * PITCH, *drawn, label=say("kda-scan.label", **facts))
    return figure(drawing, say("kda-scan.caption", **facts), say("kda-scan.title"))


def sent_bytes(say: Speaker, P: int, h: int, heads: int, d: int) -> Markup:
    """Forward bytes a rank sends in one layer, against the sequence: three lines that grow and one that does not."""
    curves = {
        "ring": [(S, sequence.ring(int(S), P, h, 1, 1).sent) for S in SEQUENCES],
        "ulysses": [(S, sequence.ulysses(int(S), P, h)) for S in SEQUENCES],
        "ring-gqa": [(S, sequence.ring(int(S), P, h, 1, 1, g=1 / 16).sent) for S in SEQUENCES],
        "kda": [(S, sequence.kda(P, heads, d)) for S in SEQUENCES],
    }
    lines = [
        Line(points, classes("context"), say("sent-bytes." + name), name == "kda") for name, points in curves.items()
    ]
    marks = [Mark(*points[-2][:1], say("sent-bytes." + name), classes("context"), points[-2][1], under=name == "kda")
             for name, points in curves.items()]  # fmt: skip
    x = Axis(SEQUENCES[0], SEQUENCES[-1], units.number, say("sent-bytes.x"))
    y = Axis(2e7, 3e10, lambda value: units.bytes_text(value, "auto"), say("sent-bytes.y"))
    facts = {"P": P, "h": units.number(h), "heads": heads, "d": d}
    ends = "; ".join(f"{say('sent-bytes.' + n)} {units.bytes_text(points[-1][1])}" for n, points in curves.items())
    drawing = loglog(lines, marks, x, y, say("sent-bytes.label", ends=ends, **facts))
    return figure(drawing, say("sent-bytes.caption", **facts), say("sent-bytes.title", **facts))


FIGURES = {
    "layouts": Figure(layouts, {"P": 4}),
    "ring-keys": Figure(ring_keys),
    "causal-split": Figure(causal_split, {"P": 4}),
    "usp-splits": Figure(usp_splits, {"S": 131072, "h": 4096, "kv": 1.0}),
    "kda-scan": Figure(kda_scan),
    "sent-bytes": Figure(sent_bytes, {"P": 8, "h": 4096, "heads": 96, "d": 128}),
}
