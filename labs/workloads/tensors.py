"""The tensors of a model, one by one, each with the parallel axis that cuts it.

*Throughout this module:* sizes are numbers of parameters; `cut` is
    tp      columns or rows are divided among the tensor-parallel ranks (megatron-lm §3)
    kv      as tp, but never finer than one key-value head: beyond that ranks hold the same head
    ep      an expert lives whole on one of the expert-parallel ranks (gshard §3.2)
    none    every rank that has the layer holds it: norms, routers, the latents' down-projections
"""

from dataclasses import dataclass
from functools import cache

from labs.workloads.shape import Latent, Shape


@dataclass(frozen=True)
class Tensor:
    """`copies` tensors of `size` parameters; `matrix` where Muon orthogonalises it.

    Norms, biases, vocabulary tables and the head stay with AdamW (arXiv:2502.16982 §2.2); a router is a matrix (§3.4).
    """

    name: str
    size: int
    cut: str
    copies: int = 1
    matrix: bool = True

    @property
    def total(self) -> int:
        return self.size * self.copies


def norm(name: str, width: int, shape: Shape) -> Tensor:
    """RMSNorm has a scale; LayerNorm has a bias beside it."""
    return Tensor(name, width * (1 if shape.norm == "rmsnorm" else 2), "none", matrix=False)


def linear(name: str, inward: int, outward: int, cut: str, bias: bool = False, rows: bool = False) -> list[Tensor]:
    """A weight and its bias. Cut by rows, the bias is added after the reduction and so stands whole on every rank."""
    weight = [Tensor(name, inward * outward, cut)]
    return weight + ([Tensor(name + " bias", outward, "none" if rows else cut, matrix=False)] if bias else [])


def grouped_attention(shape: Shape) -> list[Tensor]:
    h, d, bias = shape.hidden, shape.head_dim, "qkv" in shape.bias
    inner, kv = shape.heads * d, shape.kv_heads * d
    heads = [norm("q norm", d, shape), norm("k norm", d, shape)] if shape.qk_norm else []
    return [
        *linear("q", h, inner, "tp", bias),
        *linear("k", h, kv, "kv", bias),
        *linear("v", h, kv, "kv", bias),
        *linear("attention out", inner, h, "tp", "out" in shape.bias, rows=True),
        *heads,
    ]


def latent_attention(shape: Shape, mla: Latent) -> list[Tensor]:
    """Down-projections are replicated: their outputs are shared by all heads (Megatron Core keeps them so)."""
    h, a = shape.hidden, shape.heads
    queries = [Tensor("q down", h * mla.q_rank, "none"), norm("q latent norm", mla.q_rank, shape)] if mla.q_rank else []
    return [
        *queries,
        Tensor("q up", (mla.q_rank or h) * a * mla.key, "tp"),
        Tensor("kv down", h * (mla.kv_rank + mla.rope), "none"),
        norm("kv latent norm", mla.kv_rank, shape),
        Tensor("kv up", mla.kv_rank * a * (mla.nope + mla.value), "tp"),
        Tensor("attention out", a * mla.value * h, "tp"),
    ]


def mlp(shape: Shape, inner: int, prefix: str = "") -> list[Tensor]:
    """Gate, up and down of a gated MLP, or up and down of a plain one."""
    h, bias = shape.hidden, "mlp" in shape.bias
    gate = linear(prefix + "gate", h, inner, "tp", bias) if shape.glu else []
    up = linear(prefix + "up", h, inner, "tp", bias)
    return [*gate, *up, *linear(prefix + "down", inner, h, "tp", bias, rows=True)]


def routed(shape: Shape) -> list[Tensor]:
    """E experts, each whole on one rank, and the projections to and from the width they work in."""
    h, w = shape.hidden, shape.moe_latent or shape.hidden
    names = ("expert gate", "expert up", "expert down") if shape.glu else ("expert up", "expert down")
    weights = [Tensor(name, w * shape.moe_ffn, "ep", shape.experts) for name in names]
    biases = (
        [Tensor("expert bias", shape.moe_ffn + w, "ep", shape.experts, matrix=False)] if "mlp" in shape.bias else []
    )
    latent = ("to expert latent", "from expert latent") if shape.moe_latent else ()
    return [*weights, *biases, *(Tensor(name, h * w, "none") for name in latent)]


def experts(shape: Shape) -> list[Tensor]:
    """Router, routed experts, and the shared experts, which work as one MLP of their joint width."""
    router = [Tensor("router", shape.hidden * shape.experts, "none")]
    balance = [Tensor("router bias", shape.experts, "none", matrix=False)] if shape.router_bias else []
    common = mlp(shape, shape.shared_ffn, "shared ") if shape.shared_ffn else []
    return router + balance + routed(shape) + common


@cache
def layer(shape: Shape, moe: bool) -> tuple[Tensor, ...]:
    attention = latent_attention(shape, shape.latent) if shape.latent else grouped_attention(shape)
    norms = [norm("attention norm", shape.hidden, shape), norm("mlp norm", shape.hidden, shape)]
    return tuple(norms + attention + (experts(shape) if moe else mlp(shape, shape.ffn)))


@cache
def embedding(shape: Shape) -> tuple[Tensor, ...]:
    tables = [Tensor("embedding", shape.vocab * shape.hidden, "tp", matrix=False)]
    if shape.positions:
        tables.append(Tensor("positions", shape.positions * shape.hidden, "none", matrix=False))
    return tuple(tables)


@cache
def head(shape: Shape) -> tuple[Tensor, ...]:
    """The last norm and the output matrix. A tied head has no parameters of its own (but see `stage_tensors`)."""
    last = [norm("final norm", shape.hidden, shape)]
    return tuple(last if shape.tied else [*last, Tensor("head", shape.vocab * shape.hidden, "tp", matrix=False)])


@cache
def prediction(shape: Shape) -> tuple[Tensor, ...]:
    """One multi-token-prediction module: a layer, the projection that joins two streams, three norms.

    Embedding and head are the main model's (deepseek-v3 §2.2).
    """
    h = shape.hidden
    norms = [norm(name, h, shape) for name in ("mtp hidden norm", "mtp embedding norm", "mtp final norm")]
    return (*layer(shape, bool(shape.experts)), Tensor("mtp projection", 2 * h * h, "tp"), *norms)
