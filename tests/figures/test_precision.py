"""Figures of numerics show what the models say."""

import re

from labs.figures import draw


def values(drawing: str) -> list[str]:
    return re.findall(r'class="nl-value">([^<]*)<', drawing)


def test_the_number_line_names_both_ends_of_each_format():
    ends = re.findall(r">([\d.,e-]+) … ([\d.,e-]+)<", draw("formats", "en"))
    assert [high for _, high in ends] == ["3.4e38", "3.4e38", "65,504", "448", "57,344"]
    assert [low for low, _ in ends] == ["1.4e-45", "9.2e-41", "6e-8", "0.00195", "1.5e-5"]


def test_the_gradient_lies_below_fp16_and_scaled_within_its_subnormals():
    drawing = draw("formats", "en")
    before, after = (float(x) for x in re.findall(r'x1="([\d.]+)%"[^>]*nl-limit', drawing))
    light = re.findall(r'x="([\d.]+)%" width="([\d.]+)%"[^>]*class="numerics shade-3"', drawing)[2]
    low, high = float(light[0]), float(light[0]) + float(light[1])
    assert before < low < after < high


def test_the_sums_stop_where_their_accumulators_do():
    assert "65,536: FP32 65.5, 14 bits moved to FP32 every 128 65.5, 14 bits throughout 32, FP16 4, BF16 0.5" in draw(
        "swallowed", "en"
    )


def test_owning_matrices_divides_what_is_gathered_by_the_ranks():
    assert values(draw("muon-ways", "en")) == ["19.69\u00a0GB", "307.6\u00a0MB", "0\u00a0B"]


def test_one_scale_loses_three_times_as_much_as_tiles_beside_an_outlier_of_100_000():
    assert "it is 12.5\u00a0% with one scale for the tensor and 4.13\u00a0% with one for every 128" in draw(
        "scaling", "en"
    )
