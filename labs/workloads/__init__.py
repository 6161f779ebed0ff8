"""Models people name, by shape. Every count is made from these numbers; none is typed in.

`SOURCES` gives where each shape was read: an id in docs/data/sources.yml, or the publication for a model that is not
one of the course's sources.
"""

from labs.workloads.config import from_config, from_json
from labs.workloads.count import Parameters, parameters, stage_tensors
from labs.workloads.shape import BIASES, Latent, Shape
from labs.workloads.tensors import Tensor

LLAMA2_7B = Shape(layers=32, hidden=4096, vocab=32000, heads=32, kv_heads=32, head_dim=128, ffn=11008)
LLAMA3_8B = Shape(layers=32, hidden=4096, vocab=128256, heads=32, kv_heads=8, head_dim=128, ffn=14336)
LLAMA3_70B = Shape(layers=80, hidden=8192, vocab=128256, heads=64, kv_heads=8, head_dim=128, ffn=28672)
LLAMA3_405B = Shape(layers=126, hidden=16384, vocab=128256, heads=128, kv_heads=8, head_dim=128, ffn=53248)
MIXTRAL_8X7B = Shape(
    layers=32, hidden=4096, vocab=32000, heads=32, kv_heads=8, head_dim=128,
    experts=8, top_k=2, moe_ffn=14336, moe=(True,),
)  # fmt: skip
QWEN3_235B = Shape(
    layers=94, hidden=4096, vocab=151936, heads=64, kv_heads=4, head_dim=128, qk_norm=True,
    experts=128, top_k=8, moe_ffn=1536, moe=(True,),
)  # fmt: skip
DEEPSEEK_V2 = Shape(
    layers=60, hidden=5120, vocab=102400, heads=128, kv_heads=128, head_dim=128, ffn=12288,
    experts=160, top_k=6, shared_ffn=2 * 1536, moe_ffn=1536, moe=(False,) + (True,) * 59,
    latent=Latent(q_rank=1536, kv_rank=512, nope=128, rope=64, value=128),
)  # fmt: skip
DEEPSEEK_V3 = Shape(
    layers=61, hidden=7168, vocab=129280, heads=128, kv_heads=128, head_dim=128, ffn=18432,
    experts=256, top_k=8, shared_ffn=2048, moe_ffn=2048, moe=(False,) * 3 + (True,) * 58, router_bias=True,
    latent=Latent(q_rank=1536, kv_rank=512, nope=128, rope=64, value=128), mtp=1,
)  # fmt: skip
KIMI_K2 = Shape(
    layers=61, hidden=7168, vocab=163840, heads=64, kv_heads=64, head_dim=128, ffn=18432,
    experts=384, top_k=8, shared_ffn=2048, moe_ffn=2048, moe=(False,) + (True,) * 60, router_bias=True,
    latent=Latent(q_rank=1536, kv_rank=512, nope=128, rope=64, value=128),
)  # fmt: skip
GPT3_175B = Shape(
    layers=96, hidden=12288, vocab=50257, heads=96, kv_heads=96, head_dim=128, ffn=49152,
    glu=False, bias=BIASES, norm="layernorm", tied=True, positions=2048,
)  # fmt: skip

WORKLOADS = {
    "llama2-7b": LLAMA2_7B,
    "llama3-8b": LLAMA3_8B,
    "llama3-70b": LLAMA3_70B,
    "llama3-405b": LLAMA3_405B,
    "mixtral-8x7b": MIXTRAL_8X7B,
    "qwen3-235b": QWEN3_235B,
    "deepseek-v2": DEEPSEEK_V2,
    "deepseek-v3": DEEPSEEK_V3,
    "kimi-k2": KIMI_K2,
    "gpt3-175b": GPT3_175B,
}

SOURCES = {
    "llama2-7b": "arXiv:2307.09288, config.json of Llama-2-7b",
    "llama3-8b": "arXiv:2407.21783 Table 3, config.json",
    "llama3-70b": "arXiv:2407.21783 Table 3, config.json",
    "llama3-405b": "arXiv:2407.21783 Table 3, config.json",
    "mixtral-8x7b": "arXiv:2401.04088, config.json of Mixtral-8x7B",
    "qwen3-235b": "arXiv:2505.09388, config.json of Qwen3-235B-A22B",
    "deepseek-v2": "deepseek-v2",
    "deepseek-v3": "deepseek-v3",
    "kimi-k2": "kimi-k2",
    "gpt3-175b": "arXiv:2005.14165 Table 2.1",
}

__all__ = ["BIASES", "SOURCES", "WORKLOADS", "Latent", "Parameters", "Shape", "Tensor"]
__all__ += ["from_config", "from_json", "parameters", "stage_tensors"]
