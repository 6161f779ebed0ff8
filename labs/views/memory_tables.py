"""The memory lab's tables beside its rows: the four stages, three widths of gradient, three policies, the traffic."""

from dataclasses import replace

from labs.answer import Table
from labs.models.gpu_memory import Bill, Choices, bill
from labs.models.memory import STAGES
from labs.models.recipes import GRADIENTS
from labs.units import both_bytes, bytes_text, count
from labs.views.memory_form import POLICIES_OFFERED
from labs.words import Speaker


def tables(c: Choices, now: Bill, room: float, say: Speaker) -> tuple[Table, ...]:
    found = [stages(c, room, say), traffic(c, say)]
    if now.states.gradients and c.recipe != "fsdp2":
        found.append(gradients(c, room, say))
    if c.block != "off":
        found.append(policies(c, room, say))
    if c.routed:
        found.append(uniform(c, say))
    return tuple(found)


def head(say: Speaker, *keys: str) -> tuple[str, ...]:
    return tuple(say("heads." + key) for key in keys)


def fits(total: float, room: float, say: Speaker) -> str:
    return say("cells.fits" if total <= room else "cells.over", by=bytes_text(abs(room - total)))


def stages(c: Choices, room: float, say: Speaker) -> Table:
    def row(zero: int) -> tuple[str, ...]:
        one = bill(replace(c, zero=zero))
        sizes = [one.states.weights, one.states.gradients + one.states.accumulation, one.states.optimizer]
        sizes += [one.kept.total + one.logits] if c.block != "off" else []
        return (say(f"options.zero.{zero}"), *map(bytes_text, sizes), both_bytes(one.total), fits(one.total, room, say))

    activations = ("activations",) if c.block != "off" else ()
    names = head(say, "stage", "weights", "gradients", "optimizer", *activations, "total", "verdict")
    return Table(say("tables.stages"), names, tuple(map(row, STAGES)), c.zero)


def traffic(c: Choices, say: Speaker) -> Table:
    def row(zero: int) -> tuple[str, ...]:
        moving = bill(replace(c, zero=zero)).traffic
        passes = f"{moving.gathers + moving.scatters:g}P = " if moving.elements else ""  # a single rank has no traffic
        return say(f"options.zero.{zero}"), passes + count(moving.elements), both_bytes(moving.sent)

    names = head(say, "stage", "paper", "ring")
    return Table(say("tables.traffic"), names, tuple(map(row, STAGES)), c.zero)


def gradients(c: Choices, room: float, say: Speaker) -> Table:
    def row(width: str) -> tuple[str, ...]:
        one = bill(replace(c, gradients=width))
        each = replace(c, gradients=width).bytes_each.total
        return say(f"options.gradients.{width}"), f"{each:g}", both_bytes(one.total), fits(one.total, room, say)

    names = head(say, "gradient", "bytes", "total", "verdict")
    own = c.bytes_each
    chosen = next((i for i, width in enumerate(GRADIENTS.values()) if width == (own.gradients, own.accumulation)), None)
    return Table(say("tables.gradients"), names, tuple(map(row, GRADIENTS)), chosen)


def policies(c: Choices, room: float, say: Speaker) -> Table:
    def row(way: str) -> tuple[str, ...]:
        one = bill(replace(c, recompute=way))
        sizes = (one.kept.stored, one.kept.working, one.kept.total)
        named = say(f"options.recompute.{way}") if way in POLICIES_OFFERED else way
        return (named, *map(bytes_text, sizes), fits(one.total, room, say))

    ways = tuple(dict.fromkeys((*POLICIES_OFFERED, c.recompute)))
    names = head(say, "policy", "stored", "working", "activations", "verdict")
    return Table(say("tables.policies"), names, tuple(map(row, ways)), ways.index(c.recompute))


def uniform(c: Choices, say: Speaker) -> Table:
    """An even cut of the printed total is a lower bound: only routed experts are cut that finely."""
    even, real = bill(replace(c, routed=0)), bill(c)
    cells = ((say("cells.uniform"), even), (say("cells.uneven"), real))
    rows = tuple((name, both_bytes(one.states.total)) for name, one in cells)
    return Table(say("tables.uniform"), head(say, "cut", "states"), rows, 1)
