"""One function writes every element and escapes everything that goes into it.

Figures are fluid: positions and widths are fractions of the width, written in percent, so that a figure fills
360 px or 720 px while its text keeps its size. Heights are in pixels.
"""

from functools import cache, lru_cache


class Markup(str):
    """Text that is HTML or SVG already; a plain `str` is escaped wherever it is put into a tag."""

    __slots__ = ()


def escape(text: object) -> str:
    return text if isinstance(text, Markup) else _escaped(str(text))


@lru_cache(maxsize=8192)
def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def join(parts: "list[Markup] | tuple[Markup, ...] | map[Markup]", between: str = "") -> Markup:
    return Markup(escape(between).join(map(escape, parts)))


VOID = frozenset(("input", "br", "hr", "img", "col"))


@cache
def _named(name: str) -> str:
    """`class_` → class, `aria_label` → aria-label."""
    return name.rstrip("_").replace("_", "-")


def tag(element: str, /, *children: object, **attributes: object) -> Markup:
    """An element; children and attribute values are escaped unless they are Markup.

    True writes a bare attribute, None and False write none. Half of an answer's time is spent here, hence the loop.
    """
    opening = element
    for name, value in attributes.items():
        if value is True:
            opening += " " + _named(name)
        elif value is not None and value is not False:
            # str() makes a Markup plain again: its quotes would end the attribute.
            opening += f' {_named(name)}="{_escaped(str(value))}"'
    if element in VOID:
        return Markup(f"<{opening}>")
    inner = "".join([child if isinstance(child, Markup) else escape(child) for child in children])
    return Markup(f"<{opening}>{inner}</{element}>")


def percent(fraction: float) -> str:
    """A fraction of the figure's width as an SVG length; three decimals are finer than a pixel."""
    return f"{100 * fraction:.3f}".rstrip("0").rstrip(".") + "%"


def svg(height: float, *children: object, label: str, class_: str = "") -> Markup:
    """A fluid drawing `height` px high; `label` is what a screen reader says in its place."""
    return tag(
        "svg", *children, class_=("nl-svg " + class_).strip(), width="100%", height=f"{height:g}",
        role="img", aria_label=label,
    )  # fmt: skip


def scroll(label: str, *children: object, least: str = "") -> Markup:
    """What may be wider than the page scrolls inside itself, by touch and by keyboard."""
    inner = tag("div", *children, style=f"min-width:{least}" if least else None)
    return tag("div", inner, class_="nl-scroll", role="group", aria_label=label, tabindex="0")


def figure(drawing: Markup, caption: str, title: str = "") -> Markup:
    """A drawing with its title above and, below, the sentence that says what to see in it."""
    head = tag("p", _tied(title), class_="nl-figure-title") if title else Markup("")
    return tag("figure", head, drawing, tag("figcaption", _tied(caption)), class_="nl-figure")


def _tied(text: str) -> str:
    """No line breaks beside an equals sign: a symbol stays with its value."""
    return text.replace(" = ", "\u00a0=\u00a0")
