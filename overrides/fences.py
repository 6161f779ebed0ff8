"""Markdown → HTML for any Python-Markdown generator: labs, figures, worked numbers, terms, citations, claims.

    ```lab                        ```figure              ```chain   ```card    ```glossary   ```errata
    name: memory                  name: states-by-stage  ```        id: zero   ```           ```
    preset: M2                    ```
    dp: 64
    ```

    `=states(7e9, dp=8, zero=1).total/GB:.1f`   [text](term:activation)   [](cite:zero#§3.1)   [](claim:v3-gpus)
    [text](preset:M2)

Everything is resolved before Markdown is parsed, line by line, so that a mistake is told with its file and line.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from difflib import get_close_matches
from importlib import import_module

from markdown import Extension, Markdown
from markdown.preprocessors import Preprocessor

from labs import lab
from labs.draw.theme import LEDGERS
from labs.refusal import BadValue
from overrides import cards, citations, errata, glossary, graph, kept, shell, worked
from overrides.facts import Unknown
from overrides.place import Mistake, Place

FENCE = re.compile(r"(?P<indent>\s*)(?P<mark>`{3,}|~{3,})\s*(?P<kind>[\w-]*)[^`]*$")
CODE = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)")
LINK = re.compile(r"\[(?P<text>[^\[\]]*)\]\((?P<kind>term|cite|claim|preset):(?P<key>[^)\s]+)\)")
# A space between a number, or what stands for one, and its unit or its Chinese measure word; formulas are left alone.
UNIT = r"(?:%|[kKMGTP]i?[Bb]|B|[mµn]?s|min|h|[MGTP]?FLOPs?)(?![A-Za-z])"
GAP = re.compile(rf"(\$[^$]*\$)|(?<=[\d\x03]) (?=[\u4e00-\u9fff]|{UNIT})|(?<=第) (?=\d)")
MINE = ("lab", "figure", "chain", "card", "glossary", "errata", "command", "reference")
# What else an author names: a box at the start of a line, and the ledger whose colour a link takes.
NAMED = {
    "box": (re.compile(r"^\s*(?:!!!|\?\?\?\+?) +([\w-]+)"), ("question", "saves", "takeaway", "note", "answer")),
    "ledger": (re.compile(r"\{\.ledger \.([\w-]+)\}"), LEDGERS),
}


class Fences(Extension):
    """Options: `place`, the Place of the page, which whoever converts it knows."""

    def __init__(self, **options: object) -> None:
        self.config = {"place": [Place(), "the page's path, language and offset"]}
        super().__init__(**options)

    def extendMarkdown(self, md: Markdown) -> None:
        # After white space is normal (30), before fenced code is taken away (25).
        md.preprocessors.register(Resolver(md, self.getConfig("place")), "nine-ledgers", 27)


class Resolver(Preprocessor):
    def __init__(self, md: Markdown, place: Place) -> None:
        super().__init__(md)
        self.place = place
        self.seen: Counter[str] = Counter()
        self.kinds: dict[str, Callable[[dict[str, str]], str]] = {
            "lab": self.lab,
            "figure": self.figure,
            "chain": lambda options: graph.graph(options, place),
            "card": lambda options: cards.card(options, place),
            "glossary": lambda options: glossary.glossary(options, place),
            "errata": lambda options: errata.errata(options, place),
            "command": lambda options: shell.command(options, place),
            "reference": lambda options: shell.reference(options, place),
        }

    def run(self, lines: list[str]) -> list[str]:
        return list(self.resolved(lines))

    def resolved(self, lines: list[str]) -> Iterator[str]:
        at = 0
        while at < len(lines):
            opening = FENCE.match(lines[at])
            if not opening:
                yield self.line(lines[at], at)
                at += 1
                continue
            end = self.end(lines, at, opening["mark"])
            if opening["kind"] in MINE:
                yield opening["indent"] + self.block(opening["kind"], lines[at:end], at)
            elif near := get_close_matches(opening["kind"], MINE, 1, 0.7):
                raise self.place.mistake(at, f"no fence is called {opening['kind']!r}; did you mean {near[0]!r}?")
            else:
                yield from lines[at : end + 1]
            at = end + 1

    def end(self, lines: list[str], start: int, mark: str) -> int:
        for at in range(start + 1, len(lines)):
            if lines[at].strip().startswith(mark) and not lines[at].strip().strip(mark[0]):
                return at
        raise self.place.mistake(start, f"this fence is never closed; close it with a line {mark}")

    def block(self, kind: str, lines: list[str], at: int) -> str:
        options = self.options(kind, lines, at)
        try:
            return self.md.htmlStash.store(self.kinds[kind](options))
        except (BadValue, Unknown, Mistake) as wrong:
            if isinstance(wrong, BadValue) and wrong.field == "lab":  # a fence calls it by its name
                wrong.field = "name"
            # A refusal names its field: point at the line that sets it.
            field = getattr(wrong, "field", "")
            line = next((i for i, text in enumerate(lines) if text.strip().startswith(f"{field}:")), 0) if field else 0
            raise self.place.mistake(at + line, f"{kind} fence: {wrong}") from wrong
        except Exception as wrong:  # a fault of ours, not of the page: keep it whole, and say which page met it
            wrong.add_note(f"in the {kind} fence at {self.place.mistake(at, '')}")
            raise

    def options(self, kind: str, lines: list[str], at: int) -> dict[str, str]:
        options: dict[str, str] = {}
        for i, text in enumerate(lines[1:], at + 1):
            name, colon, value = text.strip().partition(":")
            if text.strip() and not colon:
                raise self.place.mistake(i, f"{kind} fence: {text.strip()!r} is not a line `name: value`")
            if colon:
                options[name.strip()] = value.strip()
        return options

    def lab(self, options: dict[str, str]) -> str:
        """The finished lab; `instance` names it in the address, otherwise the second memory lab is memory-2."""
        name = options.pop("name", "")
        self.seen[name] += 1
        nth = self.seen[name]
        instance = options.pop("instance", name if nth == 1 else f"{name}-{nth}")
        form = lab.find(name).form(options.pop("preset", ""), options)
        parts = (kept.code(), name, instance, self.place.language, repr(sorted(form.items())))
        return kept.once("labs", parts, lambda: self.built(name, form, instance))

    def built(self, name: str, form: dict[str, str], instance: str) -> str:
        return str(lab.html(name, form, self.place.language, instance, data_search_exclude=""))

    def figure(self, options: dict[str, str]) -> str:
        """A drawn figure from labs/figures, which joins a model's result to a drawing."""
        parts = (kept.code(), self.place.language, repr(sorted(options.items())))
        draw = import_module("labs.figures").draw
        return kept.once("figures", parts, lambda: str(draw(options.pop("name", ""), self.place.language, options)))

    def line(self, text: str, at: int) -> str:
        """Worked numbers first, other code put aside, then links: a link may hold a number, code holds no link."""
        self.check_names(text, at)
        aside: list[str] = []

        def code(found: re.Match[str]) -> str:
            if found[1] == "`" and found[2][0] == "=" and len(found[2]) > 1:
                return self.worked(found[2][1:], at)
            aside.append(found[0])
            return f"\x00{len(aside) - 1}\x00"

        text = LINK.sub(lambda found: self.link(found, at), CODE.sub(code, text))
        if not text.startswith("#") or "{#" in text:  # a heading without an anchor becomes one
            text = GAP.sub(lambda found: found[1] or "\u00a0", text)
        return re.sub("\x00(\\d+)\x00", lambda found: aside[int(found[1])], text)

    def check_names(self, text: str, at: int) -> None:
        """Mistake: a box or a ledger that there is not; the theme would draw it without its colour and say nothing."""
        for kind, (written, names) in NAMED.items():
            for name in written.findall(CODE.sub("", text)):
                if name not in names:
                    raise self.place.mistake(at, f"no {kind} is called {name!r}; there are {', '.join(names)}")

    def worked(self, code: str, at: int) -> str:
        try:
            return self.md.htmlStash.store(worked.html(code))
        except Exception as wrong:  # an expression may fail in any way that Python can
            said = wrong.msg if isinstance(wrong, SyntaxError) else wrong  # its place is in no file
            reason = f"{type(wrong).__name__}: {said}{worked.remedy(wrong)}"
            raise self.place.mistake(at, f"`={code}` cannot be worked out. {reason}") from wrong

    def link(self, found: re.Match[str], at: int) -> str:
        try:
            if found["kind"] != "claim":
                return citations.LINKS[found["kind"]](found["text"], found["key"], self.place)
            self.seen["claim"] += 1
            html = citations.claim(found["text"], found["key"], self.place, self.seen["claim"])
            return self.md.htmlStash.store(html)
        except Unknown as wrong:
            raise self.place.mistake(at, f"{found[0]}: {wrong}") from wrong


def makeExtension(**options: object) -> Fences:
    return Fences(**options)
