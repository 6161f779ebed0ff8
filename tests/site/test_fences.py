"""Markdown in, HTML out; and what is wrong is told with its file and line."""

import re

import pytest
from markdown import Markdown

from labs import lab
from overrides import worked
from overrides.place import Mistake, Place

HERE = Place("chapters/02-model-state.md", "en", offset=4)
EXTENSIONS = ["attr_list", "tables", "pymdownx.superfences", "pymdownx.details", "overrides.fences"]


def html(text, place=HERE):
    return Markdown(extensions=EXTENSIONS, extension_configs={"overrides.fences": {"place": place}}).convert(text)


def lab_fence(*lines):
    return "\n".join(["```lab", "name: memory", *lines, "```"])


def test_a_lab_fence_becomes_the_finished_lab():
    form = lab.find("memory").form("M2", {"dp": "32"})
    assert html(lab_fence("preset: M2", "dp: 32")) == lab.html("memory", form, "en", data_search_exclude="")


def test_a_lab_speaks_the_language_of_its_page():
    assert 'data-language="zh"' in html(lab_fence(), Place("index.md", "zh"))


def test_the_second_lab_of_a_kind_has_a_name_of_its_own():
    page = html(f"{lab_fence()}\n\n{lab_fence()}\n\n{lab_fence('instance: big')}")
    assert re.findall(r'data-instance="([^"]+)"', page) == ["memory", "memory-2", "big"]


def test_a_lab_may_stand_in_a_folded_block():
    inside = lab_fence().replace("\n", "\n    ")
    assert re.search(r"<details.*<section.*</section>\n</details>", html(f'??? note "More"\n    {inside}'), re.S)


def test_a_fence_inside_a_code_block_stays_code():
    assert "<section" not in html(f"````markdown\n{lab_fence()}\n`=1+1`\n````")


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("```lab\nname: memry\n```", 6, "“name” cannot be memry"),
        ("```lab\ndp: 8\n```", 5, "“name” cannot be blank: there is no such lab. Nearest legal value: memory / mesh"),
        (lab_fence("preset: M99"), 7, "“preset” cannot be M99"),
        (lab_fence("dp: 8", "ddp: 8"), 8, "there is no such setting. Nearest legal value: dp."),
        (lab_fence("dp: many"), 7, "“dp” cannot be many"),
        (lab_fence("dp 8"), 7, "'dp 8' is not a line `name: value`"),
        ("```lab\nname: memory", 5, "this fence is never closed"),
        ("text\n\n```figure\nname: nothing\n```", 8, "“name” cannot be nothing"),
        ("text\n\n```laab\nname: memory\n```", 7, "no fence is called 'laab'; did you mean 'lab'?"),
        ("a\n\n!!! savings\n    b", 7, "no box is called 'savings'; there are question, saves, takeaway, note, answer"),
        ("[a](02-model-state.md){.ledger .state} [b](x.md){.ledger .stat}", 5, "no ledger is called 'stat'; there are"),
        ("a\n\nb `=memory.states(7e9, zero=4).total`", 7, "it must be one of"),
        ("`=1:giga_bytes`", 5, "no way to write a number is called 'giga_bytes': auto_bytes, both_bytes"),
        ("`=1.0:GBs`", 5, "no way to write a number is called 'GBs'; did you mean 'GB'? All: auto_bytes, both_bytes"),
        ("`=1.0:.q`", 5, "or one of Python's, such as .1f"),
        ("`=max(1`", 5, "cannot be worked out. SyntaxError: '(' was never closed"),
        ("`=nothing`", 5, "name 'nothing' is not defined"),
        ("`=memory.statez(7e9)`", 5, "has no attribute 'statez'; did you mean 'states'?"),
        ("`=memry.states(7e9)`", 5, "name 'memry' is not defined; did you mean 'memory'?"),
        ("[x](term:activations)", 5, "docs/data/glossary.yml has no 'activations'; did you mean 'activation'?"),
        ("[](cite:zerro)", 5, "docs/data/sources.yml has no 'zerro'; did you mean 'zero'?"),
        ("[](preset:M33)", 5, "[](preset:M33): labs/views has no 'M33'; did you mean 'M3'?"),
        ("[](claim:v3-gpu)", 5, "docs/data/claims.yml has no 'v3-gpu'; did you mean 'v3-gpus'?"),
    ],
)
def test_a_mistake_is_told_with_its_file_and_line_and_the_remedy(text, line, says):
    with pytest.raises(Mistake) as told:
        html(text)
    assert str(told.value).startswith(f"docs/en/chapters/02-model-state.md:{line}: ")
    assert says in str(told.value)


@pytest.mark.parametrize("text", ["`!!! savings`", "```\n!!! savings\n```", "`{.ledger .nothing}`", "What!!! now"])
def test_a_name_in_code_or_prose_is_no_box_and_no_ledger(text):
    assert html(text)


def test_a_worked_number_carries_its_raw_value_and_its_expression():
    assert html("It takes `=16*7e9/GB:.1f` GB.") == (
        '<p>It takes <span class="nl-computed" data-value="112.0" title="16*7e9/GB">112.0</span>\u00a0GB.</p>'
    )


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("80 GB, 64 张卡, 5 ms", "80\u00a0GB, 64\u00a0张卡, 5\u00a0ms"),
        ("64 Brothers and 3 GPUs", "64 Brothers and 3 GPUs"),
        ("`80 GB` and $8 h$", "<code>80 GB</code> and $8 h$"),
    ],
)
def test_a_number_keeps_its_unit_beside_it(written, shown):
    assert html(written) == f"<p>{shown}</p>"


@pytest.mark.parametrize(
    ("code", "shown"),
    [
        ("memory.states(7e9).total:GB", "112\u00a0GB"),
        ("3.5e6:auto_bytes", "3.5\u00a0MB"),
        ("80e9:both_bytes", "80\u00a0GB (74.51\u00a0GiB)"),
        ("0.125:percent", "12.5\u00a0%"),
        ("8030261248:,", "8,030,261,248"),
        ("2**10", "1024"),
        ("{1: 2}[1]:d", "2"),
    ],
)
def test_a_number_is_written_as_its_format_says(code, shown):
    assert re.search(">([^<]*)</span>", worked.html(code))[1] == shown


@pytest.mark.parametrize(
    "code", ["__import__('os')", "(1).__class__", "open('x')", "lambda: 1", "(x := 1)", "eval('1')"]
)
def test_an_expression_reaches_nothing_but_models_and_arithmetic(code):
    with pytest.raises((ValueError, NameError)):
        worked.value(code)


def test_ordinary_code_stays_as_it_is():
    assert html("Write `=` or `a=b` or ``=1``.") == (
        "<p>Write <code>=</code> or <code>a=b</code> or <code>=1</code>.</p>"
    )


def test_a_term_links_to_the_glossary_and_says_what_it_means():
    link = html("[kept](term:activation)")
    assert re.search(r'<a class="nl-term" href="\.\./glossary\.md#activation" title="[^"]+">kept</a>', link)


def test_a_term_without_a_text_goes_by_its_own_name():
    assert ">激活</a>" in html("[](term:activation)", Place("index.md", "zh"))


def test_a_citation_shows_the_work_and_the_place_in_it():
    assert re.search(r'href="\.\./reading/zero\.md"[^>]*>ZeRO §3\.1</a>', html("[](cite:zero#§3.1)"))


def test_a_link_in_code_is_not_followed():
    assert html("`[x](term:nothing)`") == "<p><code>[x](term:nothing)</code></p>"


def test_a_quoted_figure_opens_its_work_place_grade_and_date():
    quoted = html("[](claim:v3-gpus) GPUs")
    assert re.search(r'<span class="nl-claim" data-claim="v3-gpus" data-value="2048">2,048<button', quoted)
    assert re.search(r'<a href="\.\./\.\./reading/deepseek-v3/">.*</a> · .*evidence [ABC] · checked on \d{4}-', quoted)


def test_the_same_figure_quoted_twice_has_two_origins():
    assert len(set(re.findall(r'popover id="([^"]+)"', html("[](claim:v3-gpus) [](claim:v3-gpus)")))) == 2


def test_a_claim_of_several_values_wants_the_one_that_is_meant():
    with pytest.raises(Mistake, match="write claim:deepep-v1-intranode-ep8#dispatch_GBps or #combine_GBps"):
        html("[](claim:deepep-v1-intranode-ep8)")
    assert 'data-value="158"' in html("[](claim:deepep-v1-intranode-ep8#combine_GBps)")


@pytest.mark.parametrize("directories", [True, False])
@pytest.mark.parametrize(
    ("page", "target", "url", "file"),
    [
        ("chapters/02-x.md", "reading/index.md#zero", "../../reading/#zero", "../reading/index.html#zero"),
        ("chapters/02-x.md", "chapters/03-y.md", "../03-y/", "03-y.html"),
        ("index.md", "glossary.md#shard", "glossary/#shard", "glossary.html#shard"),
        ("glossary.md", "chapters/02-x.md", "../chapters/02-x/", "chapters/02-x.html"),
        ("reading/index.md", "reading/index.md#zero", "./#zero", "index.html#zero"),
        ("labs/index.md", "index.md", "../", "../index.html"),
    ],
)
def test_a_page_finds_another_from_where_it_stands(page, target, url, file, directories):
    assert Place(page, "zh", directory_urls=directories).url(target) == (url if directories else file)
