"""Figures of one long sequence show what the models say."""

import re

from labs.figures import draw


def values(drawing: str) -> list[str]:
    return re.findall(r'class="nl-value">([^<]*)<', drawing)


def test_a_rank_holds_a_row_before_the_all_to_all_and_a_column_after_it():
    ranks = re.findall(r'nl-inside-text">(\d)<', draw("layouts", "en"))
    assert ranks == [*"0000111122223333", *"0123" * 4]


def test_the_blocks_move_one_rank_a_step():
    blocks = re.findall(r">KV(\d)<", draw("ring-keys", "en"))
    assert blocks == [*"0123", *"3012", *"2301", *"1230"]


def test_the_running_output_ends_at_that_of_the_whole_softmax():
    drawing = draw("ring-keys", "en")
    after_last = re.findall(r"max ([\d.]+)  ℓ ([\d.]+)  o ([\d.]+)", drawing)[-1]
    assert f"max = {after_last[0]}, ℓ = {after_last[1]}, o = {after_last[2]}" in drawing


def test_a_causal_ring_cut_in_order_saves_an_eighth_of_the_time_and_zig_zag_half():
    assert values(draw("causal-split", "en")) == ["100\u00a0%", "87.5\u00a0%", "50\u00a0%"]


def test_the_more_ring_the_more_bytes():
    assert values(draw("usp-splits", "en")) == ["470\u00a0MB", "671\u00a0MB", "1.07\u00a0GB", "1.88\u00a0GB"]


def test_only_the_state_of_kda_does_not_grow_with_the_sequence():
    lines = re.findall(r'points="([^"]*)"', draw("sent-bytes", "en"))
    heights = [[float(point.partition(",")[2]) for point in line.split()] for line in lines]
    assert [len(set(line)) for line in heights] == [8, 8, 8, 1]


def test_the_scan_and_the_plain_sum_part_from_the_third_rank_on():
    drawing = draw("kda-scan", "en")
    true = re.findall(r'nl-full"><rect[^>]*></rect><text[^>]*>([\d.]+)<', drawing)
    plain = re.findall(r'x="100%"[^>]*>([\d.]+)<', drawing)
    assert true[:2] == plain[:2]
    assert [float(t) < float(p) for t, p in zip(true, plain, strict=True)] == [False, False, True, True]
