"""A session on a gRPC stream, whichever transport carries it."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from typing import Any, Protocol

import grpc

from landsraad.v1 import play_pb2
from landsraad_server.api.calls import Context
from landsraad_server.http2.context import Context as Pushing
from landsraad_server.http2.stream import Full
from landsraad_server.refusals import SOON_MS, Denied
from landsraad_server.store.resp import noop
from landsraad_server.streams.decision_wait import Waiter
from landsraad_server.streams.log_stream import LogStream
from landsraad_server.streams.outbox import Outbox
from landsraad_server.streams.session import Session


class Listening(Protocol):
    """Who hears what a client sends. What it raises ends the stream, as its refusal."""

    def on_message(self, frame: Any) -> None:
        """The client has sent something."""

    async def settled(self) -> None:
        """The client has sent its last: return when all of it is answered."""


class Pushed:
    """A stream of our own transport: what comes and goes is handed over in the moment, and no task waits for it."""

    __slots__ = (
        "_context",
        "_listening",
        "_loop",
        "_outbox",
        "_over",
        "_settling",
        "_stream",
    )

    def __init__(self, outbox: Outbox, context: Pushing, listening: Listening | None) -> None:
        self._loop = asyncio.get_running_loop()
        self._over: asyncio.Future[None] | None = self._loop.create_future()
        self._outbox = outbox
        self._context = context
        self._stream = context.stream
        self._listening = listening
        self._settling: asyncio.Task[None] | None = None
        outbox.on_due = self._stream.on_writable = self._stream.at_end_of_turn(self._write)
        outbox.on_due()
        if listening is not None:
            self._stream.receive(self._hear, self._heard_all)

    def _write(self) -> None:
        outbox, stream = self._outbox, self._stream
        try:
            while stream.writable and (frame := outbox.gather()):
                stream.send(frame)
                if not outbox.watched:
                    break
        except Full:
            self._end(Denied("OVERLOADED", "too much waits for this client, which does not read it", retry_ms=SOON_MS))
            return
        except Exception as error:  # noqa: BLE001  the loop would log it, and the client would wait for ever
            self._end(error)
            return
        if outbox.finished:
            self._end(None)

    def _hear(self, message: bytes) -> None:
        assert self._listening is not None
        try:
            self._listening.on_message(self._context.parsed(message))
        except Exception as error:  # noqa: BLE001  the call ends with it
            self._stream.receive(noop, noop)  # what has come together with it, too
            self._end(error)

    def _heard_all(self) -> None:
        assert self._listening is not None
        self._settling = self._loop.create_task(self._listening.settled())
        self._settling.add_done_callback(self._settled)

    def _settled(self, settling: asyncio.Task[None]) -> None:
        error = None if settling.cancelled() else settling.exception()
        if isinstance(error, Exception):
            self._end(error)
        self._outbox.close()

    def _end(self, error: Exception | None) -> None:
        if self._over is None or self._over.done():
            return
        if error is None:
            self._over.set_result(None)
        else:
            self._over.set_exception(error)

    async def over(self) -> None:
        """Return when all is said; raises what has gone wrong with what was heard."""
        assert self._over is not None
        try:
            await self._over
        finally:
            self._over = None  # it has the exception, whose frames know this stream: that would be a circle


async def _pulled(outbox: Outbox, context: Context, listening: Listening | None) -> None:
    """A stream of grpc.aio: one task writes, another one reads."""

    async def hear(listening: Listening) -> None:
        while (frame := await context.read()) is not grpc.aio.EOF:
            listening.on_message(frame)
        await listening.settled()

    reader = None
    if listening is not None:
        reader = asyncio.create_task(hear(listening))
        reader.add_done_callback(lambda _: outbox.close())
    try:
        while frame := await outbox.take():
            await context.write(frame)
    finally:
        if reader is not None:
            reader.cancel()
    if reader is not None and reader.done() and not reader.cancelled():
        reader.result()  # raises what was wrong with what it has read


class Streams:
    """The streams that are open on this worker; so many at most for each who opens them."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._leaving = False
        self.sessions: set[Session] = set()
        #: calls that wait for something to happen, as a stream does
        self.waiting: set[Waiter] = set()
        self._open: Counter[str] = Counter()

    def __iter__(self) -> Iterator[LogStream]:
        """What is followed on them."""
        return (stream for session in self.sessions for stream in session.streams.values())

    async def carry(self, session: Session, context: Context, who: str, listening: Listening | None = None) -> None:
        """Write what the session has to say, and let it hear what the client sends; end when either ends."""
        if self._leaving:  # it was under way when the others were sent off
            session.end()
            raise Denied("DRAINING", "this worker is about to stop: open the stream at another", retry_ms=SOON_MS)
        if self._open[who] >= self._most:
            session.end()
            raise Denied("QUOTA", f"{self._most} streams at a time; end one of them")
        self._open[who] += 1
        self.sessions.add(session)
        try:
            if isinstance(context, Pushing):
                await Pushed(session.outbox, context, listening).over()
            else:
                await _pulled(session.outbox, context, listening)
        finally:
            self.sessions.discard(session)
            self._leave(who)
            session.end()

    def _leave(self, who: str) -> None:
        self._open[who] -= 1
        if not self._open[who]:
            del self._open[who]

    def awaits(self, waiter: Waiter) -> None:
        """A call is about to wait."""
        self.waiting.add(waiter)
        if self._leaving:
            waiter.send_away()

    def drain(self) -> None:
        """Send all of them away, with their cursors, and those that wait in a call; and whoever still comes."""
        self._leaving = True
        for waiter in self.waiting:
            waiter.send_away()
        for session in tuple(self.sessions):
            session.close(play_pb2.CLOSED_REASON_DRAINING)
