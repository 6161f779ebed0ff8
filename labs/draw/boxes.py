"""A box with a word in it: the piece of every picture that says who holds what, or what happens when."""

from labs.draw.grid import shade
from labs.draw.svg import Markup, percent, tag

HEIGHT = 24


def box(x: float, y: float, width: float, hue: str, text: object = "", height: float = HEIGHT) -> Markup:
    """`x` and `width` are fractions of the figure, `y` is px. On a full hue the text takes the paper's colour."""
    rect = tag("rect", x=percent(x), width=percent(width), y=f"{y:g}", height=f"{height:g}", class_=hue)
    if text == "":
        return rect
    middle, down = percent(x + width / 2), f"{y + height / 2 + 4:g}"
    word = tag("text", text, x=middle, y=down, text_anchor="middle", class_="nl-inside-text")
    return tag("g", rect, word, class_="nl-full" if full(hue) else None)


def full(hue: str) -> bool:
    """Whether a hue is drawn undiluted, so that text of the page's own colour would not read on it."""
    return not any(name == "idle" or name in LIGHT or name.startswith("shade-") for name in hue.split())


LIGHT = {"hidden", "gather", "scatter", "latency", "forward", "weight", "padding", "buffer", "dropped", "waiting",
         "recomputed", "offloaded", "momentum", "variance"}  # fmt: skip


def place(ledger: str, at: int, of: int) -> str:
    """One of `of` places along an axis, as a shade of its ledger."""
    return f"{ledger} {shade(at, of)}"


def note(text: object, x: float, y: float, side: str = "start", classes: str = "nl-under") -> Markup:
    """Words beside the boxes."""
    return tag("text", text, x=percent(x), y=f"{y:g}", text_anchor=side, class_=classes)
