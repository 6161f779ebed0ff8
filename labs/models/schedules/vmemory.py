"""V-Half and V-Min: the V of `vshape` with a half or a third of 1F1B's activations, paid for with a larger bubble.

Every micro-batch repeats one building block six slots after the one before, so a rank holds as many sets as its block
spans; the weight gradients take the two slots of six that are left. Where a rank would wait it runs ahead of that
order, as far as the block's own memory allows [zero-bubble, repository: pipeline parallelism with controllable memory].

*Throughout this module:*
    p, m      ranks, micro-batches                    r   a rank
    stream    0 F and 3 I of stage r, 1 F and 2 I of stage 2p−1−r; 4 weight gradients
    slot      the time of one action; all of them are taken to be equal
    block     the slot of each stream 0 … 3 of micro-batch 0 on one rank
"""

from collections import deque

from labs.models.schedules.actions import Action, F, I, Schedule, W

PERIOD = 6  # two forwards, two input gradients, two weight gradients
WEIGHT = 4
GRADIENTS = (2, 3)
Block = tuple[int, int, int, int]


def v_half(p: int, m: int) -> Schedule:
    """Forwards go out at half speed: about half of 1F1B's sets."""
    shift = 3 if p % 2 == 0 else 0  # keeps the slots of a block apart modulo the period
    blocks = [(2 * r, 3 * p - r - 2, 3 * p + shift + 2 * r - 1, 6 * p + shift - r - 2) for r in range(p)]
    return _placed(p, m, blocks)


def v_min(p: int, m: int) -> Schedule:
    """Forwards and gradients go out and back at full speed: about a third of 1F1B's sets, the least there is."""
    shift = 2 if p % 3 == 0 else 0
    blocks = [(r, 2 * p - r - 1, 2 * p + shift + r, 4 * p + shift - r - 1) for r in range(p)]
    return _placed(p, m, blocks)


def _placed(p: int, m: int, blocks: list[Block]) -> Schedule:
    """Slot by slot; what a rank makes in one slot the next rank can use in the next."""
    turns = [_turns(block, m) for block in blocks]
    limit = max(_most(rank_turns)[0] for rank_turns in turns)
    ranks = [_Rank(r, p, m, blocks[r], turns[r], limit) for r in range(p)]
    ranks[0].come[0] = m
    while any(rank.left for rank in ranks):
        for rank, stream in [(rank, rank.choose()) for rank in ranks]:
            if stream is not None:
                rank.run(stream)
                _hand_on(rank.at, stream, ranks)
    return {rank.at: tuple(rank.actions) for rank in ranks}


def _hand_on(at: int, stream: int, ranks: list["_Rank"]) -> None:
    """Out to the last rank and back for the forwards, then the same way for the gradients."""
    if stream == WEIGHT:
        return
    outward = stream % 2 == 0
    to = at + 1 if outward else at - 1
    if 0 <= to < len(ranks):
        ranks[to].come[stream] += 1
    elif stream < 3:
        ranks[at].come[stream + 1] += 1


def _turns(block: Block, m: int) -> list[int]:
    """A rank's streams in the order of the repeated block, weight gradients in its empty slots."""
    taken = {slot + PERIOD * i: stream for stream, slot in enumerate(block) for i in range(m)}
    turns: list[int] = []
    waiting = 0
    for slot in range(block[0], max(taken) + 1):
        stream = taken.get(slot)
        if stream in GRADIENTS:
            waiting += 1
        elif stream is None and waiting:
            stream, waiting = WEIGHT, waiting - 1
        if stream is not None:
            turns.append(stream)
    return turns + [WEIGHT] * waiting


def _most(turns: list[int]) -> tuple[int, int]:
    """The most sets that a rank holds in this order: in all, and of its stage on the way back."""
    held, most = [0, 0], (0, 0)
    waiting: deque[int] = deque()
    for stream in turns:
        if stream == WEIGHT:
            held[waiting.popleft()] -= 1
        elif stream in GRADIENTS:
            waiting.append(3 - stream)
        else:
            held[stream] += 1
            most = max(most[0], sum(held)), max(most[1], held[1])
    return most


class _Rank:
    """Counts of what came and of what is done, by stream; sets held, by the stream that made them."""

    def __init__(self, at: int, p: int, m: int, block: Block, turns: list[int], limit: int) -> None:
        self.at, self.m, self.block, self.turns, self.limit = at, m, block, turns, limit
        self.stages = (at, 2 * p - 1 - at, 2 * p - 1 - at, at)
        self.room = max(1, limit - _most(turns)[1])  # for sets of the way out that run ahead
        self.come, self.done, self.ahead, self.held = [0] * 4, [0] * 4, [0] * 4, [0, 0]
        self.turn = 0
        self.waiting: deque[tuple[int, int]] = deque()
        self.actions: list[Action] = []
        self.left = PERIOD * m

    def may(self, stream: int) -> bool:
        """Its input has come, and a forward finds memory."""
        return self.done[stream] < self.come[stream] and (stream in GRADIENTS or sum(self.held) < self.limit)

    def choose(self) -> int | None:
        """The stream whose turn it is; where that would wait, one ahead of its turn; None where nothing can run."""
        if self.done[0] == self.m:
            return self.drain()
        turn = self.next_turn()
        if turn == WEIGHT or self.may(turn):
            self.turn += 1
            return turn
        for stream in (0, 2):
            if self.may(stream) and (stream or self.held[0] < self.room):
                self.ahead[stream] += 1
                return stream
        return WEIGHT if self.waiting else None

    def next_turn(self) -> int:
        """Past the turns whose work has run ahead, and past those of weight gradients that are not there yet."""
        while True:
            turn = self.turns[self.turn]
            if turn == WEIGHT and self.waiting or turn != WEIGHT and not self.ahead[turn]:
                return turn
            if turn != WEIGHT:
                self.ahead[turn] -= 1
            self.turn += 1

    def drain(self) -> int | None:
        """No forward comes in any more, so memory only falls: what is due first, weight gradients behind."""
        able = [stream for stream in (1, 2, 3) if self.may(stream)]
        due = min(able, key=lambda stream: self.block[stream] + PERIOD * self.done[stream], default=WEIGHT)
        return due if due != WEIGHT or self.waiting else None

    def run(self, stream: int) -> None:
        self.left -= 1
        if stream == WEIGHT:
            made_by, microbatch = self.waiting.popleft()
            self.held[made_by] -= 1
            self.actions.append(W(self.stages[made_by], microbatch))
            return
        microbatch = self.done[stream]
        self.done[stream] += 1
        if stream in GRADIENTS:
            self.waiting.append((3 - stream, microbatch))
            self.actions.append(I(self.stages[stream], microbatch))
        else:
            self.held[stream] += 1
            self.actions.append(F(self.stages[stream], microbatch))
