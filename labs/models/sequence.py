"""Four layouts of one long sequence, and what each sends: tokens traded for heads, keys round a ring, or a fixed state.

*Throughout this module:*

| symbol | meaning                                                           | unit    | source            |
|--------|-------------------------------------------------------------------|---------|-------------------|
| S      | tokens of the whole sequence                                      | –       |                   |
| P      | ranks that share it, each with S/P tokens                         | –       |                   |
| h      | hidden size; heads × head size                                    | –       |                   |
| g      | key/value heads ÷ query heads: 1 for MHA                          | –       |                   |
| c      | tokens of one block, S/P                                          | –       | ring-attention §3 |
| F      | what one rank computes                                            | flop/s  | ring-attention §3 |
| β      | what one rank sends, per direction                                | bytes/s | ring-attention §3 |
| d      | head size of KDA; not in the report, an assumption of the course  | –       |                   |

All volumes are forward only. Elements are counted as the papers do, which drop (P−1)/P; bytes keep it.
"""

from dataclasses import dataclass

from labs.models.collectives import Overlaps, behind, share


def ulysses_elements(S: int, h: int, P: int, all_to_alls: int = 4) -> float:
    """Elements a rank sends, paper convention: S·h/P for each all-to-all, 4 forward, 8 with the backward pass."""
    return all_to_alls * S * h / P


def megatron_sp_elements(S: int, h: int) -> float:
    """Elements a rank sends under Megatron SP, paper convention: two all-gathers and two reduce-scatters of S·h."""
    return 4 * S * h


def ring_elements(S: int, h: int, batch: int = 1) -> float:
    """Elements of forward and backward a block, as USP's Table 2 counts a ring: 4·b·S·h, whatever P."""
    return 4 * batch * S * h


def ulysses(S: int, P: int, h: int, g: float = 1.0, element: float = 2) -> float:
    """Bytes a rank sends in the forward pass of one layer: all-to-all of Q, K, V and O."""
    return share(P) * (2 + 2 * g) * S / P * h * element


@dataclass(frozen=True)
class Usps:
    """What a rank sends when Ulysses runs inside groups of `ulysses` ranks and a ring joins the `ring` groups."""

    ulysses: int
    ring: int
    inside: float  # bytes of the all-to-alls
    outside: float  # bytes round the ring

    @property
    def sent(self) -> float:
        return self.inside + self.outside


def usp(S: int, ulysses_ranks: int, ring_ranks: int, h: int, g: float = 1.0, element: float = 2) -> Usps:
    """Forward bytes of one layer on ulysses_ranks × ring_ranks ranks; with one of them 1, the other alone (usp §3)."""
    local = S / (ulysses_ranks * ring_ranks) * h * element
    inside = share(ulysses_ranks) * (2 + 2 * g) * local
    return Usps(ulysses_ranks, ring_ranks, inside, (ring_ranks - 1) * 2 * g * local)


def kda(P: int, heads: int, d: int, element: float = 4) -> float:
    """Bytes a rank sends: an all-gather of every rank's transition and state, two d×d matrices a head."""
    return (P - 1) * heads * 2 * d**2 * element


@dataclass(frozen=True)
class RingSteps:
    """A ring of P steps: one key/value block is sent while the one at hand is used."""

    P: int
    block: float  # bytes of keys and values sent in a step
    flop: float  # attention on one block
    send: float  # s
    compute: float  # s

    @property
    def overlap(self) -> Overlaps:
        return behind(self.send, self.compute)

    @property
    def hides(self) -> bool:
        return self.overlap.exposed == 0

    @property
    def sent(self) -> float:
        """Bytes a rank sends in all: the last step has nothing to pass on."""
        return (self.P - 1) * self.block

    @property
    def time(self) -> float:
        """P computations and what stays exposed of P−1 sends, s."""
        return self.P * self.compute + (self.P - 1) * self.overlap.exposed


def ring(
    S: int, P: int, h: int, F: float, beta: float, causal: bool = False, g: float = 1.0, element: float = 2
) -> RingSteps:
    """Attention on one block is 4·c²·h flop, half of it where a causal mask is balanced over the ranks (zig-zag)."""
    c = S / P
    block = 2 * c * h * g * element
    flop = 4 * c**2 * h / (2 if causal else 1)
    return RingSteps(P, block, flop, block / beta, flop / F)


def least_block(F: float, beta: float, causal: bool = False) -> float:
    """Tokens a block needs to hide its successor, MHA in 16 bits: c ≥ F/β, twice that under a balanced causal mask."""
    return F / beta * (2 if causal else 1)
