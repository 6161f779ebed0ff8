"""Drawn figures of the pages: a model's result joined to a drawing, by name; a page's figure fence asks `draw`.

A figure is a function of a speaker and of the numbers that the page may set; its title, its description for a screen
reader and the sentence that says what to see stand in labs/words/figures.toml under its name.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module

from labs import units
from labs.draw.svg import Markup
from labs.refusal import BadValue
from labs.words import speaker


@dataclass(frozen=True)
class Figure:
    """`draw(say, **numbers)` with `start` as the numbers that a page leaves out."""

    draw: Callable[..., Markup]
    start: Mapping[str, float] = field(default_factory=dict)

    def numbers(self, options: Mapping[str, str]) -> dict[str, float]:
        return dict(self.start) | {name: self.number(name, text) for name, text in options.items()}

    def number(self, name: str, text: str) -> float:
        if name not in self.start:
            raise BadValue(name, text, "one_of", options=tuple(self.start))
        try:
            value = units.parse(text)
        except ValueError as wrong:
            raise BadValue(name, text, "not_a_number") from wrong
        return int(value) if isinstance(self.start[name], int) else value


# name → the module that holds it; a module is imported when one of its figures is drawn
PLACES = {
    **dict.fromkeys(("recipes", "holders", "floors", "zero-traffic"), "states"),
    **dict.fromkeys(("block-kinds", "sequence-growth", "segments", "policies"), "activations"),
    **dict.fromkeys(("tensor-prices", "roads"), "choices"),
    **dict.fromkeys(("two-lives", "vision-step"), "lives"),
    **dict.fromkeys(("two-ratios", "three-costs", "split-backward", "pair"), "schedules"),
    **dict.fromkeys(("ring-steps", "link-ladder", "pieces", "overlap-lanes"), "communication"),
    **dict.fromkeys(("routes", "uneven", "fills", "buffers", "lanes"), "experts"),
    **dict.fromkeys(("five-cuts", "two-views", "traffic-map"), "axes"),
    **dict.fromkeys(("owners", "turns", "two-slots", "tail", "save-interval"), "agentic"),
    **dict.fromkeys(("decision", "plan-memory", "plan-hide"), "choosing"),
    **dict.fromkeys(("tour", "same-group", "hidden-bytes"), "tour"),
    **dict.fromkeys(("nine-ledgers", "two-steps", "moved"), "overview"),
    **dict.fromkeys(("lifelines", "whereabouts", "step-memory", "gradient-roads"), "lifetimes"),
    **dict.fromkeys(("layouts", "ring-keys", "causal-split", "usp-splits", "kda-scan", "sent-bytes"), "sequences"),
    **dict.fromkeys(("formats", "scaling", "swallowed", "muon-ways"), "precision"),
    **dict.fromkeys(("loop", "token-path", "fan-out", "node-limit", "rank-map"), "deepseek"),
    **dict.fromkeys(("k2-memory", "more-stages", "images", "resident", "phases"), "kimi"),
}


def find(name: str) -> Figure:
    """BadValue: no such figure."""
    if name not in PLACES:
        raise BadValue("name", name, "one_of", options=tuple(PLACES))
    figures: dict[str, Figure] = import_module(f"labs.figures.{PLACES[name]}").FIGURES
    return figures[name]


def draw(name: str, language: str, options: Mapping[str, str] = {}) -> Markup:
    """The finished figure with its title and its caption."""
    figure = find(name)
    return figure.draw(speaker("figures", language), **figure.numbers(options))
