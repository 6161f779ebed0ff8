"""The memory lab asked and its answer read, for the tests beside this file."""

from labs.answer import Answer
from labs.lab import find
from labs.units import SPACE

LAB = find("memory")
M = {preset.id: dict(preset.form) for preset in LAB.presets}


def ask(language: str = "en", **form: object) -> Answer:
    return LAB.ask({name: str(value) for name, value in form.items()}, language)


def preset(name: str, language: str = "en", **more: object) -> Answer:
    return ask(language, **M[name] | more)


def spaced(text: str) -> str:
    """With plain spaces where the page has no-break ones."""
    return text.replace(SPACE, " ")


def value(answer: Answer, name: str) -> float:
    return next(row.value for row in answer.rows if row.name == name)
