"""The reader's collective priced: which algorithm of the model the form means, its phases, and what is hidden."""

from dataclasses import dataclass

from labs.controls import Values
from labs.hardware import LINKS, Link
from labs.models.collectives import Costs, Overlaps, cost, overlap
from labs.models.two_level import two_level
from labs.refusal import BadValue
from labs.units import GB, US, bandwidth_text, bytes_text, number, percent, seconds_text

NAMED: dict[str, dict[str, str]] = {
    "ring": {
        "all_reduce": "ring", "all_gather": "ring", "reduce_scatter": "ring", "all_to_all": "pairwise",
        "broadcast": "scatter_allgather",
    },
    "direct": dict.fromkeys(("all_reduce", "all_gather", "reduce_scatter", "all_to_all", "point_to_point"), "direct"),
    "tree": {"all_reduce": "tree", "broadcast": "binomial", "reduce": "binomial"},
    "doubling": {"all_reduce": "recursive_doubling", "all_gather": "recursive_doubling", "all_to_all": "bruck"},
    "halving": {"all_reduce": "rabenseifner", "reduce_scatter": "recursive_halving"},
    "two_level": {"all_reduce": "two_level"},
}  # fmt: skip
"""What each choice of the form is called in the model, by collective."""


def near(values: Values) -> Link:
    """The link of the form: a known one, or the reader's own α and β."""
    if values.link != "custom":
        return LINKS[values.link]
    return Link("custom", "", values.beta_gbs * GB, values.alpha_us * US, "custom", "", "")


def far(values: Values) -> Link:
    """The link between nodes."""
    return LINKS[values.outside]


def size(volume: float) -> str:
    """What is sent is told in decimal units; only what a device has to hold is told in GiB as well."""
    return bytes_text(volume, "auto")


def speed(link: Link) -> str:
    return bandwidth_text(link.bandwidth)


@dataclass(frozen=True)
class Bills:
    """One choice of algorithm, priced: phases one after another, and what of their time is hidden."""

    algorithm: str
    phases: tuple[Costs, ...]
    calls: int
    message: float
    n: int
    overlaps: Overlaps

    @property
    def latency(self) -> float:
        return sum(phase.latency for phase in self.phases)

    @property
    def transfer(self) -> float:
        return sum(phase.transfer for phase in self.phases)

    @property
    def time(self) -> float:
        return self.latency + self.transfer

    @property
    def steps(self) -> int:
        return sum(phase.steps for phase in self.phases)

    @property
    def sent(self) -> float:
        return sum(phase.sent for phase in self.phases)

    @property
    def crossover(self) -> float:
        """Message of one call whose latency equals its transfer, bytes."""
        return self.latency / self.calls * self.message / self.transfer

    def pairs(self, values: Values) -> list[tuple[Costs, Link]]:
        """Each phase with its link: of three, the middle one leaves the node."""
        links = (near(values), far(values), near(values))
        return list(zip(self.phases, links, strict=False))

    @property
    def algbw(self) -> float:
        return self.message / self.time


def bill(values: Values, algorithm: str = "", calls: int = 0) -> Bills:
    """The reader's choice, or another algorithm or number of calls on the same bytes.

    BadValue: this collective has no such algorithm, or the group has the wrong size for it.
    """
    algorithm, calls = algorithm or values.algorithm, calls or values.calls
    phases = priced(values, algorithm, calls)
    time = sum(phase.time for phase in phases)
    n = 2 if values.collective == "point_to_point" else values.n  # one sends and one receives, whatever the group
    return Bills(algorithm, phases, calls, values.message, n, overlap(time, values.overlap / 100))


def priced(values: Values, algorithm: str, calls: int) -> tuple[Costs, ...]:
    kind = values.collective
    if kind not in NAMED[algorithm]:
        legal = tuple(name for name, known in NAMED.items() if kind in known)
        raise BadValue("algorithm", algorithm, "no_algorithm", legal, collective=kind)
    link = near(values)
    if algorithm != "two_level":
        link = far(values) if values.algorithm == "two_level" else link  # beside two levels, one ring goes through NICs
        return (cost(kind, NAMED[algorithm][kind], values.n, values.message, link.latency, link.bandwidth, calls),)
    if values.n % values.per_node:
        below = values.n - values.n % values.per_node
        close = [n for n in (below, below + values.per_node) if n]
        raise BadValue("n", values.n, "nodes_in_group", close, per_node=values.per_node)
    nodes = values.n // values.per_node
    phases = two_level(values.message, values.per_node, nodes, link, far(values), calls)
    return (phases.scatter, phases.outside, phases.gather)


def told(values: Values) -> dict[str, object]:
    """The facts that sentences about the reader's collective may use."""
    now, one = bill(values), bill(values, calls=1)
    return {
        "n": now.n, "steps": f"{now.steps // now.calls:,}", "calls": f"{now.calls:,}", "time": seconds_text(now.time),
        "hidden": seconds_text(now.overlaps.hidden), "exposed": seconds_text(now.overlaps.exposed),
        "latency": seconds_text(now.latency), "transfer": seconds_text(now.transfer), "sent": size(now.sent),
        "each": size(now.message / now.calls), "whole": size(now.message), "crossover": size(now.crossover),
        "one": seconds_text(one.time), "share": percent(now.latency / now.time), "overlap": number(values.overlap),
        "rest": percent(now.transfer / now.time), "factor": number(now.sent / now.message),
        "nic": size(now.phases[len(now.phases) // 2].sent), "per_node": values.per_node,
    }  # fmt: skip
