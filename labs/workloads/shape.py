"""A model's shape: the numbers of its config.json that decide how many parameters it has and what they do.

*Throughout this package:*
    L       layers of the main stack                    layers
    h       hidden size                                 hidden
    V       vocabulary, as in the checkpoint            vocab
    a, g    query heads, key-value heads                heads, kv_heads
    d       size of one head                            head_dim
    f       inner size of a dense MLP                   ffn
    E, K    routed experts of a layer, active per token experts, top_k
"""

from dataclasses import dataclass, replace

from labs.refusal import BadValue, divisors

BIASES = ("qkv", "out", "mlp")


@dataclass(frozen=True)
class Latent:
    """Multi-head latent attention: queries, keys and values are rebuilt from low-rank latents (deepseek-v2 §2.1)."""

    q_rank: int
    kv_rank: int
    nope: int
    rope: int
    value: int

    @property
    def key(self) -> int:
        """Size of one query or key head: the part without position and the part with it."""
        return self.nope + self.rope


@dataclass(frozen=True)
class Shape:
    """`moe` tells of each layer whether its MLP is a mixture of experts; a dense model has `experts` 0.

    `bias` names the parts that have one (see BIASES); `shared_ffn` is the width of all shared experts together.
    `moe_latent`: width in which routed experts work, where tokens are projected down for them (kimi-k3: 3584 of 7168).
    """

    layers: int
    hidden: int
    vocab: int
    heads: int
    kv_heads: int
    head_dim: int
    ffn: int = 0
    glu: bool = True
    bias: tuple[str, ...] = ()
    norm: str = "rmsnorm"
    qk_norm: bool = False
    tied: bool = False
    positions: int = 0
    experts: int = 0
    top_k: int = 0
    shared_ffn: int = 0
    moe_ffn: int = 0
    moe_latent: int = 0
    moe: tuple[bool, ...] = ()
    router_bias: bool = False
    latent: Latent | None = None
    mtp: int = 0

    def __post_init__(self) -> None:
        if len(self.moe) != self.layers:
            object.__setattr__(self, "moe", (self.moe or (False,))[:1] * self.layers)
        for field in ("layers", "hidden", "vocab", "heads", "kv_heads"):
            if getattr(self, field) < 1:
                raise BadValue(field, getattr(self, field), "between", 1, low=1, high="2^63")
        if self.heads % self.kv_heads:
            fitting = divisors(self.heads, self.kv_heads)
            raise BadValue("kv_heads", self.kv_heads, "kv_heads_divide", fitting, a=self.heads)
        if self.top_k > self.experts:
            raise BadValue("top_k", self.top_k, "top_k_experts", self.experts, experts=self.experts)

    @property
    def moe_layers(self) -> int:
        return sum(self.moe)

    @property
    def dense_layers(self) -> int:
        return self.layers - self.moe_layers

    def with_vocab(self, vocab: int) -> "Shape":
        """The same shape with another vocabulary: papers print 128,000 where the checkpoint has 128,256."""
        return replace(self, vocab=vocab)
