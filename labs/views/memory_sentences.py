"""What the memory lab's choices saved, where the cost went, and the calculation with the reader's own numbers."""

from labs.draw.svg import Markup, tag
from labs.models.gpu_memory import Bill, Choices
from labs.models.memory import CUT_FROM
from labs.units import both_bytes, bytes_text, number, percent, plain, seconds_text
from labs.words import Speaker


def short(P: float) -> str:
    """A count of parameters: 7e9, 8.75e9, 4.695e9."""
    return f"{number(P / 1e9, 5)}e9" if P >= 1e9 else number(P, 6)


def saved(c: Choices, now: Bill, before: Bill, say: Speaker) -> str:
    """Compared with the same training at ZeRO-0, without recomputation, FP8 storage or offload."""
    states = before.states.total - now.states.total
    activations = before.kept.total - now.kept.total
    found = []
    if states > 0:
        cut = [say(f"short.{name}") for name, _ in before.states.rows() if c.zero >= CUT_FROM[name]]
        found.append(say("saved.states", size=bytes_text(states), what=say("and").join(cut), dp=c.dp))
    if activations > 0:
        found.append(say("saved.activations", size=bytes_text(activations), before=bytes_text(before.kept.total)))
    return sentence(found, say) if found else say("saved.nothing")


def moved(c: Choices, now: Bill, before: Bill, link: float, say: Speaker) -> str:
    found = []
    if c.zero and c.dp > 1:
        found.append(communication(now, before, say))
    if now.extra_flops > before.extra_flops:
        found.append(say("moved.flops", share=percent(now.extra_flops)))
    elif c.block != "off":
        found += tensors(c.recompute, say)
    if now.kept.offloaded:
        time = seconds_text(now.kept.offloaded / link)
        found.append(say("moved.host", size=bytes_text(now.kept.offloaded), time=time, link=bytes_text(link)))
    if c.fp8:
        found.append(say("moved.fp8"))
    return sentence(found, say) if found else say("moved.nothing")


def tensors(recompute: str, say: Speaker) -> list[str]:
    """What runs again where single tensors are rebuilt; flash attention rebuilds its core by itself."""
    if recompute in ("none", "selective"):
        return []
    return [say("moved.some_flops") if recompute == "deepseek-v3" else say("moved.tensors", kinds=recompute)]


def communication(now: Bill, before: Bill, say: Speaker) -> str:
    """ZeRO-1 and 2 rename an all-reduce; ZeRO-3 adds a pass; micro-batches repeat what is taken apart."""
    old, new = before.traffic, now.traffic
    facts = {
        "old": f"{old.gathers + old.scatters:g}P", "new": f"{new.gathers + new.scatters:g}P",
        "before": bytes_text(old.sent), "after": bytes_text(new.sent),
    }  # fmt: skip
    return say("moved.more" if new.sent > old.sent * (1 + 1e-9) else "moved.same", **facts)


def sentence(parts: list[str], say: Speaker) -> str:
    return say("between").join(parts) + say("stop")


def formulas(c: Choices, now: Bill, say: Speaker) -> tuple[Markup, ...]:
    lines = [("calculation.states", states_line(c, now)), ("calculation.ring", ring_line(c, now))]
    if c.block != "off":
        lines.insert(1, ("calculation.activations", activations_line(c, now)))
        lines.insert(2, ("calculation.total", total_line(now)))
    return tuple(tag("span", say(key), " ", tag("code", text)) for key, text in lines)


def states_line(c: Choices, now: Bill) -> str:
    """(whole bytes) × P + (cut bytes) × P / N, with P as one replica's share."""
    recipe, P = c.bytes_each, short(c.replica)
    late = ("gradients", "accumulation") if c.whole_gradients else ()
    cut = sum(getattr(recipe, n) for n, stage in CUT_FROM.items() if c.zero >= stage and n not in late)
    whole = recipe.total - cut
    parts = [f"{number(whole)} × {P}" if whole > 1e-12 else "", f"{number(cut)} × {P} / {c.dp}" if cut else ""]
    return f"{' + '.join(filter(None, parts))} = {both_bytes(now.states.total)}"


def activations_line(c: Choices, now: Bill) -> str:
    """Bytes per s·b·h of one layer as stored, times everything that multiplies them."""
    sbh = c.seq * c.batch * c.hidden
    stay = f" × (1 − {number(c.offload)})" if c.offload else ""
    depth = f" × {number(c.held)}" if c.held != 1 else ""
    stored = f"{number(now.kept.layer / sbh)} × {c.seq} × {c.batch} × {c.hidden} × {c.layers}{depth}{stay}"
    working = f" + {bytes_text(now.kept.working)}" if now.kept.working else ""
    return f"{stored}{working} = {both_bytes(now.kept.total)}"


def total_line(now: Bill) -> str:
    parts = [bytes_text(size) for size in (now.states.total, now.kept.total, now.logits) if size]
    return f"{' + '.join(parts)} = {both_bytes(now.total)}"


def ring_line(c: Choices, now: Bill) -> str:
    moving, P = now.traffic, short(now.traffic.P)
    pairs = ((moving.gathers, moving.gathered), (moving.scatters, moving.reduced))
    passes = " + ".join(f"{plain(times)} × {plain(width)}" for times, width in pairs if times) or "0"
    return f"({c.dp} − 1) / {c.dp} × ({passes}) × {P} = {bytes_text(moving.sent)}"
