"""A ring all-reduce step by step: whose contributions each chunk of each rank holds.

The claim: after n−1 steps each rank holds one chunk that is complete, after n−1 more it holds them all, and in each of
the 2(n−1) steps every rank sends one chunk of message/n: 2(n−1)/n of the message.

*Throughout this module:* n ranks in a ring, and as many chunks of the message; both are counted from 0.
"""

State = tuple[tuple[frozenset[int], ...], ...]


def start(n: int) -> State:
    """Every rank holds its own contribution to every chunk."""
    return tuple(tuple(frozenset({rank}) for _ in range(n)) for rank in range(n))


def sent_chunk(rank: int, step: int, n: int) -> int:
    """The chunk that a rank passes to the next rank in step 0 … 2n−3: in both halves the one it just received."""
    return (rank - step) % n if step < n - 1 else (rank + 1 - (step - (n - 1))) % n


def advance(state: State, step: int) -> State:
    """In the first half what arrives is added; in the second it is complete and takes the place of what was there."""
    n = len(state)
    after = [list(chunks) for chunks in state]
    for rank in range(n):
        to, chunk = (rank + 1) % n, sent_chunk(rank, step, n)
        after[to][chunk] = state[rank][chunk] | (state[to][chunk] if step < n - 1 else frozenset())
    return tuple(map(tuple, after))


def states(n: int) -> tuple[State, ...]:
    """Before the first step and after each of the 2(n−1).

    >>> [len(chunk) for chunk in states(4)[3][0]]
    [1, 4, 3, 2]
    """
    found = [start(n)]
    for step in range(2 * (n - 1)):
        found.append(advance(found[-1], step))
    return tuple(found)
