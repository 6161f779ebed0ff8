"""What readers of other courses had to report, such as wrong orders, bases and directions, is not on our pages."""

import re

import pytest

from labs import hardware
from overrides.facts import load
from tests.site.pages import of


def chapter(pages, edition, name):
    return of(pages, edition, f"chapters/{name}/")


def test_zero_cuts_optimizer_states_then_gradients_then_parameters(pages, edition):
    html = chapter(pages, edition, "02-model-state").html
    cut = dict(re.findall(r"<tr>\s*<td>ZeRO-(\d)</td>\s*<td>(.*?)</td>", html, re.S))
    wanted = {"zh": ("优化器", "梯度", "参数"), "en": ("optimizer", "gradient", "parameter")}[edition]
    assert [word in cut[stage] for stage, word in zip("123", wanted, strict=True)] == [True] * 3


def test_a_distributed_optimizer_keeps_whole_fp32_gradients(pages, edition):
    assert "6P+12P/N" in chapter(pages, edition, "02-model-state").formulas


def test_a_page_that_counts_with_a_peak_says_that_it_is_the_dense_one(pages):
    word = {"zh": "稠密", "en": "dense"}
    for page in pages.values():
        if any(".bf16" in have.get("title", "") for have in page.classed("nl-computed")):
            assert word[page.language] in page.words, page.path


def test_a_page_with_bandwidths_says_that_they_are_one_way(pages):
    words = {
        "zh": ("单向", "单方向", "单个方向", "每个方向"),
        "en": ("one way", "one-way", "each way", "per direction", "one direction"),
    }
    for page in pages.values():
        if "/chapters/" in f"/{page.path}" and "GB/s" in page.words:
            assert any(word in page.words for word in words[page.language]), page.path


def test_every_nvlink_carries_between_100_and_2000_gb_a_second_each_way():
    links = {name: link.bandwidth for name, link in hardware.LINKS.items() if "nvlink" in name}
    assert links
    assert [name for name, bandwidth in links.items() if not 100e9 <= bandwidth <= 2000e9] == []


def test_both_ratios_of_a_bubble_have_names_and_stand_side_by_side(pages, edition):
    page = chapter(pages, edition, "06-pipeline")
    assert [one for one in page.formulas if "p-1m," in one and "p-1m+p-1" in one]
    names = {"zh": ("相对有效计算", "占总时长"), "en": ("useful work", "the total")}[edition]
    assert all(name in page.words for name in names)


def test_the_two_tables_of_zero_bubble_say_what_their_b_includes(pages, edition):
    held = chapter(pages, edition, "06-pipeline").formulas
    assert "(p-1)(F+Bin-W)" in held and "(PP-1)(F+B-2W)" in held
    assert [one for one in held if one.startswith("F+Bin-W=F+(Bin+W)-2W")]


@pytest.mark.parametrize("wrong", ["Fully Shared", "fully shared data", "Zero Redundant", "完全共享数据"])
def test_no_acronym_is_spelled_out_wrongly(pages, wrong):
    assert [page.path for page in pages.values() if wrong in page.words] == []


def test_what_is_said_of_kimi_and_deepseek_was_read_in_their_own_words():
    theirs = [one for one in load("claims").entries.values() if one["source"].startswith(("kimi", "deepseek"))]
    assert len(theirs) > 30
    assert [one["id"] for one in theirs if one["grade"] not in "AB"] == []


def test_two_reports_of_one_quantity_stand_side_by_side_each_with_its_date(pages, edition):
    page = chapter(pages, edition, "13-agentic-rl")
    quoted = [have["data-claim"] for have in page.classed("nl-claim")]
    for report, readme in (("resume-report", "resume-readme"), ("overcommit-report", "overcommit-readme")):
        assert f"agentenv-{report}" in quoted and f"agentenv-{readme}" in quoted
    held = load("claims").entries
    assert held["agentenv-overcommit-report"]["value"] != held["agentenv-overcommit-readme"]["value"]


FOLDED = re.compile(r'<details class="answer[^"]*">\s*<summary>(.*?)</summary>\s*(.*?)</details>', re.S)


def test_every_question_has_its_answer_folded_on_the_same_page(pages):
    for page in pages.values():
        if ("h2", "questions") in page.headings:
            folded = FOLDED.findall(page.html)
            assert [question[:2] for question, _ in folded] == [f"{n}." for n in range(1, len(folded) + 1)], page.path
            assert 2 <= len(folded) <= 5, page.path
            assert all(len(re.sub(r"<[^>]+>", "", answer)) > 2 for _, answer in folded), page.path


def test_every_figure_has_a_caption_and_a_drawing_has_a_name(pages):
    for page in pages.values():
        captions = re.findall(r"<figcaption[^>]*>(.*?)</figcaption>", page.html, re.S)
        assert len(captions) >= len(page.all("figure")), page.path
        assert all(caption.strip() for caption in captions), page.path
        drawings = page.all("svg", role="img")
        assert [have for have in drawings if not have.get("aria-label", have.get("aria-labelledby"))] == [], page.path
