"""The card of a work, a page that is made: question, mechanism, figures, debt, neighbours, lab preset, chapters.

`sources` gives the Markdown of all cards, which asks for the card by the fence `card`; `card` gives its HTML.
"""

from urllib.parse import urlencode

from labs import words
from labs.draw.svg import Markup, join, scroll, tag
from overrides import chain, citations
from overrides.chain import Work
from overrides.facts import in_language, load, phrases
from overrides.place import Place


def sources(language: str) -> dict[str, str]:
    """{path inside the language's folder: Markdown} of every card."""
    return {f"reading/{work.id}.md": _source(work, language) for work in chain.works().values()}


def _source(work: Work, language: str) -> str:
    about = phrases("cards", language)["about"].format(title=work.source["title"]).replace('"', "'")
    return (
        f'---\ntitle: "{work.name}"\ndescription: "{about}"\nhide: [toc]\n---\n'
        f"# {work.name} {{#card}}\n\n```card\nid: {work.id}\n```\n"
    )


def card(options: dict[str, str], place: Place) -> str:
    work = chain.works()[load("cards")[options.get("id", "")]["id"]]
    says = phrases("cards", place.language)
    parts = (
        _head(work, place),
        _section("asks", says, tag("p", in_language(work.card["asks"], place.language), class_="nl-asks")),
        _section("how", says, tag("ol", *(tag("li", line) for line in work.card["how"][place.language]))),
        _section("figures", says, _figures(work, place)),
        _section("debt", says, tag("p", in_language(work.card["debt"], place.language))),
        _section("builds", says, _builds(work, place)),
        _section("leads", says, _leads(work, place)),
        _lab(work, place),
        _section("chapters", says, _chapters(work, place), _quoted(work, place)),
        _foot(work, place),
    )
    return tag("article", *parts, class_=f"nl-card {work.ledgers[0]}", data_work=work.id)


def _section(key: str, says: dict[str, str], *content: Markup) -> Markup:
    return join((tag("h2", says[key], id=key), *content))


def _head(work: Work, place: Place) -> Markup:
    source = work.source
    by = f"{source['authors']} · {source['org']} · {source['venue']}"
    link = tag("a", phrases("cards", place.language)["original"], href=source["url"], rel="external")
    title = tag("p", tag("cite", source["title"]), class_="nl-work-title")
    where = [link, Markup(citations.source_link(source["repository"], place))] if "repository" in source else [link]
    line = tag("p", by, " · ", join(where, " · "), class_="nl-work-by")
    return join((title, line, tag("p", *ledgers(work, place.language))))


def ledgers(work: Work, language: str) -> list[Markup]:
    say = words.speaker("", language)
    return [tag("span", say("ledgers." + ledger), class_=f"ledger {ledger}") for ledger in work.ledgers]


def _figures(work: Work, place: Place) -> Markup:
    says, language = phrases("cards", place.language), place.language
    if not work.figures:
        return tag("p", says["no-figures"])
    rows = [
        tag("tr", tag("td", chain.shown(fact, "text", language)), tag("td", _value(fact, language)),
            tag("td", chain.place_of(fact, language)))
        for fact in work.figures
    ]  # fmt: skip
    head = tag("tr", *(tag("th", says[key], scope="col") for key in ("what", "value", "where")))
    return scroll(says["figures"], tag("table", tag("thead", head), tag("tbody", *rows), class_="nl-data nl-facts"))


def _value(fact: dict[str, str], language: str) -> Markup:
    """Its raw value is that of the data, so that both languages can be compared."""
    value, unit = (chain.shown(fact, field, language) for field in ("value", "unit"))
    return tag("span", f"{value}\u00a0{unit}" if unit else value, class_="nl-fact", data_value=fact["value"])


def to(work: Work, place: Place) -> Markup:
    return tag("a", work.name, href=place.url(f"reading/{work.id}.md"))


def _builds(work: Work, place: Place) -> Markup:
    earlier = [chain.works()[key] for key in work.source["builds_on"]]
    return _joints([(one, work.answers.get(one.id)) for one in earlier], "first", place)


def _leads(work: Work, place: Place) -> Markup:
    return _joints([(one, one.answers.get(work.id)) for one in chain.leads(work.id)], "last", place)


def _joints(pairs: list[tuple[Work, dict[str, str] | None]], otherwise: str, place: Place) -> Markup:
    """Those whose joint is a debt first, each with the part that is paid."""
    says, language = phrases("cards", place.language), place.language
    if not pairs:
        return tag("p", says[otherwise])
    items = [
        tag(
            "li",
            to(work, place),
            *([" ", tag("span", says["pays"], class_="nl-other"), part[language]] if part else []),
        )
        for work, part in sorted(pairs, key=lambda pair: pair[1] is None)
    ]
    return tag("ul", *items)


def _lab(work: Work, place: Place) -> Markup:
    found = chain.preset(work)
    if found is None:
        return Markup("")
    name, key, form = found
    says, say = phrases("cards", place.language), words.speaker(name, place.language)
    address = place.url(f"labs/{name}.md") + "?" + urlencode({"lab": name} | form)
    text = says["preset"].format(lab=say("title"), preset=key, title=say(f"presets.{key}.title"))
    return _section("lab", says, tag("p", tag("a", text, href=address), class_="nl-preset"))


def _chapters(work: Work, place: Place) -> Markup:
    says = phrases("cards", place.language)
    found = chain.chapters(work.id, place.language)
    if not found:
        return tag("p", says["no-chapters"])
    links = [tag("a", says["chapter"].format(n=name[:2]), href=place.url(f"chapters/{name}.md")) for name in found]
    return tag("p", join(links, " · "))


def _quoted(work: Work, place: Place) -> Markup:
    """The claims that rest on this work: what it counts, the figure, its place, grade and date."""
    held = [claim for claim in load("claims").entries.values() if claim["source"] == work.id]
    if not held:
        return Markup("")
    says = phrases("cards", place.language)
    items = [
        tag("li", in_language(claim["convention"], place.language), " ",
            tag("span", citations.stated(claim, place.language), class_="nl-fact", data_value=claim["value"]),
            " ", tag("span", citations.support(claim, place.language), class_="nl-other"))
        for claim in held
    ]  # fmt: skip
    return tag(
        "details",
        tag("summary", says["quoted"].format(n=len(held))),
        tag("ul", *items),
        class_="note nl-facts",
        data_search_exclude="",
    )


def _foot(work: Work, place: Place) -> Markup:
    """The button is shown by the script, which alone can remember."""
    says = phrases("cards", place.language)
    button = tag(
        "button", says["mark"], type="button", class_="md-button", hidden=True, aria_pressed="false",
        data_read=work.id, data_mark=says["mark"], data_marked=says["marked"],
    )  # fmt: skip
    back = tag("a", says["back"], href=place.url(f"reading/index.md#{work.id}"))
    return join((tag("p", button, " ", back, class_="nl-card-foot", data_search_exclude=""), script(place)))


def script(place: Place) -> Markup:
    """A classic script: the theme runs it anew on each page it puts in, and it also runs from a folder."""
    return tag("script", src=place.asset("assets/site/chain.js"))
