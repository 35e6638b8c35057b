"""Cursors: in spite of all failures and however slow the client, no entry is missed and none comes twice.

The cursor of the last item leads on from what the client has read.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from landsraad.v1 import log_pb2, play_pb2
from landsraad.wire.seat_semantics import cursor_at
from landsraad_server.matches.coalescing import CoalescingTimer
from landsraad_server.matches.history import History
from landsraad_server.matches.record_fanout import RecordFanout
from landsraad_server.store.resp import noop
from landsraad_server.streams import log_stream, outbox
from landsraad_server.streams.log_stream import Flow, LogStream
from landsraad_server.streams.session import Session
from landsraad_server.telemetry.metrics import Counters

ENTRY = log_pb2.Entries(entries=[log_pb2.Entry()]).SerializeToString()


class Match:
    """A fake host and its match, as far as a stream uses them: a log that grows, and that loses its end."""

    def __init__(self) -> None:
        self.match = "m"
        self.head = SimpleNamespace(epoch=1, nonce=b"")
        self.log_counters = SimpleNamespace(counts=[0, 0], question_entries=[0])
        self.waypoints: list[Any] = []
        self.log_nonces = [b"", b""]
        self.seats: list[Any] = []
        self.of_other_build = self.over = False
        self.name = "matches/m"
        self.listeners: list[LogStream] = []
        self.looks: list[Any] = []
        self.looked = asyncio.Event()
        self.reading: asyncio.Event | None = None

    def mark(self, nonce: bytes) -> bytes:
        return nonce

    def add_listener(self, listener: LogStream) -> None:
        self.listeners.append(listener)

    def remove_listener(self, listener: LogStream) -> None:
        if listener in self.listeners:
            self.listeners.remove(listener)

    def put(self, request: Any) -> None:
        self.looks.append(request)
        self.looked.set()

    def settle(self) -> None:
        looks, self.looks = self.looks, []
        for request in looks:
            request.settle(self, None)

    async def history(self, log: int, first: int, waypoints: object) -> Any:
        last = self.log_counters.counts[0]
        if self.reading is not None:
            await self.reading.wait()
        entries = [(number, ENTRY) for number in range(first, last + 1)]
        return cast(
            "History", SimpleNamespace(after=lambda sent: [one for one in entries if one[0] > sent], last_nonce=b"")
        )

    def grow(self, entries: int, *, urgent: bool, heard: int = 1, secret: bool = False) -> None:
        """Add entries to the log, and tell the listeners: once, unless something is wrong. The seat gets nothing of a
        secret.
        """
        counts = self.log_counters.counts
        told = [(0b10 if secret else 0b11, ENTRY)] * entries
        if urgent:  # the last of them is a question, which the seat alone is told
            told[-1] = (0b01, ENTRY)
            self.log_counters.question_entries[0] = counts[0] + entries
        counts[:] = counts[0] + entries * (not secret), counts[1] + entries - urgent
        log_counters = SimpleNamespace(
            counts=list(counts), question_entries=list(self.log_counters.question_entries), window_at=0
        )
        status = object() if self.over else None
        record = SimpleNamespace(status=status, terms=None, entries=told, log_counters=log_counters, seats={})
        fanout = RecordFanout(cast("Any", record))
        for listener in tuple(self.listeners) * heard:
            listener.on_record(cast("Any", self), fanout)

    def end(self) -> None:
        """End the match with the last entry."""
        if not self.over:
            self.over = True
            self.grow(1, urgent=False)

    def lose(self, entries: int) -> None:
        self.log_counters.counts[0] = max(0, self.log_counters.counts[0] - entries)
        self.log_counters.question_entries[0] = 0
        self.head.epoch += 1
        for listener in tuple(self.listeners):
            listener.on_rewound(cast("Any", self), self.head.epoch, list(self.log_counters.counts))


class Client:
    """A client that folds what it reads, and keeps a cursor of its own."""

    def __init__(self) -> None:
        self.last = 0
        self.closed: play_pb2.Closed | None = None
        self.matches = 0

    def read(self, frame: bytes) -> None:
        for item in play_pb2.Frame.FromString(frame).items:
            assert self.closed is None
            match item.WhichOneof("item"):
                case "entries":
                    assert item.entries.first == self.last + 1
                    self.last += len(item.entries.entries)
                case "snapshot":
                    self.last = item.snapshot.observation.number
                case "rewound":
                    self.last = min(self.last, item.rewound.last)
                case "closed":
                    self.closed = item.closed
                case "match":
                    self.matches += 1


class Stage:
    """A stream of one seat, between a fake match and a client."""

    def __init__(self) -> None:
        hosts = SimpleNamespace(counters=Counters(), coalescing=CoalescingTimer(3600.0), log_unexpected=noop)
        self.match = Match()
        self.session = Session(cast("Any", hosts))
        self.client = Client()
        self.stream = self.follow(None)

    def follow(self, cursor: Any) -> LogStream:
        self.stream = self.session.streams[1] = LogStream(self.session, 1, cast("Any", self.match), 0)
        self.client.closed = None
        self.stream.begin(cast("Any", self.match), cursor)
        return self.stream

    @property
    def told_the_end(self) -> bool:
        closed = self.client.closed
        return closed is not None and closed.reason == play_pb2.CLOSED_REASON_OVER

    def happens(self, entries: int, *, urgent: bool) -> None:
        if not self.match.over:
            self.match.grow(entries, urgent=urgent)

    def read(self) -> None:
        self.client.read(self.session.outbox.drain())

    def settle(self) -> None:
        self.match.settle()

    def come_back(self) -> None:
        """End the subscription, read to its end, and resume at its last cursor."""
        self.stream.close(play_pb2.CLOSED_REASON_UNSUBSCRIBED)
        self.resume()

    def start_over(self) -> None:
        """Reconnect without any memory, and ask for the whole log."""
        self.stream.close(play_pb2.CLOSED_REASON_UNSUBSCRIBED)
        while frame := self.session.outbox.drain():
            self.client.read(frame)
        self.client.last = 0
        self.follow(cursor_at(self.match.head.epoch, 1))

    def resume(self) -> None:
        while frame := self.session.outbox.drain():
            self.client.read(frame)
        closed = self.client.closed
        assert closed is not None
        start = getattr(closed.resume, "from")
        assert start in (0, self.client.last + 1)
        self.follow(closed.resume)


def said(hosted: Any, seat: int | None, epoch: int) -> bytes:
    return log_pb2.Observation(number=hosted.log_counters.counts[0]).SerializeToString()


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    make_small(monkeypatch)


def make_small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let little fit into the outbox, and let nothing need the rules of a game."""
    monkeypatch.setattr(outbox, "MOST_ITEMS", 4)
    monkeypatch.setattr(log_stream, "CHUNK", 1)
    monkeypatch.setattr(log_stream, "observation", said)
    monkeypatch.setattr(LogStream, "send_match", lambda stream, _: stream.put("match", b""))


STEPS: dict[str, Callable[[Stage], None]] = {
    "something": lambda stage: stage.happens(1, urgent=False),
    "much": lambda stage: stage.happens(3, urgent=False),
    "a question": lambda stage: stage.happens(2, urgent=True),
    "a secret": lambda stage: None if stage.match.over else stage.match.grow(1, urgent=False, secret=True),
    "the end": lambda stage: stage.match.end(),
    "an ack": lambda stage: stage.stream.put("ack", b"", log=False) if stage.session.is_open(stage.stream) else None,
    "time": lambda stage: stage.session.flush(),
    "a read": Stage.read,
    "a turn": Stage.settle,
    "a loss": lambda stage: None if stage.match.over else stage.match.lose(2),
    "coming back": Stage.come_back,
    "starting over": Stage.start_over,
}


async def play(steps: list[str]) -> None:
    stage = Stage()
    for step in steps:
        STEPS[step](stage)
        if stage.session.outbox.full or not stage.session.is_open(stage.stream):
            break
        await asyncio.sleep(0)
    for _ in range(20):  # until all is settled and read
        stage.session.flush()
        stage.read()
        stage.settle()
        await asyncio.sleep(0)
        if not (stage.client.closed is None or stage.told_the_end or stage.session.outbox.finished):
            stage.resume()
    if stage.client.closed is None or stage.told_the_end:  # after which nobody comes back
        assert stage.client.last == stage.match.log_counters.counts[0]
    else:
        assert getattr(stage.client.closed.resume, "from") in (0, stage.client.last + 1)
    stage.session.end()


@given(st.lists(st.sampled_from(sorted(STEPS)), max_size=40))
def test_no_entry_is_missed_and_none_comes_twice(steps: list[str]) -> None:
    with pytest.MonkeyPatch.context() as monkeypatch:
        make_small(monkeypatch)
        asyncio.run(play(steps))


async def probation() -> Stage:
    """Return a client that was cut off, has read what waited, and has a snapshot to read."""
    stage = Stage()
    for _ in range(5):
        stage.match.grow(1, urgent=True)
    assert stage.stream.is_cut
    stage.read()
    stage.settle()
    assert stage.stream.flow is Flow.PROBATION
    return stage


@pytest.mark.asyncio
async def test_who_is_too_slow_twice_is_closed_and_told_no_more(small: None) -> None:
    stage = await probation()
    for _ in range(2):
        stage.match.grow(1, urgent=True)
    stage.match.grow(1, urgent=False)
    stage.stream.put("plays", b"")  # after what waits, which is too much
    stage.read()
    assert stage.client.closed is not None
    assert stage.client.closed.reason == play_pb2.CLOSED_REASON_SLOW
    assert getattr(stage.client.closed.resume, "from") == 0


@pytest.mark.asyncio
async def test_what_is_said_last_may_be_what_is_too_much(small: None) -> None:
    """A stream that is closed as too slow while it is being closed for another reason is closed once."""
    stage = await probation()
    for _ in range(2):
        stage.match.grow(1, urgent=True)
    stage.match.grow(1, urgent=False)
    stage.stream.close(play_pb2.CLOSED_REASON_UNSUBSCRIBED)
    stage.read()
    assert stage.client.closed is not None
    assert stage.client.closed.reason == play_pb2.CLOSED_REASON_SLOW


@pytest.mark.asyncio
async def test_a_log_that_is_cut_off_while_it_is_sent_again_is_sent_no_further(small: None) -> None:
    stage = Stage()
    stage.match.grow(8, urgent=True)
    stage.start_over()
    for _ in range(3):
        await asyncio.sleep(0)
    stage.read()  # which checks that what comes follows what came
    stage.settle()
    stage.read()
    assert stage.client.last == 8


@pytest.mark.asyncio
async def test_the_cursor_of_who_was_cut_off_asks_for_a_snapshot(small: None) -> None:
    """Discarded entries are not skipped, whatever the reason for the end of the stream."""
    for reason in (play_pb2.CLOSED_REASON_UNSUBSCRIBED, play_pb2.CLOSED_REASON_DRAINING):
        stage = Stage()
        for _ in range(5):
            stage.match.grow(1, urgent=True)
        if reason == play_pb2.CLOSED_REASON_DRAINING:
            stage.session.close(reason)
        else:
            stage.stream.close(reason)
        stage.read()
        assert stage.client.closed is not None
        assert getattr(stage.client.closed.resume, "from") == 0


@pytest.mark.asyncio
async def test_what_is_told_at_the_end_is_not_too_much(small: None) -> None:
    """When a worker drains, everything that its streams have queued is still written, however much it is."""
    stage = Stage()
    stage.read()
    for _ in range(3):
        stage.match.grow(1, urgent=True)
    stage.match.grow(1, urgent=False)
    stage.session.close(play_pb2.CLOSED_REASON_DRAINING)
    stage.read()
    assert stage.client.last == 4
    assert stage.client.closed is not None
    assert getattr(stage.client.closed.resume, "from") == 5


@pytest.mark.asyncio
async def test_news_of_the_match_that_come_while_a_log_is_read(small: None) -> None:
    stage = Stage()
    stage.match.grow(2, urgent=True)
    stage.match.reading = asyncio.Event()
    stage.stream.close(play_pb2.CLOSED_REASON_UNSUBSCRIBED)
    stage.match.log_counters.counts[0] += 1  # while it is away
    stage.resume()
    known = stage.client.matches
    stage.match.reading.set()
    async with asyncio.timeout(5):
        await stage.match.looked.wait()
    stage.settle()
    stage.read()
    assert stage.client.last == 3
    assert stage.client.matches == known + 2  # as it began, and as it stands after what was missed


@pytest.mark.asyncio
async def test_a_moment_that_ends_after_the_stream_does_nothing(small: None) -> None:
    stage = Stage()
    stage.read()
    stage.match.grow(1, urgent=False)
    stage.session.end()
    stage.session.flush()
    assert not stage.session.outbox.drain()


@pytest.mark.asyncio
@pytest.mark.parametrize("urgent", [True, False])
async def test_what_was_not_heard_is_read_and_what_is_heard_twice_is_told_once(small: None, *, urgent: bool) -> None:
    stage = Stage()
    stage.read()
    stage.match.grow(2, urgent=urgent, heard=0)
    stage.match.grow(1, urgent=urgent)
    for _ in range(3):  # it is read, and then the head is confirmed
        await asyncio.sleep(0)
        stage.settle()
    stage.read()
    assert stage.client.last == 3
    stage.match.grow(1, urgent=urgent, heard=2)
    stage.session.flush()
    stage.read()
    assert stage.client.last == 4


@pytest.mark.asyncio
async def test_who_looks_on_is_told_later_all_at_once_and_in_order(small: None) -> None:
    stage = Stage()
    stage.read()
    stage.match.grow(1, urgent=False)
    stage.match.grow(2, urgent=False)
    assert stage.session.outbox.drain() == b""
    stage.stream.put("ack", b"", log=False)
    kinds = [item.WhichOneof("item") for item in play_pb2.Frame.FromString(stage.session.outbox.drain()).items]
    assert kinds == ["entries", "ack"]
    stage.match.grow(1, urgent=False)
    stage.match.grow(1, urgent=True)
    [item] = play_pb2.Frame.FromString(stage.session.outbox.drain()).items
    assert (item.entries.first, len(item.entries.entries)) == (4, 2)


@pytest.mark.asyncio
async def test_others_secrets_begin_no_moment(small: None) -> None:
    """Else the time of its next entries would tell a client that something was hidden from it."""
    stage = Stage()
    stage.match.grow(1, urgent=False, secret=True)
    assert not stage.stream._flush_scheduled
    stage.match.grow(1, urgent=False)
    assert stage.stream._flush_scheduled
