"""Long tails: waiting for the last, stopping early, and two buffers that take turns."""

import pytest

from labs.models.rollouts import at_rest, lengths, partial, two_slots


def test_the_toy_tail_is_the_pareto_law_at_its_quantiles():
    times = lengths(1000, 2)
    assert [sum(one <= x for one in times) for x in (1.25, 2, 4)] == [360, 750, 938]
    assert sorted(times) == list(times)


def test_waiting_for_the_last_carries_nothing_and_keeps_few_busy():
    whole = partial(lengths(64, 2), 1)
    assert whole.carried == 0
    assert whole.stop == max(whole.lengths)
    assert whole.busy == pytest.approx(sum(whole.lengths) / 64 / max(whole.lengths), rel=1e-12)


def test_stopping_at_a_share_carries_the_rest():
    early = partial(lengths(64, 2), 0.75)
    assert (early.carried, len(early.lengths)) == (16, 64)
    assert early.stop == early.lengths[47]
    assert max(early.done) == early.stop


@pytest.mark.parametrize("share", [0.25, 0.5, 0.75, 0.9])
def test_the_earlier_it_stops_the_busier_the_slots(share):
    times = lengths(64, 1.5)
    assert partial(times, share).busy > partial(times, share + 0.1).busy


def test_equal_trajectories_wait_for_nobody():
    assert partial((3.0,) * 8, 1).busy == 1


def test_a_reference_forward_runs_every_chunk_once_and_in_order():
    steps = two_slots(6)
    ran = [word for pair in steps for word in pair if word.startswith("F")]
    loaded = [word for pair in steps for word in pair if word.startswith("load")]
    assert ran == [f"F{i}" for i in range(1, 7)]
    assert loaded == [f"load {i}" for i in range(1, 7)]


def test_a_chunk_runs_in_the_buffer_it_was_fetched_into_one_step_later():
    steps = two_slots(6)
    for before, after in zip(steps, steps[1:], strict=False):
        for one, next_one in zip(before, after, strict=True):
            if one.startswith("load"):
                assert next_one == "F" + one.removeprefix("load ")


def test_fifty_that_wait_98_percent_of_the_time_would_share_one_slot():
    assert at_rest(0.98) == pytest.approx(50, rel=1e-12)
