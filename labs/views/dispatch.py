"""The dispatch lab: four questions about what ranks send each other, one form.

What does a collective cost? What does an expert layer send, and who is busiest? What do given loads wait for?
Does a step of ring attention hide?
"""

from labs.answer import Answer
from labs.controls import Values
from labs.views import dispatch_collective, dispatch_experts, dispatch_loads, dispatch_ring
from labs.views.dispatch_form import GROUPS, PRESETS
from labs.words import Speaker

__all__ = ["GROUPS", "PRESETS", "answer"]

ANSWERS = {
    "collective": dispatch_collective.answer,
    "experts": dispatch_experts.answer,
    "loads": dispatch_loads.answer,
    "ring": dispatch_ring.answer,
}


def answer(values: Values, say: Speaker) -> Answer:
    return ANSWERS[values.mode](values, say)
