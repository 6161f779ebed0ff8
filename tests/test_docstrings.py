"""Examples in docstrings and on the pages ran, and every public model says what it is."""

import ast
import doctest
from importlib import import_module
from pathlib import Path

import pytest

MODULES = [
    ".".join(path.with_suffix("").parts).removesuffix(".__init__")
    for path in sorted(Path("labs").rglob("*.py"))
    if path.name != "__main__.py"
]
MODELS = [path for folder in ("labs/models", "labs/workloads") for path in sorted(Path(folder).rglob("*.py"))]
PAGES = sorted(Path("docs").rglob("*.md"))


@pytest.mark.parametrize("name", MODULES)
def test_every_example_of_a_docstring_gives_what_it_shows(name):
    assert doctest.testmod(import_module(name), optionflags=doctest.ELLIPSIS).failed == 0


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_every_python_example_of_a_page_gives_what_it_shows(page):
    text = page.read_text(encoding="utf-8")
    blocks = [block.split("```")[0] for block in text.split("```python\n")[1:]]
    example = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, str(page), str(page), 0)
    assert doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(example).failed == 0


@pytest.mark.parametrize("path", MODELS, ids=str)
def test_every_model_opens_with_its_claim(path):
    assert len(ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "") > 40
