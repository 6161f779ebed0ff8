"""The site, built once for all tests of a run, as the workflow builds it: under a sub-path, with a repository."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.site.pages import ROOTS, Page, read

ROOT = Path(__file__).parents[2]
ADDRESS = "https://ledgers.example/repo/"
REPOSITORY = "https://github.com/someone/ledgers"


def build(folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "mkdocs", "build", "--site-dir", str(folder)]
    settings = os.environ | {"NO_MKDOCS_2_WARNING": "1"} | environment
    return subprocess.run(command, cwd=ROOT, env=settings, capture_output=True, text=True)


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("built")
    done = build(folder, SITE_URL=ADDRESS, REPO_URL=REPOSITORY)
    assert done.returncode == 0, done.stderr[-2000:]
    return folder


@pytest.fixture(scope="session")
def pages(site: Path) -> dict[str, Page]:
    return read(site)


@pytest.fixture(params=ROOTS)
def edition(request: pytest.FixtureRequest) -> str:
    """The language of one edition; a test that asks for it runs for both."""
    return str(request.param)


@pytest.fixture(scope="session")
def editions(pages: dict[str, Page]) -> dict[str, tuple[Page, Page]]:
    """The two editions of each page, by the path of the Chinese one."""
    return {
        path: (page, pages[f"en/{path}"])
        for path, page in pages.items()
        if page.language == "zh" and path != "404.html"
    }
