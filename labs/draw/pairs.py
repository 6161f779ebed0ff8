"""Two boxes and an arrow: an amount of one ledger, and what became of it in another."""

from dataclasses import dataclass

from labs.draw.boxes import HEIGHT, box, note
from labs.draw.svg import Markup, percent, svg, tag

WIDE, PITCH, TOP = 0.44, 72, 21  # a box's share of the width; px from pair to pair, and from a pair's name to its boxes


@dataclass(frozen=True)
class Side:
    """`amount` stands in the box, `words` under it; `classes` are those of its ledger."""

    classes: str
    amount: str
    words: str


@dataclass(frozen=True)
class Pair:
    name: str
    left: Side
    right: Side

    @property
    def spoken(self) -> str:
        left, right = (f"{side.words} {side.amount}" for side in (self.left, self.right))
        return f"{self.name}: {left} → {right}"


def pairs(rows: tuple[Pair, ...], label: str) -> Markup:
    drawn = [_pair(row, i * PITCH) for i, row in enumerate(rows)]
    return svg(len(rows) * PITCH - 6, *drawn, label=label, class_="nl-pairs")


def _pair(row: Pair, top: float) -> Markup:
    under = top + TOP + HEIGHT + 13
    return tag(
        "g",
        tag("text", row.name, x=0, y=top + 14, class_="nl-label"),
        box(0, top + TOP, WIDE, row.left.classes, row.left.amount),
        note("→", 0.5, top + TOP + 17, "middle", "nl-value"),
        box(1 - WIDE, top + TOP, WIDE, row.right.classes, row.right.amount),
        note(row.left.words, 0, under),
        tag("text", row.right.words, x=percent(1 - WIDE), y=under, class_="nl-under"),
    )
