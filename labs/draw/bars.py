"""Stacked bars against a limit: a label and its number above each bar, so that nothing is squeezed at 360 px."""

from dataclasses import dataclass

from labs.draw.scale import Scale, linear
from labs.draw.svg import Markup, percent, svg, tag

HEIGHT, LABEL, GAP = 24, 22, 14


@dataclass(frozen=True)
class Part:
    """One piece of a bar: its value, its classes (see theme), and what a pointer resting on it is told."""

    value: float
    classes: str
    title: str


@dataclass(frozen=True)
class Bar:
    label: str
    text: str
    parts: tuple[Part, ...]
    chosen: bool = False

    @property
    def total(self) -> float:
        return sum(part.value for part in self.parts)


@dataclass(frozen=True)
class Limit:
    """A line across all bars, such as a device's capacity."""

    value: float
    text: str


def bars(rows: tuple[Bar, ...], label: str, limit: Limit | None = None) -> Markup:
    """All bars on one scale; the longest, or the limit if that is longer, fills 96 % of the width."""
    high = max([row.total for row in rows] + ([limit.value] if limit else [])) or 1.0
    scale, top = linear(0, high / 0.96), LABEL if limit else 0
    pitch = HEIGHT + LABEL + GAP
    drawn = [_bar(row, top + i * pitch, scale) for i, row in enumerate(rows)]
    names = [_named(row, top + i * pitch) for i, row in enumerate(rows)]
    height = top + len(rows) * pitch
    line = _limit(limit, scale(limit.value), height) if limit else Markup("")
    return svg(height, *drawn, line, *names, label=label, class_="nl-bars")


def _bar(row: Bar, y: float, scale: Scale) -> Markup:
    edge, drawn = 0.0, []
    for part in row.parts:
        width = scale(part.value)
        drawn.append(
            tag("rect", tag("title", part.title), x=percent(edge), y=f"{y + LABEL:g}", width=percent(width),
                height=HEIGHT, class_=part.classes)
        )  # fmt: skip
        edge += width
    if row.chosen:
        drawn.append(tag("rect", width=percent(edge), y=f"{y + LABEL:g}", height=HEIGHT, class_="nl-frame"))
    return tag("g", *drawn, class_="nl-bar chosen" if row.chosen else "nl-bar")


def _named(row: Bar, y: float) -> Markup:
    """Label and number, drawn after the limit, whose line would cross them."""
    name = tag("text", row.label, x="0", y=f"{y + LABEL - 6:g}", class_="nl-label")
    text = tag("text", row.text, x="100%", y=f"{y + LABEL - 6:g}", text_anchor="end", class_="nl-value")
    return tag("g", name, text, class_="nl-named chosen" if row.chosen else "nl-named")


def _limit(limit: Limit, at: float, height: float) -> Markup:
    line = tag("line", x1=percent(at), x2=percent(at), y1=LABEL - 4, y2=f"{height:g}", class_="nl-limit")
    anchor = "end" if at > 0.5 else "start"
    return tag("g", line, tag("text", limit.text, x=percent(at), y=12, text_anchor=anchor, class_="nl-limit-text"))
