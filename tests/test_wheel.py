"""The package installs anywhere with pip, brings no other, and its command answers there."""

import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from labs import __version__
from overrides.runtime.build import wheel


def run(*words: object, cwd: Path) -> str:
    done = subprocess.run([str(word) for word in words], cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return wheel(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def elsewhere(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty environment in which the wheel was installed by pip, with nothing to take a dependency from."""
    folder = tmp_path_factory.mktemp("elsewhere")
    run(sys.executable, "-m", "venv", "--without-pip", folder / "venv", cwd=folder)
    python = folder / "venv" / "bin" / "python"
    run(sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-index", built, cwd=folder)
    return folder


def test_the_command_answers_where_only_the_wheel_is(elsewhere: Path) -> None:
    said = run(elsewhere / "venv/bin/nine-ledgers", "memory", "--preset", "M2", cwd=elsewhere)
    assert "17.5" in said.splitlines()[0]
    assert run(elsewhere / "venv/bin/nine-ledgers", "--version", cwd=elsewhere).strip() == __version__


def test_the_models_are_imported_from_the_wheel_and_find_their_words(elsewhere: Path) -> None:
    code = "import labs.lab as lab; print(lab.__file__, [lab.html(name, {}, 'zh')[:8] for name in lab.LABS])"
    said = run(elsewhere / "venv/bin/python", "-c", code, cwd=elsewhere)
    assert str(elsewhere) in said and said.count("<section") == 4


def test_the_wheel_brings_no_other_package(elsewhere: Path) -> None:
    listed = run(sys.executable, "-m", "pip", "--python", elsewhere / "venv/bin/python", "list", cwd=elsewhere)
    assert [line.split()[0] for line in listed.splitlines()[2:]] == ["nine-ledgers"]


def test_the_wheel_holds_the_models_and_none_of_the_site(built: Path) -> None:
    names = ZipFile(built).namelist()
    assert {name.split("/")[0] for name in names} == {"labs", f"nine_ledgers-{__version__}.dist-info"}
    assert "labs/words/memory.toml" in names
