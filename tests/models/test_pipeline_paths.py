"""NumPy recomputes the longest paths from the tokens alone; and what holds at any times."""

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labs.models.pipeline import run, simulate
from labs.models.schedules import FAMILIES, UNIT, Times, plan
from labs.refusal import BadValue

PARTS = st.integers(1, 8).map(lambda k: k / 4)
TIMES = st.builds(Times, F=PARTS, B_in=PARTS, W=st.integers(0, 8).map(lambda k: k / 4))


def test_times_split_the_backward_into_input_and_weight():
    assert (UNIT.back, UNIT.whole) == (2, 3)
    assert Times(1, 1, 1, B=1.5).whole == 2.5


def relaxed(name: str, p: int, m: int, v: int, times: Times) -> numpy.ndarray:
    """End times by repeated relaxation of every edge at once, from the tokens alone."""
    graph = plan(name, p, m, v, times).graph
    share = p / graph.stages
    last = graph.stages - 1
    cost = numpy.array([share * times.of(action, graph.stages) for action in graph.actions])
    made = {
        (part.stage, part.letter.replace("B", "I"), part.microbatch): node
        for node, action in enumerate(graph.actions)
        for part in action.parts
    }
    edges = []
    for node, action in enumerate(graph.actions):
        for stage, letter, i in action.parts:
            if letter == "F":
                needs = [(stage - 1, "F", i)] if stage else []
            elif letter == "W":
                needs = [(stage, "I", i)]
            else:
                needs = [(stage, "F", i)] + ([(stage + 1, "I", i)] if stage < last else [])
            edges += [(made[need], node) for need in needs]
    row: dict[int, int] = {}
    for node, rank in enumerate(graph.rank):
        if rank in row:
            edges.append((row[rank], node))
        row[rank] = node
    tail, head = numpy.array(edges).T
    ranks = numpy.array(graph.rank)
    lag = numpy.where(ranks[tail] != ranks[head], times.comm, 0.0)
    ends = cost.copy()
    while True:
        later = ends.copy()
        numpy.maximum.at(later, head, ends[tail] + lag + cost[head])
        if numpy.array_equal(later, ends):
            return ends
        ends = later


@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.parametrize("times", [Times(1, 1, 1, comm=0.25), Times(1.5, 2, 0.5, FB=3.25)], ids=["comm", "pairs"])
def test_numpy_finds_the_same_end_of_every_action(name, times):
    assert run(name, 4, 8, 2, times).ends == pytest.approx(relaxed(name, 4, 8, 2, times))


@pytest.mark.parametrize("name", FAMILIES)
@settings(max_examples=25)
@given(p=st.integers(1, 6), m=st.integers(1, 14), v=st.integers(1, 3), times=TIMES, comm=st.sampled_from([0.0, 0.5]))
def test_no_rank_does_two_things_at_once_and_useful_plus_idle_is_the_makespan(name, p, m, v, times, comm):
    times = Times(times.F, times.B_in, times.W, comm=comm)
    try:
        slots = run(name, p, m, v, times)
    except BadValue:
        return
    free = [0.0] * p
    for rank, start, end in zip(slots.graph.rank, slots.starts, slots.ends, strict=True):
        assert start >= free[rank]
        free[rank] = end
    assert max(free) == slots.makespan
    assert slots.busy == pytest.approx([m * times.whole] * p)
    assert [busy + idle for busy, idle in zip(slots.busy, slots.idle, strict=True)] == pytest.approx(
        [slots.makespan] * p
    )
    assert all(span <= slots.makespan for span in slots.spans)


@settings(max_examples=25)
@given(p=st.integers(2, 6), times=TIMES, name=st.sampled_from(["1f1b", "interleaved", "zb-h1", "zb-h2"]))
def test_s09_the_bubble_share_vanishes_as_microbatches_grow(p, times, name):
    shares = [run(name, p, m, 2, times).r_share for m in (2 * p, 8 * p, 32 * p)]
    assert shares == sorted(shares, reverse=True)
    assert shares[-1] < 0.04


@settings(max_examples=25)
@given(p=st.integers(2, 6), m=st.integers(2, 16), comm=st.sampled_from([0.25, 1.0]))
def test_communication_never_shortens_a_step(p, m, comm):
    for name in ("gpipe", "1f1b", "zb-h1", "zb-h2"):
        assert run(name, p, m, 1, Times(comm=comm)).makespan > run(name, p, m, 1, UNIT).makespan


def test_uneven_stages_set_the_pace_of_the_heaviest():
    even, uneven = (simulate(plan("1f1b", 4, 32).graph, Times(load=load)) for load in ((), (1, 2, 2, 3)))
    assert uneven.busy == pytest.approx([3 * 32 * load for load in (0.5, 1, 1, 1.5)])
    assert uneven.makespan > 1.4 * even.makespan
    assert uneven.worst == 0


def test_uneven_parts_keep_the_work_and_reach_the_chunks_that_lie_in_them():
    slots = simulate(plan("interleaved", 2, 4, 2).graph, Times(load=(1, 3)))
    assert sum(slots.busy) == pytest.approx(2 * 4 * 3)
    assert slots.busy == pytest.approx([12, 12])  # each rank holds one chunk of the light half and one of the heavy
    plain = simulate(plan("1f1b", 2, 4).graph, Times(load=(1, 3)))
    assert plain.busy == pytest.approx([6, 18])
