"""The class names a figure may use. Colours live in the style sheet: one hue a ledger, one shade a part, grey for idle.

A part is always written with its ledger, `state optimizer`, so that a style sheet that knows only ledgers still works.
"""

LEDGERS = ("state", "activation", "parallel", "bubble", "comm", "moe", "context", "numerics", "recovery")

PARTS = {
    "state": ("parameter", "gradient", "master", "momentum", "variance", "optimizer"),
    "activation": ("kept", "waiting", "recomputed", "offloaded", "logits"),
    "parallel": ("tp", "cp", "ep", "dp", "pp", "edp"),
    "bubble": ("forward", "backward", "input", "weight", "pair", "idle"),
    "comm": ("send", "hidden", "exposed", "latency", "bandwidth", "gather", "scatter"),
    "moe": ("load", "padding", "dropped", "redundant", "buffer"),
}


def classes(ledger: str, part: str = "", *more: str) -> str:
    """`classes("state", "master")` → `state master`. ValueError: a name the style sheet does not know."""
    if ledger not in LEDGERS or (part and part not in PARTS.get(ledger, ())):
        raise ValueError(f"no class for {ledger!r} {part!r}")
    return " ".join(name for name in (ledger, part, *more) if name)
