"""A number with a unit is computed or quoted; one that is typed stands in bare_numbers.yml with its reason."""

import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import pytest
import yaml

from tests.site.pages import VOID, Page

# What is made from models or data: its numbers are not typed.
MADE = {"nl-computed", "nl-claim", "nl-origin", "nl-lab", "nl-figure", "nl-fact", "nl-facts", "nl-preset"}
UNREAD = {"code", "pre", "script", "style", "svg", "nl-math"}
BLOCK = {"p", "li", "td", "th", "h1", "h2", "h3", "tr", "summary", "dd", "dt", "div", "figcaption"}

UNITS = (
    "[KMGTP]i?B(?:/s)?", "B/s", "字节", "bytes?", "[mµμun]?s", "毫秒", "微秒", "秒", "分钟", "小时", "seconds?",
    "minutes?", "hours?", "[%％]", r"×(?!\s*[\dA-Z])", "倍", "times", "[KMGTPEZ]?FLOPs?(?:/s)?", "[Gk]b(?:it)?(?:/s)?",
    "bits?", "位", "[Tt]okens?", "万亿", "[万亿]", "billion", "million", "trillion", "[BMTK]",
)  # fmt: skip
BARE = re.compile(rf"(?<![\w.§\-])\d+(?:[.,]\d+)*[ \u00a0\u202f]*(?:{'|'.join(UNITS)})(?![A-Za-z])")


class _Typed(HTMLParser):
    """The words of a page that somebody typed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[tuple[str, bool, bool]] = []
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in VOID:
            return
        classes = set((dict(attrs).get("class") or "").split())
        made = bool(classes & MADE) or tag in UNREAD
        self.open.append((tag, made, "md-content__inner" in classes))
        if made or tag in BLOCK:
            self.words.append("\n")

    def handle_endtag(self, tag: str) -> None:
        while self.open and self.open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if any(inner for _, _, inner in self.open) and not any(made for _, made, _ in self.open):
            self.words.append(data.replace("\n", " "))


def typed(html: str) -> str:
    reader = _Typed()
    reader.feed(html)
    return "".join(reader.words)


def bare(html: str) -> list[str]:
    """Every number with a unit that is typed, with one plain space between them."""
    return [" ".join(found[0].split()) for found in BARE.finditer(typed(html))]


def name(page: Page) -> str:
    return page.path.removeprefix("en/").removesuffix("index.html").rstrip("/") or "home"


@cache
def listed() -> dict[str, dict[str, str]]:
    """{page or everywhere: {number: reason}}."""
    held = yaml.safe_load(Path(__file__).with_name("bare_numbers.yml").read_text("utf-8"))
    groups = {"everywhere": held["everywhere"]} | held["pages"]
    return {page: {number: one["reason"] for one in group for number in one["shown"]} for page, group in groups.items()}


def test_no_page_types_a_number_with_a_unit(pages):
    found = []
    for page in pages.values():
        allowed = listed()["everywhere"].keys() | listed().get(name(page), {}).keys()
        found += [(page.path, number) for number in bare(page.html) if number not in allowed]
    assert found == [], "compute it (`=expression:format`), quote it (claim:id), or list it with its reason"


def test_every_listed_number_is_still_typed_somewhere(pages):
    seen: dict[str, set[str]] = {"everywhere": set()}
    for page in pages.values():
        numbers = set(bare(page.html))
        seen.setdefault(name(page), set()).update(numbers)
        seen["everywhere"] |= numbers
    assert {page: unused for page, held in listed().items() if (unused := sorted(held.keys() - seen[page]))} == {}


def test_every_listed_number_has_a_reason():
    assert all(len(reason.split()) >= 3 for held in listed().values() for reason in held.values())


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("takes 24 GB here", ["24 GB"]),
        ("24\u00a0GiB", ["24 GiB"]),
        ("一共 7.5 亿个", ["7.5 亿"]),
        ("1.04 万亿", ["1.04 万亿"]),
        ("慢 3 倍，省 12.5%", ["3 倍", "12.5%"]),
        ("989 TFLOP/s 与 50 GB/s", ["989 TFLOP/s", "50 GB/s"]),
        ("2× as much", ["2×"]),
        ("4,194,304 tokens in 0.6 s", ["4,194,304 tokens", "0.6 s"]),
        ("a 4096×4096 matrix, FP32, §3.1, ZeRO-3, 16P, 64 GPUs, 2024", []),
        ("Q is 2, K and V 3, times n; H100s, FSDP 8 × TP 8, 1F1B, 8 seats", []),
    ],
)
def test_what_counts_as_a_number_with_a_unit(text, wanted):
    assert bare(f'<article class="md-content__inner"><p>{text}</p></article>') == wanted


@pytest.mark.parametrize("made", ['span class="nl-computed"', 'section class="nl-lab"', "code", "nl-math"])
def test_what_a_model_or_the_data_made_is_not_typed(made):
    tag = made.split()[0]
    inner = f"<p>a <{made}>24 GB</{tag}> b</p><p>5 GB</p>"
    assert bare(f'<article class="md-content__inner">{inner}</article><p>7 GB</p>') == ["5 GB"]
