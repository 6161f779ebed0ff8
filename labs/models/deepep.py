"""Expert traffic as DeepEP and DeepSeek-V3 move it: one copy a node over the slow link, then on by the fast one.

*Throughout this module:*

| symbol     | meaning                                             | unit                  | source             |
|------------|-----------------------------------------------------|-----------------------|--------------------|
| tokens     | tokens of one rank                                  | –                     |                    |
| row        | bytes of one token on the wire, scales included     | bytes                 | deepseek-v3 §3.3.2 |
| copies     | times a token is sent                               | –                     |                    |
| printed    | bandwidth as a benchmark prints it                  | bytes/s               | deepep             |
| fast, slow | NVLink and InfiniBand                               | bytes/s per direction | deepseek-v3 §3.2.2 |

"Logical" bandwidth counts bytes that never leave the rank; on the wire of k nodes there are (k−1)/k of them.
"""

from labs.models.collectives import share
from labs.refusal import BadValue

INT4, FP32, BF16 = 16, 4, 2  # bytes of a CUDA int4 vector, and of two number formats
CHANNELS = 128  # channels a scale


def sent(tokens: int, copies: float, row: float) -> float:
    """Bytes one rank sends when each of its tokens is copied `copies` times: an upper bound when no copy is local."""
    return tokens * copies * row


def most_copies(topk: int, limit: int) -> int:
    """Copies of a token when its K experts stand on at most `limit` nodes or devices, one copy each."""
    return min(topk, limit)


def logical_bandwidth(size: float, seconds: float) -> float:
    """Bytes asked for over time: what DeepEP's low-latency table prints, all K copies and the local ones counted."""
    return size / seconds


def wire_bandwidth(printed: float, n: int) -> float:
    """What crosses the wire when 1/n of the counted bytes stay at home."""
    return printed * share(n)


def reach(fast: float, slow: float, limit: int) -> float:
    """Experts a token can reach for the cost of `limit` slow copies: limit × fast/slow (12.8, printed as 13)."""
    return limit * fast / slow


def exchange(tokens: int, copies: int, width: int, dispatch: float, combine: float, bandwidth: float) -> float:
    """Dispatch and combine of one layer at full bandwidth, s (arXiv:2505.09343 §2.3.2); element sizes in bytes."""
    return (dispatch + combine) * tokens * copies * width / bandwidth


def decoding_step(exchange_time: float, layers: int) -> float:
    """Least time of one output token when two micro-batches hide all compute: 2 exchanges a layer, s (ibid.)."""
    return 2 * layers * exchange_time


def low_latency_buffer(tokens: int, width: int, experts: int) -> int:
    """Bytes DeepEP's low-latency mode reserves on a rank, before the final alignment (csrc/legacy/config.hpp).

    Twice: room to send and to receive one combine message for every expert and token, and a counter an expert.
    """
    scales = width // CHANNELS
    dispatch = INT4 + max(width * BF16, width + scales * FP32)
    combine = scales * 2 * BF16 + width * BF16
    send = max(tokens * dispatch, experts * tokens * combine)
    receive = experts * tokens * max(dispatch, combine)
    signals = -(-experts * FP32 // CHANNELS) * CHANNELS
    return 2 * (send + receive + signals)


def tokens_a_rank(tokens: int, sp: int) -> int:
    """Tokens of one expert-parallel rank when the `sp` ranks of a data-parallel replica share its `tokens`.

    BadValue: they do not divide. Expert parallelism over dp·sp ranks sees dp·tokens in all, not dp·sp·tokens.
    """
    if tokens % sp:
        below = tokens - tokens % sp
        raise BadValue("tokens", tokens, "tokens_per_rank", (below, below + sp), sp=sp)
    return tokens // sp


def reductions(layers: int, moe_layers: int, reducing_combine: bool) -> int:
    """All-reduces of one forward pass under tensor parallelism: two a layer, one where combine already reduces."""
    return 2 * layers - (moe_layers if reducing_combine else 0)
