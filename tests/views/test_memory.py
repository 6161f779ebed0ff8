"""The memory lab as a reader meets it: presets, tables, sentences, figure, in both languages."""

import re

import pytest

from labs.lab import html
from labs.units import GB
from labs.words import LANGUAGES
from tests.views.memory_asked import M, preset, spaced, value

ON_THE_CARD = {"weights", "gradients", "accumulation", "master", "momentum", "variance", "kept", "working", "logits"}
ON_THE_CARD |= {"head", "logits_only", "gathered", "whole", "bucket"}


@pytest.mark.parametrize(
    ("name", "wanted", "kind"),
    [("M1", 112, "bad"), ("M2", 17.5, "good"), ("M3", 48.125, "good"), ("M4", 160.03, "bad"), ("M5", 27.15, "good"),
     ("M6", 28.17, "good"), ("M7", 72.41, "good"), ("M8", 151.98, "bad"), ("M9", 59.53, "good")],
)  # fmt: skip
def test_each_preset_has_the_total_and_the_verdict_that_its_note_promises(name, wanted, kind):
    answer = preset(name)
    assert answer.total.value / GB == pytest.approx(wanted, abs=0.006)
    assert answer.verdict.kind == kind


def test_m2_fits_only_under_zero_3():
    stages = next(table for table in preset("M2").tables if table.chosen == 3 and len(table.head) == 6)
    verdicts = [spaced(row[-1]) for row in stages.rows]
    assert verdicts == [
        "1040 GB over",
        "213.1 GB over",
        "75.31 GB over",
        "62.5 GB spare",
    ]


def test_m3_shows_48_1_with_16_bit_gradients_and_65_6_with_fp32_main_gradients():
    table = next(one for one in preset("M3").tables if "gradient" in one.caption)
    assert [spaced(row[2]) for row in table.rows] == [
        "48.12 GB (44.82 GiB)", "65.62 GB (61.12 GiB)", "83.12 GB (77.42 GiB)",
    ]  # fmt: skip
    assert table.chosen == 0


def test_m4_keeps_146_gb_of_activations_beside_14_gb_of_states():
    answer = preset("M4")
    assert value(answer, "kept") / GB == pytest.approx(146.0, abs=0.05)
    assert sum(row.value for row in answer.rows if row.ledger == "state") / GB == 14


def test_m4_with_llama_2_7bs_block_keeps_138_gb():
    assert value(preset("M8"), "kept") / GB == pytest.approx(138, abs=0.1)


def test_m5_stores_8_6_gb_and_rebuilds_4_6():
    answer = preset("M5")
    assert (value(answer, "kept") / GB, value(answer, "working") / GB) == (
        pytest.approx(8.6, abs=0.05), pytest.approx(4.6, abs=0.05),
    )  # fmt: skip


def test_m5_offloaded_instead_leaves_58_4_gb_and_sends_87_6():
    answer = preset("M7")
    assert (value(answer, "kept") / GB, value(answer, "offloaded") / GB, value(answer, "host_time")) == (
        pytest.approx(58.4, abs=0.05), pytest.approx(87.6, abs=0.05), pytest.approx(1.6, abs=0.01),
    )  # fmt: skip


def test_m6_shows_28_2_gb_and_the_even_24_4_as_a_lower_bound():
    table = preset("M6").tables[-1]
    assert [spaced(row[1]) for row in table.rows] == ["24.38 GB (22.7 GiB)", "28.17 GB (26.23 GiB)"]
    assert "lower bound" in table.caption


def test_saved_names_what_left_the_gpu_and_moved_names_the_traffic_that_grew():
    answer = preset("M2")
    assert spaced(answer.saved) == (
        "1102 GB of states left this GPU: weights, gradients, master weights, momentum, variance "
        "are spread over 64 ranks."
    )
    assert spaced(answer.moved) == (
        "to communication: 2P → 3P in the paper's convention, 275.6 GB → 413.4 GB sent per rank and step."
    )


def test_zero_1_moves_no_more_than_plain_data_parallelism():
    assert "the paper's volume stays (2P → 2P)" in spaced(preset("M3").moved)


def test_one_rank_moves_nothing_under_any_stage():
    [traffic] = [table for table in preset("M1", dp=1).tables if table.caption.startswith("Traffic")]
    assert {row[1:] for row in traffic.rows} == {("0", "0\u00a0GB (0\u00a0GiB)")}


def test_full_recompute_is_paid_in_flops_and_offload_on_the_host_link():
    assert "33.3 % of the model's FLOPs" in spaced(preset("M5").moved)
    assert "87.62 GB out and back, 1.593 s each way at 55 GB/s" in spaced(preset("M7").moved)
    assert "activations take 132.9 GB less than the 146 GB" in spaced(preset("M5").saved)


def test_the_baseline_saved_nothing():
    answer = preset("M1")
    assert (answer.saved[:8], answer.moved[:8]) == ("Nothing:", "Nowhere:")


@pytest.mark.parametrize("name", M)
def test_both_conventions_of_traffic_stand_in_every_answer_with_their_labels(name):
    answer = preset(name)
    names = {row.name for row in answer.rows if row.ledger == "comm"}
    assert {"paper_elements", "weights_sent", "gradients_sent"} <= names


@pytest.mark.parametrize("name", M)
def test_rows_of_the_card_sum_to_the_total(name):
    answer = preset(name)
    inside = [row.value for row in answer.rows if row.name in ON_THE_CARD]
    assert sum(inside) == pytest.approx(answer.total.value)


@pytest.mark.parametrize("name", M)
@pytest.mark.parametrize("language", LANGUAGES)
def test_each_preset_makes_a_whole_section_in_each_language(name, language):
    text = html("memory", M[name], language)
    drawn = 4 if name.startswith("M") else int(M[name].get("pp", 1))
    assert len(re.findall('class="nl-bar(?: chosen)?"', text)) == drawn and text.count("nl-limit-text") == 1
    assert re.search(r"\{\w+\}", re.sub(r"data-[a-z]+=\"[^\"]*\"", "", text)) is None


def test_the_figure_draws_the_four_stages_and_marks_the_chosen_one():
    figure = preset("M2").figure
    assert re.findall(r"ZeRO-\d", figure.split("nl-label", 1)[1])[:1] == ["ZeRO-0"]
    assert figure.count("nl-bar chosen") == 1
