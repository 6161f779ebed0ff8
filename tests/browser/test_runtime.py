"""What is built for the browser: the same from the same sources, named by its hash, and small."""

import gzip
import json
import re
from hashlib import sha256

import pytest

from labs import lab
from overrides import runtime
from overrides.runtime.build import PYODIDE, ROOT, SCRIPTS, build, wheel


@pytest.fixture(scope="module")
def folder():
    return build()


def test_the_same_sources_give_the_same_wheel_byte_for_byte(tmp_path):
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    assert wheel(tmp_path / "one").read_bytes() == wheel(tmp_path / "two").read_bytes()


def test_the_lock_that_travels_names_our_wheel_by_its_hash(folder):
    (package,) = json.loads((folder / "runtime.json").read_text())["lock"]["packages"].values()
    assert package["sha256"] == sha256((folder / package["file_name"]).read_bytes()).hexdigest()


def test_a_build_that_is_up_to_date_is_left_alone(folder):
    before = {path: path.stat().st_mtime_ns for path in folder.iterdir()}
    assert build() == folder
    assert {path: path.stat().st_mtime_ns for path in folder.iterdir()} == before


def test_the_loader_the_program_and_the_lock_are_of_one_pyodide():
    pinned = json.loads((ROOT / "package.json").read_text())["dependencies"]["pyodide"]
    loader = re.search(r'="(\d+\.\d+\.\d+)";function', (PYODIDE / "pyodide.mjs").read_text())
    assert loader and loader[1] == pinned == json.loads((PYODIDE / "package.json").read_text())["version"]


def test_the_program_travels_as_it_came(folder):
    assert gzip.decompress((folder / "program.bin").read_bytes()) == (PYODIDE / "pyodide.asm.wasm").read_bytes()


def test_every_path_in_the_site_names_the_version_of_all(folder):
    (place,) = {path.rpartition("/")[0] for path in runtime.files()}
    assert re.fullmatch(r"assets/labs/runtime/[0-9a-f]{12}", place)
    assert runtime.script() == f"{place}/labs.js"


def test_what_a_boot_fetches_is_at_most_11_mb(folder):
    sent = [(folder / name).read_bytes() for name in ("program.bin", "snapshot.bin")]
    sent += [
        gzip.compress((folder / name).read_bytes(), 6) for name in ("pyodide.mjs", "pyodide.asm.mjs", "runtime.json")
    ]
    assert sum(map(len, sent)) <= 11e6


@pytest.mark.parametrize("name", ["labs.js", "worker.js"])
def test_a_script_holds_no_sentence_and_knows_no_lab(name):
    text = (SCRIPTS / name).read_text()
    assert re.findall(r"[\u3000-\u9fff]", text) == []
    assert [slug for slug in lab.LABS if re.search(rf"[\"'`]{slug}[\"'`]", text)] == []


def test_from_a_folder_two_classic_scripts_bring_everything(folder):
    files = {place.rpartition("/")[2]: file for place, file in runtime.files(from_folder=True).items()}
    assert sorted(files) == ["labs.js", "parts.js"]
    assert "import.meta" not in files["labs.js"].read_text()
