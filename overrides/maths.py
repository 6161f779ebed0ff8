"""Formulas are set when the page is built: KaTeX in one Node process, each formula once for all pages and builds.

Takes over from pymdownx.arithmatex (generic), which finds the formulas and leaves `\\(…\\)` and `\\[…\\]`.
"""

import atexit
import json
import re
import shutil
import subprocess
import sys
from functools import cache
from html import unescape
from pathlib import Path

from markdown import Extension, Markdown
from markdown.postprocessors import Postprocessor
from markdown.preprocessors import Preprocessor

from overrides import kept
from overrides.place import Place

FORMULA = re.compile(r'<(span|div) class="arithmatex">\\([(\[])(.*?)\\[)\]]</\1>', re.S)
HERE = Path(__file__).parent
KATEX = HERE.parent / "node_modules" / "katex"
Formula = tuple[str, bool]


class Maths(Extension):
    def __init__(self, **options: object) -> None:
        self.config = {"place": [Place(), "the page's path, language and offset"]}
        super().__init__(**options)

    def extendMarkdown(self, md: Markdown) -> None:
        source = Source(md)
        md.preprocessors.register(source, "maths-source", 100)
        # After raw HTML is back in its place (30): arithmatex leaves blocks there.
        md.postprocessors.register(Typeset(md, source, self.getConfig("place")), "maths", 5)


class Source(Preprocessor):
    """Remembers the page's text, to tell the line of a formula that KaTeX refuses."""

    lines: list[str] = []

    def run(self, lines: list[str]) -> list[str]:
        self.lines = lines
        return lines

    def line(self, tex: str) -> int:
        """The first line that holds the formula's first line; 0 when it is written otherwise there."""
        first = tex.strip().split("\n")[0]
        return next((i for i, text in enumerate(self.lines) if first in text), 0)


class Typeset(Postprocessor):
    def __init__(self, md: Markdown, source: Source, place: Place) -> None:
        super().__init__(md)
        self.source, self.place = source, place

    def run(self, text: str) -> str:
        found = [(unescape(match[3]), match[2] == "[") for match in FORMULA.finditer(text)]
        made = rendered(list(dict.fromkeys(found)))
        for (tex, _), one in made.items():
            if "error" in one:
                raise self.place.mistake(self.source.line(tex), f"formula {tex.strip()!r}: {one['error']}")
        return FORMULA.sub(lambda match: element(made[unescape(match[3]), match[2] == "["]["html"], match[2]), text)


def element(html: str, kind: str) -> str:
    """A custom element, for search to pass over as one; what is wider than the page scrolls inside itself."""
    block = ' class="nl-display" tabindex="0" role="group"' if kind == "[" else ""
    return f'<nl-math{block} data-search-exclude="">{html}</nl-math>'


def rendered(formulas: list[Formula]) -> dict[Formula, dict[str, str]]:
    """Each formula's `{html}` from the cache or from KaTeX, or its `{error}`."""
    keys = {formula: kept.digest(version(), formula[0], str(formula[1])) for formula in formulas}
    held = {formula: kept.find("maths", key) for formula, key in keys.items()}
    wanted = [formula for formula, html in held.items() if html is None]
    made = dict(zip(wanted, ask(wanted), strict=True)) if wanted else {}
    for formula, one in made.items():
        if "html" in one:
            kept.keep("maths", keys[formula], one["html"])
    return made | {formula: {"html": html} for formula, html in held.items() if html is not None}


@cache
def version() -> str:
    """What the HTML of a formula depends on besides the formula."""
    package = json.loads((KATEX / "package.json").read_text("utf-8"))
    return str(package["version"]) + (HERE / "katex.cjs").read_text("utf-8")


@cache
def node() -> subprocess.Popen[str]:
    """One process for all pages; it ends with its standard input."""
    beside = Path(sys.executable).with_name("node")
    program = str(beside) if beside.exists() else shutil.which("node")
    if program is None:
        raise FileNotFoundError("node is not installed: `make` sets it up")
    process = subprocess.Popen(
        [program, str(HERE / "katex.cjs")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
    )
    atexit.register(process.kill)
    return process


def close() -> None:
    """Ends the process of this build; the next that needs one starts its own."""
    if node.cache_info().currsize:
        node().kill()
        node().wait()
        node.cache_clear()


def ask(formulas: list[Formula]) -> list[dict[str, str]]:
    process = node()
    assert process.stdin and process.stdout
    process.stdin.write(json.dumps(formulas) + "\n")
    process.stdin.flush()
    return list(json.loads(process.stdout.readline()))


def files() -> dict[str, Path | str]:
    """{path in the site: file or text}: KaTeX's style sheet and the fonts it names, of one format."""
    style = (KATEX / "dist" / "katex.min.css").read_text("utf-8")
    style = re.sub(r',url\([^)]*\.(?:woff|ttf)\) format\("[^"]*"\)', "", style)
    fonts = sorted(set(re.findall(r"url\((fonts/[^)]*\.woff2)\)", style)))
    return {"assets/katex/katex.css": style} | {f"assets/katex/{font}": KATEX / "dist" / font for font in fonts}


def makeExtension(**options: object) -> Maths:
    return Maths(**options)
