"""Controls are declared once: they parse their own text, refuse what is not legal, and name the field that is wrong.

A control's name is the same word in the form, the query string, the fence, the command line, the JSON and the
model's argument list. Five kinds: Number (a box), Slider (a box with a slider over chosen stops), Choice, Toggle, Text.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import SimpleNamespace

from labs.refusal import BadValue
from labs.units import parse as parse_number
from labs.units import plain

Value = float | int | str | bool


class Values(SimpleNamespace):
    """What a form means: one typed attribute a control (`values.dp`)."""


@dataclass(frozen=True)
class Number:
    """A finite number in [low, high]; `integer` refuses 2.5; `unit` is written after the box."""

    name: str
    start: float
    low: float
    high: float
    integer: bool = False
    unit: str = ""

    def parse(self, text: str) -> float | int:
        try:
            value = parse_number(text)
        except ValueError:
            raise BadValue(self.name, text, "not_a_number", self.text) from None
        if not self.low <= value <= self.high:
            nearest = self.low if value < self.low else self.high
            raise BadValue(self.name, text, "between", plain(nearest), low=plain(self.low), high=plain(self.high))
        if self.integer and value != int(value):
            raise BadValue(self.name, text, "not_whole", plain(round(value)))
        return int(value) if self.integer else value

    @property
    def text(self) -> str:
        return plain(self.start)


@dataclass(frozen=True)
class Slider(Number):
    """A Number whose slider rests on `stops`, which need not be evenly spaced: 1, 2, 4, 8 or 1e9, 7e9, 70e9."""

    stops: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        if list(self.stops) != sorted(set(self.stops)) or not self.low <= self.stops[0] <= self.stops[-1] <= self.high:
            raise ValueError(f"slider {self.name}: stops must rise and lie between low and high")

    def number(self, text: str) -> float:
        """Where the slider rests beside this text, be it legal or not; at the start value beside what is no number."""
        try:
            return parse_number(text)
        except ValueError:
            return self.start


@dataclass(frozen=True)
class Choice:
    """One of `options`; each option's label is under `[options.NAME]` in the lab's words."""

    name: str
    start: str
    options: tuple[str, ...]

    def parse(self, text: str) -> str:
        if text not in self.options:
            raise BadValue(self.name, text, "one_of", self.nearest(text), options=self.options)
        return text

    def nearest(self, text: str) -> str:
        """Among numbers the closest; otherwise the option with the longest common start, the first one at a tie."""
        asked = text.strip().removeprefix("-")
        if asked.isdecimal() and all(option.isdecimal() for option in self.options):
            wanted = min(float(asked), 1e9) * (-1 if text.strip().startswith("-") else 1)
            return min(self.options, key=lambda option: abs(int(option) - wanted))
        return max(self.options, key=lambda option: _common(option.lower(), text.strip().lower()))

    @property
    def text(self) -> str:
        return self.start


@dataclass(frozen=True)
class Toggle:
    """On or off. What takes longer than a page may is for the `shell`: a page reads it and keeps the start value."""

    name: str
    start: bool = False
    shell: bool = False

    def parse(self, text: str) -> bool:
        if text not in ("on", "off"):
            raise BadValue(self.name, text, "one_of", self.text, options=("on", "off"))
        return text == "on"

    @property
    def text(self) -> str:
        return "on" if self.start else "off"


@dataclass(frozen=True)
class Text:
    """Free text, such as a pasted file, of at most `most` characters; `lines` of it are in sight."""

    name: str
    start: str = ""
    most: int = 20_000
    lines: int = 1

    def parse(self, text: str) -> str:
        if len(text) > self.most:
            raise BadValue(self.name, text, "too_long", most=self.most)
        return text.strip()

    @property
    def text(self) -> str:
        return self.start


Control = Number | Slider | Choice | Toggle | Text


@dataclass(frozen=True)
class Group:
    """Controls shown together under `[groups.KEY]`; one that is not `open` is folded until a reader wants it."""

    key: str
    controls: tuple[Control, ...]
    open: bool = False


Groups = tuple[Group, ...]


@dataclass(frozen=True)
class Preset:
    """A named form: what is not in it has its start value. Title and note are under `[presets.ID]`."""

    id: str
    form: Mapping[str, str]


def every(groups: Groups) -> Iterator[Control]:
    return (control for group in groups for control in group.controls)


def start(groups: Groups) -> dict[str, str]:
    return {control.name: control.text for control in every(groups)}


def offered(groups: Groups, refused: BadValue) -> BadValue:
    """The refusal without those nearest values that the field itself would not take."""
    control = next((one for one in every(groups) if one.name == refused.field), None)
    if control and refused.nearest is not None:
        several = refused.nearest if isinstance(refused.nearest, tuple) else (refused.nearest,)
        kept = tuple(one for one in several if takes(control, str(one)))
        refused.nearest = kept or None if isinstance(refused.nearest, tuple) else next(iter(kept), None)
    return refused


def takes(control: Control, text: str) -> bool:
    try:
        control.parse(text)
    except BadValue:
        return False
    return True


def parse(groups: Groups, form: Mapping[str, str], shell: bool = False) -> Values:
    """Text by name → typed values. BadValue: an unknown name, or the first control whose text is not legal.

    `shell`: asked by the command line, where what takes long may be switched on.
    """
    known = {control.name: control for control in every(groups)}
    for name in form:
        if name not in known:
            raise BadValue(name, form[name], "unknown_control", max(known, key=lambda k: _common(k, name)))
    values = {name: control.parse(form.get(name, control.text)) for name, control in known.items()}
    kept = {} if shell else {name: one.start for name, one in known.items() if isinstance(one, Toggle) and one.shell}
    return Values(**values | kept)


def _common(a: str, b: str) -> int:
    return next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
