"""One column a rank: on one scale, parts stacked from the ground, its fellow beside it."""

import re

from labs.draw.columns import Column, columns


def rects(figure: str) -> list[tuple[str, float, float]]:
    found = re.findall(r'<rect[^>]*y="([\d.]+)" height="([\d.]+)" class="([^"]+)"', figure)
    return [(classes, float(y), float(height)) for y, height, classes in found]


def test_parts_stand_on_each_other_and_all_columns_share_a_scale():
    tall = Column("0", ((3, "activation kept", ""), (1, "activation waiting", "")))
    figure = columns([tall, Column("1", ((2, "activation kept", ""),))], "peaks")
    assert rects(figure) == [
        ("activation kept", 46.0, 90.0), ("activation waiting", 16.0, 30.0), ("activation kept", 76.0, 60.0),
    ]  # fmt: skip


def test_what_it_is_compared_with_stands_beside():
    figure = columns([Column("0", ((1, "activation kept", "ours"),), beside=2, beside_title="theirs")], "peaks")
    assert rects(figure) == [("beside", 16.0, 120.0), ("activation kept", 76.0, 60.0)]
    assert "<title>theirs</title>" in figure


def test_of_many_columns_only_some_are_named():
    figure = columns([Column(str(i), ((1, "activation kept", ""),)) for i in range(64)], "peaks")
    assert re.findall(r'class="nl-tick">(\d+)<', figure) == [str(i) for i in range(0, 64, 4)]


def test_nothing_is_a_column_of_no_height():
    assert rects(columns([Column("0", ((0, "activation kept", ""),))], "peaks")) == [("activation kept", 136.0, 0.0)]


def test_a_column_alone_stands_under_its_value_in_the_middle():
    alone = columns([Column("0", ((1, "activation kept", ""),))], "peaks")
    assert 'x="30%" width="40%"' in alone and alone.count('x="50%"') == 2
    paired = columns([Column("0", ((1, "activation kept", ""),), beside=2)], "peaks")
    assert 'x="10%" width="40%"' in paired and paired.count('x="30%"') == 2
