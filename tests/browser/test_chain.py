"""The reading chain as a reader uses it: a bottleneck chosen by key or touch, works marked as read, cards reached."""

from urllib.parse import urlsplit

SHOWN = "[...document.querySelectorAll('.nl-nodes > li:not([data-away])')].map(row => row.dataset.work)"
LINES = "document.querySelectorAll('.nl-edges path:not([data-away])').length"
READ = "[...document.querySelectorAll('.nl-nodes > li[data-done]')].map(row => row.dataset.work)"
SAYS = "document.querySelector('.nl-progress').textContent"
RADIO = "[name=bottleneck][value='{}']"


def choose(page, key):
    page.run(f'document.querySelector("{RADIO.format(key)}").closest("label").click()')


def test_a_bottleneck_leaves_its_works_and_fades_the_others(page, quiet):
    page.goto(f"{quiet.address}reading/")
    page.wait(f"{SHOWN}.length === 37")
    choose(page, "moe")
    page.wait(f"{SHOWN}.length === 10")
    assert set(page.get(SHOWN)) >= {"gshard", "megablocks", "deepep", "moonep"}
    assert 0 < page.get(LINES) < 54
    assert page.get(SAYS) == "读过 0 / 10"
    choose(page, "")
    page.wait(f"{SHOWN}.length === 37")
    assert page.get(LINES) == 54


def test_a_bottleneck_is_chosen_by_the_arrow_keys(page, quiet):
    page.goto(f"{quiet.address}en/reading/")
    page.wait(f"{SHOWN}.length === 37")
    page.focus(RADIO.format(""))
    page.press("ArrowDown")
    page.wait(f"{SHOWN}.length === 8")
    assert page.get("document.activeElement.value") == "state"


def test_a_chosen_bottleneck_is_in_the_address_and_opens_with_it(page, quiet):
    page.goto(f"{quiet.address}reading/")
    choose(page, "context")
    page.wait("location.search === '?bottleneck=context'")
    page.goto(f"{quiet.address}en/reading/?bottleneck=context")
    page.wait(f"{SHOWN}.length === 7")
    assert page.get(f'document.querySelector("{RADIO.format("context")}").checked')


def test_what_is_marked_as_read_on_a_card_is_marked_in_the_chain_and_stays(page, quiet):
    page.goto(f"{quiet.address}reading/zero/")
    page.wait("!document.querySelector('button[data-read]').hidden")
    page.run("document.querySelector('button[data-read]').click()")
    page.wait("document.querySelector('button[data-read]').getAttribute('aria-pressed') === 'true'")
    page.goto(f"{quiet.address}en/reading/")
    page.wait(f"{READ}.length === 1")
    assert page.get(READ) == ["zero"]
    assert page.get(SAYS) == "1 of 37 read"
    page.run("document.querySelector('input[data-read=zero]').click()")
    page.wait(f"{READ}.length === 0")
    page.goto(f"{quiet.address}reading/zero/")
    page.wait("document.querySelector('button[data-read]').getAttribute('aria-pressed') === 'false'")


def test_a_node_leads_to_its_card_and_the_card_back_to_the_node(page, quiet):
    page.goto(f"{quiet.address}reading/")
    page.wait(f"{SHOWN}.length === 37")
    page.run("document.querySelector('[data-work=zero] a').click()")
    page.wait("document.querySelector('.nl-card')?.dataset.work === 'zero'")
    page.wait("!document.querySelector('button[data-read]').hidden")
    page.run("document.querySelector('.nl-card-foot a').click()")
    page.wait("location.hash === '#zero' && document.querySelector('.nl-nodes')")
    page.wait("!document.querySelector('[name=bottleneck]').hidden")


def test_the_preset_of_a_card_opens_in_its_lab(page, quiet):
    page.goto(f"{quiet.address}en/reading/zero/")
    link = page.get("document.querySelector('.nl-preset a').href")
    assert urlsplit(link).query == "lab=memory&params=70e9&dp=64&zero=3"
    page.goto(link)
    page.wait("document.querySelector('[name=params]').value === '70e9'")
