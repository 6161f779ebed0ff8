"""A link that names a lab's state opens that state: steps of the tour, side trips, rows of the playbook, presets."""

import json
import re
from html import unescape
from urllib.parse import parse_qsl, urlsplit

from labs import lab
from tests.site.pages import of

STEPS = {"memory": "M2", "mesh": "X4", "pipeline": "P3", "dispatch": "C2"}
TRIPS = {"M7": "memory", "P2": "pipeline", "C5": "dispatch"}


def own(pages, edition, name):
    """What the lab that bears its page's name starts from; `?lab=NAME` speaks to that one."""
    page = of(pages, edition, f"labs/{name}/")
    [begun] = [have["data-start"] for _, have in page.having("data-start") if have["data-instance"] == name]
    return json.loads(unescape(begun))


def states(pages, edition, place):
    """(lab, the whole form) that each link with `?lab=` opens, in order."""
    page = of(pages, edition, place)
    links = [have["href"] for have in page.all("a") if "?lab=" in have.get("href", "")]
    opened = []
    for link in links:
        named = dict(parse_qsl(urlsplit(link).query))
        name = named.pop("lab")
        assert re.match(rf"(\.\./)*labs/{name}/\?", link), link
        assert set(named) <= set(lab.find(name).form()), link
        opened.append((name, own(pages, edition, name) | named))
    return opened


def test_the_four_steps_open_m2_x4_p3_and_c2(pages, edition):
    opened = states(pages, edition, "chapters/12-labs/")[:4]
    assert opened == [(name, lab.find(name).form(preset)) for name, preset in STEPS.items()]


def test_the_side_trips_open_their_presets(pages, edition):
    opened = states(pages, edition, "chapters/12-labs/")[4:]
    assert opened == [(name, lab.find(name).form(preset)) for preset, name in TRIPS.items()]


def names_of(name, form):
    """Presets of a lab that are in this state."""
    found = lab.find(name)
    return [one.id for one in found.presets if found.form(one.id) == form]


def test_each_link_of_the_playbook_opens_a_preset(pages, edition):
    opened = states(pages, edition, "chapters/14-playbook/")
    assert len(opened) >= 8
    assert [name for name, form in opened if not names_of(name, form)] == []


def test_a_symptom_on_the_home_page_opens_the_lab_that_shows_it(pages, edition):
    opened = states(pages, edition, "")
    assert [names_of(name, form) for name, form in opened] == [["M1"], ["C3"], ["X6"], ["P1"], ["C5"], ["M4"]]
