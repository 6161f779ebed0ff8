"""The mesh lab: which axes are independent, who is in whose group, and which link each group crosses."""

from labs.answer import Answer, Verdict
from labs.controls import Choice, Group, Number, Preset, Slider, Values
from labs.ledger import Row
from labs.models.mesh_layout import EXPERT_AXES, members
from labs.models.mesh_links import crossing
from labs.refusal import BadValue
from labs.views.mesh_figure import figures, size
from labs.views.mesh_formulas import formulas
from labs.views.mesh_reading import READS, Reading, completing_dp, read
from labs.views.mesh_tables import link_text, tables
from labs.words import Speaker

POWERS = tuple(2**k for k in range(11))


def degree(name: str, start: int, high: int, stops: int) -> Slider:
    return Slider(name, start, 1, high, integer=True, stops=POWERS[:stops])


GROUPS = (
    Group("cluster", (
        Slider("nodes", 8, 1, 4096, integer=True, stops=(1, 2, 4, 8, 16, 32, 64, 128, 256)),
        Number("per_node", 8, 1, 72, integer=True),
    ), open=True),
    Group("axes", (
        Choice("semantics", "dense", tuple(READS)),
        degree("tp", 8, 72, 6), degree("sp", 1, 72, 6), degree("pp", 4, 256, 7), degree("dp", 2, 65536, 11),
        degree("cp", 1, 1024, 6), degree("ep", 1, 1024, 8),
    ), open=True),
    Group("view", (
        Number("rank", 19, 0, 294911, integer=True),
        Choice("colour", "pp", ("tp", "cp", "dp", "pp", "ep", "edp", "etp")),
    ), open=True),
    Group("detail", (
        Choice("order", "megatron", ("megatron", "llama3", "tp_outside")),
        degree("etp", 1, 72, 4),
        Number("domain", 0, 0, 294912, integer=True),
    )),
)  # fmt: skip

PRESETS = (
    Preset("X1", {"nodes": "8", "tp": "8", "pp": "4", "dp": "2"}),
    Preset("X2", {"semantics": "moe", "nodes": "32", "tp": "1", "pp": "16", "dp": "16", "ep": "16", "colour": "ep"}),
    Preset("X3", {"semantics": "long", "nodes": "8", "tp": "8", "pp": "2", "cp": "2", "dp": "2", "colour": "cp"}),
    Preset("X4", {"semantics": "conflict", "nodes": "8", "tp": "8", "sp": "8", "pp": "4", "dp": "2"}),
    Preset("X5", {"semantics": "moe", "nodes": "256", "tp": "1", "pp": "16", "dp": "128", "ep": "64", "colour": "ep"}),
    Preset("X6", {"nodes": "8", "tp": "8", "pp": "4", "dp": "2", "order": "tp_outside", "colour": "tp"}),
)


def answer(values: Values, say: Speaker) -> Answer:
    reading = read(values)
    return Answer(
        rows=rows(reading),
        verdict=verdict(reading, say),
        figure=figures(reading, values.colour, say),
        saved=sentences(reading, "saved", say),
        moved=sentences(reading, "moved", say),
        formulas=formulas(reading),
        tables=tables(reading, say),
        notes=notes(reading, say),
        warnings=warnings(reading, values, say),
    )


def degrees(reading: Reading) -> tuple[tuple[str, int], ...]:
    return tuple((name, reading.both.dense.size(name)) for name in ("tp", "cp", "pp", "dp"))


def product_text(reading: Reading) -> str:
    """`TP 8 × PP 4 × DP 2`: the degrees above 1, or a single `DP 1`."""
    return " × ".join(f"{name.upper()} {n}" for name, n in degrees(reading) if n > 1) or "DP 1"


def rows(reading: Reading) -> tuple[Row, ...]:
    """Degrees, their product, and the share of a model that one rank holds before any sharding of states."""
    both = reading.both
    dense = [_row(axis, n, f"Δrank = {both.dense.stride(axis)}" if n > 1 else "") for axis, n in degrees(reading)]
    whole = [
        _row("gpus", both.world, f"TP·CP·PP·DP = {both.tp}·{both.cp}·{both.pp}·{both.dp}"),
        _row("idle", reading.idle, f"{reading.where.gpus} − {both.world}"),
        _row("dense_share", 1 / (both.tp * both.pp), f"1/(TP·PP) = 1/({both.tp}·{both.pp})", "ratio"),
    ]
    if not reading.experts:
        return (*dense, *whole)
    expert = [
        _row("ep", both.ep, f"{both.stage} = ETP·EP·EDP = {both.etp}·{both.ep}·{both.edp}", source="deepseek-v3"),
        _row("edp", both.edp, f"DP·CP·TP/(EP·ETP) = {both.stage}/({both.ep}·{both.etp})", source="deepseek-v3"),
        _row("expert_share", 1 / (both.etp * both.ep * both.pp), f"1/(ETP·EP·PP) = 1/({both.etp}·{both.ep}·{both.pp})",
             "ratio", "deepseek-v3"),
    ]  # fmt: skip
    return (*dense, *whole, *expert)


def _row(name: str, value: float, formula: str, unit: str = "count", source: str = "megatron-3d") -> Row:
    return Row(name, value, unit, "exact", formula, source, "parallel")


def verdict(reading: Reading, say: Speaker) -> Verdict:
    """The first that applies: a product of names that are no axes, GPUs left over, TP outside its domain, all well."""
    facts = {"product": product_text(reading), "world": reading.both.world, "gpus": reading.where.gpus}
    if reading.claim:
        why = "".join(say(f"verdicts.shared_{name}", tp=reading.both.tp) for name in reading.claim.shared)
        return Verdict("bad", say("verdicts.conflict", claimed=reading.claim.claimed, why=why, **facts))
    if reading.idle:
        return Verdict("bad", say("verdicts.incomplete", idle=reading.idle, **facts) + _completion(reading, say))
    if spread := spans(reading):
        key = "verdicts.spans" if spread > 1 else "verdicts.spans_node"
        return Verdict("warn", say(key, nodes=spread, tp=reading.both.tp, **facts))
    whole = say("verdicts.complete", nodes=reading.where.nodes, per_node=reading.where.per_node, **facts)
    expert = say("verdicts.experts", ep=reading.both.ep, edp=reading.both.edp) if reading.experts else ""
    return Verdict("good", whole + expert)


def spans(reading: Reading) -> int:
    """Nodes that TP's group spans once it leaves its NVLink domain (1: inside one node all the same); 0 if it stays."""
    crossed = crossing(members(reading.both, reading.rank, "tp"), reading.where)
    return crossed.nodes if crossed.link in ("node", "network") else 0


def _completion(reading: Reading, say: Speaker) -> str:
    try:
        return say("verdicts.completed_by", dp=completing_dp(reading))
    except BadValue as refused:
        return say("verdicts.never_completed", why=refused.message(say.language, "mesh"))


def sentences(reading: Reading, kind: str, say: Speaker) -> str:
    """One clause an axis that is cut: what it saves, or which traffic it adds over which link."""
    clauses = []
    for name in ("tp", "sp", "cp", "pp", "dp", "ep"):
        group = "tp" if name == "sp" else name
        if size(reading, group) > 1 and (name != "sp" or reading.sp == reading.both.tp):
            link = link_text(crossing(members(reading.both, reading.rank, group), reading.where), say)
            clauses.append(say(f"{kind}.{name}", n=size(reading, group), link=link, edp=reading.both.edp))
    return say("clauses.between").join(clauses or [say(f"{kind}.none")]) + say("clauses.end")


def notes(reading: Reading, say: Speaker) -> tuple[str, ...]:
    keys = ("share", "links", "sp") + (("edp", "product", "dualpipe") if reading.experts else ())
    return tuple(say(f"notes.{key}") for key in keys)


def warnings(reading: Reading, values: Values, say: Speaker) -> tuple[str, ...]:
    """Degrees that this semantics leaves out, and a colour that no view has."""
    lines = [say("warnings.unread", axis=name.upper(), degree=getattr(values, name)) for name in reading.unread]
    if values.colour in EXPERT_AXES and not reading.experts:
        lines.append(say("warnings.colour", axis=values.colour.upper()))
    return tuple(lines)
