"""Every page in both languages: at 360 px, for axe in both palettes, in print; and each lab without a mouse."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from labs import lab
from tests.browser.drivers import ROOT
from tests.browser.reader import expected, form, root, settle, shown

AXE = str(ROOT / "node_modules/axe-core/axe.min.js")
# What a finger has to hit in a lab: native controls, or the label that stands for one.
TARGETS = (
    "[data-lab] :is(button, select, summary, input:not([type=radio], [type=checkbox])), [data-lab] .nl-radios label"
)
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
FINDINGS = """
    document.body.dataset.mdColorScheme = SCHEME;
    await Promise.allSettled(document.getAnimations().map(one => one.finished));
    const found = await axe.run(document, { resultTypes: ["violations"], runOnly: RULES });
    return found.violations.map(v => `${v.id}: ${v.nodes.map(n => n.target.join(" ")).slice(0, 3).join(" | ")}`);"""


def paths(folder: Path) -> list[str]:
    """Every page of the built site, from its folder."""
    pages = [path.relative_to(folder) for path in folder.rglob("*.html")]
    return sorted(path.as_posix().removesuffix("index.html") for path in pages)


def test_no_page_scrolls_sideways_at_360_pixels(chromium, host):
    chromium.viewport(360, 740)
    wide = {}
    for path in paths(host.folder):
        chromium.goto(host.address + path)
        over = chromium.get("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        if over > 0:
            wide[path] = over
    chromium.viewport(1280, 900)
    assert wide == {}


def findings(page, scheme, rules):
    return page.run(FINDINGS.replace("SCHEME", json.dumps(scheme)).replace("RULES", json.dumps(rules)))


def test_axe_finds_nothing_on_any_page_in_either_palette(chromium, host):
    """Of the dark palette only what a palette can change."""
    found = {}
    for path in paths(host.folder):
        chromium.goto(host.address + path)
        chromium.inject(AXE)
        found |= {(path, "default"): findings(chromium, "default", RULES)}
        found |= {(path, "slate"): findings(chromium, "slate", ["color-contrast"])}
    assert {page: violations for page, violations in found.items() if violations} == {}


@pytest.mark.parametrize("name", lab.LABS)
@pytest.mark.parametrize("width", [360, 1280])
def test_every_control_of_a_lab_is_at_least_44_pixels_high_and_wide(chromium, host, name, width):
    chromium.viewport(width, 800)
    chromium.goto(f"{host.address}labs/{name}/")
    chromium.run("document.querySelectorAll('[data-lab] details').forEach(fold => { fold.open = true; })")
    small = chromium.get(f"""[...document.querySelectorAll({json.dumps(TARGETS)})]
        .map(target => [target.outerHTML.slice(0, 80), target.getBoundingClientRect()])
        .filter(([, box]) => box.width && (Math.round(box.height) < 44 || Math.round(box.width) < 44))
        .map(([html, box]) => `${{Math.round(box.width)}}×${{Math.round(box.height)}} ${{html}}`)""")
    chromium.viewport(1280, 900)
    assert small == []


def test_the_chapters_can_be_reached_at_360_pixels(chromium, host):
    chromium.viewport(360, 740)
    chromium.goto(f"{host.address}labs/memory/")
    chromium.run("document.querySelector('label.md-header__button[for=__drawer]').click()")
    chromium.wait("document.querySelector('.md-nav--primary').getBoundingClientRect().left >= 0")
    chromium.viewport(1280, 900)


@pytest.mark.parametrize("name", lab.LABS)
def test_a_lab_is_worked_with_the_keyboard_alone(page, quiet, name):
    page.goto(f"{quiet.address}labs/{name}/")
    page.focus(f"[data-instance={name}] [data-preset]")
    for _ in lab.find(name).presets[1:]:
        page.press("Tab")
    page.press("Enter")
    settle(page)
    assert form(page, name) == lab.find(name).form(lab.find(name).presets[-1].id)
    assert shown(page, name) == expected(name, form(page, name))


def test_a_slider_and_its_box_keep_in_step_and_the_focus_stays(page, quiet):
    page.goto(f"{quiet.address}labs/memory/")
    slider = "[data-instance=memory] [data-control=dp] [data-stops]"
    page.focus(slider)
    before = form(page, "memory")["dp"]
    page.press("ArrowRight")
    settle(page)
    after = form(page, "memory")["dp"]
    assert after != before
    assert page.get("document.activeElement.getAttribute('aria-valuetext')") == after
    assert page.get(f"document.activeElement.matches({json.dumps(slider)})")
    assert shown(page, "memory") == expected("memory", form(page, "memory"))


def test_typing_into_a_box_moves_the_slider_beside_it(page, quiet):
    page.goto(f"{quiet.address}labs/memory/")
    page.focus("[data-instance=memory] [name=dp]")
    page.run("document.activeElement.select()")
    page.type("64")
    page.press("Tab")
    settle(page)
    slider = f"{root('memory')}.querySelector('[data-control=dp] [data-stops]')"
    assert page.get(f"JSON.parse({slider}.dataset.stops)[{slider}.value]") == "64"
    assert shown(page, "memory") == expected("memory", form(page, "memory"))


def test_a_result_is_announced_once_and_politely(chromium, quiet):
    chromium.goto(f"{quiet.address}labs/memory/")
    chromium.run(f"""
        const verdict = {root("memory")}.querySelector("[data-region=verdict]");
        globalThis.announced = 0;
        new MutationObserver(() => announced++).observe(verdict, {{ childList: true }});""")
    chromium.run(f"{root('memory')}.querySelector('[data-id=M3]').click()")
    settle(chromium)
    assert chromium.get("announced") == 1
    assert chromium.get(f"{root('memory')}.querySelectorAll('[aria-live]').length") == 1


def test_what_a_change_altered_is_marked(chromium, quiet):
    chromium.goto(f"{quiet.address}labs/memory/")
    chromium.run(f"{root('memory')}.querySelector('[data-id=M3]').click()")
    settle(chromium)
    marked = chromium.get(f"{root('memory')}.querySelectorAll('[data-region=table] .nl-changed').length")
    cells = chromium.get(f"{root('memory')}.querySelectorAll('[data-region=table] td').length")
    assert 0 < marked < cells


def test_nothing_moves_for_a_reader_who_asked_for_less_motion(chromium, quiet):
    chromium.media("prefers-reduced-motion", "reduce")
    chromium.goto(f"{quiet.address}labs/memory/")
    chromium.run(f"{root('memory')}.querySelector('[data-id=M3]').click()")
    settle(chromium)
    moving = chromium.get("""document.getAnimations()
        .filter(one => document.querySelector('[data-lab]').contains(one.effect.target))
        .filter(one => one.effect.getComputedTiming().activeDuration > 1).length""")
    chromium.media("prefers-reduced-motion", "no-preference")
    assert moving == 0


def test_print_shows_the_figure_and_the_folded_answers(chromium, host):
    chromium.goto(f"{host.address}chapters/02-model-state/")
    chromium.medium("print")
    hidden = chromium.get("""[...document.querySelectorAll("article details > :not(summary)")]
        .filter(part => !part.closest(".nl-form, .nl-group") && part.textContent.trim())
        .filter(part => !part.checkVisibility({ contentVisibilityAuto: true }))
        .map(part => part.textContent.trim().slice(0, 60))""")
    figure = chromium.get("document.querySelector('[data-region=figure]').getBoundingClientRect().height")
    chromium.medium("screen")
    assert hidden == []
    assert figure > 40


def test_every_page_of_the_sitemap_is_a_page_of_the_site(host):
    tree = ElementTree.parse(host.folder / "sitemap.xml")
    named = {place.text.removeprefix(host.address) for place in tree.iter() if place.tag.endswith("}loc")}
    assert named == {path for path in paths(host.folder) if path != "404.html"}
