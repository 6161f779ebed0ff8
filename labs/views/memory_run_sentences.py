"""What a real run's choices saved on its heaviest stage, where the cost went, and the calculation."""

from labs.draw.svg import Markup, tag
from labs.models.rank_lines import Memory
from labs.models.rank_memory import kinds
from labs.models.zero_traffic import Traffic, traffic
from labs.units import both_bytes, bytes_text, number, percent, seconds_text
from labs.views.memory_run_asked import Run
from labs.views.memory_sentences import sentence, tensors
from labs.words import Speaker
from labs.workloads import parameters


def saved(run: Run, now: Memory, before: Memory, stage: int, say: Speaker) -> str:
    found = []
    if before.states > now.states:
        key = "saved.run_states" if run.shape.experts else "saved.run_dense"
        size = bytes_text(before.states - now.states, "GiB")
        found.append(say(key, size=size, stage=stage, dense=run.degrees.shards, experts=run.degrees.expert_shards))
    if before.activations > now.activations:
        size, whole = (bytes_text(one, "GiB") for one in (before.activations - now.activations, before.activations))
        found.append(say("saved.activations", size=size, before=whole))
    return sentence(found, say) if found else say("saved.nothing")


def moved(run: Run, now: Memory, stage: int, link: float, say: Speaker) -> str:
    d, found = run.degrees, []
    if d.zero and d.shards > 1:
        old, new = sent(run, stage, 0), sent(run, stage, d.zero)
        key = "moved.run_more" if new > old * (1 + 1e-9) else "moved.run_same"
        found.append(say(key, before=bytes_text(old), after=bytes_text(new), stage=stage))
    if run.step.recompute in ("full", "sqrt"):
        found.append(say("moved.flops", share=percent(1 / 3)))
    else:
        found += tensors(run.step.recompute, say)
    if now.offloaded:
        time = seconds_text(now.offloaded / link)
        found.append(say("moved.host", size=bytes_text(now.offloaded), time=time, link=bytes_text(link)))
    if run.step.fp8:
        found.append(say("moved.fp8"))
    return sentence(found, say) if found else say("moved.nothing")


def sent(run: Run, stage: int, zero: int) -> float:
    """Bytes that one rank sends for states in a step: dense parts over their ranks, experts over theirs."""
    return sum(one.sent for one in traffics(run, stage, zero))


def traffics(run: Run, stage: int, zero: int) -> list[Traffic]:
    d, found = run.degrees, []
    for (expert, _), size in kinds(run.shape, d, stage, True).items():
        ranks = d.expert_shards if expert else d.shards
        found.append(traffic(size, ranks, zero, run.recipe, run.step.m))
    return found


def formulas(run: Run, now: Memory, stage: int, say: Speaker) -> tuple[Markup, ...]:
    counted, d = parameters(run.shape), run.degrees
    lines = [
        ("calculation.count", f"{counted.total:,} ({say('calculation.active')} {counted.active:,})"),
        ("calculation.ranks", f"DP·CP·TP·PP = {d.dp} × {d.cp} × {d.tp} × {d.pp} = {d.world}"),
        ("calculation.share", f"{number(now.held.parameters / 1e9, 5)}e9"),
        ("calculation.states", both_bytes(now.states)),
        ("calculation.flight", f"{run.step.schedule}: {number(now.in_flight)}"),
    ]
    if run.shape.experts:
        product = f"{d.dp} × {d.cp} × {d.tp} / ({d.ep} × {d.etp}) = {d.edp}"
        lines.insert(2, ("calculation.edp", f"DP·CP·TP / (EP·ETP) = {product}"))
    return tuple(tag("span", say(key), " ", tag("code", text)) for key, text in lines)
