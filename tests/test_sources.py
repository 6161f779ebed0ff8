"""What labs/ quotes names where it stands: a work of sources.yml, a repository at a commit, or an arXiv number."""

import re
from pathlib import Path

import pytest
import yaml

from labs import hardware
from labs.lab import LABS, find, report
from labs.models.conventions import FIGURES, published
from labs.models.recipes import RECIPES
from labs.models.schedules import FAMILIES
from labs.workloads import SOURCES, WORKLOADS

ROOT = Path(__file__).parent.parent
WORKS = {one["id"] for one in yaml.safe_load((ROOT / "docs/data/sources.yml").read_text(encoding="utf-8"))}
ELSEWHERE = re.compile(r"[\w.-]+/[\w.-]+@[0-9a-f]{7,40}|arXiv:\d{4}\.\d{5}")
# The order of these two follows PyTorch's code and a secondary text, as their modules say.
NO_WORK = {"looped-bfs", "hanayo"}
CITED = re.compile(
    r"([a-z][a-z0-9.]*(?:-[a-z0-9.]+)+)(?: README)?,? (?:§|Tables? \d|Figures? \d|eq\. \d|[aA]ppendix [A-Z])"
)
FILES = sorted((ROOT / "labs").rglob("*.py"))


def known(source: str) -> bool:
    """An arXiv number may be followed by the place in that paper."""
    return source in WORKS or ELSEWHERE.match(source.split(",")[0].split(" ")[0]) is not None


def unknown(named: dict[str, str]) -> dict[str, str]:
    return {name: source for name, source in named.items() if not known(source)}


def test_a_source_is_a_work_a_repository_at_a_commit_or_an_arxiv_number() -> None:
    assert all(map(known, ("zero", "stas00/ml-engineering@744d01e18b79", "arXiv:2407.21783 Table 3, config.json")))
    assert not any(map(known, ("", "zerro", "stas00/ml-engineering", "arXiv:2407", "a blog", "NVIDIA data sheet")))


def test_every_device_and_link_names_a_known_source() -> None:
    constants = (*hardware.LINKS.values(), *hardware.DEVICES.values())
    assert unknown({one.name: one.source for one in constants}) == {}


def test_every_model_shape_names_a_known_source() -> None:
    assert SOURCES.keys() == WORKLOADS.keys()
    assert unknown(SOURCES) == {}


def test_every_recipe_names_a_known_source() -> None:
    assert unknown({name: recipe.source for name, recipe in RECIPES.items()}) == {}


def test_every_schedule_names_a_known_source_or_says_why_not() -> None:
    assert unknown({name: family.source for name, family in FAMILIES.items()}) == dict.fromkeys(NO_WORK, "")


def test_every_figure_of_two_conventions_names_a_known_source() -> None:
    said = {f"{name} {way}": published(name, way).source for name, ways in FIGURES.items() for way in ways}
    assert unknown(said) == {}


@pytest.mark.parametrize("name", LABS)
def test_a_row_of_an_answer_is_ours_or_names_a_known_source(name: str) -> None:
    for preset in find(name).presets:
        rows = report(name, find(name).form(preset.id), "en")["rows"]
        assert unknown({row["name"]: row["source"] for row in rows if row["source"]}) == {}  # type: ignore[attr-defined]


def test_every_citation_of_a_section_table_or_equation_is_of_a_known_work() -> None:
    cited = {(path.name, found) for path in FILES for found in CITED.findall(path.read_text(encoding="utf-8"))}
    assert len(cited) > 50
    assert sorted(one for one in cited if one[1] not in WORKS) == []
