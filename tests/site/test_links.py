"""Every link leads somewhere, and nothing is fetched from anywhere else."""

import re
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

HOST = "https://ledgers.example"
ROOT = "/repo/"
FETCHED = {
    ("link", "href"),
    ("script", "src"),
    ("img", "src"),
    ("iframe", "src"),
    ("source", "src"),
    ("object", "data"),
}


def addresses(page, *attributes):
    return [(tag, at, have[at]) for at in attributes for tag, have in page.having(at)]


def target(page, link):
    """(path in the site, anchor) of a link of this page; None if it leads elsewhere."""
    url = urlsplit(urljoin(HOST + ROOT + page.path.removesuffix("index.html"), link))
    if f"{url.scheme}://{url.netloc}" != HOST:
        return None
    path = unquote(url.path)
    assert path.startswith(ROOT), f"{page.path}: {link} leaves the site's folder"
    return path.removeprefix(ROOT), unquote(url.fragment)


def file_of(site, path):
    file = site / path
    return file / "index.html" if path == "" or path.endswith("/") else file


def test_every_link_of_the_site_has_a_file(site, pages):
    missing = []
    for page in pages.values():
        for _, _, link in addresses(page, "href", "src"):
            found = target(page, link)
            if found and not file_of(site, found[0]).is_file():
                missing.append((page.path, link))
    assert missing == []


def test_every_anchor_is_there(site, pages):
    missing = []
    for page in pages.values():
        for _, _, link in addresses(page, "href"):
            found = target(page, link)
            if found and found[1]:
                aimed = pages[file_of(site, found[0]).relative_to(site).as_posix()]
                if found[1] not in aimed.ids:
                    missing.append((page.path, link))
    assert missing == []


def test_no_id_occurs_twice_on_a_page(pages):
    for page in pages.values():
        ids = [have["id"] for _, have in page.having("id")]
        assert sorted({one for one in ids if ids.count(one) > 1}) == [], page.path


def test_no_page_fetches_from_another_origin(pages):
    canonical = {("rel", "canonical")}
    away = [
        (page.path, have[at])
        for page in pages.values()
        for tag, have in page.tags
        for at in ("href", "src", "data")
        if (tag, at) in FETCHED and at in have and not canonical & set(have.items()) and urlsplit(have[at]).netloc
    ]
    assert away == []


def test_no_style_sheet_or_script_of_ours_names_another_origin(site):
    for file in [*site.glob("assets/site/*"), *site.glob("assets/labs/*.css"), *site.glob("assets/katex/*.css")]:
        names = re.findall(r"(?:https?:)?//[a-z0-9.-]+\.[a-z]{2,}", file.read_text("utf-8"))
        assert [name for name in names if "www.w3.org" not in name] == [], file.name


def test_a_link_to_another_page_of_the_site_is_relative(pages):
    """So that the site holds at any host and under any folder; 404 answers at any depth and cannot."""
    absolute = [
        (page.path, link)
        for page in pages.values() if page.path != "404.html"
        for tag, _, link in addresses(page, "href", "src")
        if link.startswith("/") or (link.startswith(HOST) and tag != "link")
    ]  # fmt: skip
    assert absolute == []


def test_each_page_links_to_its_source_for_editing(pages):
    for page in pages.values():
        if page.path != "404.html":
            links = [have["href"] for have in page.all("a", rel="edit")]
            assert len(links) == 1 and links[0].startswith("https://github.com/someone/ledgers/edit/main/docs/")
            if page.classed("nl-card"):
                assert links[0].endswith("/docs/data/cards.yml")
                continue
            source = Path("docs") / page.language / (page.path.removeprefix("en/").removesuffix("/index.html") + ".md")
            source = source if source.is_file() else source.with_suffix("") / "index.md"
            source = (
                Path("docs") / page.language / "index.md" if page.path in ("index.html", "en/index.html") else source
            )
            assert links[0].endswith(source.as_posix())
