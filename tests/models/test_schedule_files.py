"""A schedule written and read again is itself; a trace is what Perfetto and Chrome read."""

import json

import pytest

from labs.models.pipeline import run
from labs.models.schedules import FAMILIES, UNIT, Times, order, validate
from labs.models.schedules.files import from_csv, to_csv, to_trace
from labs.refusal import BadValue


@pytest.mark.parametrize("name", FAMILIES)
def test_a_schedule_survives_its_csv(name):
    schedule = order(name, 4, 8, 2)
    assert from_csv(to_csv(schedule)) == schedule
    assert validate(from_csv(to_csv(schedule))).ranks == 4


def test_a_line_is_a_rank_and_a_cell_a_token():
    assert to_csv(order("1f1b", 2, 2)) == "0F0,0F1,0B0,0B1\n1F0,1B0,1F1,1B1\n"


def test_idle_cells_comments_spaces_and_the_longer_spelling_of_a_pair_are_read():
    text = "# made elsewhere\n0F0, ,0F1 (0F2;0B0)OVERLAP_F_B,0B1,0B2\n\n"
    assert to_csv(from_csv(text)) == "0F0,0F1,(0F2;0B0)P,0B1,0B2\n"


@pytest.mark.parametrize(("text", "value", "rank"), [("0F0\n1G0", "1G0", 1), ("0F0,zero", "zero", 0)])
def test_a_cell_that_is_no_action_is_named_with_its_rank(text, value, rank):
    with pytest.raises(BadValue) as refused:
        from_csv(text)
    assert (refused.value.field, refused.value.value, refused.value.facts["rank"]) == ("order", value, rank)


@pytest.mark.parametrize("text", ["\ufeff0F0,0B0", "0F0\t0B0\r\n", "0F0，0B0", "0F0,0B0\n,,,\n \t\n"])
def test_what_spreadsheets_and_chinese_keyboards_write_is_read(text):
    assert to_csv(from_csv(text)) == "0F0,0B0\n"


@pytest.mark.parametrize("text", ["", "\n# nothing\n", ",,,\n,,,"])
def test_an_empty_file_is_refused(text):
    with pytest.raises(BadValue, match="no action was read"):
        from_csv(text)


def test_a_trace_has_a_thread_a_rank_and_a_complete_event_an_action():
    trace = json.loads(to_trace(run("dualpipe", 4, 8, 1, Times(1, 1, 1, FB=2.5))))["traceEvents"]
    threads = [event for event in trace if event["ph"] == "M"]
    events = [event for event in trace if event["ph"] == "X"]
    assert [thread["args"]["name"] for thread in threads] == [f"rank {rank}" for rank in range(4)]
    assert {event["ph"] for event in trace} == {"M", "X"}
    pair = next(event for event in events if event["name"].startswith("("))
    assert (pair["cat"], pair["dur"]) == ("forward and backward", 2500)
    assert (
        max(event["ts"] + event["dur"] for event in events)
        == 1000 * run("dualpipe", 4, 8, 1, Times(1, 1, 1, FB=2.5)).makespan
    )


def test_events_of_one_thread_do_not_overlap():
    events = [event for event in json.loads(to_trace(run("zb-v", 4, 8, 2, UNIT)))["traceEvents"] if event["ph"] == "X"]
    for rank in range(4):
        mine = sorted((event["ts"], event["ts"] + event["dur"]) for event in events if event["tid"] == rank)
        assert all(end <= start for (_, end), (start, _) in zip(mine, mine[1:], strict=False))
