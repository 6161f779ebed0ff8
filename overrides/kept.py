"""What was made once is kept by its content in `.cache/`, so that a change to one page costs only that page."""

import os
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).parent.parent
CACHE = ROOT / ".cache"


def digest(*parts: str) -> str:
    return sha256("\0".join(parts).encode()).hexdigest()


@cache
def code() -> str:
    """One hash for all that a lab's HTML depends on; modules are imported anew for each build, and this with them."""
    files = sorted(path for kind in ("*.py", "*.toml") for path in (ROOT / "labs").rglob(kind))
    return digest(*(part for path in files for part in (str(path), path.read_text("utf-8"))))


def find(kind: str, key: str) -> str | None:
    try:
        return (CACHE / kind / key).read_text("utf-8")
    except FileNotFoundError:
        return None


def keep(kind: str, key: str, text: str) -> None:
    """Written beside and then renamed: two builds at once never read half a file."""
    path = CACHE / kind / key
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f"{key}.{os.getpid()}")
    beside.write_text(text, "utf-8")
    beside.replace(path)


def once(kind: str, parts: tuple[str, ...], make: Callable[[], str]) -> str:
    key = digest(*parts)
    found = find(kind, key)
    if found is None:
        keep(kind, key, found := make())
    return found
