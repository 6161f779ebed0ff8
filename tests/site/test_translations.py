"""A term or a sentence in one language only stops the build, at its line."""

import re
from pathlib import Path

import pytest

from overrides import facts, translations
from overrides.facts import Facts
from overrides.place import Mistake

WHOLE = """[presets]
[presets.M1]
title = {zh = "一张卡", en = "one GPU"}
note = {zh = "{dp} 份", en = "{dp} copies"}

[controls]
"dp.label" = {zh = "副本", en = "replicas"}
"""
TERM = {"id": "rank", "zh": "rank", "en": "rank", "means_zh": "一", "means_en": "one", "chapter": "04-parallel-axes"}


def test_the_course_says_everything_in_both_languages():
    translations.check()


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        (', en = "one GPU"', "", "labs/words/x.toml:3: presets.M1.title: no en; write it beside the other"),
        ('zh = "一张卡"', 'zh = " "', "labs/words/x.toml:3: presets.M1.title: no zh"),
        ("{dp} copies", "copies", "labs/words/x.toml:4: presets.M1.note: {dp} stands in one language only"),
        (', en = "replicas"', "", "labs/words/x.toml:7: controls.dp.label: no en"),
        (
            '{zh = "一张卡", en = "one GPU"}',
            '"one GPU"',
            "labs/words/x.toml:3: presets.M1.title: a sentence is written",
        ),
    ],
)
def test_a_sentence_in_one_language_is_told_with_its_line(old, new, says):
    assert old in WHOLE
    with pytest.raises(Mistake) as told:
        translations.check_words("labs/words/x.toml", WHOLE.replace(old, new))
    assert str(told.value).startswith(says)


@pytest.mark.parametrize(
    ("fields", "says"),
    [({"en": ""}, "rank: `en` is missing; a term has zh, en"), ({"chapter": "04"}, "rank: there is no chapter '04'")],
)
def test_a_term_that_is_not_whole_is_told(fields, says, monkeypatch):
    monkeypatch.setattr(translations, "load", lambda kind: Facts(kind, {"rank": TERM | fields}))
    with pytest.raises(Mistake, match=re.escape(says)):
        translations.check()


@pytest.mark.parametrize(
    "text", ["- id: a\n  zh: x\n  en x\n  chapter: y\n", "- id: a\n- id: b\n zh: y\n", "- id: a\n  zh: x\n  en: x: y\n"]
)
def test_a_data_file_that_is_no_yaml_is_told_with_its_line(text, tmp_path, monkeypatch):
    monkeypatch.setattr(facts, "DATA", tmp_path)
    facts.load.cache_clear()
    (tmp_path / "broken.yml").write_text(text, "utf-8")
    with pytest.raises(Mistake, match=r"docs/data/broken\.yml:3: "):
        facts.load("broken")


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_page_for_authors_shows_the_message_of_a_missing_translation(language):
    text = Path(f"docs/{language}/contributing.md").read_text("utf-8")
    path, key, what = re.search(r"^(labs/words/\w+\.toml):\d+: ([\w.]+): (.*)$", text, re.M).groups()
    held = Path(path).read_text("utf-8")
    cut, line = held.split("\n"), translations.line(held, key)
    cut[line - 1] = re.sub(r', en = "[^"]*"', "", cut[line - 1])
    with pytest.raises(Mistake) as told:
        translations.check_words(path, "\n".join(cut))
    assert str(told.value) == f"{path}:{line}: {key}: {what}"
