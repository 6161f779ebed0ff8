"""Whatever goes wrong, the built figure stays and one sentence says why; and a wrong input is answered in its place."""

import pytest

from tests.browser.drivers import Framed
from tests.browser.reader import answer, choose, expected, form, put, root, settle, shown, status

HTML = {"Content-Type": "text/html"}
PAGE = b"<!doctype html><title>Sign in</title>"
BROKEN = {
    "a part is missing": ("program.bin", (404, HTML, PAGE), "文件没有取到"),
    "a host answers every path with its home page": ("program.bin", (200, HTML, PAGE), "文件没有取到"),
    "a module is missing": ("pyodide.asm.mjs", (404, HTML, PAGE), "文件没有取到"),
    "the index is missing": ("runtime.json", (404, HTML, PAGE), "文件没有取到"),
    "the worker is missing": ("worker.js", (404, HTML, PAGE), "后台线程"),
    "the worker is a page": ("worker.js", (200, HTML, PAGE), "后台线程"),
    "the worker is redirected to a page": ("worker.js", (302, {"Location": "/repo/index.html"}, b""), "后台线程"),
}


def fails(page, sentence):
    """The lab says so, and shows what was built."""
    page.wait("document.querySelector('[data-state=failed]')")
    assert sentence in status(page, "memory")
    assert "预先算好" in status(page, "memory")
    assert shown(page, "memory") == expected("memory", page.get(f"JSON.parse({root('memory')}.dataset.start)"))
    assert page.get("document.querySelectorAll('[aria-busy]').length") == 0


@pytest.mark.parametrize("kind", BROKEN)
def test_the_built_figure_stays_and_a_sentence_says_why_when(page, quiet, kind):
    end, fault, sentence = BROKEN[kind]
    quiet.faults[end] = fault
    page.goto(f"{quiet.address}labs/memory/")
    choose(page, "memory", "M2")
    fails(page, sentence)


def test_a_browser_without_webassembly_is_told_so(page, quiet):
    page.before("delete globalThis.WebAssembly")
    page.goto(f"{quiet.address}labs/memory/")
    choose(page, "memory", "M2")
    fails(page, "WebAssembly")


def test_the_english_page_fails_in_english(chromium, quiet):
    quiet.faults["program.bin"] = (404, HTML, PAGE)
    chromium.goto(f"{quiet.address}en/labs/memory/")
    choose(chromium, "memory", "M2")
    chromium.wait("document.querySelector('[data-state=failed]')")
    assert "could not be fetched" in status(chromium, "memory")


@pytest.mark.parametrize("broken", [(404, HTML, PAGE), (200, {"Content-Type": "application/octet-stream"}, b"no gzip")])
def test_python_starts_from_its_library_where_the_snapshot_fails(page, quiet, broken):
    quiet.faults["snapshot.bin"] = broken
    page.goto(f"{quiet.address}labs/memory/")
    choose(page, "memory", "M2")
    settle(page)
    assert shown(page, "memory") == expected("memory", form(page, "memory"))
    assert quiet.asked("python_stdlib.zip")
    assert any("snapshot" in line for line in page.said())


def test_a_page_of_another_version_is_told_to_reload(page, quiet):
    page.goto(f"{quiet.address}labs/memory/")
    page.run("document.querySelector('[data-lab]').dataset.hash = 'older'")
    choose(page, "memory", "M2")
    page.wait("document.querySelector('[data-state=mismatch]')")
    assert "请刷新" in status(page, "memory")
    assert page.get(f"{root('memory')}.hasAttribute('aria-busy')") is False
    assert shown(page, "memory") == expected("memory", page.get(f"JSON.parse({root('memory')}.dataset.start)"))


REFUSE_STORAGE = """
    const refuse = { get() { throw new DOMException("refused", "SecurityError"); } };
    for (const name of ["localStorage", "sessionStorage", "indexedDB"])
      Object.defineProperty(globalThis, name, refuse);"""


def test_labs_work_where_storage_is_refused(page, quiet):
    page.before(REFUSE_STORAGE)
    page.goto(f"{quiet.address}labs/memory/")
    choose(page, "memory", "M2")
    settle(page)
    assert shown(page, "memory") == expected("memory", form(page, "memory"))


def test_labs_work_in_a_frame_of_another_site_where_storage_is_refused(page, quiet):
    around = f"<!doctype html><title>Elsewhere</title><iframe src={quiet.address}labs/memory/></iframe>"
    quiet.faults["around.html"] = (200, HTML, around.encode())
    page.before(REFUSE_STORAGE)
    page.goto(quiet.address.replace("127.0.0.1", "localhost") + "around.html")
    frame = Framed(page)
    choose(frame, "memory", "M2")
    settle(frame)
    assert shown(frame, "memory") == expected("memory", form(frame, "memory"))
    for closed in ("parent.document", "localStorage"):
        assert frame.run(f"try {{ return {closed}.title }} catch (error) {{ return error.name }}") == "SecurityError"


def test_after_a_crash_while_starting_only_the_reader_starts_it_again(page, quiet):
    page.before("sessionStorage.setItem('nine-ledgers-starting', '1')")
    page.goto(f"{quiet.address}labs/memory/?lab=memory&dp=64")
    page.wait("document.querySelector('[data-state=crashed]')")
    page.hover("[data-instance=memory] .nl-title")
    assert quiet.asked("worker.js") == []
    page.click("[data-instance=memory] .nl-title")
    settle(page)
    assert shown(page, "memory") == expected("memory", form(page, "memory"))


def test_the_newest_of_many_changes_is_what_stands_in_the_end(page, quiet):
    page.goto(f"{quiet.address}labs/pipeline/")
    page.run(f"""
        const presets = [...{root("pipeline")}.querySelectorAll("[data-preset]")];
        for (let round = 0; round < 4; round++) for (const preset of presets) preset.click();
        presets[0].click();""")
    settle(page)
    given = form(page, "pipeline")
    assert shown(page, "pipeline") == expected("pipeline", given)


def test_an_answer_for_a_lab_that_has_left_the_page_is_dropped(chromium, quiet):
    chromium.goto(f"{quiet.address}labs/memory/")
    choose(chromium, "memory", "M2")
    settle(chromium)
    chromium.run(f"""
        globalThis.gone = {root("memory")};
        gone.querySelector("[data-id=M3]").click();
        gone.remove();
        await new Promise(done => setTimeout(done, 1500));""")
    left = chromium.get("gone.querySelector('[data-region=verdict]').textContent")
    assert (
        left
        != expected("memory", {**chromium.get("JSON.parse(gone.querySelector('[data-id=M3]').dataset.preset)")})[
            "verdict"
        ]
    )


@pytest.mark.parametrize("text", ["-1", "abc", "NaN", "1e309", "0", "2.5", ""])
def test_a_bad_number_is_answered_in_its_place_and_the_last_good_figure_stays(chromium, quiet, text):
    chromium.goto(f"{quiet.address}labs/memory/")
    put(chromium, "memory", "dp", "16")
    settle(chromium)
    good = shown(chromium, "memory")
    put(chromium, "memory", "dp", text)
    settle(chromium)
    place = f"{root('memory')}.querySelector('[data-error=dp]')"
    assert chromium.get(f"{place}.hidden") is False
    assert chromium.get(f"{place}.textContent") == answer("memory", {"dp": text})["error"]["message"]
    box = f"{root('memory')}.querySelector('[name=dp]')"
    assert chromium.get(f"{box}.getAttribute('aria-invalid')") == "true"
    assert chromium.get(f"{box}.getAttribute('aria-describedby').split(' ').includes({place}.id)")
    assert shown(chromium, "memory") == good


@pytest.mark.parametrize(
    ("name", "preset", "control", "text"),
    [
        ("mesh", "X1", "dp", "3"),
        ("pipeline", "P3", "m", "19"),
        ("pipeline", "P3", "p", "7"),
        ("dispatch", "C6", "K", "300"),
    ],
)
def test_values_that_cannot_be_together_are_refused_at_their_control(chromium, quiet, name, preset, control, text):
    chromium.goto(f"{quiet.address}en/labs/{name}/")
    choose(chromium, name, preset)
    settle(chromium)
    good = shown(chromium, name)
    put(chromium, name, control, text)
    settle(chromium)
    refused = answer(name, form(chromium, name), "en")["error"]
    place = f"{root(name)}.querySelector('[data-error={refused['field']}]')"
    assert chromium.get(f"{place}.checkVisibility()") and chromium.get(f"{place}.textContent") == refused["message"]
    assert shown(chromium, name) == good


def test_a_good_value_takes_the_refusal_away(chromium, quiet):
    chromium.goto(f"{quiet.address}labs/memory/")
    for text in ("abc", "32"):
        put(chromium, "memory", "dp", text)
        settle(chromium)
    assert chromium.get("document.querySelectorAll('[data-error]:not([hidden]), [aria-invalid]').length") == 0
    assert shown(chromium, "memory") == expected("memory", form(chromium, "memory"))


def test_what_a_reader_writes_is_text_and_never_markup(chromium, quiet):
    chromium.goto(f"{quiet.address}labs/memory/?lab=memory&zero=%3Cimg%20src%3Dx%20id%3Dinjected%3E")
    chromium.wait(f"{root('memory')}.querySelector('[data-error=zero]:not([hidden])')")
    assert "<img" in chromium.get(f"{root('memory')}.querySelector('[data-error=zero]').textContent")
    assert chromium.get("document.getElementById('injected')") is None
