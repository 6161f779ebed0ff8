"""One column a rank, beside the column of what it is compared with: the shape of a quantity along the ranks."""

from collections.abc import Sequence
from dataclasses import dataclass

from labs.draw.scale import nice
from labs.draw.svg import Markup, percent, svg, tag
from labs.units import number

HEIGHT, HEAD, FOOT = 120, 16, 18
SPARSE = 16  # above this many columns not each of them is named


@dataclass(frozen=True)
class Column:
    """`parts` are stacked from the ground up: (value, classes, title)."""

    label: str
    parts: tuple[tuple[float, str, str], ...]
    beside: float | None = None
    beside_title: str = ""

    @property
    def total(self) -> float:
        return sum(value for value, _, _ in self.parts)


def columns(cells: Sequence[Column], label: str, least: float = 0.0) -> Markup:
    """All on one scale from zero, up to `least` at least; a column's own value stands above it where there is room."""
    high = max(least, *(max(cell.total, cell.beside or 0) for cell in cells)) or 1.0
    pitch, every = 1 / len(cells), 1 + (len(cells) - 1) // SPARSE
    middle = 0.5 if all(cell.beside is None for cell in cells) else 0.3
    drawn = [_cell(cell, i * pitch, pitch, high, middle, i % every == 0) for i, cell in enumerate(cells)]
    lines = [_line(at, high) for at in nice(high, 4) if at]
    return svg(HEAD + HEIGHT + FOOT, *lines, *drawn, label=label, class_="nl-columns")


def _cell(cell: Column, x: float, pitch: float, high: float, middle: float, named: bool) -> Markup:
    """`middle` of the column, as a fraction of its pitch."""
    top, drawn = float(HEAD + HEIGHT), []
    if cell.beside is not None:
        tall = HEIGHT * cell.beside / high
        drawn.append(_rect(x + 0.55 * pitch, 0.3 * pitch, HEAD + HEIGHT - tall, tall, "beside", cell.beside_title))
    for value, classes, title in cell.parts:
        tall = HEIGHT * value / high
        top -= tall
        drawn.append(_rect(x + (middle - 0.2) * pitch, 0.4 * pitch, top, tall, classes, title))
    if named:
        drawn.append(_text(cell.label, x + middle * pitch, HEAD + HEIGHT + 14, "nl-tick"))
        drawn.append(_text(number(cell.total), x + middle * pitch, top - 3, "nl-value"))
    return tag("g", *drawn)


def _rect(x: float, width: float, y: float, height: float, classes: str, title: str) -> Markup:
    at = {"x": percent(x), "width": percent(width), "y": f"{y:.1f}", "height": f"{height:.1f}"}
    return tag("rect", tag("title", title), **at, class_=classes)


def _text(text: str, x: float, y: float, classes: str) -> Markup:
    return tag("text", text, x=percent(x), y=f"{y:.1f}", text_anchor="middle", class_=classes)


def _line(at: float, high: float) -> Markup:
    y = f"{HEAD + HEIGHT * (1 - at / high):.1f}"
    return tag("line", x1="0", x2="100%", y1=y, y2=y, class_="nl-gridline")
