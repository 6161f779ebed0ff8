"""Figures of parallel axes: what each of the five cuts, one set of ranks seen twice, and how often each axis talks."""

from collections.abc import Callable
from dataclasses import dataclass

from labs import units
from labs.draw.grid import Block, Cell, grid, shade
from labs.draw.legend import legend
from labs.draw.lines import Axis, Mark, loglog
from labs.draw.svg import Markup, figure, join, percent, svg, tag
from labs.draw.theme import classes
from labs.figures import Figure
from labs.models.dispatch import payload, row_bytes
from labs.models.mesh import Mesh, coordinates
from labs.models.mesh_layout import layout
from labs.models.sequence import ulysses
from labs.words import Speaker

FIRST, SECOND, BOTH = classes("parallel", "", "shade-7"), classes("parallel", "", "shade-2"), "idle"
SAMPLES, TOKENS, LAYERS, EXPERTS = 4, 8, 4, 4
CELL, PANEL = 15, 104  # px
DATA, MATRIX, EXPERT = (0.0, 0.36), (0.44, 0.70), (0.76, 1.0)  # where in the width the three objects stand


@dataclass(frozen=True)
class Cut:
    """Which of two GPUs has a piece, 0, 1 or None for both: of the data, of a layer's matrices, of its experts."""

    data: Callable[[int, int], int | None]
    matrix: Callable[[int, int], int | None]
    expert: Callable[[int, int], int | None]


def neither(*_: int) -> None:
    """Both GPUs hold it."""


def _half(of: int) -> Callable[[int], int]:
    return lambda place: int(2 * place >= of)


CUTS = {
    "dp": Cut(lambda sample, token: _half(SAMPLES)(sample), neither, neither),
    "tp": Cut(neither, lambda layer, column: column, neither),
    "pp": Cut(neither, lambda layer, column: _half(LAYERS)(layer), lambda layer, expert: _half(LAYERS)(layer)),
    "ep": Cut(lambda sample, token: _half(SAMPLES)(sample), neither, lambda layer, expert: _half(EXPERTS)(expert)),
    "cp": Cut(lambda sample, token: _half(TOKENS)(token), neither, neither),
}


def five_cuts(say: Speaker) -> Markup:
    """The batch, the matrices and the experts of four layers, five times: light for one GPU, dark for the other."""
    drawn = [_cut(axis, cut, i * PANEL, say) for i, (axis, cut) in enumerate(CUTS.items())]
    shades = legend(tuple((hue, say("five-cuts." + key)) for hue, key in ((FIRST, "a"), (SECOND, "b"), (BOTH, "both"))))
    drawing = svg(len(CUTS) * PANEL - 8, *drawn, label=say("five-cuts.label"))
    return figure(join([shades, drawing]), say("five-cuts.caption"), say("five-cuts.title"))


def _cut(axis: str, cut: Cut, top: float, say: Speaker) -> Markup:
    places = {"data": DATA[0], "matrices": MATRIX[0], "experts": EXPERT[0]}
    names = [
        tag("text", say("five-cuts." + name), x=percent(x), y=top + 31, class_="nl-under") for name, x in places.items()
    ]
    title = tag("text", say("axes." + axis), x=0, y=top + 13, class_="nl-label")
    pieces = [
        *_cells(DATA, SAMPLES, TOKENS, top, cut.data),
        *_cells(MATRIX, LAYERS, 2, top, cut.matrix),
        *_cells(EXPERT, LAYERS, EXPERTS, top, cut.expert),
    ]
    return tag("g", title, *names, *pieces)


def _cells(
    where: tuple[float, float], rows: int, columns: int, top: float, whose: Callable[[int, int], int | None]
) -> list[Markup]:
    width = (where[1] - where[0]) / columns
    hue = {0: FIRST, 1: SECOND, None: BOTH}
    return [
        tag("rect", x=percent(where[0] + column * width), width=percent(width * 0.93), y=top + 37 + row * CELL,
            height=CELL - 2, class_=hue[whose(row, column)])
        for row in range(rows) for column in range(columns)
    ]  # fmt: skip


def two_views(say: Speaker, world: int, tp: int, ep: int) -> Markup:
    """The ranks of one pipeline stage as dense layers and as expert layers see them."""
    both = layout(world, tp=tp, ep=ep)
    blocks = (
        Block(say("two-views.dense", tp=tp, dp=both.dp), _ranks(both.dense, {"tp": "tp", "dp": "dp"}, "dp")),
        Block(say("two-views.expert", ep=ep, edp=both.edp), _ranks(both.expert, {"ep": "ep", "dp": "edp"}, "ep")),
    )
    facts = {"world": world, "tp": tp, "dp": both.dp, "ep": ep, "edp": both.edp}
    drawing = grid(blocks, say("two-views.label", **facts))
    return figure(drawing, say("two-views.caption", **facts), say("two-views.title", **facts))


def _ranks(mesh: Mesh, names: dict[str, str], shown: str) -> tuple[Cell, ...]:
    cells = []
    for rank in range(mesh.world):
        at = coordinates(mesh, rank)
        under = " ".join(f"{name}{at.get(axis, 0)}" for axis, name in names.items())
        hue = classes("parallel", "", shade(at.get(shown, 0), mesh.size(shown)))
        cells.append(Cell(str(rank), under, hue, f"rank {rank}: {under}"))
    return tuple(cells)


def traffic_map(say: Speaker, params: float, h: int, layers: int, s: int, m: int) -> Markup:
    """Calls a step against bytes a call of the five axes, for one rank of TP8 × PP4, and EP8 or CP8 in place of TP."""
    tp, pp, held = 8, 4, layers / 4
    points = {
        "dp": (1.0, 2 * params / (tp * pp)),
        "tp": (4 * held * m, 2.0 * s * h),
        "pp": (2.0 * m, 2.0 * s * h),
        "ep": (4 * held * m, payload(s, 8, row_bytes(h, 2))),
        "cp": (4 * held * m, ulysses(s, 8, h) / 4),
    }
    marks = [
        Mark(calls, say("axes.short." + axis), classes("parallel"), size) for axis, (calls, size) in points.items()
    ]
    x = Axis(0.35, 3000, units.number, say("traffic-map.x"))
    y = Axis(1e6, 3e10, lambda value: units.bytes_text(value, "auto"), say("traffic-map.y"))
    listed = "; ".join(
        say(
            "traffic-map.point",
            axis=say("axes.short." + axis),
            calls=units.number(calls),
            size=units.bytes_text(size, "auto"),
        )
        for axis, (calls, size) in points.items()
    )
    drawing = loglog([], marks, x, y, say("traffic-map.label", points=listed))
    facts = {"params": units.number(params / 1e9), "h": h, "layers": layers, "s": s, "m": m}
    return figure(drawing, say("traffic-map.caption", **facts), say("traffic-map.title", **facts))


FIGURES = {
    "five-cuts": Figure(five_cuts),
    "two-views": Figure(two_views, {"world": 16, "tp": 2, "ep": 8}),
    "traffic-map": Figure(traffic_map, {"params": 70e9, "h": 8192, "layers": 80, "s": 4096, "m": 8}),
}
