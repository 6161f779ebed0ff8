"""What the browser loads, built from labs/ and the npm package pyodide into a folder named by its content.

`python -m overrides.runtime` builds it; whoever packs a site asks `files()` where each part goes and `script()` which
of them a page loads. Each path holds a hash of everything, so that two versions never meet on one page.
"""

from pathlib import Path

from overrides.runtime import build, offline


def files(from_folder: bool = False) -> dict[str, Path]:
    """{path in the site: file on this machine}, for a host or for a folder; builds first what is out of date."""
    folder = build.build()
    parts = offline.parts(folder) if from_folder else build.parts(folder)
    return {f"{build.place(folder)}/{name}": file for name, file in parts.items()}


def script() -> str:
    """The path in the site of the one script that a page loads: a module, but in a folder a classic script."""
    return f"{build.place(build.build())}/labs.js"
