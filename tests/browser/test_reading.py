"""What a reader needs before any lab, from a host and from a folder: finished mathematics, and pages that link."""

import pytest


@pytest.fixture(params=["host", "folder"])
def chapter(request):
    """The address of a chapter with formulas."""
    if request.param == "host":
        return f"{request.getfixturevalue('host').address}chapters/02-model-state/"
    return (request.getfixturevalue("folder") / "chapters/02-model-state.html").as_uri()


def test_mathematics_is_drawn_with_its_own_letters(page, chapter):
    page.goto(chapter)
    assert page.get("document.querySelectorAll('.katex-html').length") > 5
    assert page.wait("[...document.fonts].some(font => font.family.includes('KaTeX') && font.status === 'loaded')")


def test_pages_link_to_one_another_in_the_folder(page, folder):
    page.goto((folder / "index.html").as_uri())
    page.run("document.querySelector('.md-nav a[href$=\"labs/memory.html\"]').click()")
    # The page that is left has a memory lab too: only the address tells that the other one is open.
    page.wait("location.pathname.endsWith('labs/memory.html') && document.readyState === 'complete'")
    page.wait("document.querySelector('[data-instance=memory][data-state]')")
    assert page.get("location.protocol") == "file:"
