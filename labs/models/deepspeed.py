"""DeepSpeed's own estimates of model-state memory, in its own conventions, so that a reader sees where 18 comes from.

*Throughout this module:*
    P         parameters                                       count
    gpus      GPUs of one node; `nodes` nodes                  count
    largest   parameters of the largest layer: gathered whole in FP32 under ZeRO-3
    BUFFER    1.5, the factor by which it widens host memory
It prints "GB" and means GiB. 18 = 2 weights + 4 FP32 gradient + 12 optimizer. Places: functions
`estimate_zero2_model_states_mem_needs` and `estimate_zero3_model_states_mem_needs` of deepspeedai/DeepSpeed.
"""

from dataclasses import dataclass

BUFFER = 1.5
WHOLE, OPTIMIZER, FP32, HALF = 18, 16, 4, 2


@dataclass(frozen=True)
class Needs:
    """Bytes on one node's host, and on one GPU."""

    cpu: float
    gpu: float


def zero2(P: float, gpus: int, nodes: int = 1, offload: bool = False) -> Needs:
    """The code since pull request 5099: gradients are divided too. Every process first builds the model on the host."""
    ranks = gpus * nodes
    if offload:
        return Needs(P * max(FP32 * ranks, OPTIMIZER) * BUFFER, HALF * P)
    return Needs(P * FP32 * gpus * BUFFER, HALF * P + WHOLE * P / ranks)


def zero2_document(P: float, gpus: int, nodes: int = 1, offload: bool = False) -> Needs:
    """Its manual's sentence, 4P + 16P/N, and the example printed there: gradients whole, as in the code until then."""
    needs = zero2(P, gpus, nodes, offload)
    return needs if offload else Needs(needs.cpu, 4 * P + OPTIMIZER * P / (gpus * nodes))


def zero3(
    P: float, largest: float, gpus: int, nodes: int = 1, offload: bool = True, offload_param: bool = True,
    zero_init: bool = True,
) -> Needs:  # fmt: skip
    """`zero_init`: parameters are born divided, so that no process holds a whole model on the host.

    >>> round(zero3(8.030e9, 525e6, 8, offload=False).gpu / 2**30, 2)
    18.78
    """
    gathered = FP32 * largest
    if not offload:
        born = largest if zero_init else P
        return Needs(born * FP32 * gpus * BUFFER, gathered + WHOLE * P / (gpus * nodes))
    resident = WHOLE if offload_param else OPTIMIZER
    host = P * (resident / nodes if zero_init else max(FP32 * gpus, resident / nodes)) * BUFFER
    return Needs(host, gathered + (0 if offload_param else HALF * P / (gpus * nodes)))
