"""A symbol has one meaning on a page: the notation table names it once."""

import re
from collections import Counter

import pytest

from tests.site.pages import MATHS, read_formula

TABLE = re.compile(r'<h2 id="notation".*?<tbody>(.*?)</tbody>', re.S)
FIRST = re.compile(r"<tr>\s*<t[dh][^>]*>(.*?)</t[dh]>", re.S)


def cells(html):
    """The first column of the notation table."""
    table = TABLE.search(html)
    return FIRST.findall(table[1]) if table else []


def formulas(cell):
    return [read_formula(one) for one in MATHS.findall(cell)]


def symbols(html):
    """What the notation table defines: formulas, or else plain names."""
    plain = [re.split(r"[、，,/]", re.sub(r"<[^>]+>", "", cell)) for cell in cells(html)]
    return [
        one
        for cell, names in zip(cells(html), plain, strict=True)
        for one in formulas(cell) or [name.strip() for name in names if name.strip()]
    ]


@pytest.mark.parametrize(
    ("rows", "wanted"),
    [
        (["GB、GiB", "MFU"], ["GB", "GiB", "MFU"]),
        (["<nl-math><math><mi>P</mi></math></nl-math>"] * 2, ["P", "P"]),
    ],
)
def test_a_notation_table_is_read_by_its_first_column(rows, wanted):
    body = "".join(f"<tr>\n<td>{row}</td><td>meaning</td></tr>" for row in rows)
    assert symbols(f'<h2 id="notation">N</h2><table><tbody>{body}</tbody></table>') == wanted


def test_no_page_defines_a_symbol_twice(pages):
    twice = {
        path: [one for one, times in Counter(symbols(page.html)).items() if times > 1] for path, page in pages.items()
    }
    assert {path: found for path, found in twice.items() if found} == {}


def test_a_page_that_promises_its_notation_defines_symbols(pages):
    for page in pages.values():
        if ("h2", "notation") in page.headings:
            assert symbols(page.html), page.path


def test_both_editions_define_the_same_symbols(editions):
    def defined(page):
        return sorted(one for cell in cells(page.html) for one in formulas(cell))

    assert {path for path, (zh, en) in editions.items() if defined(zh) != defined(en)} == set()
