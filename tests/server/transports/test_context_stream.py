"""Streams over grpc.aio by callback: what they pass on, and how few writes and tasks an act costs."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import TYPE_CHECKING, Any

import grpc.aio
import pytest
import pytest_asyncio

from landsraad_server.process.worker import Worker
from landsraad_server.transports.context_stream import ContextStream
from landsraad_testkit import DrivenMatch

if TYPE_CHECKING:
    from tests.server.conftest import Seat, StartWorker

pytestmark = pytest.mark.asyncio


class Context:
    """A context whose reads and writes end when the test says so."""

    def __init__(self) -> None:
        self.written: list[bytes] = []
        self.writes: list[asyncio.Future[None]] = []
        self.reads: list[asyncio.Future[Any]] = []

    async def write(self, message: bytes) -> None:
        self.written.append(message)
        self.writes.append(asyncio.get_running_loop().create_future())
        await self.writes[-1]

    async def read(self) -> Any:
        self.reads.append(asyncio.get_running_loop().create_future())
        return await self.reads[-1]


async def a_turn() -> None:
    for _ in range(3):
        await asyncio.sleep(0)


async def test_one_message_is_on_its_way_at_a_time() -> None:
    context = Context()
    stream = ContextStream(context)
    told: list[bool] = []
    stream.on_writable = lambda: told.append(stream.writable)
    stream.send(b"a")
    assert context.written == [b"a"]
    assert not stream.writable
    context.writes[0].set_result(None)
    await a_turn()
    assert told == [True]


async def test_whatever_is_due_in_a_turn_is_written_once_at_its_end() -> None:
    context = Context()
    stream = ContextStream(context)
    written: list[str] = []
    due = stream.at_end_of_turn(lambda: written.append("now"))
    due()
    due()
    assert written == []
    await a_turn()
    assert written == ["now"]
    stream.send(b"a")
    due()  # the end of the write is the next occasion
    await a_turn()
    assert written == ["now"]


async def test_messages_come_one_after_the_other_and_then_the_end() -> None:
    context = Context()
    stream = ContextStream(context)
    heard: list[Any] = []
    stream.receive(heard.append, lambda: heard.append("end"))
    for message in (b"a", b"b", grpc.aio.EOF):
        context.reads[-1].set_result(message)
        await a_turn()
    assert heard == [b"a", b"b", "end"]
    assert len(context.reads) == 3


async def test_a_write_or_read_that_fails_is_told() -> None:
    context = Context()
    stream = ContextStream(context)
    failed: list[Exception] = []
    stream.on_failed = failed.append
    stream.send(b"a")
    stream.receive(failed.append, lambda: None)
    wrong = [ConnectionError("write"), ConnectionError("read")]
    context.writes[0].set_exception(wrong[0])
    context.reads[0].set_exception(wrong[1])
    await a_turn()
    assert failed == wrong
    assert stream.writable


async def test_a_call_ends_only_after_its_last_message_has_gone() -> None:
    context = Context()
    stream = ContextStream(context)
    stream.send(b"last")
    stream.close()
    flushed = asyncio.create_task(stream.flushed())
    await a_turn()
    assert not flushed.done()
    context.writes[0].set_result(None)
    await flushed
    await stream.flushed()  # at once, with nothing on its way


async def test_a_closed_stream_tells_nothing_more() -> None:
    context = Context()
    stream = ContextStream(context)
    heard: list[Any] = []
    stream.receive(heard.append, lambda: heard.append("end"))
    stream.close()
    context.reads[0].set_result(b"late")
    await a_turn()
    assert heard == []


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Count the writes to streams, and the tasks that the service makes, by the file of their coroutine."""
    found: Counter[str] = Counter()
    send, create_task = ContextStream.send, asyncio.BaseEventLoop.create_task

    def counting_send(stream: ContextStream, message: bytes, /) -> None:
        found["writes"] += 1
        send(stream, message)

    def counting_create_task(loop: Any, work: Any, **more: Any) -> asyncio.Task[Any]:
        file = getattr(getattr(work, "cr_code", None), "co_filename", "")
        if "landsraad_server" in file:
            found[file.rpartition("/")[2]] += 1
        return create_task(loop, work, **more)

    monkeypatch.setattr(ContextStream, "send", counting_send)
    monkeypatch.setattr(asyncio.BaseEventLoop, "create_task", counting_create_task)
    return found


@pytest_asyncio.fixture
async def worker(start_worker: StartWorker) -> Worker:
    """A worker on grpcio, whatever the others are on."""
    return await start_worker(transport="grpcio")


async def test_an_act_makes_no_task_and_few_writes(worker: Worker, table: Seat, counted: Counter[str]) -> None:
    """All three seats on one stream: an act is one write with all that it leads to, and one for what has lingered."""
    played: DrivenMatch = await table(3, options={"rounds": 4})
    assert counted["session_streams.py"] == 0, "a stream has no task beside its handler's"
    counted.clear()
    acts = 12
    for _ in range(acts):
        await played.play(1)
    writes = counted.pop("writes")
    assert worker.counters.actions >= acts <= writes <= 2 * acts
    assert counted == {}
