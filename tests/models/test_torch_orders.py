"""The order of every rank is PyTorch's for many sizes, not only for those whose tables are published.

`torch_orders.json` holds, per schedule of torch.distributed.pipelining 2.13 and per "p,m,v", the head of the SHA-256 of
the JSON list of each rank's tokens (no communication, no idle steps). Sizes that PyTorch refuses are not in it; nor is
1F1B, whose table starts the last rank at micro-batch 1 and does not hold for fewer micro-batches than ranks.
"""

import json
from hashlib import sha256
from pathlib import Path

import pytest

from labs.models.schedules import compute_actions

ORDERS = json.loads((Path(__file__).parents[1] / "golden" / "torch_orders.json").read_text(encoding="utf-8"))


def digest(name: str, size: str) -> str:
    tokens = [list(row) for row in compute_actions(name, *map(int, size.split(","))).values()]
    return sha256(json.dumps(tokens).encode()).hexdigest()[:12]


@pytest.mark.parametrize("name", ORDERS)
def test_the_order_of_every_rank_is_pytorchs(name: str) -> None:
    assert {size: digest(name, size) for size in ORDERS[name]} == ORDERS[name]


def test_many_sizes_are_compared() -> None:
    assert sum(map(len, ORDERS.values())) == 530
