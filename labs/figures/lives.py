"""Figures of who must stay and who may go: a block of KV and a sandbox through their lives, vision through a step."""

from labs.draw.boxes import box, note
from labs.draw.svg import Markup, figure, svg, tag
from labs.draw.theme import classes
from labs.figures import Figure
from labs.words import Speaker

# kimi-k3 §5.3.1 and agentenv README: what each passes through, and the shade of what it still holds then
LIVES = {
    "kv": {"active": "context", "idle": "context shade-4", "written": "context shade-1", "back": "context"},
    "sandbox": {"runs": "recovery", "paused": "recovery shade-4", "snapshot": "recovery shade-1", "again": "recovery"},
}
WIDTH, PITCH, LIFE = 0.21, 0.263, 92  # of a box and to the next, fractions; px of a life
STEP = ((0.0, 0.25), (0.25, 0.48), (0.73, 0.27))  # where the three stages of kimi-k2.5 §4.5.1 stand, to no scale
KEPT, OUTPUT, AGAIN = classes("activation", "kept"), "activation shade-1", classes("activation", "recomputed")
LANE = 34  # px


def two_lives(say: Speaker) -> Markup:
    """Two rows of four boxes with an arrow between neighbours; below each, what is paid on the way there."""
    drawn = [_life(name, stations, i * LIFE, say) for i, (name, stations) in enumerate(LIVES.items())]
    drawing = svg(len(LIVES) * LIFE - 12, *drawn, label=say("two-lives.label"))
    return figure(drawing, say("two-lives.caption"), say("two-lives.title"))


def _life(name: str, stations: dict[str, str], top: float, say: Speaker) -> Markup:
    drawn = [tag("text", say("two-lives." + name), x=0, y=top + 14, class_="nl-label")]
    for i, (station, hue) in enumerate(stations.items()):
        drawn.append(box(i * PITCH, top + 24, WIDTH, hue, say(f"two-lives.{name}-{station}")))
        drawn.append(note(say(f"two-lives.{name}-{station}-pays"), i * PITCH, top + 64))
        if i:
            drawn.append(note("→", i * PITCH - (PITCH - WIDTH) / 2, top + 40, "middle", "nl-value"))
    return tag("g", *drawn)


def vision_step(say: Speaker) -> Markup:
    """A step with the encoder in the first pipeline stage and a step under DEP: what computes, what vision holds."""
    old = _step("old", ("parallel shade-4",) * 3, ((0.0, 1.0, KEPT, "held"),), 0, say)
    spans = tuple((x, width, hue, word) for (x, width), hue, word in
                  zip(STEP, (KEPT, OUTPUT, AGAIN), ("held", "outputs", "again"), strict=True))  # fmt: skip
    new = _step("dep", ("parallel", "parallel shade-4", "parallel"), spans, 3 * LANE + 8, say)
    drawing = svg(2 * (3 * LANE) + 8, old, new, label=say("vision-step.label"))
    return figure(drawing, say("vision-step.caption"), say("vision-step.title"))


def _step(
    name: str, hues: tuple[str, ...], spans: tuple[tuple[float, float, str, str], ...], top: float, say: Speaker
) -> Markup:
    drawn = [tag("text", say("vision-step." + name), x=0, y=top + 14, class_="nl-label")]
    for i, ((x, width), hue) in enumerate(zip(STEP, hues, strict=True)):
        drawn.append(box(x, top + 22, width - 0.01, hue, say(f"vision-step.{name}-{i + 1}")))
    for x, width, hue, word in spans:
        drawn.append(box(x, top + 22 + LANE - 4, width - 0.01, hue, say("vision-step." + word)))
    return tag("g", *drawn)


FIGURES = {"two-lives": Figure(two_lives), "vision-step": Figure(vision_step)}
