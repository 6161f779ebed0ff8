"""Whatever a form holds, each lab answers it whole or refuses it at a field, in the reader's language."""

import json
import re
from html import unescape

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from labs import controls
from labs.lab import LABS, find, render
from labs.refusal import BadValue
from labs.units import plain
from labs.words import LANGUAGES, speaker

HOSTILE = (
    "", "   ", "NaN", "-inf", "1e309", "-1e309", "-1", "0", "1e18", "9" * 5000, "<script>alert(1)</script>", "８", "²",
    "8,5", "1e-320", "0x10", "7B", "万", "{field}", "%s", '"><b>', "\x00", "on",
)  # fmt: skip
TEXTS = {
    "load": ("", "1,2,2,3", "1 1 1 1", "1,,2", "1,2,3,4,5"), "order": ("", "0F0,0B0", "0F0 0F1", "garbage"),
    "tensors": ("", "attention", "norm+act", ","), "stages": ("", "1,2,2,3", "40+40", "15×4+1"),
    "config": ("", "{}", "null"),
}  # fmt: skip
# What no page may print: a value that is none, a template that was not filled, the digits of a whole float.
ABSURD = re.compile(r"\bnan\b|\binf\b|\bTrue\b|\bFalse\b|\{[a-z_]+\}|\d{18,}")


def told(lab: str, form: dict[str, str], language: str) -> dict[str, object]:
    return json.loads(render(json.dumps({"lab": lab, "form": form, "language": language})))


def legal(control: controls.Control) -> st.SearchStrategy[str]:
    """Texts that a control takes: all options, or its ends, its start and its stops."""
    if isinstance(control, controls.Choice):
        return st.sampled_from(control.options)
    if isinstance(control, controls.Toggle):
        return st.sampled_from(("on", "off"))
    if isinstance(control, controls.Text):
        return st.sampled_from(TEXTS[control.name])
    ends = (control.low, control.high, control.start, *getattr(control, "stops", ()))
    return st.sampled_from([plain(value) for value in ends])


def forms(lab: str) -> st.SearchStrategy[dict[str, str]]:
    """A preset or the start values, with a few controls moved."""
    named = {control.name: legal(control) for control in controls.every(find(lab).groups)}
    moved = st.lists(st.sampled_from(sorted(named)), unique=True, max_size=6).flatmap(
        lambda names: st.fixed_dictionaries({name: named[name] for name in names})
    )
    begun = st.sampled_from(["", *(preset.id for preset in find(lab).presets)])
    return st.builds(lambda preset, changed: find(lab).form(preset, changed), begun, moved)


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("lab", LABS)
def test_any_text_in_any_field_is_a_value_or_is_refused_at_that_field(lab, text):
    for control in controls.every(find(lab).groups):
        for language in LANGUAGES:
            answered = told(lab, {control.name: text}, language)
            if "error" in answered:
                field, message = answered["error"]["field"], answered["error"]["message"]
                assert speaker(lab, language)(f"controls.{field}.label") in message
                assert field == control.name or text == "８"  # which is 8, and may not go with another field
            else:
                assert "<script" not in "".join(answered["regions"].values())


@pytest.mark.parametrize("lab", LABS)
@given(st.data(), st.sampled_from(LANGUAGES))
@settings(deadline=None, max_examples=80, suppress_health_check=[HealthCheck.too_slow])
def test_any_legal_values_together_are_answered_whole_or_refused_with_a_sentence(lab, data, language):
    form = data.draw(forms(lab))
    answered = told(lab, form, language)
    if "error" in answered:
        assert answered["error"]["field"] in form
        assert answered["error"]["message"].endswith("。" if language == "zh" else ".")
    else:
        assert {name for name, html in answered["regions"].items() if not html} == set()
        seen = unescape(re.sub(r"<[^>]*>", " ", "".join(answered["regions"].values())))
        assert not ABSURD.search(seen)


def texts(nearest: object) -> list[str]:
    """Nearest legal values as they are typed."""
    every = nearest if isinstance(nearest, (list, tuple)) else [nearest]
    return [one if isinstance(one, str) else plain(one) for one in every]


@pytest.mark.parametrize("lab", LABS)
@given(st.data())
@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
def test_the_nearest_legal_value_is_one_that_the_field_takes(lab, data):
    """Another field may be refused next."""
    form = data.draw(forms(lab))
    try:
        find(lab).ask(form, "en")
    except BadValue as refused:
        for text in texts(refused.nearest) if refused.nearest is not None else ():
            try:
                find(lab).ask(form | {refused.field: text}, "en")
            except BadValue as again:
                assert again.field != refused.field
