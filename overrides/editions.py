"""Which edition of a page was checked against which: its front matter holds the other's hash, and the day of the check.

`python -m overrides.editions --stamp chapters/01-one-step` says that both editions of that page were read side by side
today; without a page, all of them. `python -m overrides.editions` lists the pages whose other edition changed since.
A page whose front matter cannot be read, or does not name it, stops the build here.
"""

import re
import sys
from collections.abc import Iterator
from datetime import date
from hashlib import sha256
from pathlib import Path
from typing import Any

import yaml

from labs.draw.svg import Markup, tag
from overrides.facts import phrases
from overrides.place import LANGUAGES, Place

DOCS = Path(__file__).parent.parent / "docs"
OPENING = re.compile(r"---\n(.*?)^---$", re.M | re.S)
OPENS = "title: and description: between two lines ---"
STAMP = re.compile(r"^checked: .*\n", re.M)
HELD = re.compile(r"^checked: \{hash: '(\w+)', date: ([\d-]+)\}$", re.M)


def other(language: str) -> str:
    return LANGUAGES[1 - LANGUAGES.index(language)]


def digest(text: str) -> str:
    """Of a page's source without its own stamp, so that stamping one edition leaves the other checked."""
    return sha256(STAMP.sub("", text, count=1).encode()).hexdigest()[:12]


def source(page: str, language: str) -> Path:
    return DOCS / language / page


def note(page: str, language: str, meta: dict[str, Any]) -> Markup:
    """Dated, above a page whose other edition changed since the check; nothing above any other."""
    stamp, against = meta.get("checked"), source(page, other(language))
    if not stamp or not against.is_file() or stamp["hash"] == digest(against.read_text("utf-8")):
        return Markup("")
    return tag("p", phrases("editions", language)["behind"].format(date=stamp["date"]), class_="nl-behind", role="note")


def stamped(text: str, hash_: str, day: date) -> str:
    """The source with its stamp as the last line of the front matter."""
    line = f"checked: {{hash: {hash_!r}, date: {day.isoformat()}}}\n"
    opened, fence, rest = STAMP.sub("", text, count=1).partition("\n---\n")
    if not text.startswith("---\n") or not fence:
        raise ValueError("the page has no front matter")
    return f"{opened}\n{line}---\n{rest}"


def check_opening(page: str, language: str, text: str) -> None:
    """Mistake: front matter that is no YAML, which MkDocs would print as text, or that does not name the page."""
    place, held = Place(page, language), OPENING.match(text)
    try:
        meta = yaml.safe_load(held[1]) if held else None
    except yaml.MarkedYAMLError as wrong:
        line = wrong.problem_mark.line + 1 if wrong.problem_mark else 0
        raise place.mistake(
            line, f"the front matter is no YAML: {wrong.problem}; is a quotation mark or a colon loose?"
        ) from None
    lacks = [key for key in ("title", "description") if not isinstance(meta, dict) or not meta.get(key)]
    if lacks:
        raise place.mistake(0, f"the front matter has no {' and no '.join(lacks)}; a page opens with {OPENS}")


def pages() -> list[str]:
    """Those written in both languages."""
    return sorted(
        file.relative_to(DOCS / LANGUAGES[0]).as_posix()
        for file in (DOCS / LANGUAGES[0]).rglob("*.md")
        if source(file.relative_to(DOCS / LANGUAGES[0]).as_posix(), LANGUAGES[1]).is_file()
    )


def stamp(page: str, day: date) -> None:
    texts = {language: source(page, language).read_text("utf-8") for language in LANGUAGES}
    for language in LANGUAGES:
        source(page, language).write_text(stamped(texts[language], digest(texts[other(language)]), day), "utf-8")


def behind() -> Iterator[tuple[str, str, str]]:
    """(page, language, why) of every edition that is not stamped, or whose other changed since."""
    for page in pages():
        for language in LANGUAGES:
            held = HELD.search(source(page, language).read_text("utf-8"))
            if not held:
                yield page, language, "never checked"
            elif held[1] != digest(source(page, other(language)).read_text("utf-8")):
                yield page, language, f"checked on {held[2]}, the other changed since"


def main(arguments: list[str]) -> int:
    if arguments[:1] == ["--stamp"]:
        wanted = [name.removesuffix(".md") + ".md" for name in arguments[1:]] or pages()
        for page in wanted:
            stamp(page, date.today())
        return 0
    found = list(behind())
    for page, language, why in found:
        print(f"docs/{language}/{page}: {why}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
