"""Bytes of attention state that one token of context leaves behind, for inference and for rollouts.

*Throughout this module:* L layers, `kv` key-value heads of size `d`; MLA keeps a latent of `latent` and a shared
positional key of `rope` (deepseek-v2 §2.1.2). Sizes are bytes; KB is 1000 in the ISCA paper's table.
"""


def per_token(L: int, kv: int, d: int, width: float = 2) -> float:
    """Keys and values of every layer.

    >>> per_token(126, 8, 128)
    516096
    """
    return 2 * L * kv * d * width


def latent_per_token(L: int, latent: int, rope: int, width: float = 2) -> float:
    """One latent and one positional key a layer.

    >>> latent_per_token(61, 512, 64)
    70272
    """
    return L * (latent + rope) * width
