"""A refusal names the field, the value, the rule it breaks and the nearest legal value, in the reader's language.

It stands below the models, which raise it for what only they can know (DualPipe needs an even m of at least 2p),
and below the controls, which raise it for what a form can know (out of range, not a number).
"""

from math import isqrt

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
        facts = {"field": say(label) if say.has(label) else self.field, "value": shown(self.field, self.value, say)}
        known = {name: shown(name, value, say) for name, value in self.facts.items()}
        text = say("refusal", **facts, rule=words.rule(self.rule, language).format(**facts | known))
        return text if self.nearest is None else text + say("nearest", nearest=shown(self.field, self.nearest, say))


def shown(name: str, value: object, say: words.Speaker) -> str:
    """A value of the control `name` as a reader would type it, an option with its label before; several are joined.

    A form can hold anything: nothing at all is called blank, and what is long is cut.
    """
    if isinstance(value, (list, tuple)):
        return " / ".join(shown(name, one, say) for one in value)
    text = f"{value:.12g}" if isinstance(value, float) else str(value)
    if not text.strip():
        return say("blank")
    text = text if len(text) <= 40 else text[:39] + "…"
    label = say(f"options.{name}.{text}") if say.has(f"options.{name}.{text}") else text
    return text if label.lower() == text.lower() else say("labelled", label=label, text=text)


def divisors(whole: int, wanted: int) -> tuple[int, ...]:
    """The divisors of `whole` next below and above what was wanted, which divides it not: what can be offered instead.

    >>> divisors(64, 6), divisors(64, 100)
    ((4, 8), (64,))
    """
    small = [n for n in range(1, isqrt(whole) + 1) if whole % n == 0]
    fitting = [*small, *(whole // n for n in small)]
    below, above = [n for n in fitting if n < wanted], [n for n in fitting if n > wanted]
    return (*sorted(below)[-1:], *sorted(above)[:1])
