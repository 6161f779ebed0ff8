"""What each class of a figure means: a swatch and a word, in the order in which a bar is stacked."""

from labs.draw.svg import Markup, tag

SIDE = 14


def legend(entries: tuple[tuple[str, str], ...]) -> Markup:
    """`entries` are (classes, word); the swatch wears the same classes as the mark it explains."""
    return tag("ul", *(tag("li", _swatch(classes), word) for classes, word in entries), class_="nl-legend")


def _swatch(classes: str) -> Markup:
    square = tag("rect", width=SIDE, height=SIDE, class_=classes)
    return tag("svg", square, width=SIDE, height=SIDE, aria_hidden="true", class_="nl-swatch")
