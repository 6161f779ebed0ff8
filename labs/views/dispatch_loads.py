"""Four given loads: who waits for whom, without any router."""

from labs.answer import Answer, Table, Verdict
from labs.controls import Values
from labs.draw.loads import Load, loads
from labs.draw.svg import Markup, escape, figure
from labs.draw.theme import classes
from labs.ledger import Row
from labs.models.dispatch import Loads
from labs.refusal import BadValue
from labs.units import number, percent, times_text
from labs.words import Speaker


def answer(values: Values, say: Speaker) -> Answer:
    """BadValue: nobody has anything to do."""
    given = Loads(tuple(getattr(values, f"load_{i}") for i in range(4)))
    if not given.mean:
        raise BadValue("load_0", 0, "some_load", 100)
    facts = told(given)
    even = given.makespan == 1
    return Answer(
        rows=rows(given),
        verdict=verdict(given, facts, say),
        figure=drawn(given, facts, say),
        saved=say("saved.even" if even else "saved.uneven", **facts),
        moved=say("moved.even" if even else "moved.uneven", **facts),
        formulas=formulas(given),
        tables=(table(given, say),),
        notes=(say("notes.given"), say("notes.inside")),
    )


def surplus(given: Loads) -> float:
    """Rows that would have to move for all to have the mean."""
    return sum(max(0.0, rows - given.mean) for rows in given.rows)


def told(given: Loads) -> dict[str, object]:
    return {
        "mean": number(given.mean), "max": number(max(given.rows)), "ratio": number(given.makespan),
        "useful": percent(given.efficiency), "wait": percent(1 - given.efficiency), "surplus": number(surplus(given)),
        "rank": given.rows.index(max(given.rows)),
    }  # fmt: skip


def rows(given: Loads) -> tuple[Row, ...]:
    high, mean = number(max(given.rows)), number(given.mean)
    total = " + ".join(map(number, given.rows))
    return (
        Row("mean", given.mean, "row", "exact", f"({total}) ÷ 4", "", "moe"),
        Row("busiest", max(given.rows), "row", "exact", "max", "", "moe"),
        Row("makespan", given.makespan, "times", "exact", f"{high} ÷ {mean}", "", "moe"),
        Row("efficiency", given.efficiency, "ratio", "exact", f"{mean} ÷ {high}", "", "moe"),
        Row("surplus", surplus(given), "row", "exact", f"Σ max(0, rows − {mean})", "", "moe"),
    )


def verdict(given: Loads, facts: dict[str, object], say: Speaker) -> Verdict:
    if given.makespan == 1:
        return Verdict("good", say("verdicts.even", **facts))
    return Verdict("warn" if given.makespan <= 1.2 else "bad", say("verdicts.uneven", **facts))


def drawn(given: Loads, facts: dict[str, object], say: Speaker) -> Markup:
    columns = [
        Load(n, say("figure.rank", rank=i, rows=number(n), ratio=number(n / given.mean)), f"rank {i}: {number(n)}")
        for i, n in enumerate(given.rows)
    ]
    busiest = say("figure.busiest", rows=facts["max"], ratio=facts["ratio"])
    mean = (given.mean, say("figure.given_mean", **facts))
    chart = loads(columns, classes("moe", "load"), mean, busiest, say("figure.given_label", **facts))
    return figure(chart, say("figure.given_caption", **facts), say("figure.given_title"))


def formulas(given: Loads) -> tuple[Markup, ...]:
    high, mean = number(max(given.rows)), number(given.mean)
    lines = (
        f"max ÷ mean = {high} ÷ {mean} = {times_text(given.makespan)}",
        f"mean ÷ max = {mean} ÷ {high} = {percent(given.efficiency)}",
    )
    return tuple(Markup(escape(line)) for line in lines)


def table(given: Loads, say: Speaker) -> Table:
    high = max(given.rows)
    cells = tuple(
        (str(i), number(n), times_text(n / given.mean), percent(1 - n / high)) for i, n in enumerate(given.rows)
    )
    head = tuple(say(f"tables.{key}") for key in ("rank", "rows", "makespan", "waits"))
    return Table(say("tables.by_rank"), head, cells, given.rows.index(high))
