"""The schedule to take away: tokens as CSV, times as a trace, inside the page itself, since there is no server."""

from base64 import b64encode

from labs.draw.svg import Markup, tag
from labs.models.outcomes import Outcomes
from labs.models.schedules.files import to_csv, to_trace
from labs.words import Speaker


def links(chosen: Outcomes, wanted: bool, say: Speaker) -> tuple[Markup, ...]:
    """Only on request: a trace is as long as the figure."""
    if not wanted:
        return ()
    name = f"{chosen.name}-p{chosen.p}-m{chosen.m}"
    csv = _link(to_csv(chosen.plan.schedule), "text/csv", f"{name}.csv", say("files.csv"))
    trace = _link(to_trace(chosen.slots), "application/json", f"{name}.json", say("files.trace"))
    return (tag("p", csv, " · ", trace, class_="nl-files"),)


def _link(content: str, kind: str, name: str, text: str) -> Markup:
    return tag("a", text, href=f"data:{kind};base64,{b64encode(content.encode()).decode()}", download=name)
