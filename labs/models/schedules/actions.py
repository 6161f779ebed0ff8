"""The grammar of a schedule: one action is one token, `2F0`.

The same token is the action's repr, its cell in a CSV, the title of its slot in a figure, its name in a trace and in
an error.

*Throughout this module:*
    stage        part of the model, counted from 0 where the tokens of the text enter   [pytorch pipelining]
    letter       F forward, B whole backward, I gradient of the inputs, W gradient of the weights (B = I then W)
    microbatch   counted from 0; in a two-direction schedule the second half enters at the last rank
    pair         a forward and a backward that run together: `(0F7;7B3)P`
    Schedule     {rank: its actions in the order in which it runs them}
"""

from typing import NamedTuple

LETTERS = "FBIW"
GRADIENT = "BI"  # the letters that hand a gradient to the stage before


class Action(NamedTuple):
    stage: int
    letter: str
    microbatch: int

    @property
    def parts(self) -> "tuple[Action, ...]":
        return (self,)

    def __str__(self) -> str:
        return f"{self.stage}{self.letter}{self.microbatch}"

    def __repr__(self) -> str:
        return str(self)


class Pair(NamedTuple):
    forward: Action
    backward: Action

    @property
    def parts(self) -> tuple[Action, ...]:
        return (self.forward, self.backward)

    def __str__(self) -> str:
        return f"({self.forward};{self.backward})P"

    def __repr__(self) -> str:
        return str(self)


Schedule = dict[int, tuple[Action | Pair, ...]]


def F(stage: int, microbatch: int) -> Action:
    return Action(stage, "F", microbatch)


def B(stage: int, microbatch: int) -> Action:
    return Action(stage, "B", microbatch)


def I(stage: int, microbatch: int) -> Action:  # noqa: E743  the letter of the grammar
    return Action(stage, "I", microbatch)


def W(stage: int, microbatch: int) -> Action:
    return Action(stage, "W", microbatch)


def read(token: str) -> Action | Pair:
    """The action that a token spells; ValueError names a token that spells none."""
    text = token.strip()
    if text.startswith("("):
        inside, bracket, _name = text[1:].partition(")")  # torch spells the pair out after the bracket, we write P
        forward, semicolon, backward = inside.partition(";")
        if bracket and semicolon:
            return Pair(_single(forward, token), _single(backward, token))
        raise ValueError(token)
    return _single(text, token)


def _single(text: str, token: str) -> Action:
    for letter in LETTERS:
        stage, found, microbatch = text.partition(letter)
        if found and stage.isdecimal() and microbatch.isdecimal():
            return Action(int(stage), letter, int(microbatch))
    raise ValueError(token)


def tokens(schedule: Schedule) -> dict[int, tuple[str, ...]]:
    return {rank: tuple(map(str, actions)) for rank, actions in schedule.items()}
