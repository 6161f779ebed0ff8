"""One function writes every element and escapes everything that goes into it.

Figures are fluid: positions and widths are fractions of the width, written in percent, so that a figure fills
360 px or 720 px while its text keeps its size. Heights are in pixels.
"""


class Markup(str):
    """Text that is HTML or SVG already; a plain `str` is escaped wherever it is put into a tag."""

    __slots__ = ()


def escape(text: object) -> str:
    if isinstance(text, Markup):
        return text
    return str(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def join(parts: "list[Markup] | tuple[Markup, ...] | map[Markup]", between: str = "") -> Markup:
    return Markup(escape(between).join(map(escape, parts)))


VOID = frozenset(("input", "br", "hr", "img", "col"))


def attribute(name: str, value: object) -> str:
    """`class_` → class, `aria_label` → aria-label; True writes a bare attribute, None and False write none."""
    if value is None or value is False:
        return ""
    name = name.rstrip("_").replace("_", "-")
    # str() makes a Markup plain again: its quotes would end the attribute.
    return f" {name}" if value is True else f' {name}="{escape(str(value))}"'


def tag(element: str, /, *children: object, **attributes: object) -> Markup:
    """An element; children and attribute values are escaped unless they are Markup."""
    opening = element + "".join(attribute(key, value) for key, value in attributes.items())
    if element in VOID:
        return Markup(f"<{opening}>")
    return Markup(f"<{opening}>{''.join(map(escape, children))}</{element}>")


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
    head = tag("p", title, class_="nl-figure-title") if title else Markup("")
    return tag("figure", head, drawing, tag("figcaption", caption), class_="nl-figure")
