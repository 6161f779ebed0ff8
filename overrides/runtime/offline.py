"""The folder to download: the site built for `file://`, with the runtime inside classic scripts, and its zip."""

import json
import os
import shutil
import subprocess
import sys
import zipfile
from base64 import b64encode
from pathlib import Path

from overrides.runtime.build import HERE, ROOT, SCRIPTS, build, digest, scripts

NAME = "nine-ledgers-offline"
DIST = ROOT / "dist"
MODULES = ("pyodide.mjs", "pyodide.asm.mjs")
DATED = (2026, 1, 1, 0, 0, 0)


def parts(folder: Path) -> dict[str, Path]:
    """{name: file}: one classic script for the pages, and one with all the rest that it loads when a lab is wanted."""
    made = folder / f"offline-{digest([HERE / 'offline.py', HERE / 'offline.js', *scripts()])}"
    if not made.exists():
        made.mkdir()
        (made / "labs.js").write_text(_page_script(), encoding="utf-8")
        (made / "parts.js").write_text(_payload(folder), encoding="utf-8")
    return {path.name: path for path in sorted(made.iterdir())}


def _page_script() -> str:
    script = (SCRIPTS / "labs.js").read_text(encoding="utf-8")
    if script.count("import.meta.url") != 1:
        raise ValueError("labs.js: the address of a classic script is asked for once, in another way")
    script = script.replace("import.meta.url", "document.currentScript.src")
    return f"(() => {{\n{(HERE / 'offline.js').read_text(encoding='utf-8')}\n{script}}})();\n"


def _payload(folder: Path) -> str:
    modules = {path.name: path.read_bytes() for path in [*(folder / name for name in MODULES), SCRIPTS / "worker.js"]}
    files = {
        path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file() and path.name not in modules
    }
    whole = {
        "scripts": {name: _base64(content) for name, content in modules.items()},
        "files": {name: _base64(content) for name, content in files.items()},
    }
    return f"nineLedgersParts({json.dumps(whole)});\n"


def _base64(content: bytes) -> str:
    return b64encode(content).decode("ascii")


def offline() -> Path:
    """Builds `dist/nine-ledgers-offline/` and the zip beside it, whose one folder has that name."""
    folder = DIST / NAME
    shutil.rmtree(folder, ignore_errors=True)
    build()
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    subprocess.run(command, cwd=ROOT, env=os.environ | {"OFFLINE": "1"}, check=True)
    return _zipped(folder)


def _zipped(folder: Path) -> Path:
    """Every file dated alike: the same site gives the same zip."""
    target = folder.with_suffix(".zip")
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as whole:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            entry = zipfile.ZipInfo(f"{folder.name}/{path.relative_to(folder).as_posix()}", DATED)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            whole.writestr(entry, path.read_bytes())
    return target
