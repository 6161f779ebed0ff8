"""A lab joins one form to one view; the built page, the fence, the worker and the command line all ask it here.

`render` takes and returns one JSON string, so that nothing but text crosses between a page and its worker.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from json import dumps, loads

from labs import __version__, answer, controls, words
from labs.answer import Answer
from labs.draw.svg import Markup, tag
from labs.fingerprint import fingerprint
from labs.form import form_html, presets_html
from labs.refusal import BadValue

LABS = ("memory", "mesh", "pipeline", "dispatch")


@dataclass(frozen=True)
class Lab:
    """`name` joins page, view, words and tests; `answer` maps typed values and a speaker to an Answer."""

    name: str
    groups: controls.Groups
    presets: tuple[controls.Preset, ...]
    answer: Callable[[controls.Values, words.Speaker], Answer]

    def form(self, preset: str = "", given: Mapping[str, str] = {}) -> dict[str, str]:
        """Start values, then those of the preset, then what is given. BadValue: no such preset."""
        named = {one.id: one for one in self.presets}
        if preset and preset not in named:
            raise BadValue("preset", preset, "unknown_preset", tuple(named))
        return controls.start(self.groups) | (dict(named[preset].form) if preset else {}) | dict(given)

    def ask(self, form: Mapping[str, str], language: str, shell: bool = False) -> Answer:
        """`shell`: with what only a command line has the time for. BadValue: a field that is not legal."""
        try:
            return self.answer(controls.parse(self.groups, form, shell), words.speaker(self.name, language))
        except BadValue as refused:
            raise controls.offered(self.groups, refused) from None

    def facts(self, form: Mapping[str, str], answered: Answer) -> dict[str, object]:
        """The answer for a program: `{lab, version, form, rows, total, verdict, saved, moved}`."""
        return {"lab": self.name, "version": __version__, "form": form} | answer.facts(answered)


@cache
def find(name: str) -> Lab:
    """The lab of that name; its view is imported when it is first asked for. BadValue: no such lab."""
    if name not in LABS:
        raise BadValue("lab", name, "unknown_lab", LABS)
    view = import_module(f"labs.views.{name}")
    return Lab(name, view.GROUPS, view.PRESETS, view.answer)


def render(request: str) -> str:
    """`{lab, form, language}` → `{version, regions: {name: HTML}, numbers: {name: number}}`, as JSON.

    A refusal is `{version, error: {field, message}}`. `numbers` are those beside a slider. `message` is plain text;
    whoever puts it into a page sets it as text.
    """
    asked = loads(request)
    try:
        regions = _regions(asked["lab"], asked["form"], asked["language"])
        return dumps({"version": __version__, "regions": regions, "numbers": _numbers(asked["lab"], asked["form"])})
    except BadValue as refused:
        message = refused.message(asked["language"], asked["lab"] if asked["lab"] in LABS else "")
        return dumps({"version": __version__, "error": {"field": refused.field, "message": message}})


def _regions(name: str, form: Mapping[str, str], language: str) -> dict[str, Markup]:
    lab = find(name)
    return answer.regions(lab.ask(form, language), words.speaker(name, language))


def _numbers(name: str, form: Mapping[str, str]) -> dict[str, float]:
    """What is written beside each slider, as a number: a page knows 7e9, and only this side knows 7B and 70亿."""
    sliders = [one for one in controls.every(find(name).groups) if isinstance(one, controls.Slider)]
    return {one.name: one.number(form[one.name]) for one in sliders if one.name in form}


def report(name: str, form: Mapping[str, str], language: str) -> dict[str, object]:
    """A lab's answer for a program, as `Lab.facts` gives it; what `form` does not say has its start value."""
    lab = find(name)
    whole = lab.form(given=form)
    return lab.facts(whole, lab.ask(whole, language))


def html(name: str, form: Mapping[str, str], language: str, instance: str = "", **attributes: object) -> Markup:
    """The finished section of a page: presets, verdict, figure, form, table, calculation, what was saved and moved.

    `instance` tells two labs of one kind on a page apart; `attributes` go onto the root element.
    """
    lab, say, instance = find(name), words.speaker(name, language), instance or name
    form, region = lab.form(given=form), _regions(name, form, language)
    view = tag("div", _live("verdict", region, role="status"), _region("figure", region), class_="nl-view")
    body = tag("div", view, form_html(lab.groups, form, say, instance), class_="nl-body")
    folds = [_fold(key, region, say) for key in ("formula", "table", "notes")]
    label = say("title") if instance == name else f"{say('title')} ({instance})"
    return tag(
        "section", tag("p", say("title"), class_="nl-title"), presets_html(lab.presets, lab.form(), say), body,
        _region("moved", region), *folds, _footer(say), class_=f"nl-lab {name}", id=f"lab-{instance}",
        aria_label=label, data_lab=name, data_instance=instance, data_language=language,
        data_hash=fingerprint(), data_start=_json(form), data_say=_json(_says(say)), **attributes,
    )  # fmt: skip


def _json(value: object) -> str:
    return dumps(value, ensure_ascii=False)


def _region(key: str, region: Mapping[str, Markup], **attributes: object) -> Markup:
    return tag("div", region[key], data_region=key, **attributes)


def _live(key: str, region: Mapping[str, Markup], **attributes: object) -> Markup:
    return _region(key, region, aria_live="polite", aria_atomic="true", **attributes)


def _fold(key: str, region: Mapping[str, Markup], say: words.Speaker) -> Markup:
    summary = tag("summary", say(key + "_title"))
    return tag("details", summary, _region(key, region), class_=f"nl-fold {key}", open=key == "formula")


def _footer(say: words.Speaker) -> Markup:
    buttons = [tag("button", say(key), type="button", data_action=key) for key in ("share", "reset")]
    still = tag("noscript", tag("p", say("no_script"), class_="nl-status"))
    status = tag("p", say("live.built"), class_="nl-status", data_status=True)
    return tag("div", still, status, *buttons, class_="nl-foot")


def _says(say: words.Speaker) -> dict[str, str]:
    """The sentences a script may have to show, since it holds none of its own."""
    live = words.load("shared")["live"]
    return {key: say(f"live.{key}") for key in live} | {"shared": say("shared")}
