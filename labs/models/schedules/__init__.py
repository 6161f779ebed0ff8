"""Who computes what, in which order: a schedule is data, `{rank: (action, …)}`, and all else is said of that data.

*Throughout this package:*
    p   ranks                     m   micro-batches of one step
    v   stages a rank holds (virtual chunks); p·v stages in all
    set   the activations of one micro-batch in a rank's whole share of the layers
"""

from labs.models.schedules.actions import Action, Pair, Schedule, read, tokens
from labs.models.schedules.families import BY_TORCH_NAME, FAMILIES, Family, Work, compute_actions, order, stages_a_rank
from labs.models.schedules.graph import Graph, graph
from labs.models.schedules.held import copies, peak_bytes, peak_sets, weight_versions
from labs.models.schedules.plans import Plan, plan
from labs.models.schedules.rules import BadSchedule, whole_step
from labs.models.schedules.times import UNIT, Times

__all__ = [
    "BY_TORCH_NAME",
    "FAMILIES",
    "UNIT",
    "Action",
    "BadSchedule",
    "Family",
    "Graph",
    "Pair",
    "Plan",
    "Schedule",
    "Times",
]
__all__ += [
    "Work",
    "compute_actions",
    "copies",
    "graph",
    "order",
    "peak_bytes",
    "peak_sets",
    "plan",
    "read",
    "stages_a_rank",
]
__all__ += ["tokens", "validate", "weight_versions"]


def validate(schedule: Schedule) -> Graph:
    """The graph of a schedule that is one whole training step; BadSchedule names the rule and the action otherwise."""
    whole_step(schedule)
    return graph(schedule)
