"""What a page costs before a lab is wanted, what an address means, and what survives going from page to page."""

import json

from labs import lab
from tests.browser.reader import READY, choose, expected, form, oriented, put, root, settle, shown, status

RUNTIME = ("program.bin", "snapshot.bin", "pyodide", "worker.js")


def runtime_files(host):
    return [path for path, _ in host.log if path.endswith(RUNTIME) or "pyodide" in path]


def workers(page):
    return [url for url in page.workers() if "/runtime/" in url]


def menu(name):
    """The link to a lab in the navigation."""
    return f".md-nav a[href$='{name}/']"


def follow(page, selector):
    """Clicks a link and waits for the page behind it to arrive."""
    before = page.get("location.href")
    page.run(f"document.querySelector({json.dumps(selector)}).click()")
    page.wait(f"location.href !== {json.dumps(before)} && document.readyState === 'complete'")


def test_nothing_of_python_is_fetched_until_a_lab_is_near(page, quiet):
    page.goto(f"{quiet.address}labs/memory/")
    page.wait("document.querySelector('[data-state=built]')")
    assert runtime_files(quiet) == []
    page.hover("[data-instance=memory] .nl-title")
    page.wait("document.querySelector('[data-state=ready]')")
    assert len([path for path in runtime_files(quiet) if path.endswith("snapshot.bin")]) == 1


def test_the_keyboard_brings_python_too(page, quiet):
    page.goto(f"{quiet.address}labs/memory/")
    page.focus("[data-instance=memory] [data-preset]")
    page.wait("document.querySelector('[data-state=ready]')")


def test_no_page_asks_another_origin_for_anything(page, quiet):
    for path in ("", "chapters/02-model-state/", "labs/dispatch/", "en/reading/"):
        page.goto(quiet.address + path)
    page.goto(f"{quiet.address}labs/pipeline/")
    choose(page, "pipeline", "P2")
    settle(page)
    assert [url for url in page.asked() if not url.startswith((quiet.address, "data:", "blob:"))] == []


def test_the_library_of_python_does_not_travel(page, quiet):
    page.goto(f"{quiet.address}labs/memory/")
    choose(page, "memory", "M2")
    settle(page)
    assert quiet.asked("python_stdlib") == []
    assert quiet.asked("snapshot.bin")


def test_python_comes_with_at_most_11_mb(chromium, quiet):
    chromium.goto(f"{quiet.address}labs/memory/")
    chromium.wait("document.querySelector('[data-state=built]')")
    before = quiet.sent()
    choose(chromium, "memory", "M2")
    settle(chromium)
    assert 5e6 < quiet.sent() - before <= 11e6


def test_a_link_is_a_state(page, quiet):
    page.goto(f"{quiet.address}labs/memory/?lab=memory&dp=64&zero=3")
    settle(page)
    given = form(page, "memory")
    assert (given["dp"], given["zero"]) == ("64", "3")
    assert shown(page, "memory") == expected("memory", given)


def test_a_page_opened_by_a_link_says_that_the_built_values_are_not_yet_the_readers(page, quiet):
    quiet.hold("snapshot.bin")
    page.goto(f"{quiet.address}labs/memory/?lab=memory&dp=64")
    page.wait("document.querySelector('[data-state=pending]')")
    assert "本页的数值" in status(page, "memory")
    quiet.release()
    settle(page)
    assert "本页的数值" not in status(page, "memory")


def test_a_value_that_no_control_has_is_refused_as_it_was_written(page, quiet):
    page.goto(f"{quiet.address}labs/memory/?lab=memory&zero=7")
    page.wait(f"{root('memory')}.querySelector('[data-error=zero]:not([hidden])')")
    assert "7" in page.get(f"{root('memory')}.querySelector('[data-error=zero]').textContent")


def test_a_link_in_the_text_sets_the_lab_of_its_own_page(page, quiet):
    page.goto(f"{quiet.address}labs/memory/")
    page.run("document.querySelector('article h1').innerHTML += '<a id=state href=\"?lab=memory&dp=64\">dp = 64</a>'")
    page.run("document.getElementById('state').click()")
    page.wait(f"{root('memory')}.querySelector('[name=dp]').value === '64'")
    settle(page)
    assert shown(page, "memory") == expected("memory", form(page, "memory"))


def test_what_a_reader_sets_goes_into_the_address(page, quiet):
    page.goto(f"{quiet.address}labs/memory/")
    put(page, "memory", "dp", "16")
    settle(page)
    page.wait("location.search === '?lab=memory&dp=16'")


def test_the_page_of_the_other_language_opens_with_the_same_values(page, quiet):
    page.goto(f"{quiet.address}labs/memory/")
    put(page, "memory", "dp", "16")
    page.wait("location.search === '?lab=memory&dp=16'")
    follow(page, "a[hreflang=en]")
    settle(page)
    assert page.get("document.documentElement.lang") == "en"
    assert form(page, "memory")["dp"] == "16"
    assert shown(page, "memory") == expected("memory", form(page, "memory"), "en")


def test_instant_navigation_keeps_the_worker_from_lab_to_lab(page, quiet):
    page.goto(f"{quiet.address}labs/memory/")
    choose(page, "memory", "M2")
    settle(page)
    page.run("window.same = true")
    follow(page, menu("mesh"))
    page.wait("document.querySelector('[data-instance=mesh][data-state]')")
    last = lab.find("mesh").presets[-1].id
    choose(page, "mesh", last)
    settle(page)
    assert page.get("window.same") is True
    assert shown(page, "mesh") == expected("mesh", form(page, "mesh"))
    assert len(quiet.asked("snapshot.bin")) == 1


def test_a_lab_reached_by_instant_navigation_first_computes_as_well(page, quiet):
    page.goto(quiet.address)
    oriented(page)
    page.run("window.same = true")
    follow(page, menu("memory"))
    page.wait("document.querySelector('[data-instance=memory][data-state]')")
    choose(page, "memory", "M2")
    settle(page)
    assert page.get("window.same") is True
    assert shown(page, "memory") == expected("memory", form(page, "memory"))


def test_going_away_and_back_adds_no_worker(chromium, quiet):
    chromium.goto(f"{quiet.address}labs/memory/")
    choose(chromium, "memory", "M2")
    settle(chromium)
    for name in ("mesh", "memory", "mesh", "memory"):
        follow(chromium, menu(name))
        chromium.wait(f"document.querySelector('[data-instance={name}][data-state]')")
    assert len(workers(chromium)) == 1


def test_a_page_that_is_left_by_a_full_load_ends_its_worker(chromium, quiet):
    for _ in range(3):
        chromium.goto(f"{quiet.address}labs/memory/?lab=memory&dp=16")
        settle(chromium)
    assert len(workers(chromium)) == 1


def test_labs_work_at_a_host_the_site_was_not_built_for(page, quiet):
    elsewhere = quiet.address.replace("127.0.0.1", "localhost")
    page.goto(f"{elsewhere}chapters/02-model-state/")
    page.goto(f"{elsewhere}labs/mesh/")
    choose(page, "mesh", "X2")
    settle(page)
    assert shown(page, "mesh") == expected("mesh", form(page, "mesh"))


def test_two_labs_on_a_page_share_one_worker_and_keep_their_own_values(chromium, quiet):
    chromium.goto(f"{quiet.address}labs/memory/")
    chromium.run("""
        const copy = document.querySelector("[data-lab]").cloneNode(true);
        copy.dataset.instance = "memory-2";
        document.querySelector("[data-lab]").after(copy);""")
    choose(chromium, "memory", "M2")
    choose(chromium, "memory-2", "M3")
    settle(chromium)
    for instance in ("memory", "memory-2"):
        assert shown(chromium, instance) == expected("memory", form(chromium, instance))
    assert form(chromium, "memory") != form(chromium, "memory-2")
    assert len(workers(chromium)) == 1


def test_the_policy_of_the_page_lets_the_palette_and_the_labs_work(page, quiet):
    page.goto(f"{quiet.address}labs/memory/")
    assert "'unsafe-inline'" not in page.get(
        "document.querySelector('meta[http-equiv=Content-Security-Policy]').content"
    )
    before = page.get("document.body.dataset.mdColorScheme")
    page.wait(f"""(() => {{ document.querySelector("label[for^=__palette]:not([hidden])")?.click();
        return document.body.dataset.mdColorScheme !== {json.dumps(before)}; }})()""")
    choose(page, "memory", "M2")
    assert page.wait(READY)
