"""The form of a lab as HTML: native controls, a label each, a number box beside every slider, a place for errors."""

from collections.abc import Mapping
from json import dumps

from labs.controls import Choice, Control, Group, Groups, Preset, Slider, Text, Toggle
from labs.draw.svg import Markup, tag
from labs.units import plain
from labs.words import Speaker

# Up to this many options are all in sight as one row of buttons; more become a list.
IN_SIGHT = 4
SYMBOL = 2  # letters of a symbol at most


def form_html(groups: Groups, form: Mapping[str, str], say: Speaker, instance: str) -> Markup:
    folded = [_group(group, form, say, instance) for group in groups]
    label = f"{say('controls_title')} ({instance})"
    return tag("form", *folded, class_="nl-form", aria_label=label, novalidate=True, autocomplete="off")


def presets_html(presets: tuple[Preset, ...], begun: Mapping[str, str], say: Speaker) -> Markup:
    """A button a preset; its whole form rides along as JSON (`begun` where it is silent): the page knows no preset."""
    buttons = [
        tag("button", tag("span", p.id, class_="nl-id"), " ", say(f"presets.{p.id}.title"), type="button",
            data_preset=dumps(dict(begun) | dict(p.form), ensure_ascii=False), data_id=p.id,
            title=say(f"presets.{p.id}.note"))
        for p in presets
    ]  # fmt: skip
    return tag("div", *buttons, class_="nl-presets", role="group", aria_label=say("presets_title"))


def _group(group: Group, form: Mapping[str, str], say: Speaker, instance: str) -> Markup:
    rows = [_row(control, form.get(control.name, control.text), say, instance) for control in group.controls]
    summary = tag("summary", say(f"groups.{group.key}"))
    touched = any(form.get(control.name, control.text) != control.text for control in group.controls)
    return tag("details", summary, *rows, class_="nl-group", data_group=group.key, open=group.open or touched)


def _row(control: Control, text: str, say: Speaker, instance: str) -> Markup:
    """Label, input, hint and the place where a refusal of this field is written."""
    at, label = f"{instance}-{control.name}", say(f"controls.{control.name}.label")
    key = f"controls.{control.name}.hint"
    hint = tag("small", say(key), id=at + "-hint", class_="nl-hint") if say.has(key) else Markup("")
    error = tag("p", id=at + "-error", class_="nl-error", role="alert", data_error=control.name, hidden=True)
    described = " ".join([at + "-error"] + ([at + "-hint"] if hint else []))
    if isinstance(control, Choice) and len(control.options) <= IN_SIGHT:
        named = tag("span", _tied(label), class_="nl-name", id=at + "-label")
        field = _buttons(control, text, say, at, described)
    else:
        named = tag("label", _tied(label), class_="nl-name", for_=at)
        field = _field(control, text, say, at, label, described)
    return tag("div", named, field, hint, error, class_="nl-control", data_control=control.name)


def _tied(label: str) -> str:
    """A symbol at the end of a name stays with the word before it."""
    words, _, last = label.rpartition(" ")
    return f"{words}\u00a0{last}" if words and len(last) <= SYMBOL else label


def _field(control: Control, text: str, say: Speaker, at: str, label: str, described: str) -> Markup:
    if isinstance(control, Choice):
        options = [
            tag("option", say(f"options.{control.name}.{one}"), value=one, selected=one == text)
            for one in control.options
        ]
        return tag("select", *options, id=at, name=control.name, aria_describedby=described)
    if isinstance(control, Toggle):
        return tag("input", type="checkbox", id=at, name=control.name, checked=text == "on", aria_describedby=described)
    if isinstance(control, Text):
        return tag("textarea", text, id=at, name=control.name, rows=control.lines, aria_describedby=described,
                   spellcheck="false", class_="nl-text")  # fmt: skip
    box = tag("input", type="text", inputmode="decimal", id=at, name=control.name, value=text,
              aria_describedby=described, class_="nl-box",
              data_number=plain(control.number(text)) if isinstance(control, Slider) else None)  # fmt: skip
    unit = tag("span", control.unit, class_="nl-unit") if control.unit else Markup("")
    if not isinstance(control, Slider):
        return tag("div", box, unit, class_="nl-number")
    return tag("div", *_slider(control, text, say, label), box, unit, class_="nl-slider")


def _slider(control: Slider, text: str, say: Speaker, label: str) -> tuple[Markup, Markup, Markup]:
    """Less, the slider, more: all three move the box beside them from stop to stop and have no name of their own."""
    stops = [plain(stop) for stop in control.stops]
    at = min(range(len(stops)), key=lambda i: abs(control.stops[i] - control.number(text)))
    slider = tag("input", type="range", min=0, max=len(stops) - 1, step=1, value=at, data_stops=dumps(stops),
                 aria_label=say("slide", label=label), aria_valuetext=text)  # fmt: skip
    less = tag("button", "−", type="button", data_step=-1, aria_label=say("less", label=label))
    more = tag("button", "+", type="button", data_step=1, aria_label=say("more", label=label))
    return less, slider, more


def _buttons(control: Choice, text: str, say: Speaker, at: str, described: str) -> Markup:
    radios = [
        tag("label", tag("input", type="radio", name=control.name, value=one, checked=one == text),
            tag("span", say(f"options.{control.name}.{one}")))
        for one in control.options
    ]  # fmt: skip
    return tag("div", *radios, class_="nl-radios", role="radiogroup", id=at, aria_labelledby=at + "-label",
               aria_describedby=described)  # fmt: skip
