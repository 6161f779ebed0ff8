"""Published figures that disagree with one another, each to be asked for by the name of its convention.

The claim: where a text and its own formula, a manual and its code, or a headline and its table differ, neither is
averaged away. What can be worked out is worked out by the models; what is only printed is quoted, with its place.

*Throughout this module:*
    figure       a quantity that was published more than once
    convention   which of the publications: printed, counted, document, code, text, formula, table
    source       an id of docs/data/sources.yml, a repository at a commit, or an arXiv number
"""

from collections.abc import Callable
from dataclasses import dataclass

from labs.models import deepspeed
from labs.models.gpt_totals import extras_share
from labs.models.memory import states
from labs.refusal import BadValue
from labs.workloads import DEEPSEEK_V3, GPT3_175B, KIMI_K2, LLAMA3_405B, parameters

DEEPSPEED = "deepspeedai/DeepSpeed@862edef46a04"
GPT3 = "arXiv:2005.14165"
LLAMA3 = "arXiv:2407.21783"
T5_3B, RANKS = 2_851_000_000, 8  # the manual's own example of ZeRO-2


@dataclass(frozen=True)
class Published:
    """`place` says where in `source` the figure stands, or what it was worked out from."""

    value: float
    unit: str
    source: str
    place: str


def bytes_of(value: float, source: str, place: str) -> Published:
    return Published(value, "byte", source, place)


def params(value: float, source: str, place: str) -> Published:
    return Published(value, "parameter", source, place)


def share(value: float, place: str) -> Published:
    return Published(value, "ratio", "megatron-sp", place)


# figure → convention → what it is. Quoted numbers are typed; every other one is a call.
FIGURES: dict[str, dict[str, Callable[[], Published]]] = {
    "zero-2-states": {
        "document": lambda: bytes_of(deepspeed.zero2_document(T5_3B, RANKS).gpu, DEEPSPEED, "memory.rst, 4P + 16P/N"),
        "code": lambda: bytes_of(deepspeed.zero2(T5_3B, RANKS).gpu, DEEPSPEED, "stage_1_and_2.py, 2P + 18P/N"),
        "paper": lambda: bytes_of(states(T5_3B, RANKS, 2).total, "zero", "Table 1, 2P + 14P/N"),
    },
    "extra-activations": {  # embedding, last norm, logits: beside all layers of the 22B model
        "text": lambda: share(0.0001, "§4.3, less than 0.01 %"),
        "formula": lambda: share(extras_share(1, 48, 51200, 6144, 64, 2048), "§4.3, its own formula"),
    },
    "kimi-k2-total": {
        "printed": lambda: params(1.04e12, "kimi-k2", "Table 2"),
        "counted": lambda: params(parameters(KIMI_K2).total, "kimi-k2", "config.json, without a prediction module"),
    },
    "kimi-k2-active": {
        "text": lambda: params(32e9, "kimi-k2", "abstract"),
        "table": lambda: params(32.6e9, "kimi-k2", "Table 2"),
        "counted": lambda: params(parameters(KIMI_K2).active, "kimi-k2", "config.json, both vocabulary tables"),
    },
    "deepseek-v3-active": {
        "printed": lambda: params(37e9, "deepseek-v3", "abstract"),
        "readme": lambda: params(36.7e9, "deepseek-v3", "README_WEIGHTS.md, said to hold both tables"),
        "head-only": lambda: params(parameters(DEEPSEEK_V3).active_head_only, "deepseek-v3", "without the input table"),
        "both-tables": lambda: params(parameters(DEEPSEEK_V3).active, "deepseek-v3", "with both vocabulary tables"),
    },
    "gpt-3-total": {
        "printed": lambda: params(175.0e9, GPT3, "Table 2.1"),
        "counted": lambda: params(parameters(GPT3_175B).total, GPT3, "from the shape in Table 2.1"),
    },
    "llama-3-405b-total": {
        "paper": lambda: params(parameters(LLAMA3_405B.with_vocab(128_000)).total, LLAMA3, "Table 3, 128,000 words"),
        "checkpoint": lambda: params(parameters(LLAMA3_405B).total, LLAMA3, "config.json, 128,256 words"),
    },
    "kimi-k3-total": {
        "text": lambda: params(2.8e12, "kimi-k3", "abstract"),
        "table": lambda: params(2.78e12, "kimi-k3", "Table 1"),
    },
    "kimi-k3-active": {
        "text": lambda: params(104e9, "kimi-k3", "abstract"),
        "table": lambda: params(104.2e9, "kimi-k3", "Table 1"),
    },
}  # fmt: skip


def published(figure: str, convention: str) -> Published:
    """The figure in that convention. BadValue: no such figure, or it was never published so.

    >>> published("zero-2-states", "document").value / 2**30 - published("zero-2-states", "code").value / 2**30 > 4
    True
    """
    if figure not in FIGURES:
        raise BadValue("figure", figure, "one_of", None, options=tuple(FIGURES))
    if convention not in FIGURES[figure]:
        raise BadValue("convention", convention, "one_of", None, options=tuple(FIGURES[figure]))
    return FIGURES[figure][convention]()
