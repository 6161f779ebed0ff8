"""Bytes that one parameter costs, state by state: "16P" is one recipe among many.

*Throughout this module:* every field is bytes per parameter; a fraction is a scale shared by a block of parameters.
"""

from dataclasses import dataclass, replace

from labs.refusal import BadValue

FP32, HALF, BYTE = 4, 2, 1
SCALE_256 = 4 / 256  # one FP32 scale for a block of 256: bitsandbytes' block-wise 8-bit optimizers


@dataclass(frozen=True)
class Recipe:
    """Weights travel `gathered` bytes wide, gradients `reduced` bytes wide; `source` is where the recipe stands."""

    weights: float
    gradients: float
    master: float
    momentum: float
    variance: float
    source: str
    accumulation: float = 0
    gathered: float = HALF
    reduced: float = HALF

    @property
    def total(self) -> float:
        return self.weights + self.gradients + self.accumulation + self.master + self.momentum + self.variance

    @property
    def optimizer(self) -> float:
        """Everything that only the update touches: ZeRO's K."""
        return self.master + self.momentum + self.variance


RECIPES = {
    # zero §3.1: FP16 weights and gradients, K = 12
    "fp16-adam": Recipe(HALF, HALF, FP32, FP32, FP32, "zero"),
    # Megatron-LM and DeepSpeed's code: 16-bit weights, the gradient is kept and reduced in FP32
    "fp32-gradients": Recipe(HALF, FP32, FP32, FP32, FP32, "megatron-3d", reduced=FP32),
    # Ultra-Scale Playbook's table: 16-bit gradients plus an FP32 buffer in which they accumulate
    "fp32-accumulation": Recipe(HALF, HALF, FP32, FP32, FP32, "pytorch-fsdp", accumulation=FP32, reduced=FP32),
    # PyTorch FSDP2 mixed precision: FP32 parameters are the master; BF16 exists only while a layer is gathered
    "fsdp2": Recipe(FP32, FP32, 0, FP32, FP32, "pytorch-fsdp", reduced=FP32),
    # deepseek-v3 §3.3.3: both moments in BF16, master and accumulated gradient in FP32
    "bf16-moments": Recipe(HALF, FP32, FP32, HALF, HALF, "deepseek-v3", reduced=FP32),
    # 8-bit optimizers (Dettmers et al. 2021): both moments are 8-bit codes with a scale per block
    "adam-8bit": Recipe(HALF, HALF, FP32, BYTE + SCALE_256, BYTE + SCALE_256, "arXiv:2110.02861"),
    # kimi-k2 Algorithm 1: one momentum, no variance; what is no matrix keeps AdamW (arXiv:2502.16982 §2.2)
    "muon": Recipe(HALF, FP32, FP32, FP32, 0, "kimi-k2", reduced=FP32),
    # kimi-k2 §2.4.2: what stays on the GPU in its "6 TB": BF16 weights and an FP32 gradient buffer
    "weights-gradients": Recipe(HALF, FP32, 0, 0, 0, "kimi-k2", reduced=FP32),
    # The frozen base of an adapter (LoRA, Hu et al. 2021): weights only, neither gradient nor optimizer
    "frozen": Recipe(HALF, 0, 0, 0, 0, "arXiv:2106.09685"),
}


def with_variance(recipe: Recipe) -> Recipe:
    """What Muon's companions (norms, tables, heads, biases) follow: the same recipe with Adam's second moment."""
    return replace(recipe, variance=FP32) if recipe.momentum and not recipe.variance else recipe


GRADIENTS = {"fp16": (HALF, 0), "fp32": (FP32, 0), "both": (HALF, FP32)}  # (gradient, accumulation buffer)


def graded(recipe: Recipe, gradients: str) -> Recipe:
    """The recipe with other gradients: "fp16" (or BF16), "fp32", or "both": 16 bits, added up in an FP32 buffer.

    "recipe" leaves it alone. BadValue: the recipe has no gradients, or its parameters are FP32 and so are theirs.
    """
    if gradients == "recipe":
        return recipe
    if not recipe.gradients or (recipe.weights >= FP32 and gradients != "fp32"):
        raise BadValue("gradients", gradients, "gradients_fixed", "recipe", bytes=recipe.gradients)
    own, accumulation = GRADIENTS[gradients]
    return replace(recipe, gradients=own, accumulation=accumulation, reduced=max(own, accumulation))


def custom(weights: float, gradients: float, optimizer: float) -> Recipe:
    """ZeRO's own three numbers, for a table that gives only K: the optimizer's bytes are kept in one line."""
    return Recipe(weights, gradients, optimizer, 0, 0, "zero", gathered=weights, reduced=gradients)
