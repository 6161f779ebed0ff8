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
STAGES_405B = (15, 16, 16, 16, 16, 16, 16, 15)

RUN_8B = Run(LLAMA3_8B, tokens=2 * 8192, shards=8, full=False)
RUN_8B_LONG = Run(LLAMA3_8B, tokens=32768, shards=8, gather=1)
RUN_70B = Run(LLAMA3_70B, tokens=16 * 8192, shards=32, tp=8, gather=1)
RUN_405B = Run(LLAMA3_405B, tokens=32768, shards=8, tp=8, pp=8, m=8, gather=1, layers=STAGES_405B)

# (table, row as printed there) → configuration. Rows that differ only in what moves no bytes share one.
RUNS: dict[tuple[int, str], Run] = {
    (1, "FSDP"): replace(RUN_8B, eager=True),
    (1, "FSDP + torch.compile"): RUN_8B,
    (1, "FSDP + torch.compile + Float8"): replace(RUN_8B, gather=1),
    (2, "FSDP 8, CP 1"): RUN_8B_LONG,
    (2, "FSDP 4, CP 2"): RUN_8B_LONG,
    (2, "FSDP 2, CP 4"): RUN_8B_LONG,
    (2, "FSDP 1, CP 8"): RUN_8B_LONG,
    (3, "FSDP"): replace(RUN_8B, shards=128, eager=True),
    (3, "FSDP + torch.compile"): replace(RUN_8B, shards=128),
    (3, "FSDP + torch.compile + Float8"): replace(RUN_8B, shards=128, gather=1),
    (4, "2D"): RUN_70B,
    (4, "2D + AsyncTP"): RUN_70B,
    (5, "1F1B"): RUN_405B,
    (5, "Interleaved 1F1B"): replace(RUN_405B, schedule="interleaved", chunks=2),
    (6, "FSDP 8, CP 1"): RUN_405B,
    (6, "FSDP 4, CP 2"): RUN_405B,
    (6, "FSDP 2, CP 4"): RUN_405B,
    (6, "FSDP 1, CP 8"): RUN_405B,
}
