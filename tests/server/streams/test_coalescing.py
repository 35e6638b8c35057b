"""Coalescing: entries that ask nothing of the client are flushed later, urgent items at once and after them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from types import SimpleNamespace
from typing import Any, cast

import pytest

from landsraad.v1 import log_pb2, play_pb2
from landsraad_server.matches.coalescing import CoalescingTimer
from landsraad_server.matches.record_fanout import LogSlice
from landsraad_server.refusals import bad_field
from landsraad_server.store import GENESIS
from landsraad_server.store.resp import noop
from landsraad_server.streams.log_stream import LogStream
from landsraad_server.streams.session import Session
from landsraad_server.telemetry.metrics import Counters

pytestmark = pytest.mark.asyncio

LONG = 3600.0
NOTHING = log_pb2.Entries(entries=[log_pb2.Entry()]).SerializeToString()


def session_of(linger_seconds: float) -> Session:
    hosts = SimpleNamespace(counters=Counters(), coalescing=CoalescingTimer(linger_seconds), log_unexpected=noop)
    return Session(cast("Any", hosts))


def stream_of(session: Session, number: int) -> LogStream:
    host = SimpleNamespace(remove_listener=noop, put=noop, head=GENESIS, mark=lambda nonce: nonce)
    stream = session.streams[number] = LogStream(session, number, cast("Any", host), number)
    return stream


def told(session: Session) -> list[tuple[int, str, int, int]]:
    """Return what was sent: subscription, kind, number of the first entry, number of entries."""
    items = play_pb2.Frame.FromString(session.outbox.drain()).items
    return [
        (one.subscription, str(one.WhichOneof("item")), one.entries.first, len(one.entries.entries)) for one in items
    ]


def tell(stream: LogStream, entries: int = 1) -> None:
    stream.queue_entries(LogSlice(entries, NOTHING * entries))
    stream.flush_later()


async def test_what_waits_becomes_one_item_of_each_log() -> None:
    session = session_of(LONG)
    one, other = stream_of(session, 1), stream_of(session, 2)
    for stream in (one, other, one):
        tell(stream, 2)
    assert told(session) == []
    session.flush()
    assert told(session) == [(1, "entries", 1, 4), (2, "entries", 1, 2)]
    session.flush()
    assert told(session) == []


async def test_it_goes_out_by_itself_after_a_moment() -> None:
    session = session_of(0.001)
    due = asyncio.Event()
    session.outbox.on_due = due.set
    tell(stream_of(session, 1))
    tell(stream_of(session, 2))
    async with asyncio.timeout(5):
        await due.wait()
    assert told(session) == [(1, "entries", 1, 1), (2, "entries", 1, 1)]


async def test_nothing_waits_if_nothing_shall() -> None:
    session = session_of(0.0)
    stream = stream_of(session, 1)
    tell(stream)
    tell(stream)
    assert told(session) == [(1, "entries", 1, 1), (1, "entries", 2, 1)]


async def test_an_urgent_item_comes_after_what_its_log_has_waiting_and_leaves_others_alone() -> None:
    session = session_of(LONG)
    one, other = stream_of(session, 1), stream_of(session, 2)
    tell(one)
    tell(other)
    one.put("ack", play_pb2.Ack(seq=1).SerializeToString(), log=False)
    assert told(session) == [(1, "entries", 1, 1), (1, "ack", 0, 0)]
    session.refuse(2, bad_field("act", "no"))
    assert told(session) == [(2, "entries", 1, 1), (2, "refusal", 0, 0)]


async def test_of_clocks_that_wait_the_last_holds() -> None:
    session = session_of(LONG)
    stream = stream_of(session, 1)
    for number in (1, 2):
        stream.queue_clock(play_pb2.Clock(decision_id=number).SerializeToString())
        tell(stream)
    session.flush()
    items = play_pb2.Frame.FromString(session.outbox.drain()).items
    assert [str(one.WhichOneof("item")) for one in items] == ["entries", "clock"]
    assert items[1].clock.decision_id == 2


async def test_what_was_cut_is_not_told() -> None:
    session = session_of(LONG)
    stream = stream_of(session, 1)
    tell(stream)
    stream.on_overflow()
    session.flush()
    assert told(session) == []


async def test_a_log_that_is_followed_no_longer_tells_nothing() -> None:
    session = session_of(LONG)
    stream = stream_of(session, 1)
    tell(stream)
    stream.close(play_pb2.CLOSED_REASON_UNSUBSCRIBED)
    assert [kind for _, kind, _, _ in told(session)] == ["entries", "closed"]
    stream.queue_entries(LogSlice(1, NOTHING))
    session.flush()
    assert told(session) == []


async def test_all_wait_about_equally_long_by_one_timer(monkeypatch: pytest.MonkeyPatch) -> None:
    """In steps of a quarter: an entry between two steps waits for more than three of them, and for four at most."""
    timers: list[Callable[[], None]] = []
    monkeypatch.setattr(asyncio.get_running_loop(), "call_at", lambda _, step: timers.append(step))
    out: list[str] = []
    coalescing = CoalescingTimer(LONG)

    def add(name: str) -> None:
        coalescing.add(cast("Any", SimpleNamespace(on_timer=partial(out.append, name))))

    def steps(count: int) -> None:
        for _ in range(count):
            (step,) = timers
            timers.clear()
            step()

    add("first")
    steps(2)
    add("second")
    add("third")
    steps(1)
    assert out == []
    steps(1)
    assert out == ["first"]
    steps(1)
    add("fourth")
    assert out == ["first"]
    steps(1)
    assert out == ["first", "second", "third"]
    steps(3)
    assert out[3:] == ["fourth"]
    assert not timers
    add("fifth")
    steps(4)
    assert out[4:] == ["fifth"]
    assert not timers


async def test_when_it_goes_out_does_not_tell_since_when_others_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """One log begins to wait 70 ms after a step. Others may have begun before."""

    def goes_out(*others: float) -> float:
        now = 4000.0
        timers: list[tuple[float, Callable[[], None]]] = []
        out: list[float] = []
        coalescing = CoalescingTimer(0.1)

        def until(time: float) -> None:
            nonlocal now
            while timers and timers[0][0] <= time:
                now, step = timers.pop()
                step()
            now = time

        with monkeypatch.context() as patched:
            loop = SimpleNamespace(time=lambda: now, call_at=lambda when, step: timers.append((when, step)))
            patched.setattr(asyncio, "get_running_loop", lambda: loop)
            for other in others:
                until(4000 + other)
                coalescing.add(cast("Any", SimpleNamespace(on_timer=noop)))
            until(4000.07)
            coalescing.add(cast("Any", SimpleNamespace(on_timer=lambda: out.append(now))))
            until(4001.0)
        assert not timers
        return out[0]

    alone = goes_out()
    assert 4000.07 + 0.075 <= alone <= 4000.07 + 0.1
    assert [goes_out(0.01), goes_out(0.03, 0.055), goes_out(0.069)] == [alone] * 3
