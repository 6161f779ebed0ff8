"""`make serve` as an author meets it: what is saved is seen, a page and a lab alike, also after a mistake."""

import os
import shutil
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.browser.drivers import free_port
from tests.site.conftest import ROOT

PATIENCE = 180.0  # seconds on a busy machine; at rest a page takes five, a lab fifteen
PAGE = "docs/en/chapters/00-nine-ledgers.md"
Look = Callable[[str, str], None]


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the repository to write in; what was built once is taken along."""
    folder = tmp_path_factory.mktemp("desk")
    for source in filter(Path.exists, (ROOT / name for name in ("docs", "labs", "overrides", ".cache"))):
        shutil.copytree(source, folder / source.name, ignore=shutil.ignore_patterns("__pycache__", "making-*"))
    for name in ("mkdocs.yml", "pyproject.toml", "README.md", "LICENSE", "package-lock.json"):
        shutil.copy(ROOT / name, folder)
    (folder / "node_modules").symlink_to(ROOT / "node_modules")
    return folder


@pytest.fixture(scope="module")
def look(desk: Path) -> Iterator[Look]:
    """Waits until a page of the running server says something."""
    address = f"127.0.0.1:{free_port()}"
    command = [sys.executable, "-m", "mkdocs", "serve", "--livereload", "--dev-addr", address]
    with (desk / "log").open("w") as log:
        server = subprocess.Popen(command, cwd=desk, env=os.environ, stdout=log, stderr=log)
    yield lambda path, text: wait(f"http://{address}/{path}", text, desk / "log")
    server.terminate()
    server.wait(30)


def wait(url: str, text: str, log: Path) -> None:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        if text in page(url):
            return
        time.sleep(0.5)
    raise AssertionError(f"{url} never said {text!r}; the server: {log.read_text()[-1500:]}")


def page(url: str) -> str:
    """The page as it is; nothing while the server starts, or holds an answer back until a build succeeds."""
    try:
        with urllib.request.urlopen(url, timeout=5) as answer:
            return answer.read().decode()
    except OSError:
        return ""


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_a_served_page_lets_the_script_run_that_reloads_it(look):
    look("en/chapters/00-nine-ledgers/", "livereload(")
    look("en/chapters/00-nine-ledgers/", "script-src 'self' 'wasm-unsafe-eval' 'unsafe-inline';")


def test_a_saved_page_is_served_again(desk, look):
    look("en/chapters/00-nine-ledgers/", "</html>")
    edit(desk / PAGE, "\n## ", "\nA sentence written while reading.\n\n## ")
    look("en/chapters/00-nine-ledgers/", "A sentence written while reading.")


def test_a_saved_lab_is_served_again_even_after_a_mistake(desk, look):
    look("en/labs/memory/", "</html>")
    edit(desk / "labs/views/memory.py", "def answer(", "def answer((")
    time.sleep(3)
    edit(desk / "labs/views/memory.py", "def answer((", "def answer(")
    edit(desk / "labs/words/memory.toml", "do states and activations fit?", "does it fit on the desk?")
    look("en/labs/memory/", "does it fit on the desk?")
