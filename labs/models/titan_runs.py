"""The runs of torchtitan's published H100 tables, as configurations; what was measured stands in the course's claims.

Stated assumptions, where a table is silent: sequence 8,192 (the repository's configurations at that commit);
micro-batches = pipeline stages, its default; layers split 15, 6 × 16, 15, its default; compiled Float8 runs gather
layers in FP8; asynchronous TP changes times, not bytes.
"""

from dataclasses import replace
from functools import cache

from labs.models.fsdp2_peak import Peaks, Run, peaks
from labs.units import GIB
from labs.workloads import LLAMA3_8B, LLAMA3_70B, LLAMA3_405B

SOURCE = "pytorch/torchtitan@b5bcd76c66d0"
PLACE = "benchmarks/llama3_h100_202412_torchtitan.md"
STAGES_405B = (15, 16, 16, 16, 16, 16, 16, 15)

RUN_8B = Run(LLAMA3_8B, tokens=2 * 8192, shards=8, full=False)
RUN_8B_LONG = Run(LLAMA3_8B, tokens=32768, shards=8, gather=1)
RUN_70B = Run(LLAMA3_70B, tokens=16 * 8192, shards=32, tp=8, gather=1)
RUN_405B = Run(LLAMA3_405B, tokens=32768, shards=8, tp=8, pp=8, m=8, gather=1, layers=STAGES_405B)

# (table, row) → configuration. Rows that differ only in what moves no bytes share one.
RUNS: dict[tuple[int, str], Run] = {
    (1, "eager"): replace(RUN_8B, eager=True),
    (1, "compile"): RUN_8B,
    (1, "float8"): replace(RUN_8B, gather=1),
    (2, "cp1"): RUN_8B_LONG,
    (2, "cp2"): RUN_8B_LONG,
    (2, "cp4"): RUN_8B_LONG,
    (2, "cp8"): RUN_8B_LONG,
    (3, "eager"): replace(RUN_8B, shards=128, eager=True),
    (3, "compile"): replace(RUN_8B, shards=128),
    (3, "float8"): replace(RUN_8B, shards=128, gather=1),
    (4, "2d"): RUN_70B,
    (4, "async-tp"): RUN_70B,
    (5, "1f1b"): RUN_405B,
    (5, "interleaved"): replace(RUN_405B, schedule="interleaved", chunks=2),
    (6, "cp1"): RUN_405B,
    (6, "cp2"): RUN_405B,
    (6, "cp4"): RUN_405B,
    (6, "cp8"): RUN_405B,
}


@cache
def predicted(table: int, row: str) -> Peaks:
    """The peak of one published row.

    >>> round(predicted(1, "eager").reserved / 2**30, 1)
    82.5
    """
    return peaks(RUNS[table, row])


@cache
def off(table: int, row: str, measured: float) -> float:
    """How far the prediction is from the measured GiB, as a share of it."""
    return predicted(table, row).reserved / GIB / measured - 1
