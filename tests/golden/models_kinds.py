"""The kinds of the parameter counts: a configuration's fields in, numbers of parameters out."""

from __future__ import annotations

from typing import Any

from labs.workloads import BIASES, Latent, Parameters, Shape, parameters

Inputs = dict[str, Any]


def shape(given: Inputs) -> Shape:
    heads, experts = given["num_heads"], given.get("num_experts", 0)
    latent = None
    if given.get("attn") == "mla":
        fields = ("q_lora_rank", "kv_lora_rank", "qk_nope_head_dim", "qk_rope_head_dim", "v_head_dim")
        latent = Latent(*(given.get(name) or 0 for name in fields))
    dense, moe_ffn = given.get("num_dense_layers", 0), given.get("moe_ffn_hidden_size", 0)
    return Shape(
        layers=given["num_layers"], hidden=given["hidden_size"], vocab=given["vocab_size"], heads=heads,
        kv_heads=given.get("num_kv_heads", heads), latent=latent,
        head_dim=given.get("head_dim") or given["hidden_size"] // heads,
        ffn=given.get("ffn_hidden_size", 0), glu=given.get("glu", True), bias=BIASES if given.get("bias") else (),
        norm=given.get("norm", "rmsnorm"), qk_norm=given.get("qk_norm", False), tied=given.get("tied", False),
        positions=given.get("max_positions_learned", 0), experts=experts, top_k=given.get("top_k", 0),
        moe_ffn=moe_ffn, shared_ffn=given.get("num_shared_experts", 0) * moe_ffn,
        moe=tuple(bool(experts) and i >= dense for i in range(given["num_layers"])),
        router_bias=given.get("router_bias", False), mtp=given.get("mtp_layers", 0),
    )  # fmt: skip


def count(given: Inputs) -> Parameters:
    return parameters(shape(given))


def param_total(given: Inputs) -> int:
    counted = count(given)
    return counted.total_with_mtp if given.get("include_mtp") else counted.total


LAYERS = (
    "num_layers", "num_dense_layers", "num_heads", "q_lora_rank", "kv_lora_rank", "qk_nope_head_dim",
    "qk_rope_head_dim", "v_head_dim", "ffn_hidden_size", "num_experts", "top_k", "num_shared_experts",
    "moe_ffn_hidden_size", "mtp_layers",
)  # fmt: skip

KINDS = {
    "param_total": param_total,
    # published active counts leave the input table out: a token reads one row of it (DeepSeek-V2-Lite 2.4B, V3 36.7B)
    "param_active": lambda given: count(given).active_head_only,
    "param_active_head": lambda given: count(given).active_head_only,
    "param_mtp": lambda given: count(given).mtp,
    "param_embed": lambda given: count(given).embedding,
}

TABLE = "the table is vocabulary times hidden size, whatever the layers are"
ROUTED = "how many of the experts a token visits does not change how many there are"
UNMOVED = {
    ("param_total", "top_k"): ROUTED,
    ("param_mtp", "top_k"): ROUTED,
    ("param_mtp", "ffn_hidden_size"): "the module's layer is a mixture of experts, not a dense one",
    ("param_mtp", "num_layers"): "a module is one layer, whatever the depth of the main model",
    ("param_mtp", "num_dense_layers"): "a module is one layer, whatever the depth of the main model",
    ("param_mtp", "vocab_size"): "embedding and head are the main model's",
    ("param_active", "mtp_layers"): "prediction modules are dropped after training",
    ("param_active_head", "mtp_layers"): "prediction modules are dropped after training",
} | {("param_embed", key): TABLE for key in LAYERS}
