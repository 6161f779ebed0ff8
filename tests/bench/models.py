"""What the models themselves take in CPython."""

import subprocess
import sys
import time
from collections.abc import Iterator

from labs.models import pipeline
from labs.models.schedules.flush import one_f_one_b
from labs.models.schedules.graph import graph
from labs.models.schedules.times import UNIT
from tests.bench import Figure

IMPORT = "import time; t = time.process_time(); import labs, labs.lab; print(time.process_time() - t)"


def import_seconds() -> float:
    """In an interpreter of its own."""
    done = subprocess.run([sys.executable, "-c", IMPORT], capture_output=True, text=True, check=True)
    return float(done.stdout)


def simulation(p: int, m: int) -> float:
    """Seconds from nothing to the start and end of every action of 1F1B."""
    begun = time.process_time()
    pipeline.simulate(graph(one_f_one_b(p, m)), UNIT)
    return time.process_time() - begun


def fastest(p: int, m: int) -> float:
    """Of five: seconds of the processor, since other programs of the machine are not the model."""
    return min(simulation(p, m) for _ in range(5))


def figures() -> Iterator[Figure]:
    yield Figure("import labs", 1e3 * min(import_seconds() for _ in range(9)), "ms", 50)
    whole = fastest(64, 512)
    yield Figure("simulate 1F1B, p = 64, m = 512", whole, "s", 1.5)
    half, quarter = fastest(32, 512), fastest(16, 512)
    yield Figure("  over p = 32, whose p·m is half of it", whole / half, "×", 2.8)
    yield Figure("  over p = 16, whose p·m is a quarter of it", whole / quarter, "×", 5.6)
    yield Figure("  over m = 256", whole / fastest(64, 256), "×", 2.8)
