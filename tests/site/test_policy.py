"""A page's policy lets its own scripts run and no other."""

import pytest

from overrides import seal


def policies(page):
    return [have["content"] for have in page.all("meta", http_equiv="Content-Security-Policy")]


def test_every_page_has_one_policy_before_everything_that_it_governs(pages):
    for page in pages.values():
        assert len(policies(page)) == 1, page.path
        names = [tag for tag, _ in page.tags]
        assert names.index("meta") + 1 < min(names.index("script"), names.index("link"))
        assert page.tags[names.index("meta") + 1][1].get("http-equiv") == "Content-Security-Policy"


def test_a_policy_names_each_inline_script_by_its_hash_and_nothing_besides(pages):
    for page in pages.values():
        named = [word for word in policies(page)[0].split(";")[0].split() if word.startswith("'sha256-")]
        assert named == [f"'sha256-{seal.digest(text)}'" for text in seal.inline(page.html)], page.path
        assert len(named) >= 3


def test_no_policy_allows_whatever_is_inline(pages):
    for page in pages.values():
        assert "unsafe-inline" not in policies(page)[0] and "'unsafe-eval'" not in policies(page)[0]


@pytest.mark.parametrize("rule", ["worker-src 'self'", "connect-src 'self'", "object-src 'none'"])
def test_a_policy_keeps_to_its_own_origin(pages, rule):
    for page in pages.values():
        assert rule in policies(page)[0]


def test_no_page_needs_an_inline_handler(pages):
    for page in pages.values():
        assert [name for _, have in page.tags for name in have if name.startswith("on")] == [], page.path
        assert [have["href"] for have in page.all("a") if have.get("href", "").startswith("javascript:")] == []
