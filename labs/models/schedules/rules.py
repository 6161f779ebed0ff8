"""Which lists of actions are a training step: each rule that can be broken is named with the action that breaks it.

*Throughout this module:*
    step    every micro-batch passes every stage forward once and back once (B, or I and then W), on the rank
            that ran its forward: what the backward needs is kept there
"""

from labs.models.schedules.actions import Action, Pair, Schedule
from labs.refusal import BadValue


class BadSchedule(BadValue):
    """A broken rule, with the rank, action, stage and micro-batch that break it."""

    def __init__(self, rule: str, rank: int, action: Action | Pair, **facts: object) -> None:
        part = action.parts[-1]
        self.rank, self.action, self.stage, self.microbatch = rank, action, part.stage, part.microbatch
        where = {"rank": rank, "action": str(action), "stage": part.stage, "microbatch": part.microbatch}
        super().__init__("order", str(action), rule, **where, **facts)


def near_even(odd: int) -> tuple[int, ...]:
    """The even numbers beside an odd one; 0 is none of them."""
    return (odd - 1, odd + 1) if odd > 1 else (2,)


def shape(schedule: Schedule) -> tuple[int, int]:
    """Stages and micro-batches, counted in the data."""
    parts = [part for actions in schedule.values() for action in actions for part in action.parts]
    return 1 + max(part.stage for part in parts), 1 + max(part.microbatch for part in parts)


def whole_step(schedule: Schedule) -> None:
    """Return when nothing is missing, nothing runs twice and every backward is where its forward was."""
    seen = _once_each(schedule)
    stages, microbatches = shape(schedule)
    for stage in range(stages):
        for microbatch in range(microbatches):
            for letter in "FIW":
                if Action(stage, letter, microbatch) not in seen:
                    rank = seen.get(Action(stage, "F", microbatch), 0)
                    raise BadSchedule("action_missing", rank, Action(stage, letter, microbatch))


def _once_each(schedule: Schedule) -> dict[Action, int]:
    """Where each action runs, with a whole backward counted as I and W."""
    seen: dict[Action, int] = {}
    for rank, actions in schedule.items():
        for action in actions:
            for part in _halves(action):
                if part in seen:
                    raise BadSchedule("action_twice", rank, action, first=seen[part])
                _follows(part, action, rank, seen)
                seen[part] = rank
    return seen


def _halves(action: Action | Pair) -> list[Action]:
    parts = []
    for part in action.parts:
        parts += [part._replace(letter="I"), part._replace(letter="W")] if part.letter == "B" else [part]
    return parts


def _follows(part: Action, action: Action | Pair, rank: int, seen: dict[Action, int]) -> None:
    """I after F and W after I, on the same rank."""
    if part.letter == "F":
        return
    before = part._replace(letter="F" if part.letter == "I" else "I")
    if seen.get(before) != rank:
        raise BadSchedule("own_work_first", rank, action, needs=str(before))
