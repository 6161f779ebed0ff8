"""How narrow a column of a table may become: what is longer scrolls, so that no text is squeezed into a tower."""

import re
from collections.abc import Iterable
from math import sqrt

HAN = "\u2e80"  # from here on a letter is as wide as the type is high
LATIN, SPACE = 0.64, 1.3  # em of another letter on average, and of the gap between two columns
SHORT, LONG = 6.0, 24.0  # em up to which a text stands on one line, and that no column asks for more of
SQUARE = 1.5  # a longer text takes about this many times the root of its length: wider than it is high
TAGS = re.compile(r"<[^>]*>")


def ems(text: str) -> float:
    """The width of a text on one line, about."""
    return sum(1.0 if letter >= HAN else LATIN for letter in text)


def least(texts: Iterable[object]) -> str:
    """The style of a column's head whose cells are `texts`; at least one is needed."""
    seen = (TAGS.sub("", text) if "<" in text else text for text in map(str, texts))
    longest = ems(max(seen, key=len))
    wide = longest if longest <= SHORT else min(LONG, max(SHORT, SQUARE * sqrt(longest)))
    return f"min-width:{wide + SPACE:.1f}em"
