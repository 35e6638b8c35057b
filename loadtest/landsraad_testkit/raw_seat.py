"""Raw seat: plays at random over any number of streams, keeps each entry as bytes, and detects gaps."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Sequence
from random import Random
from typing import Final

from grpc import aio

from landsraad import games
from landsraad.models import Ticket
from landsraad.v1 import ask_pb2, errors_pb2, log_pb2, play_pb2
from landsraad.wire.codec import Codec, codec_for
from landsraad.wire.entries import read_observation
from landsraad_engine.kernel.game import Game
from landsraad_engine.kernel.setting import setting_for
from landsraad_engine.knowledge.fold import Fold, ResumedFold
from landsraad_engine.knowledge.information import KnownTable
from landsraad_server.store.resp import noop
from landsraad_testkit.raw_stream import RawStream

#: Refusals after which the same input is sent again.
_RETRYABLE: Final = frozenset({
    errors_pb2.ERROR_REASON_OVERLOADED,
    errors_pb2.ERROR_REASON_OTHER_BUILD,
    errors_pb2.ERROR_REASON_STORE_LOST,
    errors_pb2.ERROR_REASON_DRAINING,
})  # fmt: skip
_MOST_PAUSE_MS: Final = 20
#: Seconds before a stream is opened again.
_PAUSE_SECONDS: Final = 0.05


class MissingEntries(AssertionError):
    """Entries are missing, or differ from those received before."""


class RawLog:
    """Entries of a seat by number, and the view folded from them."""

    def __init__(self, game: Game, seats: int, seat: int | None) -> None:
        self.codec: Codec = codec_for(game)
        self.entries: dict[int, bytes] = {}
        self.epoch = 0
        self.number = 0
        self.mark = b""
        self.last_seq = 0
        #: number of the open question; 0: none
        self.decision = 0
        self.options: ask_pb2.Options | None = None
        self._layout = setting_for(game, game.parse_options({}, seats), seats, b"").layout
        self._seat = seat
        self._fold = Fold(self._layout, seat)

    @property
    def view(self) -> KnownTable:
        """Return the fold of all entries."""
        return self._fold.view

    @property
    def cursor(self) -> tuple[int, int, bytes]:
        """Return the epoch and number of the next entry, from which to resume, and the mark of the last one."""
        return self.epoch, self.number + 1, self.mark

    def take(self, item: play_pb2.ServerItem) -> None:
        """Process an item; MissingEntries if it does not follow what was received before."""
        match item.WhichOneof("item"):
            case "entries":
                self._take_entries(item.entries)
                self.mark = item.entries.mark
            case "snapshot":
                self.mark = item.snapshot.mark
                self._take_snapshot(item.snapshot.observation)
            case "rewound":
                self.epoch, self.mark = item.rewound.epoch, b""
                self.entries = {number: entry for number, entry in self.entries.items() if number <= item.rewound.last}
                self.number, self.decision, self.options = item.rewound.last, 0, None

    def _take_entries(self, item: log_pb2.Entries) -> None:
        if item.first > self.number + 1:
            raise MissingEntries(f"{item.first} came after {self.number}")
        for number, entry in enumerate(item.entries, item.first):
            image = entry.SerializeToString()
            if self.entries.setdefault(number, image) != image:
                raise MissingEntries(f"entry {number} is another one than before")
            if number > self.number:
                self._add(number, entry)

    def _add(self, number: int, entry: log_pb2.Entry) -> None:
        self.number = number
        self._fold.add(self.codec.read_entries(log_pb2.Entries(entries=[entry])))
        kind = entry.WhichOneof("body")
        if kind == "question":
            self.decision, self.options = entry.question.decision_id, entry.question.options
        elif kind in ("withdrawn", "answer"):
            self.decision, self.options = 0, None

    def _take_snapshot(self, seen: log_pb2.Observation) -> None:
        self.epoch, self.number, self.last_seq = seen.epoch, seen.number, seen.last_seq
        self.decision = seen.decision_id
        self.options = seen.question.options if seen.decision_id else None
        self._fold = ResumedFold(self._layout, read_observation(seen), seen.number)


class RawSeat:
    """Plays a seat over a `RawStream`, answers at random, and can be cut off and resumed at any time."""

    def __init__(
        self, ticket: Ticket, seats: int, *, game: str = "teaching", seed: int = 0, subscription: int = 1
    ) -> None:
        self.ticket = ticket
        self.subscription = subscription
        self.log = RawLog(games.load(game), seats, ticket.seat)
        #: acknowledgements by `seq`
        self.acks: dict[int, play_pb2.Ack] = {}
        self.on_ack: Callable[[], None] = noop
        self.closed: play_pb2.Closed | None = None
        self._rng = Random(f"{seed} {ticket.seat}")
        #: the input without an acknowledgement
        self.sent: play_pb2.SubmitItem | None = None
        #: epoch and number of the last question answered: the entry that closes it may come after the ack
        self._answered = (0, 0)
        #: monotonic time of each resumption, and the number of streams that broke while something was sent
        self.resumed: list[float] = []
        self.breaks = 0
        #: refusals after which the same input was sent again
        self.put_off: Counter[str] = Counter()

    @property
    def over(self) -> bool:
        """Return whether the match was received to its end."""
        return self.closed is not None and self.closed.reason == play_pb2.CLOSED_REASON_OVER

    async def begin(self, stream: RawStream, *, fresh: bool = False) -> None:
        """Subscribe from the cursor on, and send the unacknowledged input again."""
        self.closed = None
        start = None if fresh else self.log.cursor
        await stream.subscribe(self.ticket, self.subscription, start=start)
        if self.sent is not None:
            await self._send(stream)

    async def take(self, stream: RawStream, items: list[play_pb2.ServerItem]) -> None:
        """Process received items, and answer the open question."""
        for item in items:
            if item.subscription != self.subscription:
                continue
            self.log.take(item)
            kind = item.WhichOneof("item")
            if kind == "ack":
                self._acknowledged(item.ack)
            elif kind == "closed":
                self.closed = item.closed
            elif kind == "refusal" and self.closed is None:
                await self._refused(stream, item.refusal)
        latest = (self.log.epoch, self.log.decision)
        if self.log.options is not None and latest > self._answered and self.sent is None and self.closed is None:
            self._answered = latest
            self._answer()
            await self._send(stream)

    def _acknowledged(self, ack: play_pb2.Ack) -> None:
        known = self.acks.setdefault(ack.seq, ack)
        self.on_ack()
        if (known.entry, known.last) != (ack.entry, ack.last):
            raise MissingEntries(f"input {ack.seq} got another answer than before")
        if self.sent is not None and self.sent.seq == ack.seq:
            self.sent = None

    async def _refused(self, stream: RawStream, refusal: errors_pb2.Refusal) -> None:
        if refusal.reason in _RETRYABLE:
            self.put_off[errors_pb2.ErrorReason.Name(refusal.reason)] += 1
            await asyncio.sleep(min(refusal.retry_ms, _MOST_PAUSE_MS) / 1000)  # as a client does
            await (self._send(stream) if refusal.seq else self.begin(stream))
        elif refusal.reason == errors_pb2.ERROR_REASON_STALE:
            self.sent = None  # the question that it answers is gone with the end of the log
        else:
            raise AssertionError(f"refused: {refusal}")

    def _answer(self) -> None:
        assert self.log.options is not None
        act = self.log.codec.read_options(self.log.options).sample(self._rng)
        seq = max([self.log.last_seq, *self.acks], default=0) + 1
        self.sent = play_pb2.SubmitItem(seq=seq, decision_id=self.log.decision, act=self.log.codec.act(act))

    async def _send(self, stream: RawStream) -> None:
        await stream.send(play_pb2.ClientItem(subscription=self.subscription, submit=self.sent))

    async def play(self, stream: RawStream, frames: int | None = None) -> bool:
        """Play to the end, or for so many frames; whether the stream still stands."""
        while not self.over and frames != 0:
            before = len(stream.received)
            if not await stream.read():
                return False
            await self.take(stream, stream.received[before:])
            frames = None if frames is None else frames - 1
        return True

    async def play_to_end(self, address: str) -> None:
        """Play to the end, on as many streams as it takes."""
        while not self.over:
            try:
                async with RawStream(address) as stream:
                    await self.begin(stream)
                    if await stream.read():
                        self.resumed.append(time.monotonic())
                        await self.take(stream, stream.received)
                    await self.play(stream)
            except (aio.AioRpcError, aio.UsageError, asyncio.InvalidStateError):
                self.breaks += 1
            await asyncio.sleep(_PAUSE_SECONDS)  # as a client does


async def play_together(stream: RawStream, seats: Sequence[RawSeat], acts: int | None = None) -> bool:
    """Play several seats on one stream, to the end or until so many acts are acknowledged; whether it still stands."""
    while not all(seat.over for seat in seats) and (acts is None or sum(len(seat.acks) for seat in seats) < acts):
        before = len(stream.received)
        if not await stream.read():
            return False
        for seat in seats:
            await seat.take(stream, stream.received[before:])
    return True
