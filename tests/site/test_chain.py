"""The reading chain: its data are whole, and its drawing shows every work and every debt."""

import re

import pytest

from labs.draw.theme import LEDGERS
from overrides import chain, facts
from overrides.place import Mistake
from tests.site.pages import of


def chain_page(pages, edition):
    return of(pages, edition, "reading/")


# ---- the data


def test_the_chain_has_37_works_and_each_has_a_card():
    assert len(chain.works()) == 37
    chain.check()


def test_every_work_builds_only_on_earlier_ones():
    order = list(chain.works())
    for work in chain.works().values():
        assert [one for one in work.source["builds_on"] if order.index(one) >= order.index(work.id)] == [], work.id


def test_a_work_that_builds_on_others_pays_a_debt_of_one():
    assert [work.id for work in chain.works().values() if work.source["builds_on"] and not work.answers] == []


def test_four_nodes_are_repositories():
    repositories = [work.id for work in chain.works().values() if work.source["kind"] == "repo"]
    assert sorted(repositories) == ["agentenv", "deepep", "k2-checkpoint-engine", "moonep"]


@pytest.mark.parametrize(("field", "words"), [("asks", 60), ("debt", 60)])
def test_a_question_and_a_debt_are_one_short_sentence_or_two(field, words):
    for work in chain.works().values():
        assert len(work.card[field]["zh"]) <= words and len(work.card[field]["en"].split()) <= 40, work.id


def test_what_is_not_disclosed_or_only_remembered_is_never_printed():
    printed = [(work.id, fact["verified"]) for work in chain.works().values() for fact in work.figures]
    assert {verified for _, verified in printed} == {"yes"}
    assert len(printed) >= 120


def test_every_bottleneck_shows_its_starts():
    for bottleneck in facts.load("bottlenecks").entries.values():
        assert set(bottleneck["starts"]) <= set(chain.members(bottleneck)), bottleneck["id"]


def test_a_place_is_told_in_the_language_of_the_page():
    assert chain.place_of({"place": "K3 report Table 2, abstract"}, "zh") == "K3 报告 表 2, 摘要"
    assert chain.place_of({"place": "Table 2"}, "en") == "Table 2"


@pytest.fixture
def broken(tmp_path, monkeypatch):
    """Cards from a text in which one thing was replaced."""

    def make(old, new, kind="cards"):
        for name in ("cards", "sources", "bottlenecks"):
            text = (chain.DATA / f"{name}.yml").read_text("utf-8")
            assert kind != name or old in text
            (tmp_path / f"{name}.yml").write_text(text.replace(old, new, 1) if kind == name else text, "utf-8")
        for module in ("facts", "entries"):
            monkeypatch.setattr(f"overrides.{module}.DATA", tmp_path)
        for kept in (facts.load, chain.works):
            kept.cache_clear()

    yield make
    monkeypatch.undo()
    for kept in (facts.load, chain.works):
        kept.cache_clear()


@pytest.mark.parametrize(
    ("kind", "old", "new", "says"),
    [
        ("cards", "  lab: {name: memory, preset: M2}", "  lab: {name: memory, preset: M99}", "“preset” cannot be M99"),
        ("cards", "    mixed-precision: {zh:", "    gshard: {zh:", "answers 'gshard', which is not in its builds_on"),
        (
            "cards",
            '"参数切开，放在一组参数服务器上；每个模型副本自己也可以横跨几台机器。", ',
            "",
            "needs three lines in zh",
        ),
        (
            "sources",
            "- id: zero\n",
            "- id: naught\n  year: 1\n  n: 0\n- id: zero\n",
            "no such card in docs/data/cards.yml",
        ),
        ("sources", "  - gpipe\n", "  - gpype\n", "no work 'gpype' in docs/data/sources.yml"),
        ("cards", "- id: zero\n", "- id: zerro\n", "no such work in docs/data/sources.yml"),
        ("sources", "    verified: 'yes'\n    place:", "    verified: memory\n    place:", "it needs `verified: yes`"),
        ("sources", "repository: deepseek-ai/DeepEP@dd758caf4518", "repository: deepseek-ai/DeepEP", "at a commit"),
        ("sources", "  repository: deepseek-ai/DeepEP@dd758caf4518\n", "", "say at which commit"),
        ("bottlenecks", "[zero, ", "[zerro, ", "no work 'zerro'"),
    ],
)
def test_a_card_that_is_joined_to_nothing_is_told_with_its_line(broken, kind, old, new, says):
    broken(old, new, kind)
    with pytest.raises(Mistake, match=rf"^docs/data/{kind}\.yml:\d+: ") as told:
        chain.check()
    assert says in str(told.value)


# ---- the drawing


def test_every_work_stands_in_the_drawing_once_by_year(pages, edition):
    assert [have["data-work"] for have in chain_page(pages, edition).classed("nl-work")] == list(chain.works())


def test_every_debt_is_a_line_of_the_drawing_and_a_sentence_below_it(pages, edition):
    page = chain_page(pages, edition)
    lines = [(have["data-to"], have["data-from"]) for have in page.all("path") if "data-from" in have]
    assert lines == [(later.id, earlier.id) for later, earlier, _ in chain.debts()]
    for _, _, part in chain.debts():
        assert part[edition] in page.words


def test_a_disc_stands_in_the_column_of_its_main_ledger(pages, edition):
    discs = chain_page(pages, edition).all("b")
    at = [(have["class"], have["style"]) for have in discs if "style" in have]
    assert at == [(w.ledgers[0], f"--at:{LEDGERS.index(w.ledgers[0])}") for w in chain.works().values()]


def test_each_node_leads_to_its_card(pages, edition):
    _, _, nodes = chain_page(pages, edition).html.partition('<ol class="nl-nodes"')
    assert re.findall(r'<a href="([\w.-]+)/" title=', nodes.partition("</ol>")[0]) == list(chain.works())


def test_without_a_script_no_control_is_shown_and_every_work_is(pages, edition):
    page = chain_page(pages, edition)
    controls = [have for have in page.all("input") if have.get("name") == "bottleneck" or "data-read" in have]
    assert len(controls) == 1 + 10 + 37
    assert all("hidden" in have for have in controls)
    assert not [have for have in page.classed("nl-work") if "hidden" in have]


def test_only_the_chain_and_its_cards_load_its_script(pages):
    loading = {
        path for path, page in pages.items() if any("chain.js" in have.get("src", "") for have in page.all("script"))
    }
    assert loading == {path for path, page in pages.items() if page.classed("nl-chain-page") or page.classed("nl-card")}
    assert len(loading) == 2 * 38
