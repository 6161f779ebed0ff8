"""What a reader does with the site around the labs: searches, changes palette and language, reads on a phone."""

import contextlib
import json
import re
import time
from pathlib import Path

import pytest

from tests.browser.drivers import ROOT
from tests.browser.reader import oriented

AXE = (ROOT / "node_modules" / "axe-core" / "axe.min.js").read_text("utf-8")
CARD = re.compile(r"(?:en/)?reading/([^/]+)/")
FOUND = "[...document.querySelectorAll('.md-search-result__item')].map(item => item.querySelector('a').href)"
# Word → a page that must be among the first three answers.
WORDS = [("zh", "气泡", "chapters/06-pipeline"), ("zh", "模型状态", "02-model-state"), ("en", "pipeline", "pipeline")]


def pages(folder: Path) -> list[str]:
    """The path of every page of the built site, as an address bar has it; of the cards, which are made alike, three."""
    paths = sorted(
        file.relative_to(folder).as_posix().removesuffix("index.html") for file in folder.rglob("index.html")
    )
    return [
        path for path in paths if not (card := CARD.fullmatch(path)) or card[1] in ("zero", "deepseek-v3", "kimi-k3")
    ]


def search(browser, word, target=""):
    """Types a word; the address among the first three answers that names the target, once no half-typed word answers.

    The last key tells the theme that something was typed.
    """
    browser.run("document.querySelector('[for=__search]').click()")
    browser.wait("document.querySelector('#__search').checked")
    browser.focus(".md-search__input")
    browser.type(word)
    browser.press("ArrowRight")
    return browser.wait(f"{FOUND}.slice(0, 3).find(url => url.includes({json.dumps(target)}))")


@pytest.mark.parametrize(("language", "word", "target"), WORDS)
def test_search_finds_a_word_of_the_page_s_language(page, quiet, language, word, target):
    page.goto(f"{quiet.address}{'' if language == 'zh' else 'en/'}")
    assert target in search(page, word, target)


@pytest.mark.parametrize(("language", "word", "target"), WORDS)
def test_search_finds_it_in_the_downloaded_folder_too(page, folder, language, word, target):
    page.goto((folder / ("index.html" if language == "zh" else "en/index.html")).as_uri())
    assert target in search(page, word, target)


def test_the_index_of_one_language_comes_when_a_reader_types(page, quiet):
    page.goto(quiet.address)
    page.wait("document.querySelector('.md-search-result__meta').textContent.includes('键入')")
    assert quiet.asked("search_index") == []
    search(page, "激活")
    assert quiet.asked("search_index") == ["/repo/search/search_index.json"]


def test_the_palette_changes_under_the_policy(page, quiet):
    page.goto(quiet.address)
    assert page.get("document.querySelector('meta[http-equiv=Content-Security-Policy]').content.includes('sha256-')")
    page.run("document.querySelector('[for=__palette_1]:not([hidden])').click()")
    page.run("document.querySelector('[for=__palette_2]:not([hidden])').click()")
    page.wait("document.body.dataset.mdColorScheme === 'slate'")
    page.goto(f"{quiet.address}glossary/")
    assert page.get("document.body.dataset.mdColorScheme") == "slate"


def test_the_language_button_leads_to_the_page_that_is_open_and_keeps_its_values(page, quiet):
    """After instant navigation the header is still that of the first page."""
    page.goto(quiet.address)
    oriented(page)
    page.run("window.first = true; document.querySelector('.md-nav a[href*=\"06-pipeline\"]').click()")
    page.wait("location.pathname.endsWith('06-pipeline/') && document.querySelector('h1#pipeline, .nl-lab.pipeline')")
    assert page.get("window.first"), "the page was loaded anew"
    page.run("history.replaceState(null, '', '?lab=pipeline&m=16')")
    page.run("document.querySelector('.md-select__link[hreflang=en]').click()")
    arrive(page, "/en/chapters/06-pipeline/")
    assert page.get("location.search") == "?lab=pipeline&m=16"


def arrive(browser, end):
    """Waits out a full navigation, during which a page has nothing to say."""
    until = time.monotonic() + 30
    while time.monotonic() < until:
        with contextlib.suppress(RuntimeError):
            if browser.get(f"document.readyState === 'complete' && location.pathname.endsWith('{end}')"):
                return
        time.sleep(0.1)
    raise AssertionError(browser.get("location.href"))


# What reaches past the right edge of the page, for whoever has to mend it.
BEYOND = """[...document.querySelectorAll("main *")].filter(one => !one.closest(".nl-scroll")
    && one.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
    .map(one => one.tagName + "." + one.getAttribute("class")).slice(0, 5)"""


def test_no_page_scrolls_sideways_on_a_phone(chromium, quiet):
    chromium.viewport(360, 740)
    wide = {}
    for path in pages(quiet.folder):
        chromium.goto(quiet.address + path)
        chromium.wait("document.readyState === 'complete' && document.fonts.status === 'loaded'")
        if chromium.get("document.documentElement.scrollWidth > document.documentElement.clientWidth"):
            wide[path] = chromium.get(BEYOND)
    chromium.viewport(1280, 900)
    assert wide == {}


def test_the_chapters_can_be_reached_on_a_phone(page, quiet):
    page.viewport(360, 740)
    page.goto(f"{quiet.address}en/")
    page.run("document.querySelector('.md-header [for=__drawer]').click()")
    page.wait("document.querySelector('#__drawer').checked")
    listed = page.get(
        "[...document.querySelectorAll('.md-nav--primary a')].filter(a => /chapters\\/\\d\\d-/.test(a.href)).length"
    )
    page.viewport(1280, 900)
    assert listed >= 15


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_any_page(chromium, quiet, scheme):
    """The cards of works are one template: all of them in one palette, one of them in the other."""
    chromium.media("prefers-color-scheme", scheme)
    paths = [path for path in pages(quiet.folder) if scheme == "light" or not re.search(r"reading/(?!zero/)\w", path)]
    found = {path: axe(chromium, quiet.address + path) for path in [*paths, "404.html"]}
    assert {path: violations for path, violations in found.items() if violations} == {}


def axe(browser, address):
    browser.goto(address)
    browser.run(AXE)
    return browser.run("""
        const { violations } = await axe.run(document, { resultTypes: ["violations"] });
        return violations.map(one => `${one.id}: ${one.nodes.map(node => node.target).slice(0, 3).join(" | ")}`);""")


SMALL = """[...document.querySelectorAll(%s)].filter(one => one.checkVisibility()).map(one => {
    const box = one.getBoundingClientRect(), size = `${box.width.toFixed(1)}×${box.height.toFixed(1)}`;
    return Math.min(box.width, box.height) < %d - 0.5 ? `${size} ${one.outerHTML.slice(0, 80)}` : "";
  }).filter(Boolean)"""


THEIRS = (
    ".md-header :is(button, label.md-icon, a), .md-nav :is(a, label.md-nav__link), .md-footer a, .md-content__button"
)


@pytest.mark.parametrize("width", [360, 1280])
def test_what_can_be_moved_can_be_hit(chromium, quiet, width):
    chromium.viewport(width, 800)
    ours = ".nl-lab button, .nl-lab summary, .nl-lab select, .nl-box, [type=range], .nl-radios label"
    ours += ", .nl-name:has(+ [type=checkbox])"
    small = []
    for name in ("memory", "mesh", "pipeline", "dispatch"):
        chromium.goto(f"{quiet.address}labs/{name}/")
        chromium.run("document.querySelectorAll('.nl-lab details').forEach(one => one.open = true)")
        small += chromium.get(SMALL % (json.dumps(ours), 44))
        small += chromium.get(SMALL % (json.dumps(THEIRS), 24))
    chromium.viewport(1280, 900)
    assert small == []


def test_print_shows_the_answers_and_a_still_figure(chromium, quiet):
    chromium.goto(f"{quiet.address}chapters/02-model-state/")
    chromium.run("dispatchEvent(new Event('beforeprint'))")
    chromium.medium("print")
    shown = "[...document.querySelectorAll('details.answer p')].every(one => one.checkVisibility())"
    assert chromium.get(shown)
    assert chromium.get("document.querySelector('.nl-lab .nl-svg').checkVisibility()")
    assert not chromium.get("document.querySelector('.nl-lab form').checkVisibility()")
    chromium.medium("screen")


@pytest.mark.parametrize(
    ("path", "limit"), [("chapters/02-model-state/", 350_000), ("", 300_000), ("labs/memory/", 300_000)]
)
def test_a_first_visit_without_a_touch_stays_within_its_weight(chromium, quiet, path, limit):
    chromium.ask("goto", quiet.address + path, "networkidle0")
    assert 50_000 < quiet.sent() <= limit
    assert quiet.asked("snapshot") == quiet.asked("program") == quiet.asked("search_index") == []


def test_the_origin_of_a_quoted_figure_opens_by_keyboard(page, quiet):
    page.goto(f"{quiet.address}chapters/02-model-state/")
    page.run("document.querySelector('.nl-origin-mark').focus()")
    page.press("Enter")
    assert page.wait("document.querySelector('.nl-origin:popover-open')?.textContent.includes('核对于')")
