"""Each lab computes in each browser what CPython computes: from a host, and from the downloaded folder."""

import json

import pytest

from labs import lab
from tests.browser.reader import answer, choose, expected, form, settle, shown

REQUESTS = [
    {"lab": name, "form": dict(preset.form), "language": language}
    for name in lab.LABS
    for preset in lab.find(name).presets
    for language in ("zh", "en")
]


def last(name: str) -> str:
    """A preset that is not the one a page opens with."""
    return lab.find(name).presets[-1].id


def moved(browser, name):
    """The lab of a page after a reader has chosen another preset: what stood there, and what stands there."""
    before = shown(browser, name)
    choose(browser, name, last(name))
    settle(browser)
    return before, shown(browser, name)


@pytest.mark.parametrize("name", lab.LABS)
def test_g01_a_control_changes_the_figure_to_what_cpython_gives(browser, quiet, name):
    browser.goto(f"{quiet.address}labs/{name}/")
    before, after = moved(browser, name)
    assert after == expected(name, form(browser, name)) != before


@pytest.mark.parametrize("name", lab.LABS)
def test_the_english_page_computes_in_english(chromium, quiet, name):
    chromium.goto(f"{quiet.address}en/labs/{name}/")
    before, after = moved(chromium, name)
    assert after == expected(name, form(chromium, name), "en") != before


@pytest.mark.parametrize("name", lab.LABS)
def test_a_lab_computes_from_a_folder_opened_by_double_click(browser, folder, name):
    browser.goto((folder / "labs" / f"{name}.html").as_uri())
    before, after = moved(browser, name)
    assert after == expected(name, form(browser, name)) != before


def test_every_preset_gives_the_same_text_in_the_browser_as_in_cpython(browser, quiet):
    browser.goto(f"{quiet.address}labs/memory/")
    answers = browser.run(f"""
        const script = document.querySelector("script[src*='/runtime/']").src, base = new URL(".", script).href;
        const worker = new Worker(new URL("worker.js", script), {{ type: "module" }});
        const heard = () => new Promise((resolve, reject) => {{
          worker.onerror = reject;
          worker.onmessage = ({{ data }}) => {{ if (!data.loading) resolve(data); }};
        }});
        const ask = message => {{ const next = heard(); worker.postMessage(message); return next; }};
        await ask({{ start: {{ base }} }});
        const answers = [];
        for (const request of {json.dumps([json.dumps(one) for one in REQUESTS])})
          answers.push((await ask({{ id: 1, request }})).answer);
        worker.terminate();
        return answers;""")
    for request, given in zip(REQUESTS, answers, strict=True):
        assert json.loads(given) == answer(request["lab"], request["form"], request["language"]), request
