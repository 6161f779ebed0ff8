"""The order in which products of unequal size are handed out decides when the last lane ends."""

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from labs.models.lanes import hand_out, resident
from labs.models.moonep import plan
from labs.models.routing import route

WORK = st.lists(st.integers(1, 40), min_size=1, max_size=7)
LANES = st.integers(1, 3)


def least(sizes, n):
    """Every way to put the products on the lanes, tried."""
    ways = product(range(n), repeat=len(sizes))
    return min(max(sum(s for s, at in zip(sizes, way, strict=True) if at == lane) for lane in range(n)) for way in ways)


@given(WORK, LANES, st.booleans())
def test_every_product_is_done_once_and_no_lane_does_two_at_a_time(sizes, n, longest_first):
    made = hand_out(sizes, n, longest_first)
    for lane in range(n):
        mine = sorted((made.start[i], made.start[i] + sizes[i]) for i in range(len(sizes)) if made.lane[i] == lane)
        assert all(before[1] == after[0] for before, after in zip(mine, mine[1:], strict=False))
    assert made.makespan >= max(made.mean, max(sizes))


@given(WORK, LANES)
def test_no_order_is_worse_than_two_and_longest_first_than_four_thirds(sizes, n):
    best = least(sizes, n)
    assert best <= hand_out(sizes, n).makespan <= (2 - 1 / n) * best + 1e-9
    assert hand_out(sizes, n, longest_first=True).makespan <= (4 / 3 - 1 / (3 * n)) * best + 1e-9


def test_both_bounds_are_attained():
    """Two lanes: a long product that comes last is half as long again; 3, 3, 2, 2, 2 end at 7 where 6 is possible."""
    assert (hand_out([1, 1, 2], 2).makespan, least([1, 1, 2], 2)) == (3, 2)
    assert (hand_out([3, 3, 2, 2, 2], 2, True).makespan, least([3, 3, 2, 2, 2], 2)) == (7, 6)


def test_a_balanced_rank_works_on_all_its_rows_and_still_ends_late():
    made = plan(route(256, 32, 4, 0.8, seed=6).counts, 4)
    late, early = [], []
    for rank in range(4):
        rows = tuple(resident(made, rank).values())
        assert sum(rows) == 256
        late.append(hand_out(rows, 4).makespan)
        early.append(hand_out(rows, 4, longest_first=True).makespan)
    assert late == [90, 92, 107, 89]
    assert early == [65, 66, 67, 68]
