"""Which labs this is: one short hash over its files, so that a page and the Python beside it can be compared."""

from functools import cache
from os import walk
from os.path import dirname, join, relpath

KINDS = (".py", ".toml")


@cache
def fingerprint() -> str:
    """Twelve hex digits. Kept from the first call on: in a browser the files themselves are gone."""
    from hashlib import sha256

    root, whole = dirname(__file__), sha256()
    files = [join(folder, name) for folder, _, names in walk(root) for name in names if name.endswith(KINDS)]
    for path in sorted(files, key=lambda path: relpath(path, root).replace("\\", "/")):
        with open(path, "rb") as file:
            content = file.read()
        whole.update(f"{relpath(path, root)}\0{len(content)}\0".replace("\\", "/").encode() + content)
    return whole.hexdigest()[:12]
