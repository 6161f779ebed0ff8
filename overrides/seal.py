"""A built page's Content-Security-Policy: nothing but this origin, and of inline scripts only those that are there."""

import re
from base64 import b64encode
from hashlib import sha256

SCRIPT = re.compile(r"<script(?P<attributes>[^>]*)>(?P<text>.*?)</script>", re.S)
CHARSET = '<meta charset="utf-8">'


def sealed(page: str, served: bool = False) -> str:
    """The policy goes before everything that it governs. `served`: for the author, by the server that reloads pages."""
    head, charset, rest = page.partition(CHARSET)
    if not charset:
        raise ValueError("the page does not begin with its charset")
    return f'{head}{charset}<meta http-equiv="Content-Security-Policy" content="{policy(page, served)}">{rest}'


def policy(page: str, served: bool = False) -> str:
    """'wasm-unsafe-eval' lets Python be compiled; it allows no script.

    The script that reloads a served page is added after the seal and differs each time: no hash can name it.
    """
    scripts = "'unsafe-inline'" if served else " ".join(f"'sha256-{digest(text)}'" for text in inline(page))
    return (
        f"script-src 'self' 'wasm-unsafe-eval' {scripts}; worker-src 'self'; connect-src 'self'; font-src 'self'; "
        "img-src 'self' data:; media-src 'self'; frame-src 'none'; object-src 'none'; base-uri 'self'"
    )


def inline(page: str) -> list[str]:
    """The texts of inline scripts that a browser runs, each once; data blocks are not run."""
    found = [m["text"] for m in SCRIPT.finditer(page) if not re.search(r"\bsrc=|application/json", m["attributes"])]
    return list(dict.fromkeys(found))


def digest(text: str) -> str:
    return b64encode(sha256(text.encode()).digest()).decode()


def ids(html: str) -> set[str]:
    return set(re.findall(r'\s(?:id|name)="([^"]+)"', html))
