"""One column a rank against two lines: the mean, which a perfect split would give, and the busiest, which all wait for.

Columns are written by one string join, since there may be a thousand of them at every change.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from labs.draw.svg import Markup, escape, percent, svg, tag

HEIGHT, HEAD, FOOT = 150, 40, 18
NAMED = 16  # above this many columns not each of them is named


@dataclass(frozen=True)
class Load:
    """`title` is told at rest; `name` stands at the foot, the rank's number where there is none."""

    value: float
    title: str
    name: str = ""


def loads(columns: Sequence[Load], classes: str, mean: tuple[float, str], busiest: str, label: str) -> Markup:
    """`mean` is its value and its text; `busiest` is the text of the line at the highest column."""
    high = max(column.value for column in columns) or 1.0
    pitch, every = 100 / len(columns), 1 + (len(columns) - 1) // NAMED
    pieces = []
    for i, column in enumerate(columns):
        tall = HEIGHT * column.value / high
        hottest = " busiest" if column.value == high else ""
        pieces.append(
            f'<rect class="{classes}{hottest}" x="{(i + 0.1) * pitch:.3f}%" width="{0.8 * pitch:.3f}%"'
            f' y="{HEAD + HEIGHT - tall:.1f}" height="{tall:.1f}"><title>{escape(column.title)}</title></rect>'
        )
    names = [_foot(columns[i].name or str(i), (i + 0.5) / len(columns)) for i in range(0, len(columns), every)]
    top = _level(HEAD, busiest, "nl-limit", "end", "100%", HEAD - 6)
    level = HEAD + HEIGHT * (1 - mean[0] / high)
    middle = _level(level, mean[1], "nl-mean", "start", "0", HEAD - 24)
    return svg(HEAD + HEIGHT + FOOT, Markup("".join(pieces)), *names, top, middle, label=label, class_="nl-loads")


def _foot(name: str, at: float) -> Markup:
    return tag("text", name, x=percent(at), y=HEAD + HEIGHT + 14, text_anchor="middle", class_="nl-tick")


def _level(at: float, text: str, classes: str, side: str, x: str, y: float) -> Markup:
    """A line across, and its text above the figure where no column covers it."""
    line = tag("line", x1=0, x2="100%", y1=f"{at:.1f}", y2=f"{at:.1f}", class_=classes)
    return tag("g", line, tag("text", text, x=x, y=f"{y:g}", text_anchor=side, class_=classes + "-text"))
