"""Outbox: what waits goes out together and in order; if it is too much, log items are discarded."""

from __future__ import annotations

import asyncio

import pytest

from landsraad_server.store.resp import noop
from landsraad_server.streams import outbox
from landsraad_server.streams.outbox import Outbox

pytestmark = pytest.mark.asyncio


class Box(Outbox):
    """An outbox that counts its callbacks."""

    __slots__ = ("discarded", "drained", "filled")

    def __init__(self) -> None:
        super().__init__(self._count_full, self._count_empty)
        self.filled = self.drained = 0
        self.discarded: list[bytes] = []

    def _count_full(self, discarded: list[bytes]) -> None:
        self.filled += 1
        self.discarded = discarded

    def _count_empty(self) -> None:
        self.drained += 1


async def taken(box: Outbox) -> bytes:
    """Return the next frame, within a second."""
    async with asyncio.timeout(1.0):
        while not (frame := box.drain()) and not box.finished:
            due = asyncio.Event()
            box.on_due = due.set
            try:
                await due.wait()
            finally:
                box.on_due = noop
    return frame


async def test_what_came_in_one_moment_is_one_frame() -> None:
    box = Box()
    for item in (b"a", b"b", b"c"):
        box.put(item)
    assert await taken(box) == b"abc"


async def test_the_reader_is_woken() -> None:
    box = Box()
    reading = asyncio.create_task(taken(box))
    await asyncio.sleep(0)
    assert not reading.done()
    box.put(b"a")
    box.put(b"b")
    assert await reading == b"ab"


async def test_who_is_told_that_something_is_due_is_told_once() -> None:
    box = Box()
    told: list[bytes] = []
    box.on_due = lambda: told.append(b"")
    box.put(b"a")
    box.put(b"b")
    assert len(told) == 1
    assert box.drain() == b"ab"
    assert box.drain() == b""
    box.put(b"c")
    assert len(told) == 2


async def test_what_waits_is_written_before_the_end() -> None:
    box = Box()
    box.put(b"last")
    box.close()
    assert not box.finished
    assert await taken(box) == b"last"
    assert await taken(box) == b""
    assert box.finished


async def test_when_too_much_waits_the_log_is_left_out() -> None:
    box = Box()
    box.put(b"ack")
    for _ in range(outbox.MOST_ITEMS):
        box.put(b"entry", log=True)
    assert box.filled == 1
    assert box.discarded == [b"entry"] * outbox.MOST_ITEMS
    assert not box.full
    assert await taken(box) == b"ack"


async def test_a_client_that_does_not_even_read_its_answers_is_full() -> None:
    box = Box()
    for _ in range(outbox.MOST_ITEMS + 1):
        box.put(b"ack")
    assert box.filled
    assert box.full


async def test_bytes_are_counted_as_well() -> None:
    box = Box()
    half = b"x" * (outbox.MOST_BYTES // 2)
    for _ in range(2):
        box.put(half, log=True)
    assert box.filled == 0
    box.put(b"x", log=True)
    assert box.filled == 1


async def test_it_tells_when_all_is_written() -> None:
    box = Box()
    reading = asyncio.create_task(taken(box))
    await asyncio.sleep(0)
    assert box.drained == 1
    box.put(b"a")
    assert await reading == b"a"


async def test_what_is_put_because_all_is_written_goes_out_at_once() -> None:
    snapshots = [b"snapshot"]

    def refill() -> None:
        if snapshots:
            box.put(snapshots.pop())

    box = Outbox(noop, refill)
    assert await taken(box) == b"snapshot"


async def test_after_logs_were_thrown_away_only_what_is_left_counts() -> None:
    box = Box()
    box.put(b"ack")
    for _ in range(2):
        box.put(b"x" * (outbox.MOST_BYTES // 2), log=True)
    assert box.filled == 1
    box.put(b"entry", log=True)
    assert box.filled == 1
    assert box.drain() == b"ackentry"
