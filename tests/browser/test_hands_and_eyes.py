"""A lab without a mouse, and what it tells a reader who does not see it: test_site.py looks at whole pages."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from labs import lab
from tests.browser.reader import expected, form, put, root, settle, shown


def paths(folder: Path) -> list[str]:
    """Every page of the built site, from its folder."""
    pages = [path.relative_to(folder) for path in folder.rglob("*.html")]
    return sorted(path.as_posix().removesuffix("index.html") for path in pages)


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


def test_a_number_written_with_a_suffix_moves_the_slider_and_is_stepped_from(page, quiet):
    page.goto(f"{quiet.address}labs/memory/")
    put(page, "memory", "params", "70亿")
    settle(page)
    control = f"{root('memory')}.querySelector('[data-control=params]')"
    slider = f"{control}.querySelector('[data-stops]')"
    assert page.get(f"JSON.parse({slider}.dataset.stops)[{slider}.value]") == "7e9"
    page.run(f"{control}.querySelector('[data-step=\"1\"]').click()")
    settle(page)
    stops = page.get(f"JSON.parse({slider}.dataset.stops)")
    assert form(page, "memory")["params"] == stops[stops.index("7e9") + 1]


def test_a_refusal_is_seen_though_the_mode_hides_its_control(page, quiet):
    page.goto(f"{quiet.address}labs/dispatch/?lab=dispatch&mode=ring")
    settle(page)
    put(page, "dispatch", "seq", "abc")
    settle(page)
    page.run(f"{root('dispatch')}.querySelector('[name=mode][value=collective]').click()")
    settle(page)
    error = f"{root('dispatch')}.querySelector('[data-error=seq]')"
    assert page.get(f"{error}.checkVisibility()")
    assert "abc" in page.get(f"{error}.textContent")
    put(page, "dispatch", "seq", "4096")
    settle(page)
    assert not page.get(f"{error}.checkVisibility()")
    assert shown(page, "dispatch") == expected("dispatch", form(page, "dispatch"))


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


def test_a_timeline_stays_where_it_was_scrolled_to_and_keeps_the_focus(page, quiet):
    page.goto(f"{quiet.address}labs/pipeline/?lab=pipeline&m=64")
    settle(page)
    scrolls = f"{root('pipeline')}.querySelector('[data-region=figure] .nl-scroll')"
    page.run(f"""
        const moved = new Promise(done => addEventListener("scroll", done, {{ capture: true, once: true }}));
        {scrolls}.scrollLeft = 120;
        {scrolls}.focus();
        return moved;""")
    put(page, "pipeline", "m", "65")
    settle(page)
    assert page.get(f"{scrolls}.scrollLeft") == 120
    assert page.get(f"document.activeElement === {scrolls}")


def test_what_only_names_a_slot_a_lane_or_a_tick_is_not_marked_as_news(page, quiet):
    page.goto(f"{quiet.address}labs/pipeline/?lab=pipeline&p=16&m=32")
    settle(page)
    assert page.get(f"{root('pipeline')}.querySelectorAll('[data-region=table] .nl-changed').length") > 0
    names = ":is(.nl-inside, .nl-tick, .nl-lanes li, .nl-legend li).nl-changed"
    assert page.get(f"{root('pipeline')}.querySelectorAll('{names}').length") == 0


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


def test_where_no_repository_is_known_no_page_offers_to_be_edited(host):
    pages = {path: path.read_text("utf-8") for path in host.folder.rglob("*.html")}
    assert len(pages) > 100
    assert [path for path, html in pages.items() if 'rel="edit"' in html or "/edit/main/" in html] == []


def test_every_page_of_the_sitemap_is_a_page_of_the_site(host):
    tree = ElementTree.parse(host.folder / "sitemap.xml")
    named = {place.text.removeprefix(host.address) for place in tree.iter() if place.tag.endswith("}loc")}
    assert named == {path for path in paths(host.folder) if path != "404.html"}
