"""What the models themselves take in CPython: seconds of the processor, since other programs are not the model."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import count
from resource import RUSAGE_CHILDREN, getrusage
from time import process_time

from labs.models import expert_layer
from labs.models.pipeline import simulate
from labs.models.rank_lines import Step, stage_memory
from labs.models.rank_memory import Degrees
from labs.models.schedules import FAMILIES, UNIT, graph, order
from labs.workloads import DEEPSEEK_V3
from tests.bench import Figure

IMPORT = "import time; t = time.process_time(); import labs, labs.lab; print(time.process_time() - t)"
COMMAND = "memory --model llama3-70b --tp 8 --pp 4 --dp 4 --zero 1 --seq 4096 --recompute selective"
SEEDS = count(1)
DEGREES, STEP = Degrees(pp=16, ep=64, dp=128), Step(4096, m=64)
TOO_MUCH = 2.8  # twice the actions in twice the time, and what a busy machine adds


def import_seconds() -> float:
    """In an interpreter of its own."""
    done = subprocess.run([sys.executable, "-c", IMPORT], capture_output=True, text=True, check=True)
    return float(done.stdout)


def command_seconds() -> float:
    """Of the processor, for a whole process: start, model, table, end."""
    before = getrusage(RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-m", "labs", *COMMAND.split()], capture_output=True, check=True)
    after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def fastest(work: Callable[[], object], times: int) -> float:
    """Seconds of the fastest of so many runs."""
    took = []
    for _ in range(times):
        begun = process_time()
        work()
        took.append(process_time() - begun)
    return min(took)


def memory() -> None:
    """Every line of every stage of DeepSeek-V3."""
    for stage in range(DEGREES.pp):
        stage_memory(DEEPSEEK_V3, DEGREES, STEP, stage)


def simulation(name: str, p: int, m: int) -> Callable[[], object]:
    """From nothing to the start and end of every action."""
    return lambda: simulate(graph(order(name, p, m, v=2)), UNIT)


def dispatch() -> None:
    """65,536 tokens, 1,024 a rank, each drawn: K 16 of E 896 over R 64. A new seed each: nothing is kept."""
    expert_layer.layer(1024, 16, 896, 64, 0.3, next(SEEDS), 8, 0, 1.25, 65536)


def figures() -> Iterator[Figure]:
    yield Figure("import labs", 1e3 * min(import_seconds() for _ in range(9)), "ms", 50)
    yield Figure("a named model on the command line", min(command_seconds() for _ in range(5)), "s", 0.3)
    yield Figure("memory of each stage of DeepSeek-V3", 1e3 * fastest(memory, 9), "ms", 5)
    for name in FAMILIES:
        whole = fastest(simulation(name, 64, 512), 3)
        yield Figure(f"{name}: p = 64, m = 512", whole, "s", 1.5)
        yield Figure("  over m = 256, half the actions", whole / fastest(simulation(name, 64, 256), 3), "×", TOO_MUCH)
        yield Figure("  over p = 32, half the actions", whole / fastest(simulation(name, 32, 512), 3), "×", TOO_MUCH)
    yield Figure("dispatch of 65,536 tokens, E 896, K 16, R 64", fastest(dispatch, 3), "s", 1)
