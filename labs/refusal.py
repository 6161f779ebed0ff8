"""A refusal names the field, the value, the rule it breaks and the nearest legal value, in the reader's language.

It stands below the models, which raise it for what only they can know (DualPipe needs an even m of at least 2p),
and below the controls, which raise it for what a form can know (out of range, not a number).
"""

from labs import words


class BadValue(ValueError):
    """`field` (a control's name, which is the model argument's name) cannot be `value`.

    `rule` is a key under `[rules]` in labs/words; `facts` fill that sentence; `nearest` is the nearest legal value,
    or several of them, or None where no single change of this field would help.
    """

    def __init__(self, field: str, value: object, rule: str, nearest: object = None, **facts: object) -> None:
        super().__init__(field, value, rule)
        self.field, self.value, self.rule, self.nearest, self.facts = field, value, rule, nearest, facts

    def __str__(self) -> str:
        return self.message("en")

    def message(self, language: str, lab: str = "") -> str:
        """The whole sentence; with `lab`, the field is called by its label there."""
        say = words.speaker(lab, language)
        label = f"controls.{self.field}.label"
        facts = {"field": say(label) if say.has(label) else self.field, "value": shown(self.value)}
        text = words.rule(self.rule, language).format(**(facts | {k: shown(v) for k, v in self.facts.items()}))
        text = say("refusal", **facts, rule=text)
        return text if self.nearest is None else text + say("nearest", nearest=shown(self.nearest))


def shown(value: object) -> str:
    """A value as a reader would type it; several are joined; a long one is cut, since a form can hold anything."""
    if isinstance(value, (list, tuple)):
        return " / ".join(shown(one) for one in value)
    text = f"{value:.12g}" if isinstance(value, float) else str(value)
    return text if len(text) <= 40 else text[:39] + "…"
