"""The kinds of the memory lab: ZeRO's tables, DeepSpeed's and Megatron's own estimates, activation formulas."""

from __future__ import annotations

from math import ceil
from typing import Any

from labs.models import deepspeed, flops, gpt_totals, kv_cache, megatron_memory
from labs.models.activations import interleaving
from labs.models.memory import largest, states
from labs.models.recipes import RECIPES, custom
from labs.models.zero_traffic import activation_partition, traffic
from labs.units import GIB, MIB
from labs.workloads import BIASES, Latent, Shape

Inputs = dict[str, Any]
STAGES = {"dp": 0, "os": 1, "os_g": 2, "os_g_p": 3}
CUT = ("os", "os_g", "os_g_p")


def zero_states(given: Inputs) -> dict[str, float]:
    recipe = custom(given["bytes_param"], given["bytes_grad"], given["bytes_opt"])
    P, dp, unit = given["params"], given["dp"], given["unit_bytes"]
    return {name: states(P, dp, STAGES[name], recipe).total / unit for name in CUT}


def zero_max(given: Inputs) -> float:
    return largest(given["capacity_bytes"], given["dp"], STAGES[given["stage"]])


def bytes_simple(given: Inputs) -> float:
    return states(given["params"], recipe=custom(given["bytes_per_param"], 0, 0)).total


def zero_comm(given: Inputs) -> float:
    return traffic(1, dp=2, zero=STAGES[given["stage"]]).elements


def zero_comm_exact(given: Inputs) -> float:
    width = given["bytes_per_elem"]
    return traffic(given["params"], given["dp"], STAGES[given["stage"]], custom(width, width, 12)).sent


def zeror_pa(given: Inputs) -> dict[str, float]:
    """The paper gives no exact overhead but a bound, "less than 10 %": the next whole tenth above ours, 1/12."""
    block, added = activation_partition(given["b"], given["s"], given["h"])
    message = given["b"] * given["s"] * given["h"]
    return {"tp_volume_factor": block / message, "pa_overhead_fraction_max": ceil(10 * added / block) / 10}


def gib(needs: deepspeed.Needs) -> dict[str, float]:
    return {"cpu": needs.cpu / GIB, "gpu": needs.gpu / GIB}


def ds_zero2(given: Inputs) -> dict[str, float]:
    return gib(deepspeed.zero2(given["params"], given["gpus_per_node"], given["nodes"], given["offload"]))


def ds_zero2_document(given: Inputs) -> dict[str, float]:
    return gib(deepspeed.zero2_document(given["params"], given["gpus_per_node"], given["nodes"], given["offload"]))


def ds_zero3(given: Inputs) -> dict[str, float]:
    offload = {name: given[name] for name in ("offload", "offload_param", "zero_init")}
    return gib(deepspeed.zero3(given["params"], given["largest"], given["gpus_per_node"], given["nodes"], **offload))


def ds_zero3_cases(given: Inputs) -> dict[str, float]:
    """Nothing offloaded; parameters and optimizer offloaded; the optimizer only."""
    choices = {"case1": (False, False), "case2": (True, True), "case3": (True, False)}
    return {
        name: deepspeed.zero3(given["params"], given["largest"], given["total_gpus"], 1, *choice).gpu / MIB
        for name, choice in choices.items()
    }


def megatron_shape(given: Inputs) -> Shape:
    heads, latent, experts = given["num_attention_heads"], None, given["num_experts"] or 0
    if given["multi_latent_attention"]:
        fields = ("q_lora_rank", "kv_lora_rank", "qk_head_dim", "qk_pos_emb_head_dim", "v_head_dim")
        latent = Latent(*(given[name] or 0 for name in fields))
    freq, moe_ffn = given["moe_layer_freq"], given["moe_ffn_hidden_size"] or 0
    pattern = freq if isinstance(freq, list) else [i % freq == 0 for i in range(given["num_layers"])]
    return Shape(
        layers=given["num_layers"], hidden=given["hidden_size"], vocab=given["padded_vocab_size"], heads=heads,
        kv_heads=given["num_query_groups"] if given["group_query_attention"] else heads, head_dim=given["kv_channels"],
        ffn=given["ffn_hidden_size"], glu=given["swiglu"], norm=given["normalization"].lower(), latent=latent,
        tied=not given["untie_embeddings_and_output_weights"], bias=BIASES if given["add_bias_linear"] else (),
        moe_latent=given["moe_latent_size"] or 0, router_bias=given["add_bias_linear"],
        experts=experts, top_k=min(experts, given["moe_router_topk"]), moe_ffn=moe_ffn,
        shared_ffn=given["moe_shared_expert_intermediate_size"] or 0,
        moe=tuple(bool(one and experts) for one in pattern),
    )  # fmt: skip


def megatron_theoretical(given: Inputs) -> dict[str, float]:
    plan = megatron_memory.Plan(
        s=given["seq_length"], b=given["micro_batch_size"], t=given["tensor_model_parallel_size"],
        p=given["pipeline_model_parallel_size"], dp=given["data_parallel_size"],
        v=given["virtual_pipeline_model_parallel_size"], m=given["num_microbatches"], sp=given["sequence_parallel"],
        selective=given["recompute_granularity"] == "selective", mtp=given["mtp_num_layers"] or 0,
        distributed_optimizer=given["use_distributed_optimizer"], world=given["world_size"],
        ep=given["expert_model_parallel_size"], etp=given["expert_tensor_parallel_size"],
    )  # fmt: skip
    report = megatron_memory.report(megatron_shape(given), plan)
    return {
        "weight_and_optimizer": report.states / MIB,
        "activation": report.activations / MIB,
        "total": report.total / MIB,
    }


def act_total(given: Inputs) -> dict[str, float]:
    names = ("s", "b", "h", "a", "t", "L", "p")
    return gpt_totals.first_stage(**{name: given[name] for name in names}, m=given["interleave"])


def kor_extra(given: Inputs) -> float:
    return gpt_totals.extras_share(V=given["v"], **{name: given[name] for name in ("p", "L", "h", "a", "s")})


def mfu(given: Inputs) -> float:
    step = flops.gpt_step(given["B"], given["L"], given["s"], given["h"], given["v"])
    return flops.mfu(step, given["seconds"], given["gpus"], given["peak"])


def playbook(given: Inputs) -> dict[str, float]:
    names = {"without_fp32_grad_acc": "fp16-adam", "with_fp32_grad_acc": "fp32-accumulation"}
    return {name: states(given["params"], recipe=RECIPES[recipe]).total / 1e9 for name, recipe in names.items()}


def kv_per_token(given: Inputs) -> float:
    if "latent" in given:
        return kv_cache.latent_per_token(given["L"], given["latent"], given["rope"])
    return kv_cache.per_token(given["L"], given["kv"], given["hd"])


KINDS = {
    "zero_states": zero_states,
    "zero_max": zero_max,
    "bytes_simple": bytes_simple,
    "zero_act12": lambda given: gpt_totals.zero_total(**given),
    "zero_comm": zero_comm,
    "zero_comm_exact": zero_comm_exact,
    "zeror_pa": zeror_pa,
    "ds_zero2": ds_zero2,
    "ds_zero2_doc_prose": ds_zero2_document,
    "ds_zero3": ds_zero3,
    "ds_zero3_cases": ds_zero3_cases,
    "megatron_theoretical": megatron_theoretical,
    "act_total": act_total,
    "act_layer": lambda given: gpt_totals.layers(**given),
    "ratio_5as_h": lambda given: gpt_totals.core_ratio(**given),
    "selective_saving": lambda given: gpt_totals.selective_saving(**given),
    "selective_flops": lambda given: gpt_totals.selective_flops(**given),
    "fig7": lambda given: gpt_totals.fraction_of_tp(**given),
    "kor_extra": kor_extra,
    "interleave_factor": lambda given: interleaving(given["p"], given["m"]),
    "overhead": lambda given: flops.overhead(given["combined_ms"], given["baseline_ms"]),
    "speedup": lambda given: flops.gained(given["full_s"], given["present_s"]),
    "mfu": mfu,
    "playbook": playbook,
    "kv_per_token": kv_per_token,
}

BOUND = "a ratio of two volumes that both contain it"
UNMOVED = {
    ("zeror_pa", "s"): BOUND,
    ("zeror_pa", "h"): BOUND,
    ("zeror_pa", "b"): BOUND,
    ("megatron_theoretical", "moe_router_topk"): "its activation formula has no experts",
}
