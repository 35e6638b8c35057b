"""Players that cost as little as they can: streams of Play.Connect whose seats answer at random.

No view is folded and no log is kept; what a player reads is the question put to it. So what is measured is the service,
and the generator leaves it most of the machine.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from landsraad.v1 import errors_pb2, log_pb2, play_pb2
from landsraad.wire.frames import answer_item
from landsraad_bench.engine_cost import STEP
from landsraad_bench.item_peek import glance
from landsraad_bench.pacing import Go, Pace
from landsraad_bench.random_answers import Answer
from landsraad_bench.transports import Carrier

if TYPE_CHECKING:
    from google.protobuf.descriptor import Descriptor

#: In one frame; the service takes a few more.
_MOST_ITEMS = 200
#: Refusals after which the same act is sent again: it was not the act's fault.
_AGAIN = frozenset({
    errors_pb2.ERROR_REASON_OVERLOADED,
    errors_pb2.ERROR_REASON_RATE_LIMITED,
    errors_pb2.ERROR_REASON_STORE_LOST,
})  # fmt: skip
#: Before a seat is asked for again that could not be had.
_PAUSE_SECONDS = 0.1
#: What players look at. Most of what a seat is told is about other seats' acts.
_LOOKED_AT: Mapping[Descriptor, set[str]] = {
    play_pb2.Frame.DESCRIPTOR: {"items"},
    play_pb2.ServerItem.DESCRIPTOR: {"subscription", "snapshot", "entries", "ack", "refusal", "closed"},
    log_pb2.Entries.DESCRIPTOR: {"first", "entries"},
    log_pb2.Entry.DESCRIPTOR: {"question", "answer", "withdrawn"},
    play_pb2.Ack.DESCRIPTOR: {"seq"},
}
#: A frame as it is; and with all entries of an item in one, that has whatever opens or closes a question last.
_WHOLE, _LAST = glance(_LOOKED_AT), glance(_LOOKED_AT, joined={"entries"})


class BenchTally:
    """What the players of one run have seen."""

    def __init__(self) -> None:
        self.acks = 0
        #: seconds from the moment at which an act was due to its acknowledgement
        self.latencies: list[float] = []
        self.refused: Counter[str] = Counter()
        #: matches played to their end
        self.over = 0
        #: by match, how many acts were accepted since it has begun
        self.accepted: Counter[str] = Counter()
        #: by how far a match had come, in steps of `engine.STEP`: what an act costs the engine depends on it
        self.by_step: Counter[int] = Counter()

    def clear(self) -> None:
        """Count anew; but matches go on where they are."""
        accepted = self.accepted
        self.__init__()  # type: ignore[misc]
        self.accepted = accepted

    def accept(self, match: str, seconds: float) -> None:
        """An act was acknowledged, so long after it was due."""
        before = self.accepted[match]
        self.acks += 1
        self.latencies.append(seconds)
        self.by_step[before // STEP] += 1
        self.accepted[match] = before + 1


class BenchSeat(NamedTuple):
    """A seat of a match, the key to it, and the worker where its players meet."""

    match: str
    seat: int
    credential: str
    address: str

    def __str__(self) -> str:
        return f"{self.match}, seat {self.seat}"

    def subscribe(self) -> play_pb2.Subscribe:
        """What begins to play it."""
        return play_pb2.Subscribe(match=self.match, seat=self.seat, credential=self.credential)


class BenchMatch(Protocol):
    """What the players of a run share."""

    answer: Answer
    tally: BenchTally
    pace: Pace

    def ended(self, stream: BenchStream, place: BenchSeat) -> None:
        """A match is over; the stream has room for another seat."""


class _Seat:
    """One subscription."""

    __slots__ = ("answer", "answered", "decision", "number", "place", "question", "seq", "under_way")

    def __init__(self, number: int, place: BenchSeat, answer: Callable[[_Seat, float], None]) -> None:
        self.number = number
        self.place = place
        #: lets it answer the open question
        self.answer: Go = partial(answer, self)
        self.seq = 0
        #: the open question, and its number; None: none is open
        self.decision = 0
        self.question: bytes | None = None
        #: the last question that was answered, or that waits for its turn to be
        self.answered = 0
        #: when the acts were due that are neither acknowledged nor refused, by their `seq`: an answer is told before it
        #: is acknowledged, and so is the next question, so there may be more than one
        self.under_way: dict[int, float] = {}

    def asked_by(self, entries: Any) -> None:
        """Keep the last question of these entries; its number is that of the entry."""
        known = entries.entries
        number = entries.first + len(known)
        for entry in reversed(known):
            number -= 1
            if question := entry.question:
                self.question, self.decision = question, number
                return


class BenchStream:
    """One stream of Play.Connect with any number of seats."""

    __slots__ = (
        "_carrier",
        "_game",
        "_last",
        "_loop",
        "_out",
        "_reading",
        "_seats",
        "_unbegun",
        "begun",
    )

    def __init__(self, game: BenchMatch, carrier: Carrier, places: Iterable[BenchSeat]) -> None:
        self._game = game
        self._carrier = carrier
        self._loop = asyncio.get_running_loop()
        self._seats: dict[int, _Seat] = {}
        self._last = 0
        self._out: list[bytes] = []
        self._reading = False
        self._unbegun: set[int] = set()
        #: set while every seat has been told where its match stands
        self.begun = asyncio.Event()
        for place in places:
            self.add(place)

    def add(self, place: BenchSeat) -> None:
        """Play one more seat."""
        self._last += 1
        self._seats[self._last] = _Seat(self._last, place, self._answer)
        self._unbegun.add(self._last)
        self.begun.clear()
        self._subscribe(self._last, place)

    @property
    def missing(self) -> int:
        """How many seats have not been told where their match stands."""
        return len(self._unbegun)

    def under_way(self) -> list[float]:
        """When the acts were due that have been sent and are neither acknowledged nor refused."""
        return [due for seat in self._seats.values() for due in seat.under_way.values()]

    async def run(self) -> None:
        """Play, until the stream ends or this is cancelled."""
        await self._carrier.run(self._take)

    # ---------------------------------------------------------------------------------------------------------- sending

    def _send(self, frame: bytes) -> None:
        """Everything that has gathered goes out in one frame: with the end of what is being read, or of the tick."""
        self._out.append(frame)
        if not self._reading and len(self._out) == 1:
            self._loop.call_soon(self._flush)

    def _subscribe(self, number: int, place: BenchSeat) -> None:
        item = play_pb2.ClientItem(subscription=number, subscribe=place.subscribe())
        self._send(play_pb2.ClientFrame(items=[item]).SerializeToString())

    def _flush(self) -> None:
        out, self._out = self._out, []
        for begin in range(0, len(out), _MOST_ITEMS):
            self._carrier.send(b"".join(out[begin : begin + _MOST_ITEMS]))

    def _answer(self, seat: _Seat, due: float) -> None:
        if seat.question is None:  # closed by somebody else's answer while this seat waited for its turn
            return
        seat.seq += 1
        seat.under_way[seat.seq] = due
        act = self._game.answer(seat.question)
        self._send(answer_item(seat.number, seat.seq, seat.decision, act))

    # ---------------------------------------------------------------------------------------------------------- reading

    def _take(self, frame: bytes) -> None:
        now = time.perf_counter()
        self._reading = True
        whole: Any = None
        for at, item in enumerate(_LAST.FromString(frame).items):
            kind = item.WhichOneof("item")
            last = item.entries.entries.WhichOneof("body") if kind == "entries" else ""
            if last is None:  # most of what seats are told
                continue
            seat = self._seats.get(item.subscription)
            if seat is None:
                continue
            if last == "question":
                whole = whole or _WHOLE.FromString(frame).items
                seat.asked_by(whole[at].entries)
            elif last:
                seat.question = None
                continue
            elif kind == "ack":
                self._game.tally.accept(seat.place.match, now - seat.under_way.pop(item.ack.seq))
                continue
            elif kind is not None:
                self._take_rare(seat, kind, getattr(item, kind))
            if seat.question is not None and seat.decision > seat.answered:
                seat.answered = seat.decision
                self._game.pace.ask(seat.answer)
        self._reading = False
        if self._out:
            self._flush()

    def _take_rare(self, seat: _Seat, kind: str, body: bytes) -> None:
        if kind == "snapshot":
            self._begin(seat, play_pb2.Snapshot.FromString(body).observation)
        elif kind == "refusal":
            self._refused(seat, errors_pb2.Refusal.FromString(body))
        else:
            self._closed(seat, play_pb2.Closed.FromString(body).reason)

    def _closed(self, seat: _Seat, reason: play_pb2.ClosedReason.ValueType) -> None:
        del self._seats[seat.number]
        seat.question = None
        if reason == play_pb2.CLOSED_REASON_OVER:
            self._game.ended(self, seat.place)
        elif reason == play_pb2.CLOSED_REASON_SLOW:  # it comes again, as any client does; but that is told
            self._game.tally.refused[play_pb2.ClosedReason.Name(reason)] += 1
            self.add(seat.place)
        else:
            raise RuntimeError(f"{seat.place} was closed: {play_pb2.ClosedReason.Name(reason)}")
        self._has_begun(seat)

    def _begin(self, seat: _Seat, seen: log_pb2.Observation) -> None:
        seat.seq = max(seat.seq, seen.last_seq)
        seat.decision = seen.decision_id
        seat.question = seen.question.SerializeToString() if seen.decision_id else None
        self._has_begun(seat)

    def _has_begun(self, seat: _Seat) -> None:
        self._unbegun.discard(seat.number)
        if not self._unbegun:
            self.begun.set()

    def _refused(self, seat: _Seat, refusal: errors_pb2.Refusal) -> None:
        self._game.tally.refused[errors_pb2.ErrorReason.Name(refusal.reason)] += 1
        seat.under_way.pop(refusal.seq, None)
        if refusal.reason in _AGAIN:
            seat.answered = 0
            if not refusal.seq:
                self._loop.call_later(_PAUSE_SECONDS, self._subscribe, seat.number, seat.place)
        elif not refusal.seq:
            raise RuntimeError(f"{seat.place} cannot be played: {refusal.message}")
