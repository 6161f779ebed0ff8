"""Everything a lab says exists in both languages, with the same facts in both."""

import ast
from pathlib import Path
from string import Formatter

import pytest

from labs import controls, words
from labs.lab import LABS, find

FILES = words.names()
SOURCES = sorted(Path("labs").rglob("*.py"))


def leaves(table: dict, path: str = ""):
    for key, value in table.items():
        if isinstance(value, dict) and not {"zh", "en"} & set(value):
            yield from leaves(value, f"{path}{key}.")
        else:
            yield path + key, value


def fields(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}


@pytest.mark.parametrize("name", FILES)
def test_each_sentence_has_both_languages_and_the_same_facts_in_both(name):
    for key, leaf in leaves(words.load(name)):
        assert set(leaf) == {"zh", "en"}, f"{name}: {key}"
        assert fields(leaf["zh"]) == fields(leaf["en"]), f"{name}: {key}"
        assert leaf["zh"].strip() and leaf["en"].strip(), f"{name}: {key}"


@pytest.mark.parametrize("name", LABS)
@pytest.mark.parametrize("language", words.LANGUAGES)
def test_each_control_option_group_and_preset_has_its_words(name, language):
    lab, say = find(name), words.speaker(name, language)
    wanted = ["title"] + [f"groups.{group.key}" for group in lab.groups]
    for control in controls.every(lab.groups):
        wanted.append(f"controls.{control.name}.label")
        wanted += [f"options.{control.name}.{option}" for option in getattr(control, "options", ())]
    for preset in lab.presets:
        wanted += [f"presets.{preset.id}.title", f"presets.{preset.id}.note"]
    assert [key for key in wanted if not say.has(key)] == []


def raised_rules():
    """Every rule that a BadValue anywhere in labs names, where it is written as a literal."""
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            called = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "BadValue"
            if called and len(node.args) > 2 and isinstance(node.args[2], ast.Constant):
                yield str(path), node.args[2].value


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_each_rule_that_can_be_broken_has_its_sentence(language):
    rules = list(raised_rules())
    assert len(rules) > 10
    for path, rule in rules:
        assert words.rule(rule, language), path


def test_a_rule_is_stated_in_one_file_only():
    stated = [key for name in FILES for key, _ in leaves(words.load(name)) if key.startswith("rules.")]
    assert sorted(stated) == sorted(set(stated))


def test_an_unknown_key_or_language_is_an_error_and_not_an_empty_label():
    with pytest.raises(KeyError, match="no 'nothing.here'"):
        words.speaker("memory", "zh")("nothing.here")
    with pytest.raises(ValueError, match="one of zh, en"):
        words.speaker("memory", "fr")
