"""What a reader needs before any lab: search in both languages, finished mathematics; from a host and from a folder."""

import pytest

QUERIES = [("zh", "流水线"), ("zh", "归约"), ("zh", "ZeRO"), ("en", "bubble"), ("en", "recompute")]


@pytest.fixture(params=["host", "folder"])
def home(request):
    """(language → address of its home page)"""
    if request.param == "host":
        address = request.getfixturevalue("host").address
        return {"zh": address, "en": f"{address}en/"}
    folder = request.getfixturevalue("folder")
    return {"zh": (folder / "index.html").as_uri(), "en": (folder / "en/index.html").as_uri()}


def results(page, query):
    """The pages that the search dialog lists."""
    page.run("document.querySelector('#__search').checked = true")
    page.focus("[data-md-component=search-query]")
    page.type(query)
    page.press("Shift")  # Chromium's driver inserts Chinese without a key, and the theme listens to keys
    page.wait("document.querySelector('.md-search-result__item')")
    return page.get("[...document.querySelectorAll('.md-search-result__item')].map(item => item.textContent)")


@pytest.mark.parametrize(("language", "query"), QUERIES)
def test_search_finds(page, home, language, query):
    page.goto(home[language])
    found = results(page, query)
    assert any(query.lower() in item.lower() for item in found)


def test_mathematics_is_there_without_any_script(page, home):
    page.goto(
        home["zh"].replace("index.html", "") + "chapters/02-model-state" + ("/" if "http" in home["zh"] else ".html")
    )
    assert page.get("document.querySelectorAll('.katex-html').length") > 5
    assert page.wait("[...document.fonts].some(font => font.family.includes('KaTeX') && font.status === 'loaded')")


def test_pages_link_to_one_another_in_the_folder(page, folder):
    page.goto((folder / "index.html").as_uri())
    page.run("document.querySelector('.md-nav a[href$=\"labs/memory.html\"]').click()")
    page.wait("document.querySelector('[data-instance=memory][data-state]')")
    assert page.get("location.protocol") == "file:"
