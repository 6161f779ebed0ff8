"""Who may know whom. The table is the architecture: each part of labs, lowest first, and the parts it may import."""

import ast
import subprocess
import sys
from importlib.util import resolve_name
from pathlib import Path

import pytest

GROUND = {"units", "refusal", "words"}
FACTS = {"hardware", "workloads"}
KNOWS = {
    "units": set(),
    "words": set(),
    "fingerprint": set(),
    "draw": {"units"},
    "refusal": {"units", "words"},
    "controls": {"units", "refusal"},
    "hardware": GROUND,
    "workloads": GROUND,
    "models": GROUND | FACTS,
    "ledger": GROUND | FACTS | {"models", "draw"},
    "answer": {"units", "words", "draw", "ledger"},
    "form": {"units", "words", "draw", "controls"},
    "views": GROUND | FACTS | {"models", "ledger", "draw", "controls", "answer"},
    "figures": GROUND | FACTS | {"models", "ledger", "draw"},
    "lab": {"words", "fingerprint", "refusal", "draw", "controls", "answer", "form", "views"},
    "__main__": {"units", "words", "refusal", "controls", "ledger", "answer", "lab"},
}
LABS = sorted(Path("labs").rglob("*.py"))
BESIDE = sorted(path for folder in ("overrides", "tests") for path in Path(folder).rglob("*.py"))


def package(path: Path) -> str:
    return ".".join(path.parent.parts)


def part(path: Path) -> str:
    """`labs/models/mesh.py` → models, `labs/units.py` → units, `labs/__init__.py` → __init__."""
    return path.with_suffix("").parts[1]


def imports(path: Path) -> set[str]:
    """Every module that this file imports at any depth, by its full name; of `from a import b` both a and a.b."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            source = resolve_name("." * node.level + (node.module or ""), package(path))
            found |= {source} | {f"{source}.{name.name}" for name in node.names}
    return found


def parts(path: Path) -> set[str]:
    """The parts of labs that this file imports, by their names in the table."""
    return {name.split(".")[1] for name in imports(path) if name.startswith("labs.")} & KNOWS.keys()


def test_the_table_lists_each_part_after_those_it_knows():
    for at, (name, known) in enumerate(KNOWS.items()):
        assert known <= set(list(KNOWS)[:at]), name


def test_the_table_has_a_line_for_every_part():
    assert {part(path) for path in LABS} - {"__init__"} <= KNOWS.keys()


@pytest.mark.parametrize("path", LABS, ids=str)
def test_a_part_knows_only_what_the_table_lets_it(path):
    name = part(path)
    assert parts(path) <= KNOWS.get(name, set()) | {name}


@pytest.mark.parametrize("path", LABS, ids=str)
def test_labs_imports_itself_and_the_standard_library_only(path):
    assert {name.split(".")[0] for name in imports(path)} <= sys.stdlib_module_names | {"labs"}


@pytest.mark.parametrize("path", [path for path in BESIDE if path.parts[0] == "overrides"], ids=str)
def test_the_site_knows_nothing_of_the_tests(path):
    assert "tests" not in {name.split(".")[0] for name in imports(path)}


def test_no_view_and_no_model_is_imported_before_a_lab_is_asked_for():
    script = (
        "import sys, labs.lab; print(*sorted(m for m in sys.modules if m.startswith(('labs.views.', 'labs.models.'))))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
