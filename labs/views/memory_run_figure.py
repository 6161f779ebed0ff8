"""The stages of a real run as bars against the card, and as a table."""

from labs.answer import Table
from labs.controls import Values
from labs.draw.bars import Bar, Limit, Part, bars
from labs.draw.legend import legend
from labs.draw.svg import Markup, join
from labs.draw.svg import figure as framed
from labs.draw.theme import classes
from labs.models.rank_lines import Memory
from labs.units import both_bytes, bytes_text, number
from labs.views.memory_run_asked import Run
from labs.words import Speaker

MOST = 16  # bars; of more stages an even choice is drawn, with the first, the last and the heaviest
SHADES = {
    "weights": ("state", "parameter"),
    "gradients": ("state", "gradient"),
    "optimizer": ("state", "master"),
    "activations": ("activation", "kept"),
    "working": ("activation", "recomputed"),
    "logits": ("activation", "logits"),
    "buffers": ("comm", "send"),
}


def parts(memory: Memory) -> dict[str, float]:
    """What fills a card, gathered under the names of the legend."""
    states, named = memory.held.states, {line.name: line.size for line in memory.lines}
    found = {
        "weights": states.weights,
        "gradients": states.gradients + states.accumulation,
        "optimizer": states.optimizer,
        "activations": named.get("layers", 0) + named.get("prediction", 0),
        "working": named.get("working", 0),
        "logits": named.get("logits", 0) + named.get("head input", 0),
    }
    return found | {"buffers": memory.total - sum(found.values())}


def drawn(count: int, heaviest: int) -> list[int]:
    if count <= MOST:
        return list(range(count))
    step = (count - 1) / (MOST - 2)
    return sorted({round(i * step) for i in range(MOST - 1)} | {heaviest})


def figure(run: Run, memories: tuple[Memory, ...], heaviest: int, room: float, values: Values, say: Speaker) -> Markup:
    layers = run.degrees.stages(run.shape)
    rows = []
    for stage in drawn(len(memories), heaviest):
        stack = [(name, size) for name, size in parts(memories[stage]).items() if size > 0.5]
        pieces = tuple(
            Part(size, classes(*SHADES[name]), f"{say('parts.' + name)}: {both_bytes(size)}") for name, size in stack
        )
        label = say("figure.stage", stage=stage, layers=layers[stage])
        rows.append(Bar(label, both_bytes(memories[stage].total), pieces, stage == heaviest))
    capacity = say("figure.capacity", capacity=f"{number(values.capacity)} {values.unit}")
    label = say("figure.run_label", stage=heaviest, total=both_bytes(memories[heaviest].total))
    entries = tuple((classes(*shade), say("parts." + name)) for name, shade in SHADES.items())
    drawing = bars(tuple(rows), label, Limit(room, capacity))
    return framed(join([legend(entries), drawing]), say("figure.run_caption", room=both_bytes(room)))


def tables(run: Run, memories: tuple[Memory, ...], heaviest: int, room: float, say: Speaker) -> tuple[Table, ...]:
    layers = run.degrees.stages(run.shape)

    def row(stage: int, memory: Memory) -> tuple[object, ...]:
        sizes = parts(memory)
        rest = memory.total - sum(sizes[name] for name in ("weights", "gradients", "optimizer", "activations"))
        cells = [bytes_text(sizes[name], "GiB") for name in ("weights", "gradients", "optimizer", "activations")]
        fits = say(
            "cells.fits" if memory.total <= room else "cells.over", by=bytes_text(abs(room - memory.total), "GiB")
        )
        head = (stage, layers[stage], f"{number(memory.held.parameters / 1e9)}e9", number(memory.in_flight))
        return (*head, *cells, bytes_text(rest, "GiB"), bytes_text(memory.total, "GiB"), fits)

    keys = (
        "stage_at",
        "layers",
        "share",
        "flight",
        "weights",
        "gradients",
        "optimizer",
        "activations",
        "rest",
        "total",
    )
    names = tuple(say("heads." + key) for key in (*keys, "verdict"))
    return (Table(say("tables.run"), names, tuple(row(i, one) for i, one in enumerate(memories)), heaviest),)
