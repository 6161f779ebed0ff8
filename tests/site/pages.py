"""What the tests ask of a built page: its links, its anchors, its words, its numbers."""

import re
from dataclasses import dataclass, field
from functools import cache
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

ROOTS = {"zh": "", "en": "en/"}  # where each edition begins
VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
UNREAD = {"script", "style", "title"}
MATHS = re.compile(r"<math[ >].*?</math>", re.S)
Attributes = dict[str, str]


def read_formula(maths: str) -> str:
    """`<math>…</math>` without its marks, with the hyphen that people type for a minus."""
    return re.sub(r"<[^>]+>|\s", "", unescape(maths)).replace("\u2212", "-")


@dataclass
class Page:
    """`tags` has every start tag in order; `words` the text outside scripts; `headings` (level, id)."""

    path: str
    html: str
    tags: list[tuple[str, Attributes]] = field(default_factory=list)
    words: str = ""

    @property
    def language(self) -> str:
        return "en" if self.path.startswith("en/") else "zh"

    @property
    def ids(self) -> set[str]:
        return {attributes["id"] for _, attributes in self.tags if "id" in attributes}

    @property
    def headings(self) -> list[tuple[str, str]]:
        return [
            (tag, attributes["id"]) for tag, attributes in self.tags if tag in ("h1", "h2", "h3") and "id" in attributes
        ]

    @property
    def formulas(self) -> list[str]:
        """What each formula reads as, from its MathML."""
        return [read_formula(one) for one in MATHS.findall(self.html)]

    def all(self, tag: str, **wanted: str) -> list[Attributes]:
        """Attributes of each such tag that has these values; a trailing underscore as in `class_`."""
        pairs = {name.rstrip("_").replace("_", "-"): value for name, value in wanted.items()}
        return [have for name, have in self.tags if name == tag and pairs.items() <= have.items()]

    def having(self, attribute: str) -> list[tuple[str, Attributes]]:
        return [(tag, attributes) for tag, attributes in self.tags if attribute in attributes]

    def classed(self, name: str) -> list[Attributes]:
        return [attributes for _, attributes in self.tags if name in attributes.get("class", "").split()]


class _Reader(HTMLParser):
    def __init__(self, page: Page) -> None:
        super().__init__()
        self.page = page
        self.inside: list[str] = []
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.page.tags.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in VOID:
            self.inside.append(tag)

    def handle_endtag(self, tag: str) -> None:
        while self.inside and self.inside.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if not UNREAD & set(self.inside):
            self.words.append(data)


def of(pages: dict[str, Page], edition: str, place: str) -> Page:
    """The page that an edition has at a folder such as `reading/zero/`; the home page is at none."""
    return pages[f"{ROOTS[edition]}{place}index.html"]


@cache
def read(site: Path) -> dict[str, Page]:
    """Every page of a built site by its path, 404 included."""
    pages = {}
    for file in sorted(site.rglob("*.html")):
        page = Page(file.relative_to(site).as_posix(), file.read_text("utf-8"))
        reader = _Reader(page)
        reader.feed(page.html)
        page.words = "".join(reader.words)
        pages[page.path] = page
    return pages
