"""Search finds a word in the middle of a title, in the language of the page, and costs nothing before it is used."""

import gzip
import json
import re

import jieba
import pytest

from overrides import search
from overrides.facts import load

INDEXES = {"zh": "search/search_index.json", "en": "en/search/search_index.json"}


@pytest.fixture(scope="module", params=INDEXES)
def language(request):
    return request.param


@pytest.fixture(scope="module")
def index(site, language):
    return json.loads((site / INDEXES[language]).read_text("utf-8"))


def words(index, text):
    """As the theme's worker cuts a text; the separator is JavaScript's, which for these signs is Python's."""
    return set(re.split(index["config"]["separator"], text.lower()))


def test_an_index_holds_the_pages_of_its_language_only(index, language):
    assert {one["location"].startswith("en/") for one in index["docs"]} == {language == "en"}
    assert len(index["docs"]) > 50


def test_an_index_weighs_at_most_400_kb(site, language):
    assert len(gzip.compress((site / INDEXES[language]).read_bytes(), 6)) <= 400_000


def test_the_word_joiner_is_a_separator(index):
    assert words(index, "流水线\u200b气泡\u200b的账") >= {"流水线", "气泡"}


def test_a_word_of_two_characters_is_found_in_the_middle_of_a_title(site):
    index = json.loads((site / INDEXES["zh"]).read_text("utf-8"))
    terms = {entry["zh"] for entry in load("glossary").entries.values() if len(entry["zh"]) == 2}
    terms |= {"气泡", "模型", "状态", "通信", "专家", "代价", "字节", "实验", "流水", "参数"}
    titles = {one["title"].replace("\u200b", ""): words(index, one["title"]) for one in index["docs"]}
    inside = [(term, title) for term in terms for title in titles if title.find(term) > 0]
    assert len({term for term, _ in inside}) >= 8
    assert [(term, title) for term, title in inside if not any(one.startswith(term) for one in titles[title])] == []


def test_no_lab_no_formula_and_no_origin_is_indexed(index):
    text = "".join(one["text"] for one in index["docs"]).replace("\u200b", "")
    for unwanted in (
        "复制这组参数的链接",
        "Copy a link to these settings",
        "证据等级 A · 核对于",
        "evidence A · checked on",
        "katex-html",
    ):
        assert unwanted not in text


def test_the_page_does_not_ask_for_the_index(pages):
    """The theme fetches it with the page where a form is called `search`."""
    for page in pages.values():
        assert page.all("form", name="find") and not page.all("form", name="search"), page.path


def test_the_worker_of_a_page_is_told_its_language(editions):
    for zh, en in editions.values():
        assert "site/search.js?zh/search." in zh.html
        assert "site/search.js?en/search." in en.html


def test_the_dictionary_of_the_cutter_is_kept_in_this_folder(tmp_path, monkeypatch, capfd):
    monkeypatch.setattr(jieba, "dt", jieba.Tokenizer())
    monkeypatch.setattr(search, "CACHE", tmp_path / ".cache")
    search.prepare()
    assert list(jieba.dt.cut("流水线气泡")) == ["流水线", "气泡"]
    assert (tmp_path / ".cache/jieba.cache").stat().st_size > 1e6
    assert capfd.readouterr() == ("", "")
