"""The closed forms of "Reducing Activation Recomputation", term by term, beside which the tensor lists are checked.

*Throughout this module:* the paper's letters (megatron-sp Table 1)
    s, b, h, a   sequence, micro-batch, hidden, heads    count
    L, V         layers of the model, vocabulary         count
    t, p, m      tensor and pipeline ranks, interleaved chunks per rank
A GPT block with GELU and dropout, 16 bits; sizes are bytes.
"""

from labs.models.activations import interleaving


def core_ratio(a: int, s: int, h: int) -> float:
    """5as/h: what the attention core costs in units of sbh (megatron-sp §5)."""
    return 5 * a * s / h


def layers(s: int, b: int, h: int, a: int, t: int) -> dict[str, float]:
    """One layer under each technique (megatron-sp Table 2)."""
    sbh, core = s * b * h, core_ratio(a, s, h)
    return {
        "none": sbh * (34 + core),
        "tp": sbh * (10 + 24 / t + core / t),
        "tp_sp": sbh / t * (34 + core),
        "tp_selective": sbh * (10 + 24 / t),
        "tp_sp_selective": sbh / t * 34,
        "full": sbh * 2,
    }


def first_stage(s: int, b: int, h: int, a: int, t: int, L: int, p: int = 1, m: int = 1) -> dict[str, float]:
    """The first stage's layers: p micro-batches of L/p layers, so L whatever p is (megatron-sp eq. 5 and 6)."""
    factor = L * (interleaving(p, m) if m > 1 else 1)
    one = layers(s, b, h, a, t)
    return {name: one[name] * factor for name in ("tp_sp", "tp_sp_selective")}


def selective_saving(a: int, s: int, h: int) -> float:
    """The part of a layer that the attention core is, which selective recomputation does not keep (megatron-sp §5)."""
    core = core_ratio(a, s, h)
    return core / (34 + core)


def selective_flops(s: int, h: int) -> float:
    """The forward core run again, as a share of a step's FLOPs without the vocabulary's (megatron-sp appendix A)."""
    attention = s / (6 * h)
    return attention / (1 + attention)


def fraction_of_tp(s: int, h: int, a: int, t: int) -> dict[str, float]:
    """What is left of the tensor-parallel baseline, eq. 2 (megatron-sp Figure 7)."""
    one = layers(s, 1, h, a, t)
    return {name: one[name] / one["tp"] for name in ("tp_sp_selective", "full")}


def extras(s: int, b: int, h: int, t: int, p: int, V: int) -> float:
    """Outside the layers: embedding dropout sbhp/t; on one stage the last norm, the head's input, FP32 logits:
    4sbh/t · (1 + V/h) (megatron-sp §4.3).
    """
    sbh = s * b * h
    return sbh * p / t + (4 * sbh / t * (1 + V / h) if p == 1 else 0)


def extras_share(p: int, L: int, V: int, h: int, a: int, s: int) -> float:
    """`extras` beside the layers' own activations under TP + SP, without selective recomputation (megatron-sp §4.3)."""
    one = layers(s, 1, h, a, 1)["tp_sp"]
    return extras(s, 1, h, 1, p, V) / (one * L)


def zero_total(h: int, b: int, s: int, L: int) -> float:
    """ZeRO's rule of thumb for a GPT-2 block: 12 · h · b · s · L elements of two bytes (zero §3.2, footnote 3)."""
    return 12 * h * b * s * L * 2
