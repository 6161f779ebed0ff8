"""Nothing enters a build unless its version and hash are in the repository."""

import json
import re
import tomllib
from pathlib import Path

import pytest

GROUPS = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["dependency-groups"]
PACKAGES = json.loads(Path("package.json").read_text(encoding="utf-8"))
LOCKED = json.loads(Path("package-lock.json").read_text(encoding="utf-8"))["packages"]
LOCK_OF = {group: "requirements-build.txt" if group == "build" else "requirements.txt" for group in GROUPS}


def blocks(lock: str) -> dict[str, str]:
    """Package → its lines in the lock file."""
    text = Path(lock).read_text(encoding="utf-8")
    return {block.split("==")[0]: block for block in re.split(r"\n(?=[a-z])", text) if "==" in block.split("\n")[0]}


@pytest.mark.parametrize("lock", sorted(set(LOCK_OF.values())))
def test_each_locked_python_package_has_one_version_and_a_hash(lock):
    for name, block in blocks(lock).items():
        assert re.match(r"[\w.-]+==[\w.]+( ;[^\\\n]+)? \\\n    --hash=sha256:[0-9a-f]{64}", block), name


@pytest.mark.parametrize("group", GROUPS)
def test_the_lock_holds_what_the_group_asks_for(group):
    asked = {re.match(r"[\w-]+", line)[0] for line in GROUPS[group]}
    assert asked <= blocks(LOCK_OF[group]).keys()


def test_each_front_end_part_has_an_integrity_and_no_address():
    for name, entry in LOCKED.items():
        if name:
            assert entry["integrity"].startswith("sha512-"), name
            assert "resolved" not in entry, name


def test_the_front_end_lock_holds_the_versions_that_are_asked_for():
    asked = PACKAGES["dependencies"] | PACKAGES["devDependencies"]
    assert {name: LOCKED[f"node_modules/{name}"]["version"] for name in asked} == asked


def test_each_action_of_a_workflow_is_named_by_its_commit():
    used = [
        line
        for path in Path(".github/workflows").glob("*.yml")
        for line in path.read_text().splitlines()
        if "uses:" in line
    ]
    assert used and [line for line in used if not re.search(r"@[0-9a-f]{40} # v\d+\.\d+\.\d+$", line)] == []
