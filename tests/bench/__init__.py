"""`python -m tests.bench` prints what speed and size are, each beside its limit; `… models` or `… browser` one half."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """One measured number and the limit it is held to (none: only told)."""

    name: str
    value: float
    unit: str
    limit: float | None = None

    @property
    def holds(self) -> bool:
        return self.limit is None or self.value <= self.limit

    def __str__(self) -> str:
        limit = "" if self.limit is None else f"  ≤ {self.limit:g}  {'ok' if self.holds else 'TOO MUCH'}"
        return f"{self.value:10.3f} {self.unit:3} {self.name}{limit}"
