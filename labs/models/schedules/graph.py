"""What an action waits for, as a graph whose nodes stand in an order in which they can run.

A schedule fixes the order on each rank, so its times are longest paths: one pass for any set of durations.

*Throughout this module:*
    node        index of an action in `actions`
    kind        index in `kinds` of an action that takes as long: same stage and letter
    arrivals    nodes of other ranks whose output an action needs: F of the stage before, or B/I of the stage after
"""

from collections import deque
from dataclasses import dataclass

from labs.models.schedules.actions import Action, Pair, Schedule
from labs.models.schedules.rules import BadSchedule, shape

Key = tuple[str, int, int]


@dataclass(frozen=True, slots=True)
class Graph:
    ranks: int
    stages: int
    microbatches: int
    actions: tuple[Action | Pair, ...]
    rank: tuple[int, ...]
    kind: tuple[int, ...]
    kinds: tuple[Action | Pair, ...]
    arrivals: tuple[tuple[int, ...], ...]

    @property
    def messages(self) -> int:
        """Activations and gradients that pass from one rank to another in one step."""
        return sum(map(len, self.arrivals))


def graph(schedule: Schedule) -> Graph:
    """Lay the actions out; BadSchedule names the first action that would wait for ever."""
    stages, microbatches = shape(schedule)
    laid = _Layout(schedule, stages - 1)
    todo = deque(schedule)
    while todo:
        todo.extend(laid.advance(todo.popleft()))
    laid.refuse_deadlock()
    kind, kinds = _kinds(laid.actions)
    actions, rank, arrivals = tuple(laid.actions), tuple(laid.rank), tuple(laid.arrivals)
    return Graph(len(schedule), stages, microbatches, actions, rank, kind, kinds, arrivals)


def _kinds(actions: list[Action | Pair]) -> tuple[tuple[int, ...], tuple[Action | Pair, ...]]:
    """Equal durations by number, so that a simulation computes each of them once."""
    first: dict[object, tuple[int, Action | Pair]] = {}
    kind = [first.setdefault(_duration_of(action), (len(first), action))[0] for action in actions]
    return tuple(kind), tuple(action for _, action in first.values())


def _duration_of(action: Action | Pair) -> object:
    """What a duration depends on: an action's stage and letter, a pair's two stages."""
    return (action[0][0], action[1][0]) if isinstance(action, Pair) else action[:2]


class _Layout:
    """Runs every rank as far as it can go; a rank that waits is called again when what it needs is there."""

    def __init__(self, schedule: Schedule, last: int) -> None:
        self.schedule, self.last = schedule, last
        self.place = dict.fromkeys(schedule, 0)
        self.made: dict[Key, int] = {}
        self.sleeping: dict[Key, int] = {}
        self.actions: list[Action | Pair] = []
        self.rank: list[int] = []
        self.arrivals: list[tuple[int, ...]] = []

    def advance(self, rank: int) -> list[int]:
        """Lay out what this rank can run now; the ranks that can go on because of it."""
        woken: list[int] = []
        actions, made = self.schedule[rank], self.made
        for place in range(self.place[rank], len(actions)):
            action = actions[place]
            needs = needed(action, self.last)
            for key in needs:
                if key not in made:
                    self.sleeping[key] = rank
                    self.place[rank] = place
                    return woken
            node = len(self.actions)
            self.actions.append(action)
            self.rank.append(rank)
            self.arrivals.append(tuple(made[key] for key in needs if self.rank[made[key]] != rank))
            for key in outputs(action):
                made[key] = node
                if key in self.sleeping:
                    woken.append(self.sleeping.pop(key))
        self.place[rank] = len(actions)
        return woken

    def refuse_deadlock(self) -> None:
        for rank, actions in self.schedule.items():
            if self.place[rank] < len(actions):
                action = actions[self.place[rank]]
                missing = next(key for key in needed(action, self.last) if key not in self.made)
                raise BadSchedule("waits_for_ever", rank, action, needs=Action(missing[1], missing[0], missing[2]))


def needed(action: Action | Pair, last: int) -> tuple[Key, ...]:
    """What must have been computed before: a pair starts when both of its halves can."""
    if isinstance(action, Pair):
        return needed(action.forward, last) + needed(action.backward, last)
    stage, letter, microbatch = action
    if letter == "F":
        return (("F", stage - 1, microbatch),) if stage else ()
    if letter == "W":
        return (("I", stage, microbatch),)
    if stage == last:
        return (("F", stage, microbatch),)
    return ("F", stage, microbatch), ("I", stage + 1, microbatch)


def outputs(action: Action | Pair) -> tuple[Key, ...]:
    """What others may wait for; a whole backward hands on an input gradient as I does."""
    if isinstance(action, Pair):
        return outputs(action.forward) + outputs(action.backward)
    stage, letter, microbatch = action
    if letter == "W":
        return ()
    return (("F" if letter == "F" else "I", stage, microbatch),)
