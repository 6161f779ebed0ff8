"""The memory lab's figure: the reader's inputs at ZeRO 0 to 3, stacked against the capacity of the card."""

from dataclasses import replace

from labs.controls import Values
from labs.draw.bars import Bar, Limit, Part, bars
from labs.draw.legend import legend
from labs.draw.svg import Markup, join
from labs.draw.svg import figure as framed
from labs.draw.theme import classes
from labs.models.gpu_memory import Bill, Choices, bill
from labs.models.memory import STAGES
from labs.units import both_bytes, number
from labs.words import Speaker

SHADES = {
    "weights": ("state", "parameter"),
    "gradients": ("state", "gradient"),
    "accumulation": ("state", "gradient"),
    "master": ("state", "master"),
    "momentum": ("state", "momentum"),
    "variance": ("state", "variance"),
    "kept": ("activation", "kept"),
    "working": ("activation", "recomputed"),
    "logits": ("activation", "logits"),
}


def parts(now: Bill) -> tuple[tuple[str, float], ...]:
    """What fills the card, in stacking order, without what is absent."""
    activations = (("kept", now.kept.stored), ("working", now.kept.working), ("logits", now.logits))
    return (*now.states.rows(), *((name, size) for name, size in activations if size))


def figure(c: Choices, room: float, values: Values, say: Speaker) -> Markup:
    drawn = {zero: bill(replace(c, zero=zero)) for zero in STAGES}
    limit = Limit(room, say("figure.capacity", capacity=f"{number(values.capacity)} {values.unit}"))
    label = say("figure.label", totals="; ".join(f"ZeRO-{z} {both_bytes(one.total)}" for z, one in drawn.items()))
    drawing = bars(tuple(_bar(zero, one, zero == c.zero, say) for zero, one in drawn.items()), label, limit)
    shown = {SHADES[name]: say(f"rows.{name}") for one in drawn.values() for name, _ in reversed(parts(one))}
    order = [shade for shade in dict.fromkeys(SHADES.values()) if shade in shown]
    caption = say("figure.caption", room=both_bytes(room))
    return framed(join([legend(tuple((classes(*shade), shown[shade]) for shade in order)), drawing]), caption)


def _bar(zero: int, one: Bill, chosen: bool, say: Speaker) -> Bar:
    stack = tuple(
        Part(size, classes(*SHADES[name]), f"{say('rows.' + name)}: {both_bytes(size)}") for name, size in parts(one)
    )
    return Bar(say(f"options.zero.{zero}"), both_bytes(one.total), stack, chosen)
