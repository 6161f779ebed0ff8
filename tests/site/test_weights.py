"""What a first visit transfers, added up from the built files: gzip as a plain host does it, fonts as they are."""

import gzip
from posixpath import dirname, join, normpath

import pytest

LIMITS = {"chapters/": 350_000, "": 300_000}


def sent(site, path):
    data = (site / path).read_bytes()
    return len(data) if path.endswith((".woff2", ".png", ".bin")) else len(gzip.compress(data, 6))


def parts(page):
    """The page's style sheets and scripts; the fonts of formulas where it has any."""
    links = [have["href"] for have in page.all("link", rel="stylesheet") + page.all("link", rel="icon")]
    links += [have["src"] for have in page.all("script") if "src" in have]
    fonts = (
        ["Main-Regular", "Main-Bold", "Math-Italic", "Size1-Regular", "Size2-Regular"] if page.all("nl-math") else []
    )
    base = dirname(page.path)
    return [normpath(join(base, link)) for link in links] + [f"assets/katex/fonts/KaTeX_{font}.woff2" for font in fonts]


@pytest.mark.parametrize("part", LIMITS)
def test_a_page_stays_within_its_weight(site, pages, part):
    weights = {
        path: sent(site, path) + sum(sent(site, one) for one in parts(page))
        for path, page in pages.items()
        if path.removeprefix("en/").startswith(part) and path != "404.html" and (part or "chapters/" not in path)
    }
    assert {path: weight for path, weight in weights.items() if weight > LIMITS[part]} == {}


def test_no_map_and_no_word_list_of_the_theme_travels(site):
    assert [*site.rglob("*.map"), *site.glob("assets/javascripts/lunr/**/*")] == []


def test_nothing_of_the_builder_travels(site):
    assert [path for suffix in (".py", ".cjs", ".yml", ".toml") for path in site.rglob(f"*{suffix}")] == []
