"""The schedule to take away: tokens as CSV, times as a trace that Perfetto opens."""

from labs.answer import File
from labs.models.outcomes import Outcomes
from labs.models.schedules.files import to_csv, to_trace
from labs.words import Speaker


def files(chosen: Outcomes, wanted: bool, say: Speaker) -> tuple[File, ...]:
    """Only on request: a trace is as long as the figure."""
    if not wanted:
        return ()
    name = f"{chosen.name}-p{chosen.p}-m{chosen.m}"
    return (
        File(f"{name}.csv", "text/csv", say("files.csv"), to_csv(chosen.plan.schedule)),
        File(f"{name}.json", "application/json", say("files.trace"), to_trace(chosen.slots)),
    )
