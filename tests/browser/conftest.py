"""The site on a host under a sub-path, the downloaded copy in an oddly named folder, and this machine's browsers."""

import os
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from overrides.runtime import offline as download
from tests.browser.drivers import ROOT, Browser, Puppeteer, WebKit
from tests.browser.serve import Host
from tests.browsers import found

HERE = found()
DRIVEN: dict[str, Browser] = {}


@pytest.fixture(scope="session")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    """Built for the address that it is served at, as instant navigation needs, and where no repository is known."""
    whole = Host(tmp_path_factory.mktemp("site"))
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--site-dir", str(whole.folder)]
    settings = os.environ | {"SITE_URL": whole.address, "REPO_URL": "", "NO_MKDOCS_2_WARNING": "1"}
    subprocess.run(command, cwd=ROOT, env=settings, check=True)
    yield whole
    whole.close()


@pytest.fixture
def quiet(host: Host) -> Iterator[Host]:
    """The host with an empty log, and without the faults of a test after it."""
    host.log.clear()
    yield host
    host.faults.clear()
    host.release()


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The published zip, unpacked where a reader might put it."""
    target = tmp_path_factory.mktemp("downloads") / "课程 九本账 (1)"
    with zipfile.ZipFile(download.offline()) as whole:
        whole.extractall(target)
    return target / download.NAME


def drive(name: str) -> Browser:
    """One process a browser for the whole run; each test gets a fresh profile in it."""
    if name not in DRIVEN:
        DRIVEN[name] = WebKit(HERE[name]) if name == "webkitgtk" else Puppeteer(name, HERE[name])
    DRIVEN[name].fresh()
    return DRIVEN[name]


@pytest.fixture(params=list(HERE))
def browser(request: pytest.FixtureRequest) -> Browser:
    return drive(request.param)


@pytest.fixture(params=[name for name in HERE if name != "webkitgtk"])
def page(request: pytest.FixtureRequest) -> Browser:
    """A browser with hands: it can press, hover, click."""
    return drive(request.param)


@pytest.fixture
def chromium() -> Browser:
    return drive("chromium")


def pytest_sessionfinish() -> None:
    for one in DRIVEN.values():
        one.close()
