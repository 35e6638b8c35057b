"""What waits for a client goes out at once if it is urgent, together after a moment if it is not, always in order."""

from __future__ import annotations

import asyncio

import pytest

from landsraad_server.sessions import outbox
from landsraad_server.sessions.outbox import Outbox

pytestmark = pytest.mark.asyncio


class Box(Outbox):
    """Counts what it is told."""

    __slots__ = ("drained", "filled")

    def __init__(self) -> None:
        super().__init__(self._count_full, self._count_empty)
        self.filled = self.drained = 0

    def _count_full(self) -> None:
        self.filled += 1

    def _count_empty(self) -> None:
        self.drained += 1


async def taken(box: Outbox) -> bytes:
    """What it gives, within a second."""
    async with asyncio.timeout(1.0):
        return await box.take()


async def test_what_came_in_one_moment_is_one_frame() -> None:
    box = Box()
    for item in (b"a", b"b", b"c"):
        box.put(item)
    assert await taken(box) == b"abc"


async def test_the_reader_is_woken_by_an_urgent_item_and_not_by_a_patient_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outbox, "LINGER_SECONDS", 3600.0)
    box = Box()
    reading = asyncio.create_task(taken(box))
    await asyncio.sleep(0)
    box.put(b"looks on ", log=True, patient=True)
    for _ in range(3):
        await asyncio.sleep(0)
    assert not reading.done()
    box.put(b"acts")
    assert await reading == b"looks on acts"


async def test_patient_items_go_out_together_after_a_moment() -> None:
    box = Box()
    for item in (b"a", b"b", b"c"):
        box.put(item, log=True, patient=True)
    assert await taken(box) == b"abc"
    box.put(b"d", patient=True)
    assert await taken(box) == b"d"


async def test_the_end_waits_for_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outbox, "LINGER_SECONDS", 3600.0)
    box = Box()
    box.put(b"last", patient=True)
    box.close()
    assert await taken(box) == b"last"
    assert await taken(box) == b""


@pytest.mark.parametrize("patient", [False, True])
async def test_when_too_much_waits_the_log_is_left_out(patient: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outbox, "LINGER_SECONDS", 3600.0)
    box = Box()
    box.put(b"ack")
    for _ in range(outbox.MOST_ITEMS):
        box.put(b"entry", log=True, patient=patient)
    assert box.filled == 1
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

    box = Outbox(lambda: None, refill)
    assert await taken(box) == b"snapshot"
