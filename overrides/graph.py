"""The reading chain drawn: a row a work by year, a column a ledger, a line from each debt to the work that pays it.

The rows are a list of links, so that it reads, tabs and prints without a script; the lines lie behind it in one drawing
that stretches with it. assets/site/chain.js adds the choice of a bottleneck and what has been read.
"""

from labs import words
from labs.draw.svg import Markup, join, tag
from labs.draw.theme import LEDGERS
from overrides import cards, chain
from overrides.chain import Work
from overrides.facts import in_language, load, phrases
from overrides.place import Place


def graph(options: dict[str, str], place: Place) -> str:
    says = phrases("graph", place.language)
    count = tag("p", class_="nl-progress", data_says=says["progress"], aria_live="polite", hidden=True)
    drawing = tag("div", _heads(place), _lines(), _rows(place), class_="nl-graph")
    parts = (
        _starts(place),
        count,
        tag("figure", drawing, tag("figcaption", says["about"])),
        _debts(place),
        _files(place),
    )
    return tag("div", *parts, class_="nl-chain-page", data_chain=True) + cards.script(place)


def _starts(place: Place) -> Markup:
    """Where to begin for each bottleneck; with a script, a choice of what the graph shows."""
    says = phrases("graph", place.language)
    choices = [_choice("", says["all"], list(chain.works()), Markup(""))]
    for key, one in load("bottlenecks").entries.items():
        starts = join([cards.to(chain.works()[work], place) for work in one["starts"]], " → ")
        choices.append(_choice(key, in_language(one, place.language), chain.members(one), tag("span", starts)))
    return tag("fieldset", tag("legend", says["starts"]), *choices, class_="nl-starts")


def _choice(key: str, text: str, shown: list[str], starts: Markup) -> Markup:
    radio = tag(
        "input", type="radio", name="bottleneck", value=key, checked=not key, hidden=True, data_shows=" ".join(shown)
    )
    hue = key if key in LEDGERS else ""
    return tag("div", tag("label", radio, tag("span", text)), starts, class_=f"nl-start {hue}")


def _heads(place: Place) -> Markup:
    say = words.speaker("", place.language)
    names = [tag("span", say("ledgers." + ledger), class_=ledger) for ledger in LEDGERS]
    return tag("div", *names, class_="nl-chain-heads", aria_hidden="true")


def _column(work: Work) -> int:
    return LEDGERS.index(work.ledgers[0])


def _lines() -> Markup:
    """One unit a column and a row; the drawing is stretched to the list, lines keep their width."""
    row = {key: n for n, key in enumerate(chain.works())}
    paths = [
        tag("path", d=_curve(_column(earlier), row[earlier.id], _column(later), row[later.id]), class_=later.ledgers[0],
            data_from=earlier.id, data_to=later.id)
        for later, earlier, _ in chain.debts()
    ]  # fmt: skip
    return tag(
        "svg", *paths, class_="nl-edges", viewBox=f"0 0 {len(LEDGERS)} {len(row)}", preserveAspectRatio="none",
        aria_hidden="true",
    )  # fmt: skip


def _curve(x: int, y: int, x2: int, y2: int) -> str:
    """From the middle of a disc down to the middle of another; in one column it bows, to pass those between."""
    bow = 0.42 * (1 if y % 2 else -1) if x == x2 and y2 - y > 1 else 0
    a, b, reach = x + 0.5, x2 + 0.5, min(3.0, (y2 - y) / 2)
    return f"M{a} {y + 0.5}C{a + bow:g} {y + 0.5 + reach:g} {b + bow:g} {y2 + 0.5 - reach:g} {b} {y2 + 0.5}"


def _rows(place: Place) -> Markup:
    rows, year = [], None
    for work in chain.works().values():
        rows.append(_row(work, work.source["year"] if work.source["year"] != year else "", place))
        year = work.source["year"]
    return tag("ol", *rows, class_="nl-nodes", aria_label=phrases("graph", place.language)["graph"])


def _row(work: Work, year: object, place: Place) -> Markup:
    main, *others = work.ledgers
    dots = [tag("i", class_=ledger, style=f"--at:{LEDGERS.index(ledger)}") for ledger in others]
    disc = tag("b", f"{work.source['n']:02}", class_=main, style=f"--at:{_column(work)}")
    link = tag("a", disc, work.name, href=place.url(f"reading/{work.id}.md"), title=work.source["title"])
    box = tag(
        "input", type="checkbox", hidden=True, data_read=work.id,
        aria_label=phrases("graph", place.language)["read"].format(name=work.name),
    )  # fmt: skip
    return tag("li", tag("time", str(year)), *dots, link, box, id=work.id, class_="nl-work", data_work=work.id)


def _debts(place: Place) -> Markup:
    """The lines again, as sentences."""
    says = phrases("graph", place.language)
    items = [
        tag("li", cards.to(later, place), " ", tag("span", says["of"].format(earlier=earlier.name), class_="nl-other"),
            part[place.language])
        for later, earlier, part in chain.debts()
    ]  # fmt: skip
    return tag("details", tag("summary", says["debts"]), tag("ul", *items), class_="note")


def _files(place: Place) -> Markup:
    base = place.asset("assets/reading/")
    links = [
        tag("a", text, href=f"{base}/nine-ledgers{ext}", download=True)
        for text, ext in (("BibTeX", ".bib"), ("CSV", ".csv"))
    ]
    return tag("p", phrases("graph", place.language)["download"], join(links, " · "))
