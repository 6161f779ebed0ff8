"""What the page for authors shows is what happens: its commands exist, and its mistakes read as it says."""

import re
from pathlib import Path

import pytest

from overrides import links
from overrides.place import Mistake, Place
from tests.site.test_fences import html

LANGUAGES = ("zh", "en")
TEXTS = {language: Path(f"docs/{language}/contributing.md").read_text("utf-8") for language in LANGUAGES}
SHOWN = re.compile(r"^docs/(zh|en)/(\S+\.md):\d+: (.*)$", re.S)


def mistakes():
    """(language, page, what it says) of every mistake that the page shows, its lines joined."""
    blocks = [block for text in TEXTS.values() for block in re.findall(r"```text\n(.*?)\n```", text, re.S)]
    found = [SHOWN.match(re.sub(r"\s*\n\s*", " ", block)) for block in blocks]
    return [match.groups() for match in found if match]


def written(says):
    """What an author must have written to be told this."""
    if says.startswith("`="):
        return re.match(r"`=[^`]+`", says)[0]
    if says.startswith("["):
        return re.match(r"\[[^\]]*\]\([^)]*\)", says)[0]
    kind, field, value = re.match(r"(\w+) fence: “([^”]+)” cannot be ([^:]+):", says).groups()
    name = "" if field == "name" else "name: memory\n"
    return f"```{kind}\n{name}{field}: {value}\n```"


def made(language, page, says, monkeypatch):
    """Make the mistake: a link without an end, a page without its other edition, else a line of a page."""
    if says.startswith("("):
        ends = dict.fromkeys(links.written(language), frozenset())
        links.check_links(Place(page, language), f"[x]{says.partition(':')[0]}", ends)
    elif says.startswith("docs/"):
        monkeypatch.setattr(links, "written", lambda one: {page} if one == language else set())
        links.check_pages([])
    else:
        html(written(says), Place(page, language))


def test_each_edition_shows_the_same_mistakes():
    alike = {r"\[[^\]]*\]": "[]", "docs/(zh|en)/": "docs/"}
    kinds = []
    for one in LANGUAGES:
        said = [says for language, _, says in mistakes() if language == one]
        for different, same in alike.items():
            said = [re.sub(different, same, says) for says in said]
        kinds.append(said)
    assert kinds[0] == kinds[1] and len(kinds[0]) >= 5


@pytest.mark.parametrize(("language", "page", "says"), mistakes())
def test_a_mistake_reads_as_the_page_for_authors_shows_it(language, page, says, monkeypatch):
    with pytest.raises(Mistake) as told:
        made(language, page, says, monkeypatch)
    real = SHOWN.match(str(told.value))[3]
    assert real.startswith(says.removesuffix("…")) if says.endswith("…") else real == says


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_command_of_the_page_is_a_target_of_the_makefile(language):
    targets = set(re.findall(r"^([a-z]+):", Path("Makefile").read_text("utf-8"), re.M))
    assert set(re.findall(r"\bmake ([a-z]+)", TEXTS[language])) <= targets


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_path_of_the_page_is_in_the_repository(language):
    named = re.findall(
        r"`((?:docs|labs|overrides|tests)/[\w./-]+)`", TEXTS[language]
    )  # a name to be chosen stands as NAME
    real = [path for path in named if not re.search("NAME|名字", path)]
    assert real and [path for path in real if not Path(path).exists()] == []
