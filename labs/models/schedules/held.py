"""What a schedule keeps: activations that wait for their backward, copies of the parameters, versions of the weights.

All of it follows from the order alone; times do not enter.

*Throughout this module:*
    set      the activations of one micro-batch in one stage
    M_B      bytes of a set until its input gradient is done (all that the forward saved)      [zero-bubble §2.3]
    M_W      bytes of it that the weight gradient still needs after that, at most M_B          [zero-bubble §2.3]
"""

from collections.abc import Iterator

from labs.models.schedules.actions import Action, Pair, Schedule
from labs.models.schedules.rules import shape

# A set is given back at the input gradient or, counted whole, at the weight gradient.
UNTIL = {"input": "BI", "weight": "BW"}


def peak_sets(schedule: Schedule, until: str = "input") -> dict[int, int]:
    """The most sets a rank holds at once; `until` says which gradient frees them (the other is kept for free)."""
    change = {"F": 1} | dict.fromkeys(UNTIL[until], -1)
    return {
        rank: int(_peak(change.get(part.letter, 0) for part in _parts(actions))) for rank, actions in schedule.items()
    }


def peak_bytes(schedule: Schedule, M_B: float, M_W: float) -> dict[int, float]:
    """The most bytes a rank holds when the input gradient frees M_B − M_W and the weight gradient the rest."""
    change = {"F": M_B, "B": -M_B, "I": M_W - M_B, "W": -M_W}
    return {rank: _peak(change[part.letter] for part in _parts(actions)) for rank, actions in schedule.items()}


def _parts(actions: tuple[Action | Pair, ...]) -> Iterator[Action]:
    return (part for action in actions for part in action.parts)


def _peak(changes: Iterator[float]) -> float:
    held = most = 0.0
    for change in changes:
        held += change
        most = max(most, held)
    return most


def in_stages(schedule: Schedule, sets: float) -> float:
    """Sets of the schedule's own stages as sets of one rank's whole share: a chunk is 1/v of it."""
    stages, _ = shape(schedule)
    return sets * len(schedule) / stages


def copies(schedule: Schedule) -> float:
    """Parameters a rank holds over its share of the model: 1, or 2 where every stage lives on two ranks."""
    stages, _ = shape(schedule)
    homes = {(rank, part.stage) for rank, actions in schedule.items() for part in _parts(actions)}
    return len(homes) / stages


def weight_versions(schedule: Schedule) -> dict[int, int]:
    """Without a flush each micro-batch in flight needs the weights its forward used [pipedream, weight stashing]."""
    return peak_sets(schedule, "input")
