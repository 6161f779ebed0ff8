"""Every entry of the register of public bug reports is a test with the right answer, named by its id and its claim."""

import json
import re
from pathlib import Path

import pytest

from labs import __version__
from labs.__main__ import main
from labs.lab import LABS, find, html, render, report
from labs.models import memory
from labs.refusal import BadValue

HERE = Path(__file__).parent
# M memory, P mesh, S pipeline, C communication and dispatch, G all labs. The gaps are reports about other software.
REGISTER = {
    "m": (1, 2, 3, 5, 6, 7, 8, 9, 10, 12, 13, 14, 16, 17, 18, 19, 21, 22, 23, 24, 26, 27, 28, 30, 31, 32),
    "p": (1, 3, 4, 5, 6, 7, 8, 10, 11, 12),
    "s": (1, 3, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18),
    "c": (1, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18),
    "g": (1, 2, 3, 4, 5),
}
ENTRIES = [f"{letter}{number:02}" for letter, numbers in REGISTER.items() for number in numbers]


def named_tests() -> set[str]:
    """The ids that stand at the head of a test's name."""
    sources = [path.read_text(encoding="utf-8") for path in HERE.rglob("test_*.py")]
    return {one for text in sources for one in re.findall(r"^def test_([mpscg]\d\d)_", text, re.MULTILINE)}


@pytest.mark.parametrize("entry", ENTRIES)
def test_each_entry_of_the_register_is_a_test(entry: str) -> None:
    assert entry in named_tests()


def test_no_test_names_an_entry_that_is_not_in_the_register() -> None:
    assert named_tests() <= set(ENTRIES)


def test_g02_the_labs_need_no_server_and_no_package(monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer is made without opening a socket, and the package declares no dependency."""
    monkeypatch.setattr("socket.socket.__init__", lambda *_, **__: pytest.fail("a lab opened a socket"))
    assert all(json.loads(render(json.dumps({"lab": name, "form": {}, "language": "en"})))["regions"] for name in LABS)
    assert "\ndependencies = []" in (HERE.parent / "pyproject.toml").read_text(encoding="utf-8")


def test_g03_a_model_that_prints_does_not_break_its_answer(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    quiet = render(json.dumps({"lab": "memory", "form": {"params": "7e9"}, "language": "en"}))
    cut = memory.cut

    def chatty(size: float, ranks: float) -> float:
        print("cutting", size)
        return cut(size, ranks)

    monkeypatch.setattr(memory, "cut", chatty)
    assert render(json.dumps({"lab": "memory", "form": {"params": "7e9"}, "language": "en"})) == quiet
    capsys.readouterr()
    assert main(["memory", "--params", "7e9", "--json"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["total"]["value"] == 38.5e9
    assert "cutting" in err


def test_g04_docs_models_and_command_are_of_one_version(capsys: pytest.CaptureFixture[str]) -> None:
    """The commands of the documentation run when the site is built, and the first of them shows the version."""
    with pytest.raises(SystemExit):
        main(["--version"])
    assert capsys.readouterr().out.strip() == __version__ == report("memory", {}, "en")["version"]
    for language in ("zh", "en"):
        page = HERE.parent / "docs" / language / "labs" / "python.md"
        assert "run: --version" in page.read_text(encoding="utf-8")
        assert 'data-hash="' in html("memory", {}, language)


@pytest.mark.parametrize(
    ("name", "field", "least"),
    [("memory", "dp", "1"), ("mesh", "dp", "1"), ("pipeline", "m", "1"), ("dispatch", "n", "2")],
)
def test_g05_a_refusal_names_field_value_rule_and_nearest_legal_value(name: str, field: str, least: str) -> None:
    with pytest.raises(BadValue) as refused:
        find(name).ask(find(name).form("", {field: "0"}), "en")
    assert (refused.value.field, refused.value.value, refused.value.nearest) == (field, "0", least)
    for language, said in (("en", "Nearest legal value: "), ("zh", "最接近的可行取值：")):
        sentence = refused.value.message(language, name)
        assert said + least in sentence and "0" in sentence
