"""wheel of labs → lock that names it by hash → snapshot of a Python that has imported exactly it → parts to serve.

Each build lies in `.cache/runtime/KEY/`, where KEY is a hash of all that it was made from: nothing to do, nothing done.
"""

import gzip
import json
import os
import shutil
import subprocess
import sys
import tempfile
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).parent
CACHE = ROOT / ".cache" / "runtime"
PYODIDE = ROOT / "node_modules" / "pyodide"
SCRIPTS = ROOT / "overrides" / "assets" / "labs"
# A moment after which no file of a wheel is dated: the same sources give the same bytes.
EPOCH = "1767225600"
KEPT = 5


def sources() -> list[Path]:
    """All that a build depends on; the last file stands for the exact Pyodide."""
    labs = [path for path in (ROOT / "labs").rglob("*") if path.suffix in (".py", ".toml", ".typed")]
    named = ["pyproject.toml", "README.md", "LICENSE", "package-lock.json"]
    own = [HERE / "build.py", HERE / "snapshot.mjs", HERE / "prepare.py"]
    return sorted(labs) + [ROOT / name for name in named] + own


def digest(paths: list[Path]) -> str:
    whole = sha256()
    for path in paths:
        content = path.read_bytes()
        whole.update(f"{path.relative_to(ROOT).as_posix()}\0{len(content)}\0".encode() + content)
    return whole.hexdigest()[:12]


def build() -> Path:
    """The folder of the current build, made if it is not there; the few newest are kept."""
    done = CACHE / digest(sources())
    if not done.exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=CACHE, prefix="making-") as making:
            whole = Path(making) / "whole"
            whole.mkdir()
            _make(whole)
            if not done.exists():
                whole.rename(done)
        finished = [path for path in CACHE.iterdir() if not path.name.startswith("making-")]
        for old in sorted(finished, key=lambda path: path.stat().st_mtime)[:-KEPT]:
            shutil.rmtree(old, ignore_errors=True)
    return done


def _make(folder: Path) -> None:
    built = wheel(folder)
    entry = _lock(folder, built)
    for name in ("pyodide.mjs", "pyodide.asm.mjs", "python_stdlib.zip"):
        shutil.copy(PYODIDE / name, folder)
    _snapshot(folder)
    program = gzip.compress((PYODIDE / "pyodide.asm.wasm").read_bytes(), 9, mtime=0)
    (folder / "program.bin").write_bytes(program)
    sizes = {path.name: path.stat().st_size for path in folder.iterdir()}
    (folder / "runtime.json").write_text(json.dumps({"lock": entry, "sizes": sizes}, indent=1, sort_keys=True))


def wheel(folder: Path) -> Path:
    """Byte for byte the same from the same sources."""
    _run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder), SOURCE_DATE_EPOCH=EPOCH)
    return next(folder.glob("nine_ledgers-*.whl"))


def _lock(folder: Path, built: Path) -> dict[str, object]:
    """Pyodide's own lock with our wheel added by its tool, less the packages that are not shipped."""
    whole, ours = folder / "whole.json", folder / "pyodide-lock.json"
    given = str(PYODIDE / "pyodide-lock.json")
    _run(
        sys.executable,
        "-m",
        "pyodide_cli",
        "lockfile",
        "add-wheels",
        str(built),
        "--input",
        given,
        "--output",
        str(whole),
    )
    lock = json.loads(whole.read_text())
    whole.unlink()
    entry = lock["packages"]["nine-ledgers"]
    if entry["sha256"] != sha256(built.read_bytes()).hexdigest():
        raise ValueError(f"{built.name}: the lock names another hash")
    lock["packages"] = {"nine-ledgers": entry | {"file_name": built.name}}
    ours.write_text(json.dumps(lock))
    return lock


def _snapshot(folder: Path) -> None:
    where = [PYODIDE, folder / "pyodide-lock.json", HERE / "prepare.py", folder / "snapshot.bin"]
    _run(node(), str(HERE / "snapshot.mjs"), *map(str, where))


def node() -> str:
    """The one that was set up beside this Python, else the machine's."""
    beside = Path(sys.executable).parent / "node"
    found = str(beside) if beside.exists() else shutil.which("node")
    if not found:
        raise FileNotFoundError(
            "Node.js was found neither beside this Python nor on the PATH; `make runtime` sets it up"
        )
    return found


def _run(*command: str, **environment: str) -> None:
    done = subprocess.run(command, cwd=ROOT, env=os.environ | environment, capture_output=True, text=True)
    if done.returncode:
        said = [line for line in (done.stdout + done.stderr).splitlines() if len(line) < 500]
        raise RuntimeError("\n".join([" ".join(command), *said[-40:]]))


def parts(folder: Path) -> dict[str, Path]:
    """{name: file}: the build and the two scripts that use it, to lie side by side."""
    files = [path for path in sorted(folder.iterdir()) if path.is_file()] + scripts()
    return {path.name: path for path in files}


def place(folder: Path) -> str:
    return f"assets/labs/runtime/{sha256((folder.name + digest(scripts())).encode()).hexdigest()[:12]}"


def scripts() -> list[Path]:
    return [SCRIPTS / "labs.js", SCRIPTS / "worker.js"]
