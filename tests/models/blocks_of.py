"""The blocks that tests of activations ask about: the 7B-like GPT block and three Llamas, by their published ratios."""

from hypothesis import strategies as st

from labs.models import blocks
from labs.models.blocks import Saved


def gpt(s: int, h: int = 4096, a: int = 32, **more: bool) -> tuple[Saved, ...]:
    return blocks.gpt(h, a, s, **more)


LLAMA2_7B = blocks.llama(g=1, f=11008 / 4096)
LLAMA3_8B = blocks.llama(g=8 / 32, f=14336 / 4096)
LLAMA3_70B = blocks.llama(g=8 / 64, f=28672 / 8192)

SIZE = st.sampled_from([64, 512, 4096])
TP = st.sampled_from([1, 2, 4, 8])
ANY_BLOCK = st.sampled_from([gpt(4096), gpt(4096, flash=True), gpt(64, dropout=False), LLAMA2_7B, LLAMA3_70B])
