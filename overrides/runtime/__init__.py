"""What the browser loads, built from labs/ and the npm package pyodide into a folder named by its content.

`python -m overrides.runtime` builds it; whoever packs a site asks `files()` where each part goes and `SCRIPT` which of
them a page loads. Every path holds a hash of everything, so that two versions never meet on one page.
"""

from overrides.runtime.build import build, parts, script

__all__ = ["build", "files", "script"]


def files() -> dict[str, str]:
    """{path in the site: file on this machine}; builds first what is missing or out of date."""
    return parts(build())
