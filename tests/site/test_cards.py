"""The cards of the reading chain answer what a reader asks of a work; the files to take along hold all works."""

import csv
import re
from io import StringIO

from overrides import chain, downloads, facts
from tests.site.pages import of


def card(pages, edition, work):
    return of(pages, edition, f"reading/{work}/")


def test_a_card_asks_explains_counts_owes_and_names_its_neighbours(pages, edition):
    wanted = ["card", "asks", "how", "figures", "debt", "builds", "leads", "lab", "chapters"]
    for work in chain.works().values():
        ids = [anchor for _, anchor in card(pages, edition, work.id).headings]
        assert ids == [one for one in wanted if one != "lab" or "lab" in work.card], work.id


def test_a_card_prints_its_question_its_three_lines_and_its_debt(pages, edition):
    for work in chain.works().values():
        words = card(pages, edition, work.id).words
        said = [work.card["asks"][edition], *work.card["how"][edition], work.card["debt"][edition]]
        assert [one for one in said if one not in words] == [], work.id


def test_a_card_prints_its_figures_with_their_places(pages, edition):
    for work in chain.works().values():
        page = card(pages, edition, work.id)
        values = [have["data-value"] for have in page.classed("nl-fact")]
        assert values[: len(work.figures)] == [fact["value"] for fact in work.figures], work.id
        assert all(chain.place_of(fact, edition) in page.words for fact in work.figures), work.id


def test_a_card_shows_what_the_course_quotes_from_it(pages, edition):
    for work in chain.works().values():
        quoted = [claim for claim in facts.load("claims").entries.values() if claim["source"] == work.id]
        assert len(card(pages, edition, work.id).classed("nl-fact")) == len(work.figures) + len(quoted), work.id


def test_a_card_names_the_chapters_that_cite_it(pages, edition):
    names = chain.chapters("zero", edition)
    assert "02-model-state" in names
    _, _, used = card(pages, edition, "zero").html.partition('<h2 id="chapters"')
    assert re.findall(r'<a href="\.\./\.\./chapters/([\w-]+)/"', used.partition("</p>")[0]) == names


def test_the_preset_of_a_card_opens_the_lab_with_its_values(pages, edition):
    links = [have["href"] for have in card(pages, edition, "zero").all("a") if "?lab=" in have.get("href", "")]
    assert links == ["../../labs/memory/?lab=memory&params=70e9&dp=64&zero=3"]


def test_a_card_of_a_repository_names_its_commit(pages, edition):
    links = [have["href"] for have in card(pages, edition, "deepep").all("a")]
    assert "https://github.com/deepseek-ai/DeepEP/tree/dd758caf4518" in links


# ---- the files


def test_the_bibtex_has_an_entry_a_work_and_its_braces_match(site):
    text = (site / "assets/reading/nine-ledgers.bib").read_text("utf-8")
    assert re.findall(r"^@\w+\{([^,]+),$", text, re.M) == list(chain.works())
    for entry in re.split(r"\n(?=@)", text):
        assert entry.count("{") == entry.count("}"), entry


def test_the_bibtex_joins_people_and_keeps_teams_whole():
    text = downloads.bibtex()
    assert "author = {Shigang Li and Torsten Hoefler}" in text
    assert "author = {Mohammad Shoeybi and others}" in text
    assert "author = {{Kimi Team}}" in text


def test_the_table_has_a_row_a_work_in_utf8_that_spreadsheets_know(site):
    raw = (site / "assets/reading/nine-ledgers.csv").read_bytes()
    assert raw.startswith(b"\xef\xbb\xbf")
    rows = list(csv.DictReader(StringIO(raw.decode("utf-8-sig"), newline="")))
    assert [row["id"] for row in rows] == list(chain.works())
    assert rows[0]["asks_zh"] == "模型和数据都大到一台机器放不下、跑不动，参数该归谁保管？"
