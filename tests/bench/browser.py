"""What a reader waits for and what travels, ours beside a plain Pyodide page, alternately, in fresh profiles."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median, quantiles

from labs import lab
from overrides.runtime.build import PYODIDE, ROOT, build
from tests.bench import Figure
from tests.browser.drivers import Puppeteer
from tests.browser.serve import Host
from tests.browsers import found

ROUNDS = 5
READING = 1500  # ms
REST = 60  # ms between two presses, in which a browser paints what the last one changed
RATIO = {"chromium": 0.40, "firefox": 0.45}
REQUEST = {"lab": "memory", "form": {"dp": "64"}, "language": "zh"}
CHANGED = "document.querySelector('[data-state=ready]') && !document.querySelector('[aria-busy]')"

# What anyone would write first: the same package, imported by a worker that starts Pyodide as its manual says.
PLAIN_PAGE = """<!doctype html><meta charset="utf-8"><title>plain</title><output></output><script type="module">
const worker = new Worker("plain.mjs", { type: "module" });
worker.onmessage = ({ data }) => { document.querySelector("output").innerHTML = JSON.parse(data).regions.figure; };
worker.postMessage(REQUEST);
</script>"""
PLAIN_WORKER = """import { loadPyodide } from "./pyodide/pyodide.mjs";
const lockFileURL = new URL("lock/pyodide-lock.json", self.location).href;
const python = loadPyodide({ lockFileURL, packages: ["nine-ledgers"] });
self.onmessage = async ({ data }) => postMessage((await python).pyimport("labs.lab").render(JSON.stringify(data)));
"""


def site(host: Host) -> None:
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--site-dir", str(host.folder)]
    subprocess.run(
        command, cwd=ROOT, env=os.environ | {"SITE_URL": host.address, "NO_MKDOCS_2_WARNING": "1"}, check=True
    )


def plain(folder: Path) -> None:
    """The plain page beside the site, with Pyodide as npm gives it, and our lock and wheel."""
    (folder / "plain.html").write_text(PLAIN_PAGE.replace("REQUEST", json.dumps(REQUEST)))
    (folder / "plain.mjs").write_text(PLAIN_WORKER)
    (folder / "pyodide").symlink_to(PYODIDE)
    (folder / "lock").symlink_to(build())


def arrival(browser: Puppeteer, url: str, shown: str) -> float:
    """Milliseconds from navigation to the first thing that Python computed, in a fresh profile."""
    browser.fresh()
    browser.goto(url)
    when: float = browser.run(f"""
        while (!({shown})) await new Promise(done => setTimeout(done, 4));
        return performance.now();""")
    return when


def arrivals(name: str, host: Host) -> Iterator[Figure]:
    browser = Puppeteer(name, found()[name])
    pages = {
        "ours": (f"{host.address}labs/memory/?lab=memory&dp=64", CHANGED),
        "plain": (f"{host.address}plain.html", "document.querySelector('output').childElementCount"),
    }
    times: dict[str, list[float]] = {key: [] for key in pages}
    for _ in range(ROUNDS):
        for key, (url, shown) in pages.items():
            times[key].append(arrival(browser, url, shown))
    browser.close()
    ours, theirs = median(times["ours"]), median(times["plain"])
    yield Figure(f"{name}: navigation to first computed figure, ours", ours / 1e3, "s")
    yield Figure(f"{name}: the same, plain Pyodide", theirs / 1e3, "s")
    yield Figure(f"{name}: ours over plain", ours / theirs, "×", RATIO[name])


def redraws(browser: Puppeteer, host: Host) -> Iterator[Figure]:
    """From a press on a preset to the figure laid out, ready for the next frame; each preset three times.

    A reader looks at the page before the first press, and it is at rest before each: what an earlier figure still
    costs to paint is not this one's time.
    """
    whole: list[float] = []
    for name in lab.LABS:
        browser.goto(f"{host.address}labs/{name}/?lab={name}")
        times: list[float] = browser.run(f"""
            const root = document.querySelector("[data-instance={name}]");
            const frame = () => new Promise(requestAnimationFrame);
            const rest = () => new Promise(done => setTimeout(done, {REST}));
            const still = async () => {{ while (!({CHANGED})) await rest(); }};
            const change = () => new Promise(done => new MutationObserver((_, seen) => {{
              if (root.hasAttribute("aria-busy")) return;
              seen.disconnect();
              done();
            }}).observe(root, {{ attributeFilter: ["aria-busy"] }}));
            await still();
            await new Promise(done => setTimeout(done, {READING}));
            const times = [];
            for (let round = 0; round < 3; round++) for (const preset of root.querySelectorAll("[data-preset]")) {{
              await frame();
              await rest();
              const changed = change(), begun = performance.now();
              preset.click();
              await changed;
              root.getBoundingClientRect();
              times.push(performance.now() - begun);
            }}
            return times;""")
        yield Figure(f"chromium: {name}, control change to figure redrawn, median", median(times), "ms")
        whole += times
    yield Figure("chromium: all presets, median", median(whole), "ms", 30)
    yield Figure("chromium: all presets, 95th percentile", quantiles(whole, n=20)[-1], "ms", 80)


def weights(browser: Puppeteer, host: Host) -> Iterator[Figure]:
    """What travels for one page in a fresh profile, and what a lab brings after it."""
    for path, limit in (("", 300), ("labs/memory/", 300), ("labs/pipeline/", 300), ("chapters/02-model-state/", 350)):
        browser.fresh()
        host.log.clear()
        browser.goto(host.address + path)
        sent = sum(size for name, size in host.log if "search_index" not in name)
        yield Figure(f"page /{path}", sent / 1e3, "kB", limit)
    host.log.clear()
    browser.goto(f"{host.address}labs/memory/?lab=memory&dp=64")
    browser.run(f"while (!({CHANGED})) await new Promise(done => setTimeout(done, 20));")
    sent = sum(size for name, size in host.log if "/runtime/" in name)
    yield Figure("Python for a lab, on the wire", sent / 1e6, "MB", 11)


def figures() -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        host = Host(Path(folder))
        site(host)
        plain(host.folder)
        for name in sorted(RATIO.keys() & found().keys()):
            yield from arrivals(name, host)
        if "chromium" in found():
            browser = Puppeteer("chromium", found()["chromium"])
            browser.fresh()
            yield from redraws(browser, host)
            yield from weights(browser, host)
            browser.close()
        host.close()
