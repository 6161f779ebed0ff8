"""A schedule as a file: a CSV that a person can read and edit, a trace that Perfetto and Chrome open.

*Throughout this module:*
    CSV     one line a rank, its tokens in order, as PyTorch writes its tables; what stands after # is ignored
    trace   a complete event ("ph": "X") an action; a unit of time is written as one millisecond
"""

from json import dumps

from labs.models.pipeline import Slots
from labs.models.schedules.actions import Action, Pair, Schedule, read, tokens
from labs.refusal import BadValue

MICROSECONDS = 1000.0
CATEGORIES = {"F": "forward", "B": "backward", "I": "input gradient", "W": "weight gradient"}


def to_csv(schedule: Schedule) -> str:
    return "".join(",".join(row) + "\n" for row in tokens(schedule).values())


def from_csv(text: str) -> Schedule:
    """Rank after rank; BadValue names the first cell that is no action. Whether it is a step, `validate` says.

    Spaces and tabs part cells as commas do; a line without any cell is no rank; a spreadsheet's mark is passed over.
    """
    lines = [line.partition("#")[0] for line in text.lstrip("\ufeff").replace("，", ",").splitlines()]
    rows = [cells for line in lines if (cells := line.replace(",", " ").split())]
    if not rows:
        raise BadValue("order", text, "no_order")
    return {rank: tuple(_cell(cell, rank) for cell in row) for rank, row in enumerate(rows)}


def _cell(cell: str, rank: int) -> Action | Pair:
    try:
        return read(cell)
    except ValueError:
        raise BadValue("order", cell, "no_action", rank=rank) from None


def to_trace(slots: Slots) -> str:
    """A thread a rank; the name of an event is its token."""
    graph = slots.graph
    names = [
        {"ph": "M", "pid": 0, "tid": rank, "name": "thread_name", "args": {"name": f"rank {rank}"}}
        for rank in range(graph.ranks)
    ]
    events = [
        {
            "ph": "X", "pid": 0, "tid": rank, "name": str(action), "cat": _category(action),
            "ts": start * MICROSECONDS, "dur": (end - start) * MICROSECONDS,
        }
        for action, rank, start, end in zip(graph.actions, graph.rank, slots.starts, slots.ends, strict=True)
    ]  # fmt: skip
    return dumps({"displayTimeUnit": "ms", "traceEvents": names + events})


def _category(action: Action | Pair) -> str:
    return "forward and backward" if isinstance(action, Pair) else CATEGORIES[action.letter]
