"""Ranks as cells: blocks of cells with a label above each (a node and its GPUs), and a map of many small ones.

A cell says its number, and under it the coordinate that its shade shows, so that no meaning rests on colour alone.
"""

from dataclasses import dataclass

from labs.draw.svg import Markup, percent, svg, tag

LABEL, HEIGHT, GAP = 18, 40, 8
ACROSS, DOT = 32, 14  # cells in a row of a map, and the height of one
SHADES = 8
ROOM = 6  # letters of small text that a cell holds at 360 px; longer ones are set tighter there


@dataclass(frozen=True)
class Cell:
    """`text` is written large and `under` small; `classes` name its hue and marks; `title` is told at rest."""

    text: str
    under: str
    classes: str
    title: str


@dataclass(frozen=True)
class Block:
    label: str
    cells: tuple[Cell, ...]


def shade(place: int, of: int) -> str:
    """The class of one of eight shades of a hue: places along an axis run from the lightest to the strongest."""
    return f"shade-{place * (SHADES - 1) // (of - 1) if of > 1 else 0}"


def grid(blocks: tuple[Block, ...], label: str, across: int = 8) -> Markup:
    """Blocks below one another, at most `across` cells to a row, so that a cell holds four digits at 360 px."""
    drawn, top = [], 0
    for block in blocks:
        width = min(across, len(block.cells))
        cells = [_cell(cell, i % width, i // width, width, top + LABEL) for i, cell in enumerate(block.cells)]
        drawn.append(tag("g", tag("text", block.label, x=0, y=top + LABEL - 5, class_="nl-label"), *cells))
        top += LABEL + -(-len(block.cells) // width) * HEIGHT + GAP
    return svg(top - GAP, *drawn, label=label, class_="nl-grid")


def _cell(cell: Cell, column: int, row: int, across: int, top: int) -> Markup:
    y, middle = top + row * HEIGHT, percent((column + 0.5) / across)
    box = tag("rect", x=percent((column + 0.03) / across), width=percent(0.94 / across), y=y + 2, height=HEIGHT - 4)
    text = tag("text", cell.text, x=middle, y=y + 18, text_anchor="middle", class_="nl-value")
    small = "nl-under tight" if len(cell.under) > ROOM else "nl-under"
    under = tag("text", cell.under, x=middle, y=y + 32, text_anchor="middle", class_=small)
    return tag("g", tag("title", cell.title), box, text, under, class_=cell.classes)


def overview(cells: tuple[Cell, ...], label: str) -> Markup:
    """One small square for each of many cells, in rows of 32, without text: where something lies, not what it is.

    Squares of one class are one path, so that hundreds of them cost little to write and to redraw.
    """
    paths: dict[str, list[str]] = {}
    for i, cell in enumerate(cells):
        square = f"M{i % ACROSS + 0.06:g} {i // ACROSS + 0.08:g}h.88v.84h-.88z"
        paths.setdefault(cell.classes, []).append(square)
    down = -(-len(cells) // ACROSS)
    drawn = [
        tag("path", d="".join(squares), class_=classes, vector_effect="non-scaling-stroke")
        for classes, squares in paths.items()
    ]
    whole = tag("svg", *drawn, width="100%", height="100%", viewBox=f"0 0 {ACROSS} {down}", preserveAspectRatio="none")
    return svg(down * DOT, whole, label=label, class_="nl-grid nl-overview")
