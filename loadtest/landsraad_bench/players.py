"""Bench players: streams of Play.Connect whose seats answer at random, at the least possible cost.

They fold no view and keep no log; a player parses only the questions that it is asked. So the load generator leaves
most of the machine to the service that is measured.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from landsraad.v1 import errors_pb2, log_pb2, play_pb2
from landsraad.wire.frames import submit_item
from landsraad_bench.engine_cost import STEP
from landsraad_bench.item_peek import peek_class
from landsraad_bench.pacing import ActCallback, Pacing
from landsraad_bench.random_answers import Answer
from landsraad_bench.transports import Carrier

if TYPE_CHECKING:
    from google.protobuf.descriptor import Descriptor

#: Items in one frame; the service accepts a few more.
_MOST_ITEMS = 200
#: Refusals after which the same act is sent again.
_RETRYABLE = frozenset({
    errors_pb2.ERROR_REASON_OVERLOADED,
    errors_pb2.ERROR_REASON_RATE_LIMITED,
    errors_pb2.ERROR_REASON_STORE_LOST,
})  # fmt: skip
#: Seconds before a failed subscription is retried.
_PAUSE_SECONDS = 0.1
#: Fields that players parse. Most of what a seat receives is about other seats' acts.
_LOOKED_AT: Mapping[Descriptor, set[str]] = {
    play_pb2.Frame.DESCRIPTOR: {"items"},
    play_pb2.ServerItem.DESCRIPTOR: {"subscription", "snapshot", "entries", "ack", "refusal", "closed"},
    log_pb2.Entries.DESCRIPTOR: {"first", "entries"},
    log_pb2.Entry.DESCRIPTOR: {"question", "answer", "withdrawn"},
    play_pb2.Ack.DESCRIPTOR: {"seq"},
}
#: A frame in full; and one whose entries are merged, so that the last thing that opened or closed a question remains.
_WHOLE, _LAST = peek_class(_LOOKED_AT), peek_class(_LOOKED_AT, joined={"entries"})


class BenchTally:
    """Counts and latencies of one run."""

    def __init__(self) -> None:
        self.acks = 0
        #: seconds from when an act was due to its acknowledgement
        self.latencies: list[float] = []
        self.refused: Counter[str] = Counter()
        #: matches that were finished
        self.over = 0
        #: acts accepted since the match began, by match
        self.accepted: Counter[str] = Counter()
        #: acts by progress of their match, in steps of `engine_cost.STEP`, on which an act's cost in the engine depends
        self.by_step: Counter[int] = Counter()

    def clear(self) -> None:
        """Reset the counts, but not the progress of matches."""
        accepted = self.accepted
        self.__init__()  # type: ignore[misc]
        self.accepted = accepted

    def accept(self, match: str, seconds: float) -> None:
        """Count an acknowledged act and its latency."""
        before = self.accepted[match]
        self.acks += 1
        self.latencies.append(seconds)
        self.by_step[before // STEP] += 1
        self.accepted[match] = before + 1


class BenchSeat(NamedTuple):
    """A seat of a match, its credential, and the address of the worker where its players meet."""

    match: str
    seat: int
    credential: str
    address: str

    def __str__(self) -> str:
        return f"{self.match}, seat {self.seat}"

    def subscribe(self) -> play_pb2.Subscribe:
        """Return the request that subscribes to the seat."""
        return play_pb2.Subscribe(match=self.match, seat=self.seat, credential=self.credential)


class BenchMatch(Protocol):
    """State shared by the streams of a run; implemented by MatchTable."""

    answer: Answer
    tally: BenchTally
    pace: Pacing

    def ended(self, stream: BenchStream, seat: BenchSeat) -> None:
        """Replace a finished match: the stream has room for another seat."""


class _Subscription:
    """Subscription to one seat."""

    __slots__ = ("answer", "answered", "decision", "number", "question", "seat", "seq", "under_way")

    def __init__(self, number: int, seat: BenchSeat, answer: Callable[[_Subscription, float], None]) -> None:
        self.number = number
        self.seat = seat
        #: answers the open question; passed to the pacing
        self.answer: ActCallback = partial(answer, self)
        self.seq = 0
        #: the open question and its number; None: there is none
        self.decision = 0
        self.question: bytes | None = None
        #: number of the last question that was answered or passed to the pacing
        self.answered = 0
        #: due times of acts without acknowledgement or refusal, by `seq`. There may be several, because an act's entry
        #: and the next question arrive before its acknowledgement
        self.under_way: dict[int, float] = {}

    def asked_by(self, entries: Any) -> None:
        """Keep the last question of these entries; its number is that of its entry."""
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

    def __init__(self, game: BenchMatch, carrier: Carrier, seats: Iterable[BenchSeat]) -> None:
        self._game = game
        self._carrier = carrier
        self._loop = asyncio.get_running_loop()
        self._seats: dict[int, _Subscription] = {}
        self._last = 0
        self._out: list[bytes] = []
        self._reading = False
        self._unbegun: set[int] = set()
        #: set while every seat has received its snapshot
        self.begun = asyncio.Event()
        for seat in seats:
            self.add(seat)

    def add(self, seat: BenchSeat) -> None:
        """Subscribe to one more seat."""
        self._last += 1
        self._seats[self._last] = _Subscription(self._last, seat, self._answer)
        self._unbegun.add(self._last)
        self.begun.clear()
        self._subscribe(self._last, seat)

    @property
    def missing(self) -> int:
        """Return the number of seats that have not received their snapshot."""
        return len(self._unbegun)

    def under_way(self) -> list[float]:
        """Return the due times of acts that are sent and not yet acknowledged or refused."""
        return [due for subscription in self._seats.values() for due in subscription.under_way.values()]

    async def run(self) -> None:
        """Play until the stream ends or the task is cancelled."""
        await self._carrier.run(self._take)

    # ---------------------------------------------------------------------------------------------------------- sending

    def _send(self, frame: bytes) -> None:
        """Queue an item; all queued ones go out in one frame at the end of the present read or event loop tick."""
        self._out.append(frame)
        if not self._reading and len(self._out) == 1:
            self._loop.call_soon(self._flush)

    def _subscribe(self, number: int, seat: BenchSeat) -> None:
        item = play_pb2.ClientItem(subscription=number, subscribe=seat.subscribe())
        self._send(play_pb2.ClientFrame(items=[item]).SerializeToString())

    def _flush(self) -> None:
        out, self._out = self._out, []
        for begin in range(0, len(out), _MOST_ITEMS):
            self._carrier.send(b"".join(out[begin : begin + _MOST_ITEMS]))

    def _answer(self, subscription: _Subscription, due: float) -> None:
        if subscription.question is None:  # another seat's answer closed it while this one waited for its ticket
            return
        subscription.seq += 1
        subscription.under_way[subscription.seq] = due
        act = self._game.answer(subscription.question)
        self._send(submit_item(subscription.number, subscription.seq, act, decision=subscription.decision))

    # ---------------------------------------------------------------------------------------------------------- reading

    def _take(self, frame: bytes) -> None:
        now = time.perf_counter()
        self._reading = True
        whole: Any = None
        for at, item in enumerate(_LAST.FromString(frame).items):
            kind = item.WhichOneof("item")
            last = item.entries.entries.WhichOneof("body") if kind == "entries" else ""
            if last is None:  # most of what seats receive
                continue
            subscription = self._seats.get(item.subscription)
            if subscription is None:
                continue
            if last == "question":
                whole = whole or _WHOLE.FromString(frame).items
                subscription.asked_by(whole[at].entries)
            elif last:
                subscription.question = None
                continue
            elif kind == "ack":
                self._game.tally.accept(subscription.seat.match, now - subscription.under_way.pop(item.ack.seq))
                continue
            elif kind is not None:
                self._take_rare(subscription, kind, getattr(item, kind))
            if subscription.question is not None and subscription.decision > subscription.answered:
                subscription.answered = subscription.decision
                self._game.pace.ask(subscription.answer)
        self._reading = False
        if self._out:
            self._flush()

    def _take_rare(self, subscription: _Subscription, kind: str, body: bytes) -> None:
        if kind == "snapshot":
            self._begin(subscription, play_pb2.Snapshot.FromString(body).observation)
        elif kind == "refusal":
            self._refused(subscription, errors_pb2.Refusal.FromString(body))
        else:
            self._closed(subscription, play_pb2.Closed.FromString(body).reason)

    def _closed(self, subscription: _Subscription, reason: play_pb2.ClosedReason.ValueType) -> None:
        del self._seats[subscription.number]
        subscription.question = None
        if reason == play_pb2.CLOSED_REASON_OVER:
            self._game.ended(self, subscription.seat)
        elif reason == play_pb2.CLOSED_REASON_SLOW:  # subscribe again, as any client does, but count it
            self._game.tally.refused[play_pb2.ClosedReason.Name(reason)] += 1
            self.add(subscription.seat)
        else:
            raise RuntimeError(f"{subscription.seat} was closed: {play_pb2.ClosedReason.Name(reason)}")
        self._has_begun(subscription)

    def _begin(self, subscription: _Subscription, seen: log_pb2.Observation) -> None:
        subscription.seq = max(subscription.seq, seen.last_seq)
        subscription.decision = seen.decision_id
        subscription.question = seen.question.SerializeToString() if seen.decision_id else None
        self._has_begun(subscription)

    def _has_begun(self, subscription: _Subscription) -> None:
        self._unbegun.discard(subscription.number)
        if not self._unbegun:
            self.begun.set()

    def _refused(self, subscription: _Subscription, refusal: errors_pb2.Refusal) -> None:
        self._game.tally.refused[errors_pb2.ErrorReason.Name(refusal.reason)] += 1
        subscription.under_way.pop(refusal.seq, None)
        if refusal.reason in _RETRYABLE:
            subscription.answered = 0
            if not refusal.seq:
                self._loop.call_later(_PAUSE_SECONDS, self._subscribe, subscription.number, subscription.seat)
        elif not refusal.seq:
            raise RuntimeError(f"{subscription.seat} cannot be played: {refusal.message}")
