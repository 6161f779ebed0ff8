"""Run golden case files: ``python -m tests.golden [FILE...]`` (the public file when none is named).

Prints each failure with wanted and got, then ``N passed, N failed``; exits 1 when any failed.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tests.golden.cases import PUBLIC, load
from tests.golden.kinds import failures


def run(paths: list[Path]) -> int:
    """Print what fails in these files and the closing count; the number of failed cases."""
    passed = failed = 0
    for case in (case for path in paths for case in load(path)):
        lines = failures(case)
        for line in lines:
            print(f"FAILED {case.id} ({case.kind}) {line}")
        failed += bool(lines)
        passed += not lines
    print(f"{passed} passed, {failed} failed")
    return failed


if __name__ == "__main__":
    sys.exit(1 if run([Path(name) for name in sys.argv[1:]] or [PUBLIC]) else 0)
