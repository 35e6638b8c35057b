"""Session streams: connect a session's outbox and message handler to a gRPC stream of any transport."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any, Protocol

from landsraad.v1 import play_pb2
from landsraad_server.api.calls import Context, UnreadableRequest
from landsraad_server.refusals import SOON_MS, Denied
from landsraad_server.store.resp import noop
from landsraad_server.streams.decision_wait import DecisionWaiter
from landsraad_server.streams.outbox import Outbox
from landsraad_server.streams.session import OpenedByToken, Session
from landsraad_server.transports.context_stream import ContextStream
from landsraad_server.transports.protocol import PushContext


class MessageHandler(Protocol):
    """Receiver of a client's messages that can be read. An exception it raises ends the stream as a refusal."""

    def on_message(self, frame: Any) -> None:
        """Handle one message."""

    async def settled(self) -> None:
        """Return once all messages are answered; called after the client's last one."""


class PushedSession:
    """Session driven by callbacks: no task waits for reading or writing."""

    __slots__ = (
        "_context",
        "_handler",
        "_loop",
        "_outbox",
        "_over",
        "_settling",
        "_stream",
    )

    def __init__(self, outbox: Outbox, context: PushContext, handler: MessageHandler | None) -> None:
        self._loop = asyncio.get_running_loop()
        self._over: asyncio.Future[None] | None = self._loop.create_future()
        self._outbox = outbox
        self._context = context
        self._stream = context.stream
        self._handler = handler
        self._settling: asyncio.Task[None] | None = None
        outbox.on_due = self._stream.at_end_of_turn(self._write)
        self._stream.on_writable = self._on_writable
        outbox.on_due()
        if handler is not None:
            self._stream.receive(self._on_message, self._on_half_close)

    def _on_writable(self) -> None:
        """Go on if anything is left to do."""
        if self._outbox.due:
            self._outbox.on_due()

    def _write(self) -> None:
        outbox, stream = self._outbox, self._stream
        try:
            while stream.writable and (frame := outbox.drain()):
                stream.send(frame)
                if not outbox.report_empty:
                    break
        except BufferError:
            self._end(
                Denied("OVERLOADED", "too much is queued for this client, which does not read it", retry_ms=SOON_MS)
            )
            return
        except Exception as error:  # noqa: BLE001 otherwise the loop logs it and the client waits for ever
            self._end(error)
            return
        if outbox.finished:
            self._end(None)

    def fail(self, error: Exception) -> None:
        """End the stream with an error of the transport."""
        self._end(error)

    def _on_message(self, message: bytes) -> None:
        assert self._handler is not None
        try:
            frame = self._context.parsed(message)
            if isinstance(frame, UnreadableRequest):
                raise frame.refusal()
            self._handler.on_message(frame)
        except Exception as error:  # noqa: BLE001 becomes the status of the call
            self._stream.receive(noop, noop)  # ignore messages that arrived in the same read
            self._end(error)

    def _on_half_close(self) -> None:
        assert self._handler is not None
        self._settling = self._loop.create_task(self._handler.settled())
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
        """Wait for the end of the stream; raise the error of the message handler, if any."""
        assert self._over is not None
        try:
            await self._over
        finally:
            # break the reference cycle: the future holds the exception, whose frames hold this object
            self._over = None


async def _run_session(outbox: Outbox, context: Context, handler: MessageHandler | None) -> None:
    """Run a session to the end of its stream."""
    if isinstance(context, PushContext):
        await PushedSession(outbox, context, handler).over()
        return
    stream = ContextStream(context)
    pushed = PushedSession(outbox, stream, handler)
    stream.on_failed = pushed.fail
    try:
        await pushed.over()
    except BaseException as error:
        stream.close()
        if isinstance(error, Exception):  # otherwise the call is cancelled
            await stream.flushed()
        raise
    stream.close()
    await stream.flushed()


class OpenStreams:
    """Registry of the open streams of a worker, limited for each owner (an account, a seat or an address)."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._draining = False
        self.sessions: set[Session] = set()
        #: long-polling calls, which also have to end when the worker drains
        self.waiting: set[DecisionWaiter] = set()
        self._open: Counter[str] = Counter()

    def tokens(self) -> set[str]:
        """Return the tokens of accounts with which subscriptions were opened. Those of seats do not count."""
        return {token for session in self.sessions for token in session.by_token}

    def opened_with(self, token: str) -> list[OpenedByToken]:
        """Return the subscriptions that were opened with the token of an account."""
        return [stream for session in self.sessions for stream in session.by_token.get(token, ())]

    async def serve(
        self, session: Session, context: Context, owner: str, handler: MessageHandler | None = None
    ) -> None:
        """Run a session on its stream until either ends; Denied while draining or over the owner's limit."""
        if self._draining:  # the call began before the worker started to drain
            session.end()
            raise Denied("DRAINING", "this worker is shutting down: open the stream at another", retry_ms=SOON_MS)
        if self._open[owner] >= self._limit:
            session.end()
            raise Denied("QUOTA", f"you have {self._limit} streams open already; close one of them")
        self._open[owner] += 1
        self.sessions.add(session)
        try:
            await _run_session(session.outbox, context, handler)
        finally:
            self.sessions.discard(session)
            self._release(owner)
            session.end()

    def _release(self, owner: str) -> None:
        self._open[owner] -= 1
        if not self._open[owner]:
            del self._open[owner]

    def add_waiter(self, waiter: DecisionWaiter) -> None:
        """Register a long-polling call."""
        self.waiting.add(waiter)
        if self._draining:
            waiter.dismiss()

    def drain(self) -> None:
        """Close all streams with their cursors and end all waiting calls; those that come later are refused."""
        self._draining = True
        for waiter in self.waiting:
            waiter.dismiss()
        for session in tuple(self.sessions):
            session.close(play_pb2.CLOSED_REASON_DRAINING)
