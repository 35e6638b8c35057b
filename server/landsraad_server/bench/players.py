"""Players that cost as little as they can: streams of Play.Connect whose seats answer at random.

No view is folded and no log is kept; what a player reads is the question put to it. So what is measured is the service,
and the generator leaves it most of the machine.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Iterable
from functools import partial
from random import Random
from typing import Any, NamedTuple, Protocol

import grpc
import grpc.aio

from landsraad.v1 import ask_pb2, errors_pb2, log_pb2, play_pb2, play_service_pb2_grpc
from landsraad.wire.codec import Codec
from landsraad_server.bench.pace import Pace

_MOST_ITEMS = 200
#: Refusals after which the same act is sent again: it was not the act's fault.
_AGAIN = frozenset({
    errors_pb2.ERROR_REASON_OVERLOADED,
    errors_pb2.ERROR_REASON_RATE_LIMITED,
    errors_pb2.ERROR_REASON_STORE_LOST,
})  # fmt: skip


class Tally:
    """What the players of one run have seen."""

    def __init__(self) -> None:
        self.acks = 0
        #: seconds from the moment at which an act was due to its acknowledgement
        self.latencies: list[float] = []
        self.refused: Counter[str] = Counter()
        #: matches played to their end
        self.over = 0

    def clear(self) -> None:
        self.__init__()  # type: ignore[misc]


class Place(NamedTuple):
    """A seat of a match, the key to it, and the worker where its players meet."""

    match: str
    seat: int
    credential: str
    address: str

    def subscribe(self) -> play_pb2.Subscribe:
        """What begins to play it."""
        return play_pb2.Subscribe(match=self.match, seat=self.seat, credential=self.credential)


class Game(Protocol):
    """What the players of a run share."""

    codec: Codec
    rng: Random
    tally: Tally
    pace: Pace

    def ended(self, stream: Stream, place: Place) -> None:
        """A match is over; the stream has room for another seat."""


class _Seat:
    """One subscription."""

    __slots__ = ("answered", "decision", "options", "place", "seq", "under_way")

    def __init__(self, place: Place) -> None:
        self.place = place
        self.seq = 0
        #: the open question, and its number; no options: none is open
        self.decision = 0
        self.options: ask_pb2.Options | None = None
        #: the last question that was answered, or that waits for its turn to be
        self.answered = 0
        #: when the acts were due that are neither acknowledged nor refused, by their `seq`: an answer is told before it
        #: is acknowledged, and so is the next question, so there may be more than one
        self.under_way: dict[int, float] = {}


class Stream:
    """One stream of Play.Connect with any number of seats."""

    def __init__(self, game: Game, places: Iterable[Place]) -> None:
        self._game = game
        self._seats: dict[int, _Seat] = {}
        self._last = 0
        self._out: list[play_pb2.ClientItem] = []
        self._wake = asyncio.Event()
        self._without_snapshot = 0
        #: set while every seat has been told where its match stands
        self.begun = asyncio.Event()
        for place in places:
            self.add(place)

    def add(self, place: Place) -> None:
        """Play one more seat."""
        self._last += 1
        self._seats[self._last] = _Seat(place)
        self._without_snapshot += 1
        self.begun.clear()
        self._send(play_pb2.ClientItem(subscription=self._last, subscribe=place.subscribe()))

    def under_way(self) -> list[float]:
        """When the acts were due that have been sent and are neither acknowledged nor refused."""
        return [due for seat in self._seats.values() for due in seat.under_way.values()]

    async def run(self, channel: grpc.aio.Channel) -> None:
        """Play, until the stream ends or this is cancelled."""
        call: Any = play_service_pb2_grpc.PlayStub(channel).Connect()
        writer = asyncio.create_task(self._write(call))
        try:
            while (frame := await call.read()) is not grpc.aio.EOF:
                for item in frame.items:
                    self._take(item)
        finally:
            writer.cancel()
            call.cancel()

    async def _write(self, call: Any) -> None:
        """Everything that has gathered goes out in one frame."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._out:
                items, self._out = self._out[:_MOST_ITEMS], self._out[_MOST_ITEMS:]
                await call.write(play_pb2.ClientFrame(items=items))

    def _send(self, item: play_pb2.ClientItem) -> None:
        self._out.append(item)
        self._wake.set()

    def _take(self, item: play_pb2.ServerItem) -> None:
        number = item.subscription
        seat = self._seats.get(number)
        if seat is None:
            return
        kind = item.WhichOneof("item")
        if kind == "entries":
            _read(seat, item.entries)
        elif kind == "ack":
            self._game.tally.acks += 1
            self._game.tally.latencies.append(time.perf_counter() - seat.under_way.pop(item.ack.seq))
        elif kind == "snapshot":
            self._begin(seat, item.snapshot.observation)
        elif kind == "refusal":
            self._refused(seat, item.refusal)
        elif kind == "closed":
            del self._seats[number]
            if item.closed.reason == play_pb2.CLOSED_REASON_OVER:
                self._game.ended(self, seat.place)
            return
        if seat.options is not None and seat.decision > seat.answered:
            seat.answered = seat.decision
            self._game.pace.ask(partial(self._answer, number, seat))

    def _begin(self, seat: _Seat, seen: log_pb2.Observation) -> None:
        seat.seq = seen.last_seq
        seat.decision = seen.decision_id
        seat.options = seen.question.options if seen.decision_id else None
        self._without_snapshot -= 1
        if not self._without_snapshot:
            self.begun.set()

    def _refused(self, seat: _Seat, refusal: errors_pb2.Refusal) -> None:
        self._game.tally.refused[errors_pb2.ErrorReason.Name(refusal.reason)] += 1
        seat.under_way.pop(refusal.seq, None)
        if refusal.reason in _AGAIN:
            seat.answered = 0

    def _answer(self, number: int, seat: _Seat, due: float) -> None:
        if seat.options is None:  # closed by somebody else's answer while this seat waited for its turn
            return
        seat.seq += 1
        seat.under_way[seat.seq] = due
        act = self._game.codec.read_options(seat.options).sample(self._game.rng)
        submit = play_pb2.SubmitItem(seq=seat.seq, decision_id=seat.decision, act=self._game.codec.act(act))
        self._send(play_pb2.ClientItem(subscription=number, submit=submit))


def _read(seat: _Seat, entries: log_pb2.Entries) -> None:
    """Keep the question that is open after these entries: whatever opens or closes one last."""
    body = entries.entries
    for at in range(len(body) - 1, -1, -1):
        kind = body[at].WhichOneof("body")
        if kind == "question":
            seat.decision, seat.options = entries.first + at, body[at].question.options
            return
        if kind in {"withdrawn", "answer"}:
            seat.options = None
            return
