"""A table that is wider than the page scrolls inside itself, by touch and by keyboard; its head row names it."""

import re
from xml.etree.ElementTree import Element

from markdown import Extension, Markdown
from markdown.treeprocessors import Treeprocessor

from labs.draw.cells import least
from overrides.place import Place

LABEL = {"zh": "表格：", "en": "Table: "}
LINK = re.compile(r'\[([^]]*)\]\([^")]*(?:"[^"]*")?\)(?:\{\.[^}]*\})?')
LATER = re.compile("\x02[^\x03]*\x03")  # a figure that comes back when all else is HTML
UNSEEN = re.compile(r"<small.*?</small>|<[^>]*>|\\[a-zA-Z]+|[{}$^_*`\\]", re.DOTALL)


class Tables(Extension):
    def __init__(self, **options: object) -> None:
        self.config = {"place": [Place(), "the page's path, language and offset"]}
        super().__init__(**options)

    def extendMarkdown(self, md: Markdown) -> None:
        # Before text in cells is parsed (20), while it still reads as it was written.
        md.treeprocessors.register(Wrapper(md, self.getConfig("place").language), "scrolling-tables", 25)


class Wrapper(Treeprocessor):
    def __init__(self, md: Markdown, language: str) -> None:
        super().__init__(md)
        self.language = language

    def run(self, root: Element) -> None:
        for parent in list(root.iter()):
            for at, child in enumerate(list(parent)):
                if child.tag == "table":
                    parent[at] = self.wrapped(child)

    def wrapped(self, table: Element) -> Element:
        """The class keeps the theme from wrapping it once more when the page is open."""
        table.set("class", "nl-data")
        heads = [(cell, "".join(cell.itertext()).strip()) for cell in table.iter("th")]
        for cell, text in heads:
            if not text:  # a corner is no head of anything
                cell.tag = "td"
        rows = [["".join(cell.itertext()) for cell in row] for row in table.iter("tr")]
        for (cell, _), *texts in zip(heads, *rows, strict=False):
            cell.set("style", f"{cell.get('style', '')} {least(map(read, texts))}".strip())
        words = [text for _, text in heads if text and "$" not in text and text.isprintable()]
        label = LABEL[self.language] + ", ".join(words)
        wrapper = Element("div", {"class": "nl-scroll", "tabindex": "0", "role": "group", "aria-label": label})
        wrapper.append(table)
        return wrapper


def read(written: str) -> str:
    """About what a reader will see of a cell: no addresses, no origins of figures, no marks of Markdown or TeX."""
    return UNSEEN.sub("", LINK.sub(r"\1", LATER.sub("00.0 GB", written))).strip()


def makeExtension(**options: object) -> Tables:
    return Tables(**options)
