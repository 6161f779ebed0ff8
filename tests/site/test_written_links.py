"""A link, a page or a line of `nav` that leads nowhere stops the build, and the build says where and what is near."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from overrides import links
from overrides.place import Mistake, Place
from tests.site.conftest import ROOT

HERE = Place("chapters/02-model-state.md", "en")
PAGES = {
    "index.md": {"home"},
    "chapters/02-model-state.md": {"limits"},
    "chapters/05-communication.md": {"overlap"},
    "labs/memory.md": set(),
}


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("a\n[x](05-comunication.md)", 2, "no page 'chapters/05-comunication.md'; did you mean '05-communication.md'?"),
        ("[x](../labs/memry.md?lab=memory)", 1, "no page 'labs/memry.md'; did you mean '../labs/memory.md'?"),
        ("[x](05-comm.md)", 1, "no page 'chapters/05-comm.md'; did you mean '05-communication.md'?"),
        ("![x](bill.png)", 1, "'chapters/bill.png' is no page: a link leads to a file .md, and a picture comes from"),
        ("[x](#limitz)", 1, "'chapters/02-model-state.md' has no anchor 'limitz'; did you mean 'limits'?"),
        ("[x](05-communication.md#overlp)", 1, "has no anchor 'overlp'; did you mean 'overlap'?"),
        ("[x](trem:activation)", 1, "no link begins with 'trem:'; did you mean 'term'?"),
        ("[x](/chapters/05-communication.md)", 1, "no page '/chapters/05-communication.md'"),
        ("```sh\n[x](no.md)\n```\n[x](nowhere.md)", 4, "no page 'chapters/nowhere.md'"),
        ('[x](05-comunication.md "a title")', 1, "no page 'chapters/05-comunication.md'"),
    ],
)
def test_a_link_that_leads_nowhere_is_told_with_its_line_and_the_nearest_end(text, line, says):
    with pytest.raises(Mistake) as told:
        links.check_links(HERE, text, PAGES)
    assert str(told.value).startswith(f"docs/en/chapters/02-model-state.md:{line}: ")
    assert says in str(told.value)


@pytest.mark.parametrize(
    "text",
    [
        "[x](05-communication.md#overlap), [y](#limits) and [z](../index.md)",
        "[x](../labs/memory.md?lab=memory&dp=8)",
        "[x](term:activation) [](cite:zero#§3) [](claim:v3-gpus) [y](https://example.org/#no)",
        "`[x](no.md)`",
        "````markdown\n```\n[x](no.md)\n```\n````",
    ],
)
def test_a_link_with_an_end_and_a_link_in_code_are_left_alone(text):
    links.check_links(HERE, text, PAGES)


@pytest.fixture
def course(tmp_path, monkeypatch):
    for path in ("zh/index.md", "en/index.md", "zh/chapters/a.md", "en/chapters/a.md"):
        (tmp_path / "docs" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "docs" / path).write_text("# A {#a}\n", "utf-8")
    (tmp_path / "mkdocs.yml").write_text("nav:\n  - index.md\n  - Chapters:\n      - chapters/a.md\n", "utf-8")
    monkeypatch.setattr(links, "DOCS", tmp_path / "docs")
    return tmp_path / "docs"


def test_pages_in_both_languages_and_in_nav_pass(course):
    links.check_pages(["index.md", {"Chapters": ["chapters/a.md"]}])


@pytest.mark.parametrize(
    ("nav", "gone", "says"),
    [
        (["index.md", "chapters/a.md"], "en/chapters/a.md", "docs/zh/chapters/a.md:1: docs/en/chapters/a.md is"),
        (["index.md", "chapters/a.md"], "zh/chapters/a.md", "docs/en/chapters/a.md:1: docs/zh/chapters/a.md is"),
        (["index.md"], "", "docs/zh/chapters/a.md:1: no line of `nav` in mkdocs.yml leads here; add chapters/a.md"),
        (["index.md", {"C": ["chapters/a.md", "chapters/b.md"]}], "", "nav names chapters/b.md, which is not in"),
    ],
)
def test_a_page_that_a_language_or_nav_lacks_is_told_with_its_file(course, nav, gone, says):
    if gone:
        (course / gone).unlink()
    with pytest.raises(Mistake) as told:
        links.check_pages(nav)
    assert says in str(told.value)


def test_a_dead_link_stops_the_quiet_build_that_make_runs(tmp_path):
    """MkDocs counts warnings, and a build that is told to be quiet has none to count."""
    for name in ("docs", "labs", "overrides", ".cache"):
        if (ROOT / name).exists():
            ignored = shutil.ignore_patterns("__pycache__", "making-*")
            shutil.copytree(ROOT / name, tmp_path / name, ignore=ignored)
    for name in ("mkdocs.yml", "pyproject.toml", "README.md", "LICENSE", "package-lock.json"):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / "node_modules").symlink_to(ROOT / "node_modules")
    page = tmp_path / "docs/zh/chapters/02-model-state.md"
    page.write_text(page.read_text("utf-8").replace("(05-communication.md)", "(05-comunication.md)"), "utf-8")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path / "site")]
    settings = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=tmp_path, env=settings, capture_output=True, text=True)
    line = next(n for n, text in enumerate(page.read_text("utf-8").split("\n"), 1) if "05-comunication.md" in text)
    assert done.returncode != 0
    assert f"docs/zh/chapters/02-model-state.md:{line}: (05-comunication.md): there is no page" in done.stdout


def test_the_makefile_builds_with_the_options_of_this_test():
    assert "mkdocs build --strict --quiet" in Path(ROOT / "Makefile").read_text("utf-8")
