"""The runs of torchtitan's published H100 tables, as configurations; what was measured stands in the course's claims.

Stated assumptions, where a table is silent: sequence 8,192 (the repository's configurations at that commit);
micro-batches = pipeline stages, its default; layers split 15, 6 × 16, 15, its default; compiled Float8 runs gather
layers in FP8; asynchronous TP changes times, not bytes.
"""

from dataclasses import replace

from labs.models.fsdp2_peak import Run
from labs.workloads import LLAMA3_8B, LLAMA3_70B, LLAMA3_405B

SOURCE = "pytorch/torchtitan@b5bcd76c66d0"
PLACE = "benchmarks/llama3_h100_202412_torchtitan.md"
STAGES = (15, 16, 16, 16, 16, 16, 16, 15)

SMALL = Run(LLAMA3_8B, tokens=2 * 8192, shards=8, full=False)
LONG = Run(LLAMA3_8B, tokens=32768, shards=8, gather=1)
MIDDLE = Run(LLAMA3_70B, tokens=16 * 8192, shards=32, tp=8, gather=1)
LARGE = Run(LLAMA3_405B, tokens=32768, shards=8, tp=8, pp=8, m=8, gather=1, layers=STAGES)

# (table, row as printed there) → configuration. Rows that differ only in what moves no bytes share one.
RUNS: dict[tuple[int, str], Run] = {
    (1, "FSDP"): replace(SMALL, eager=True),
    (1, "FSDP + torch.compile"): SMALL,
    (1, "FSDP + torch.compile + Float8"): replace(SMALL, gather=1),
    (2, "FSDP 8, CP 1"): LONG,
    (2, "FSDP 4, CP 2"): LONG,
    (2, "FSDP 2, CP 4"): LONG,
    (2, "FSDP 1, CP 8"): LONG,
    (3, "FSDP"): replace(SMALL, shards=128, eager=True),
    (3, "FSDP + torch.compile"): replace(SMALL, shards=128),
    (3, "FSDP + torch.compile + Float8"): replace(SMALL, shards=128, gather=1),
    (4, "2D"): MIDDLE,
    (4, "2D + AsyncTP"): MIDDLE,
    (5, "1F1B"): LARGE,
    (5, "Interleaved 1F1B"): replace(LARGE, schedule="interleaved", chunks=2),
    (6, "FSDP 8, CP 1"): LARGE,
    (6, "FSDP 4, CP 2"): LARGE,
    (6, "FSDP 2, CP 4"): LARGE,
    (6, "FSDP 1, CP 8"): LARGE,
}
