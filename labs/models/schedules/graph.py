"""What an action waits for, as a graph whose nodes stand in an order in which they can run.

A schedule fixes the order on each rank, so its times are longest paths: one pass for any set of durations.

*Throughout this module:*
    node        index of an action in `actions`
    kind        index in `kinds` of an action that takes as long: same stage and letter
    arrivals    nodes of other ranks whose output an action needs: F of the stage before, or B/I of the stage after
    output      number of what an action hands on: stage·m + micro-batch, of a gradient `gradients` more
"""

from collections import deque
from dataclasses import dataclass

from labs.models.schedules.actions import Action, Pair, Schedule
from labs.models.schedules.rules import BadSchedule, shape

NOTHING = -1


@dataclass(frozen=True, slots=True)
class Graph:
    """`first` is the first node of each rank."""

    stages: int
    microbatches: int
    actions: tuple[Action | Pair, ...]
    rank: tuple[int, ...]
    kind: tuple[int, ...]
    kinds: tuple[Action | Pair, ...]
    arrivals: tuple[tuple[int, ...], ...]
    first: tuple[int, ...]

    @property
    def ranks(self) -> int:
        return len(self.first)

    @property
    def messages(self) -> int:
        """Activations and gradients that pass from one rank to another in one step."""
        return sum(map(len, self.arrivals))


def graph(schedule: Schedule) -> Graph:
    """Lay out a schedule whose ranks do their own work in order (see rules); BadSchedule names a deadlock."""
    stages, microbatches = shape(schedule)
    laid = _Layout(schedule, stages, microbatches)
    waiting = deque(schedule)
    while waiting:
        waiting.extend(laid.advance(waiting.popleft()))
    laid.refuse_deadlock()
    kind, kinds = _kinds(laid.actions)
    actions, rank, arrivals = tuple(laid.actions), tuple(laid.rank), tuple(laid.arrivals)
    first = dict(zip(reversed(rank), range(len(rank) - 1, -1, -1), strict=True))
    return Graph(stages, microbatches, actions, rank, kind, kinds, arrivals, tuple(first[rank] for rank in schedule))


def _kinds(actions: list[Action | Pair]) -> tuple[tuple[int, ...], tuple[Action | Pair, ...]]:
    """Equal durations by number, so that a simulation computes each of them once."""
    keys = [action[:2] if len(action) == 3 else (action[0][0], action[1][0]) for action in actions]
    first = dict(zip(reversed(keys), reversed(actions), strict=True))
    number = {key: at for at, key in enumerate(first)}
    return tuple([number[key] for key in keys]), tuple(first.values())


class _Layout:
    """Runs every rank as far as it can go; a rank that waits is called again when what it needs is there."""

    def __init__(self, schedule: Schedule, stages: int, microbatches: int) -> None:
        self.schedule = schedule
        self.microbatches, self.gradients = microbatches, stages * microbatches
        self.links = {rank: [self.link(action) for action in actions] for rank, actions in schedule.items()}
        self.place = dict.fromkeys(schedule, 0)
        self.made = [NOTHING] * (2 * self.gradients)
        self.sleeping: dict[int, int] = {}
        self.actions: list[Action | Pair] = []
        self.rank: list[int] = []
        self.arrivals: list[tuple[int, ...]] = []

    def link(self, action: Action | Pair) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The outputs it waits for and those it makes: a pair starts when both of its halves can."""
        if isinstance(action, Pair):
            (needs, makes), (others, more) = self.link(action.forward), self.link(action.backward)
            return needs + others, makes + more
        stage, letter, microbatch = action
        output = stage * self.microbatches + microbatch
        if letter == "F":
            return (output - self.microbatches,) if stage else (), (output,)
        if letter == "W":
            return (), ()
        output += self.gradients
        after = output + self.microbatches
        return (after,) if after < 2 * self.gradients else (), (output,)

    def advance(self, rank: int) -> list[int]:
        """Lay out what this rank can run now; the ranks that can go on because of it."""
        woken: list[int] = []
        actions, links, made, sleeping = self.schedule[rank], self.links[rank], self.made, self.sleeping
        for place in range(self.place[rank], len(actions)):
            needs, makes = links[place]
            for output in needs:
                if made[output] == NOTHING:
                    sleeping[output] = rank
                    self.place[rank] = place
                    return woken
            node = len(self.actions)
            for output in makes:
                made[output] = node
                if output in sleeping:
                    woken.append(sleeping.pop(output))
            self.rank.append(rank)
            self.actions.append(actions[place])
            self.arrivals.append(tuple([made[at] for at in needs if self.rank[made[at]] != rank]))
        self.place[rank] = len(actions)
        return woken

    def refuse_deadlock(self) -> None:
        for rank, actions in self.schedule.items():
            place = self.place[rank]
            if place < len(actions):
                output = next(at for at in self.links[rank][place][0] if self.made[at] == NOTHING)
                stage, microbatch = divmod(output % self.gradients, self.microbatches)
                letter = "I" if output >= self.gradients else "F"
                raise BadSchedule("waits_for_ever", rank, actions[place], needs=str(Action(stage, letter, microbatch)))
