"""What a reader is told while Python is on its way, and what one who has to save data is spared."""

import re

from tests.browser.reader import choose, expected, form, put, root, settle, shown, status


def test_the_line_of_progress_says_what_comes_how_much_of_it_and_how_far_it_is(page, quiet):
    quiet.hold("snapshot.bin")
    page.goto(f"{quiet.address}labs/memory/")
    page.hover("[data-instance=memory] .nl-title")
    page.wait(f"/MB/.test({root('memory')}.querySelector('[data-status]').textContent)")
    size, percent = re.search(r"计算程序（([\d.]+) MB，已取 (\d+)%）", status(page, "memory")).groups()
    assert 5 < float(size) < 11 and 0 <= int(percent) < 100
    quiet.release()
    page.wait("document.querySelector('[data-state=ready]')")
    assert "MB" not in status(page, "memory")


def test_a_reader_who_saves_data_fetches_python_by_a_change_and_not_by_coming_near(page, quiet):
    page.before("Object.defineProperty(Navigator.prototype, 'connection', { get: () => ({ saveData: true }) })")
    page.goto(f"{quiet.address}labs/memory/")
    page.hover("[data-instance=memory] .nl-title")
    page.focus("[data-instance=memory] [name=dp]")
    page.run("await new Promise(done => setTimeout(done, 500))")  # in which a worker would have been asked for
    assert quiet.asked("/runtime/") == quiet.asked("labs.js")
    put(page, "memory", "dp", "16")
    settle(page)
    assert shown(page, "memory") == expected("memory", form(page, "memory"))


def test_values_chosen_while_python_comes_are_those_it_answers(page, quiet):
    quiet.hold("snapshot.bin")
    page.goto(f"{quiet.address}labs/memory/")
    choose(page, "memory", "M2")
    put(page, "memory", "dp", "32")
    page.wait("document.querySelector('[data-state=pending]')")
    quiet.release()
    settle(page)
    given = form(page, "memory")
    assert (given["dp"], given["zero"]) == ("32", "3")
    assert shown(page, "memory") == expected("memory", given)
