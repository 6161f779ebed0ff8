"""The lines of one rank's memory besides its states and layers: what each is, how large, and how far to trust it."""

from dataclasses import replace

from labs.models.rank_lines import Step, stage_memory
from labs.models.rank_memory import Degrees
from labs.workloads import WORKLOADS, parameters

SMALL, LARGE, EXPERTS = (WORKLOADS[name] for name in ("llama3-8b", "llama3-70b", "deepseek-v3"))
A = Degrees(dp=8, zero=3)
B = Degrees(tp=8, pp=4, dp=4)
STEP_B = Step(4096, m=16, sp=True, recompute="selective")


def test_logits_and_loss_of_llama3_8b_are_a_line_of_their_own():
    memory = stage_memory(SMALL, A, Step(8192), 0)
    assert memory.line("logits") == (2 + 4) * 8192 * 128256
    assert memory.line("logits") not in (memory.activations, memory.states)


def test_fsdp2_keeps_no_16_bit_copy_at_rest_and_gathers_bf16_by_layer():
    memory = stage_memory(SMALL, A, Step(8192), 0, "fsdp2")
    assert memory.states * 8 == 16 * parameters(SMALL).total
    assert memory.line("gathered") == 2 * 2 * 218_112_000


def test_a_ring_of_context_parallel_ranks_has_two_blocks_of_k_and_v():
    """8 KV heads of 128 in 16 bits for 8,192 / 4 tokens: 8.4 MB a block; under TP 8 each rank has one head of them."""
    whole = stage_memory(SMALL, Degrees(dp=2, cp=4), Step(8192), 0)
    assert whole.line("ring") == 2 * (2 * 2 * 8 * 128 * 2048)
    assert stage_memory(SMALL, Degrees(dp=2, cp=4, tp=8), Step(8192), 0).line("ring") == whole.line("ring") / 8
    assert stage_memory(SMALL, Degrees(dp=8), Step(8192), 0).line("ring") == 0
    latent = stage_memory(EXPERTS, Degrees(dp=8, cp=2), Step(4096), 0).line("ring")
    assert latent == 2 * (2 * 2048 * 128 * (192 + 128))


def test_a_bucket_is_a_line_of_its_own():
    memory = stage_memory(SMALL, Degrees(dp=8), Step(8192, bucket=5e8), 0, "fp16-adam")
    assert memory.line("bucket") == 1e9


def test_each_line_says_how_far_to_trust_it():
    tags = {line.name: line.tag for line in stage_memory(LARGE, replace(B, zero=3), STEP_B, 3).lines}
    assert (tags["weights"], tags["layers"], tags["logits"], tags["gathered"]) == (
        "exact", "formula", "estimate", "estimate",
    )  # fmt: skip


def test_a_prediction_module_keeps_a_layer_and_four_streams_and_writes_logits_once_more():
    """DeepSeek-V3 on 16 stages: the last holds one layer and the module, with one micro-batch in flight."""
    degrees, step = Degrees(pp=16, ep=64, dp=128), Step(4096, m=64)
    whole, without = (stage_memory(EXPERTS, degrees, step, 15, mtp=mtp) for mtp in (True, False))
    assert whole.line("prediction") == whole.line("layers") + 4 * 2 * 4096 * 7168
    assert (without.line("prediction"), whole.line("layers")) == (0, without.line("layers"))
    for line in ("logits", "head input"):
        assert whole.line(line) == 2 * without.line(line)
    assert stage_memory(EXPERTS, degrees, step, 14).line("prediction") == 0
