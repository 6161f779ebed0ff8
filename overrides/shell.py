"""What the command line and the Python modules say, run or read at build time, so that a page cannot fall behind them.

```command                          ```reference
run: memory --preset M2             module: labs.models.memory
lines: 12                           names: states, States
```                                 ```
"""

import inspect
import re
from contextlib import redirect_stderr, redirect_stdout
from html import escape
from importlib import import_module
from io import StringIO
from shlex import split
from types import ModuleType

from labs.__main__ import main
from overrides.facts import Unknown
from overrides.place import Place

SCROLL = {"zh": "可左右滚动：命令与输出", "en": "Scrolls sideways: a command and its output"}
FIRST = {"zh": "……（共 {all} 行）", "en": "… ({all} lines in all)"}


def command(options: dict[str, str], place: Place) -> str:
    """The command as typed, then the first `lines` lines that it really printed, and its exit code if that is not 0."""
    said, code = spoken(options["run"], place.language)
    shown = said.splitlines()
    most = int(options.get("lines", len(shown)))
    if len(shown) > most:
        shown = [*shown[:most], FIRST[place.language].format(all=len(shown))]
    lines = [f"$ nine-ledgers {options['run']}", *shown, *([f"$ echo $?\n{code}"] if code else [])]
    text = escape("\n".join(lines))
    label = escape(SCROLL[place.language], quote=True)
    pre = f'<pre tabindex="0" role="group" aria-label="{label}"><code>{text}\n</code></pre>'
    return f'<div class="highlight nl-command">{pre}</div>'


def spoken(line: str, language: str) -> tuple[str, int]:
    """(what it prints on both streams, its exit code), in the page's language unless the line names another."""
    words = split(line)
    # The language goes second, after the lab's name: `--help` ends the reading of a line where it stands.
    words[1:1] = [] if "--language" in words or language == "en" else ["--language", language]
    out = StringIO()
    with redirect_stdout(out), redirect_stderr(out):
        try:
            code = main(words)
        except SystemExit as end:
            code = int(end.code or 0)
    return out.getvalue().rstrip(), code


def reference(options: dict[str, str], place: Place) -> str:
    """The claim of a module, then each public name that it defines: its signature and its docstring, as written."""
    module = import_module(options["module"])
    names = [name.strip() for name in options["names"].split(",")] if "names" in options else public(module)
    claim = (inspect.getdoc(module) or "").split("\n\n")[0].replace("\n", " ")
    head = f'<p><code>{escape(module.__name__)}</code>　<span lang="en">{escape(claim)}</span></p>'
    return head + f'<dl class="nl-reference" lang="en">{"".join(entry(module, name) for name in names)}</dl>'


def public(module: ModuleType) -> list[str]:
    """Functions and classes defined in the module itself, in the order in which they stand."""
    found = [
        name
        for name, thing in vars(module).items()
        if not name.startswith("_") and callable(thing) and getattr(thing, "__module__", "") == module.__name__
    ]
    return sorted(found, key=lambda name: inspect.getsourcelines(getattr(module, name))[1])


def entry(module: ModuleType, name: str) -> str:
    thing = getattr(module, name, None)
    if thing is None:
        raise Unknown(f"{module.__name__} defines no {name!r}; it defines {', '.join(public(module))}")
    signature = re.sub(r"labs\.[\w.]+\.(?=\w)", "", str(inspect.signature(thing)))
    signature = re.sub(r": '([^']+)'", r": \1", signature).removesuffix(" -> None")
    said = inspect.getdoc(thing) or ""
    words = f"<pre>{escape(said)}</pre>" if said and not said.startswith(f"{name}(") else ""
    term = f'<dt id="{escape(module.__name__)}.{escape(name)}"><code>{escape(name + signature)}</code></dt>'
    return f"{term}<dd>{words}</dd>"
