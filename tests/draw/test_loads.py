"""Columns of loads share one scale; the busiest is marked, and the mean is a line at its height."""

import re

from labs.draw.loads import HEAD, HEIGHT, Load, loads


def drawn(*values, mean=1.0):
    columns = [Load(value, f"rank {i}") for i, value in enumerate(values)]
    return loads(columns, "moe load", (mean, "mean"), "busiest", "loads")


def heights(figure):
    return [float(height) for height in re.findall(r'<rect [^>]*height="([\d.]+)"', figure)]


def test_columns_are_in_proportion():
    assert heights(drawn(160, 120, 80, 40)) == [HEIGHT, HEIGHT * 0.75, HEIGHT / 2, HEIGHT / 4]


def test_the_busiest_column_and_no_other_is_marked():
    assert re.findall(r'class="moe load( busiest)?"', drawn(3, 5, 4)) == ["", " busiest", ""]


def test_the_mean_is_drawn_at_its_height():
    assert f'y1="{HEAD + HEIGHT * 0.75:.1f}"' in drawn(4, 1, mean=1.0)


def test_many_columns_are_named_every_so_many():
    names = re.findall(r'class="nl-tick">(\d+)<', drawn(*range(1, 65)))
    assert names == [str(i) for i in range(0, 64, 4)]


def test_idle_ranks_all_the_same_draw_nothing_tall():
    assert heights(drawn(0, 0, mean=0.0)) == [0, 0]
