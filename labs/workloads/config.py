"""A Hugging Face config.json → a `Shape`. Families that name their fields differently meet here and nowhere else."""

from collections.abc import Mapping
from typing import Any

from labs.refusal import BadValue
from labs.workloads.shape import BIASES, Latent, Shape

Config = Mapping[str, Any]
# No model comes near these; without them a slip of a digit would be counted layer by layer for minutes.
WIDEST = 2**30
MOST = {"num_hidden_layers": 1024, "n_layer": 1024, "num_nextn_predict_layers": 1024}


def from_json(text: str) -> Shape:
    """The shape in the text of a config.json. BadValue: not JSON, or a field that every model needs is missing."""
    from json import JSONDecodeError, loads

    try:
        config = loads(text)
    except JSONDecodeError as error:
        raise BadValue("config", text, "config_json", None, where=f"{error.lineno}:{error.colno}") from None
    except (RecursionError, ValueError):  # nested deeper, or a number longer, than Python reads
        raise BadValue("config", text, "config_json", None, where="1:1") from None
    if not isinstance(config, dict):
        raise BadValue("config", text, "config_json", None, where="1:1")
    try:
        return from_config(config)
    except BadValue as refused:  # of a field that is no field of a form
        if refused.field != "config":
            refused.field, refused.value = "config", f"{refused.field}: {refused.value}"
        raise


def from_config(config: Config) -> Shape:
    """Vision-language models keep their language model under `text_config`."""
    config = inner if isinstance(inner := config.get("text_config"), dict) and inner else config
    if config.get("model_type") in ("gpt2", "gpt3") or "n_embd" in config:
        return gpt(config)
    layers, heads, hidden = (need(config, name) for name in ("num_hidden_layers", "num_attention_heads", "hidden_size"))
    mla = latent(config)
    return Shape(
        layers=layers, hidden=hidden, vocab=need(config, "vocab_size"), heads=heads,
        kv_heads=heads if mla else whole(config, "num_key_value_heads") or heads,
        head_dim=mla.value if mla else whole(config, "head_dim") or hidden // heads,
        ffn=whole(config, "intermediate_size"), bias=biases(config),
        qk_norm=str(config.get("model_type", "")).startswith("qwen3"), tied=bool(config.get("tie_word_embeddings")),
        latent=mla, **mixture(config, layers),
    )  # fmt: skip


def biases(config: Config) -> tuple[str, ...]:
    """Qwen2 has biases on Q, K and V and does not say so in its configuration."""
    attention, qwen2 = bool(config.get("attention_bias")), str(config.get("model_type", "")).startswith("qwen2")
    has = {"qkv": attention or qwen2, "out": attention and not qwen2, "mlp": bool(config.get("mlp_bias"))}
    return tuple(part for part in BIASES if has[part])


def need(config: Config, name: str) -> int:
    if not config.get(name):
        raise BadValue("config", name, "config_field", None, name=name)
    return whole(config, name, 1)


def whole(config: Config, name: str, least: int = 0) -> int:
    """A field as a whole number; absent and null are 0."""
    value = config.get(name) or 0
    if isinstance(value, bool) or not isinstance(value, int):
        raise BadValue("config", f"{name}: {value}", "not_whole")
    most = MOST.get(name, WIDEST)
    if value and not least <= value <= most:
        raise BadValue("config", f"{name}: {value}", "between", most if value > most else least, low=least, high=most)
    return value


def gpt(config: Config) -> Shape:
    """GPT-2's names: biases, LayerNorm, GELU, learned positions, tied head (Brown et al. 2020 §2.1)."""
    hidden, heads = need(config, "n_embd"), need(config, "n_head")
    return Shape(
        layers=need(config, "n_layer"), hidden=hidden, vocab=need(config, "vocab_size"), heads=heads, kv_heads=heads,
        head_dim=hidden // heads, ffn=whole(config, "n_inner") or 4 * hidden, glu=False, bias=BIASES, norm="layernorm",
        tied=bool(config.get("tie_word_embeddings", True)), positions=whole(config, "n_positions"),
    )  # fmt: skip


def latent(config: Config) -> Latent | None:
    if not config.get("kv_lora_rank"):
        return None
    fields = ("q_lora_rank", "kv_lora_rank", "qk_nope_head_dim", "qk_rope_head_dim", "v_head_dim")
    return Latent(*(whole(config, name) for name in fields))


def mixture(config: Config, layers: int) -> dict[str, Any]:
    """The experts, and which layers have them. Mixtral's experts have the width that others call the dense MLP's."""
    named = ("n_routed_experts", "num_local_experts", "num_experts")
    experts = next((whole(config, name) for name in named if config.get(name)), 0)
    if not experts:
        return {}
    own = dense if isinstance(dense := config.get("mlp_only_layers"), list) else []
    start, step = whole(config, "first_k_dense_replace"), whole(config, "moe_layer_freq") or 1
    sparse = whole(config, "decoder_sparse_step") or 1
    moe = tuple(i >= start and i % step == 0 and (i + 1) % sparse == 0 and i not in own for i in range(layers))
    return {
        "experts": experts, "top_k": need(config, "num_experts_per_tok"), "shared_ffn": shared_width(config),
        "moe_ffn": whole(config, "moe_intermediate_size") or need(config, "intermediate_size"), "moe": moe,
        "router_bias": config.get("topk_method") == "noaux_tc", "mtp": whole(config, "num_nextn_predict_layers"),
    }  # fmt: skip


def shared_width(config: Config) -> int:
    """DeepSeek counts shared experts of a routed expert's width; others give the width itself."""
    counted = whole(config, "n_shared_experts") * whole(config, "moe_intermediate_size")
    return counted or whole(config, "shared_expert_intermediate_size")
