"""What a reader sees and does in a lab, said once for all tests; and the text that CPython gives for the same form."""

import json
from html.parser import HTMLParser
from typing import Any

from labs import lab
from tests.browser.drivers import Browser

READY = "document.querySelector('[data-state=ready]') && !document.querySelector('[data-lab][aria-busy]')"
CHAPTER = {"memory": "02-model-state", "mesh": "04-parallel-axes", "pipeline": "06-pipeline", "dispatch": "07-experts"}


class _Text(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []

    def handle_data(self, data: str) -> None:
        self.parts.append(data)


def plain(html: str) -> str:
    """The text of HTML as `textContent` gives it."""
    parser = _Text()
    parser.feed(html)
    parser.close()
    return "".join(parser.parts)


def answer(name: str, form: dict[str, str], language: str = "zh") -> dict[str, Any]:
    """CPython's answer to a form."""
    said: dict[str, Any] = json.loads(lab.render(json.dumps({"lab": name, "form": form, "language": language})))
    return said


def expected(name: str, form: dict[str, str], language: str = "zh") -> dict[str, str]:
    """{region: text} of CPython's answer."""
    return {region: plain(html) for region, html in answer(name, form, language)["regions"].items()}


def root(instance: str) -> str:
    return f"document.querySelector('[data-instance={instance}]')"


def shown(browser: Browser, instance: str) -> dict[str, str]:
    """{region: text} as it stands on the page."""
    regions = f"{root(instance)}.querySelectorAll('[data-region]')"
    pairs: dict[str, str] = browser.get(
        f"Object.fromEntries([...{regions}].map(r => [r.dataset.region, r.textContent]))"
    )
    return pairs


def form(browser: Browser, instance: str) -> dict[str, str]:
    """{control: text} as the reader left it."""
    values: dict[str, str] = browser.run(f"""
        const form = {{}};
        for (const field of {root(instance)}.querySelectorAll("form [name]"))
          if (field.type === "checkbox") form[field.name] = field.checked ? "on" : "off";
          else if (field.type !== "radio" || field.checked) form[field.name] = field.value;
        return form;""")
    return values


def status(browser: Browser, instance: str) -> str:
    said: str = browser.get(f"{root(instance)}.querySelector('[data-status]').textContent")
    return said


def put(browser: Browser, instance: str, name: str, text: str) -> None:
    """Writes into a box and leaves it, as a reader would by typing and pressing Tab."""
    browser.run(f"""
        const box = {root(instance)}.querySelector("[name={name}]");
        box.value = {json.dumps(text)};
        for (const kind of ["input", "change"]) box.dispatchEvent(new Event(kind, {{ bubbles: true }}));""")


def choose(browser: Browser, instance: str, preset: str) -> None:
    """Presses a preset, once it is there: Firefox may answer for the page that is being left."""
    browser.wait(f"{root(instance)}?.querySelector('[data-id={preset}]')")
    browser.run(f"{root(instance)}.querySelector('[data-id={preset}]').click()")


def oriented(browser: Browser) -> None:
    """Waits until the theme knows the pages of the site: before it has read the sitemap, a link loads its page anew."""
    sitemap = "performance.getEntriesByType('resource').some(one => /sitemap.xml$/.test(one.name) && one.responseEnd)"
    browser.wait(sitemap)
    browser.run("await new Promise(done => setTimeout(done, 300))")


def settle(browser: Browser) -> None:
    browser.wait(READY)
