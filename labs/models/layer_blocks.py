"""Which saved tensors a model's layers have: from its shape to the lists of `blocks`.

*Throughout this module:* the letters of `blocks`; all blocks here have flash attention unless `flash` is False.
"""

from functools import cache

from labs.models.blocks import Saved, core, gpt, grouped, latent, mixture, residual, swiglu
from labs.workloads import Shape


@cache
def block(
    shape: Shape, moe: bool, s: int, flash: bool = True, fused: bool = True, fp32_norm: bool = False
) -> tuple[Saved, ...]:
    """One layer's tensors. A GPT (LayerNorm, plain MLP) has none of the choices below."""
    if shape.norm == "layernorm" and not shape.glu:
        return gpt(shape.hidden, shape.heads, s, flash=flash, f=shape.ffn / shape.hidden)
    attention = heads(shape) if flash else heads(shape) + core(shape.hidden, shape.heads, s, dropout=False)
    return residual(fp32_norm) + attention + inner(shape, moe, fused)


def heads(shape: Shape) -> tuple[Saved, ...]:
    """Grouped heads may be wider than the hidden size (Qwen3: 64 × 128 = 8192 of 4096)."""
    mla = shape.latent
    if mla:
        return latent(shape.hidden, shape.heads, mla.q_rank, mla.kv_rank, mla.nope, mla.rope, mla.value)
    return grouped(shape.kv_heads / shape.heads, shape.heads * shape.head_dim / shape.hidden)


def inner(shape: Shape, moe: bool, fused: bool) -> tuple[Saved, ...]:
    h = shape.hidden
    if not moe:
        return swiglu(shape.ffn / h, fused)
    width = (shape.moe_latent or h) / h
    return mixture(h, shape.moe_ffn / h, shape.top_k, shape.experts, shape.shared_ffn / h, fused, width)
