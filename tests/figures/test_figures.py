"""A drawn figure says in text what it shows, shows what the models give, and refuses what it does not know."""

import re

import pytest

from labs.figures import PLACES, draw, find
from labs.refusal import BadValue
from labs.words import LANGUAGES


def values(drawing: str) -> list[str]:
    return re.findall(r'class="nl-value">([^<]*)<', drawing)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", PLACES)
def test_a_figure_has_a_title_a_description_and_a_caption(name, language):
    drawing = draw(name, language)
    for piece in (r'nl-figure-title">[^<{]+<', r'role="img" aria-label="[^"{]+"', r"<figcaption>[^<{]+<"):
        assert re.search(piece, drawing), piece


def test_the_recipes_cost_sixteen_eighteen_twenty_sixteen_and_fourteen_bytes():
    assert values(draw("recipes", "en")) == ["16\u00a0B", "18\u00a0B", "20\u00a0B", "16\u00a0B", "14\u00a0B"]


def test_each_stage_frames_the_states_that_it_cuts_on_every_rank():
    assert draw("holders", "en", {"dp": "8"}).count('class="idle"') == 8 * (0 + 3 + 4 + 5)


def test_what_is_cut_among_eight_ranks_adds_up_to_one_whole():
    widths = [float(w) for w in re.findall(r'width="([\d.]+)%" class="state', draw("holders", "en"))]
    whole = max(widths)
    assert sum(width == whole for width in widths) == 8 * (5 + 2 + 1 + 0)
    assert sum(width == pytest.approx(whole / 8, abs=1e-3) for width in widths) == 8 * (0 + 3 + 4 + 5)


def test_zero_three_sends_half_as_much_again():
    assert values(draw("zero-traffic", "en")) == ["24.5\u00a0GB"] * 3 + ["36.75\u00a0GB"]


def test_an_option_that_a_figure_lacks_is_refused_with_those_it_has():
    with pytest.raises(BadValue, match="ranks.*it must be one of dp"):
        draw("holders", "en", {"ranks": "8"})


def test_an_unknown_figure_is_refused_with_the_known_ones():
    with pytest.raises(BadValue, match="it must be one of recipes"):
        find("nothing")


def test_sixty_four_layers_need_eight_checkpoints_and_eight_live_layers():
    drawing = draw("segments", "en")
    lower = drawing[drawing.index("checkpoints and a segment: 16 layers") :]
    assert lower.count('class="activation recomputed"') == 8 and lower.count('class="activation kept"') == 8


def test_the_blocks_keep_what_the_measured_lists_say():
    assert values(draw("block-kinds", "en")) == ["34", "32", "32.1", "34", "33.5", "41", "46"]


def test_scores_outgrow_the_linear_part_at_870_tokens():
    assert "870" in draw("sequence-growth", "en")


def test_only_the_third_stage_has_no_floor():
    ends = re.search(r"At N = 256: ([^\"]*)\. The", draw("floors", "en"))
    assert ends and [float(x) for x in re.findall(r"([\d.]+)\u00a0GB", ends[1])] == [1120, 283.3, 143.8, 4.375]


def test_no_schedule_is_least_in_all_three_costs():
    costs = [[float(value) for value in values(part)] for part in draw("three-costs", "en").split("<svg")[1:]]
    assert costs == [[21, 21, 10.5, 7, 7, 6], [20, 8, 12.5, 8, 15, 9], [1, 1, 1, 1, 1, 2]]


def test_splitting_backward_shortens_the_line_from_21_slots_to_15():
    assert re.findall(r"Timeline of ([^\"]*) slots", draw("split-backward", "en")) == ["1F1B, 21", "ZB-H1, 15"]


def test_four_policies_cost_the_busiest_rank_126_113_160_and_100_rows():
    assert values(draw("uneven", "en")) == ["126", "113", "160", "100"]


def test_two_fills_balance_the_toy_routing():
    assert "rank 3 takes 40 from rank 0; rank 2 takes 20 from rank 0" in draw("fills", "en")


def test_expert_parallelism_regroups_sixteen_ranks_and_adds_none():
    drawing = draw("two-views", "en")
    assert [drawing.count(f">{rank}</text>") for rank in range(16)] == [2] * 16
    assert drawing.count(">ep7 edp1</text>") == 1 and drawing.count(">tp1 dp7</text>") == 1


def test_data_and_context_parallelism_leave_the_whole_model_on_both_gpus():
    panels = draw("five-cuts", "en").split('class="nl-label"')[1:]
    grey = {
        name: panel.count('class="idle"') for name, panel in zip(("dp", "tp", "pp", "ep", "cp"), panels, strict=True)
    }
    assert grey == {"dp": 8 + 16, "tp": 32 + 16, "pp": 32, "ep": 8, "cp": 8 + 16}


def test_tensor_parallelism_talks_640_times_a_step_and_data_parallelism_once():
    assert "DP: 1 × 4.375\u00a0GB" in draw("traffic-map", "en")
    assert "TP: 640 × 67.11\u00a0MB" in draw("traffic-map", "en")


def test_a_step_that_waits_for_gpus_gains_more_from_fast_ones_than_a_step_that_waits_for_wires():
    gains = [re.search(r"\(([\d.]+)×\)", value) for value in values(draw("two-steps", "en"))]
    assert [gain and gain[1] for gain in gains] == [None, "1.84", "1.26", None, "1.42"]


def test_four_savings_have_four_bills():
    pairs = re.search(r'aria-label="([^"]*)"', draw("moved", "en"))
    assert pairs and re.findall(r"[−+]\d+(?:\.\d+)?|2 × [\d.]+", pairs[1]) == [
        "−98", "+12.25", "−132.9", "+33.3", "−87.62", "2 × 1.58", "−15", "+1",
    ]  # fmt: skip


def test_the_step_peaks_as_forward_ends():
    assert "42.75\u00a0GB" in draw("step-memory", "en")


def test_one_nic_a_node_is_eight_times_as_slow_as_one_a_gpu():
    assert values(draw("gradient-roads", "en")) == ["551\u00a0ms", "68.9\u00a0ms", "116\u00a0ms", "61.2\u00a0ms"]


def test_the_walk_eases_one_ledger_and_loads_another():
    amounts = re.findall(r'nl-inside-text">([^<]*)<', draw("tour", "en"))
    assert [one.replace("\u00a0", " ") for one in amounts] == [
        "1120 → 17.5 GB", "276 → 413 GB", "512", "64", "21 → 6", "1 → 2", "43.5 ms → 2.2 ms", "2.11 GB = 2.11 GB",
    ]  # fmt: skip


def test_sequence_parallelism_has_the_eight_ranks_of_tensor_parallelism():
    drawing = draw("same-group", "en")
    assert re.findall(r"<title>rank (\d+) (?:all|TP=SP)<", drawing) == [str(rank) for rank in range(8)]
    assert re.findall(r"<title>rank (\d+) DP<", drawing) == ["8"]
    assert re.findall(r"<title>rank (\d+) PP<", drawing) == ["16", "32", "48"]


def test_hiding_a_communication_changes_the_time_that_shows_and_not_its_bytes():
    drawing = draw("hidden-bytes", "en")
    assert values(drawing) == ["43.5\u00a0ms", "21.8\u00a0ms", "2.18\u00a0ms"]
    assert re.findall(r"hidden, ([\d.]+\u00a0GB) sent</text>", drawing) == ["2.11\u00a0GB"] * 3


def test_kv_is_idle_exactly_while_the_sandbox_runs():
    lanes = re.findall(r'<rect[^>]*class="([^"]*)"', draw("turns", "en").split("<svg", 8)[-1])
    kv, sandbox = lanes[20:40], lanes[40:60]
    assert [hue == "context" for hue in kv] == [hue != "recovery" for hue in sandbox]
    assert sandbox.count("recovery") == 5


def test_stopping_at_three_quarters_carries_six_of_twenty_four():
    drawing = draw("tail", "en")
    assert "busy 77\u00a0%, 6 carried" in drawing
    assert drawing.count('class="context"') == 6 + 1  # and once in the legend


def test_the_best_intervals_are_31_and_19_minutes():
    assert values(draw("save-interval", "en")) == ["best: 31\u00a0min", "best: 19.3\u00a0min"]


def test_two_slots_end_as_gradients():
    assert re.findall(r'nl-inside-text">([^<]*)<', draw("two-slots", "en")) == [*"113355∇", *"224466∇"]


def test_a_plan_fits_or_not_by_how_gradients_are_held():
    assert values(draw("plan-memory", "en")) == ["59.8\u00a0GB", "77.3\u00a0GB"]


def test_gradients_in_16_bits_hide_behind_the_last_backward_and_in_fp32_do_not():
    cover, narrow, wide, _, _ = [float(value.split("\u00a0")[0]) for value in values(draw("plan-hide", "en"))]
    assert (cover, narrow, wide) == (362, 306, 612)
    assert narrow < cover < wide


def test_each_of_eight_questions_opens_a_ledger_in_its_own_colour():
    drawing = draw("decision", "en")
    opened = re.findall(r'class="(\w+)[^"]*"></rect><text[^>]*nl-inside-text">([^<]*)<', drawing)
    assert [ledger for ledger, _ in opened] == [
        "recovery", "state", "context", "activation", "bubble", "moe", "comm", "numerics",
    ]  # fmt: skip
