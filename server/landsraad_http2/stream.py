"""The stream of one call: receives messages by callback or by reading, sends within the client's windows."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final

from grpc import StatusCode

from landsraad_http2 import frames
from landsraad_http2.frames import FLOW_CONTROL_ERROR, MOST_WINDOW, PREFIX_BYTES, message_head
from landsraad_http2.guard import SMALL, SMALL_BYTES, STRAY
from landsraad_http2.headers import BEGIN, Request
from landsraad_http2.limits import MESSAGE_BYTES, STREAM_BYTES
from landsraad_http2.messages import Assembler, BadMessage, Packed, TooLarge, TooMuch

if TYPE_CHECKING:
    from landsraad_http2.connection import Connection

#: Messages that a reader takes at a time: with many in store it would never let others come.
_MOST_READ: Final = 16

OnMessage = Callable[[bytes], None]


class Full(BufferError):
    """The output queues of a connection are full."""


class StreamFault(Exception):
    """A stream error (RFC 9113, 5.4.2)."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class Http2Stream:
    """Both directions of a stream, between its connection and the handler of the call.

    Messages are received in one of two ways. `receive` registers a callback for each message, which reopens the window
    at once. `read` returns one message after the other, with backpressure by the window. `send` never waits: it queues
    what cannot go out yet. `writable` turns false when the sender should pause, and `on_writable` is called when it may
    continue.
    """

    __slots__ = (
        "_assembler",
        "_begun",
        "_connection",
        "_credit",
        "_expected",
        "_held",
        "_inbox",
        "_on_end",
        "_on_message",
        "_pending",
        "_read",
        "_reader",
        "_stuffed",
        "_tarried",
        "_trailers",
        "_writers",
        "asking",
        "heard_all",
        "kept_headers",
        "metadata",
        "mute",
        "number",
        "on_fault",
        "on_lost",
        "on_writable",
        "over",
        "window",
    )

    def __init__(self, connection: Connection, number: int, request: Request) -> None:
        self.number = number
        #: bytes of it
        self.metadata = request.size
        #: what is counted as kept for it as long as it is open
        self.kept_headers = request.kept + STREAM_BYTES
        #: the client has not sent anything yet
        self.mute = True
        #: nobody answers before the client has said all that it asks for
        self.asking = False
        #: the client has said all that it has to say
        self.heard_all = False
        #: our last word is said, or the client is gone
        self.over = False
        #: bytes that the client lets us send
        self.window = connection.first_window
        #: the client has cancelled, or is gone
        self.on_lost: Callable[[], None] = _nothing
        #: what the client has sent cannot be taken: how the call has to end
        self.on_fault: Callable[[BaseException], None] = _ignored
        #: it is time to send again
        self.on_writable: Callable[[], None] | None = None
        self._connection = connection
        self._assembler = Assembler(request.encoding, connection.limits.message_bytes)
        self._expected = request.length
        self._tarried = 0.0
        # What the client may still send; what of that has come and was not read.
        self._credit = connection.limits.stream_window
        self._held = 0
        self._inbox: deque[bytes] = deque()
        self._read = 0  # messages since the reader has waited
        self._reader: asyncio.Future[None] | None = None
        self._on_message: OnMessage | None = None
        self._on_end: Callable[[], None] = _nothing
        # What waits for the client's windows, and what comes after it.
        self._pending = bytearray()
        self._stuffed = False  # whoever sends was told to wait
        self._begun = False
        self._trailers: bytes | None = None
        self._writers: list[asyncio.Future[None]] = []

    # -------------------------------------------------------------------------------------------------------- receiving

    def receive(self, on_message: OnMessage, on_end: Callable[[], None]) -> None:
        """Register a callback for each message, beginning with those that wait."""
        self._on_message, self._on_end = on_message, on_end
        while self._inbox:
            try:
                message = self._take()
            except BadMessage as bad:
                self.on_fault(bad)
                return
            on_message(message)
        if self.heard_all and not self.over:
            self._on_end()  # of whoever listens now: what has waited may have led to somebody else

    async def read(self) -> bytes | None:
        """Return the next message, or None after the last and once the call is over."""
        while not self._inbox:
            if self.heard_all or self.over:
                return None
            if self._reader is not None:
                raise asyncio.InvalidStateError("somebody else reads this stream already")
            self._reader = asyncio.get_running_loop().create_future()
            try:
                await self._reader
            finally:
                self._reader = None
            self._read = 0
        self._read += 1
        if self._read > _MOST_READ:
            self._read = 0
            await asyncio.sleep(0)
            if not self._inbox:  # it is over meanwhile
                return None
        return self._take()

    def _take(self) -> bytes:
        """Take a waiting message, and reopen the window by its size."""
        message = self._inbox.popleft()
        size = len(message) + PREFIX_BYTES
        self._held -= size
        self._connection.release(size)
        self._replenish()
        return self._unpacked(message)

    def data(self, payload: bytes, size: int, *, last: bool) -> None:
        """Handle a DATA frame; `size` includes its padding."""
        self.mute = False
        self._credit -= size
        if self._credit < 0:
            raise StreamFault(FLOW_CONTROL_ERROR)
        if self._trailers is not None:  # our last word waits; nothing else is of interest any more
            self.heard_all = last
            return
        if self._expected is not None:
            self._expected -= len(payload)
        assembler = self._assembler
        try:
            # Nearly always one frame is one message, and not compressed.
            if not assembler and len(payload) - PREFIX_BYTES == int.from_bytes(payload[:PREFIX_BYTES], "big"):
                message = payload[PREFIX_BYTES:]
                if len(message) > self._connection.limits.message_bytes:
                    raise TooLarge(len(message), self._connection.limits.message_bytes)
                if self._on_message is not None:
                    self._on_message(message)
                else:
                    self._keep(message)
            elif payload:
                self._assemble(payload)
        except frames.ConnectionFault:
            raise
        except Exception as error:  # noqa: BLE001  whatever it is, it is the end of this call and of no other
            self.heard_all = last
            self.on_fault(error)
            self._connection.spend(STRAY)
            return
        if last:
            self.end()
        elif self._credit < self._connection.half_stream_window:
            self._replenish()

    def _assemble(self, payload: bytes) -> None:
        assembler, connection = self._assembler, self._connection
        before = len(assembler)
        try:
            messages = assembler.feed(payload)
            if before and not messages and len(payload) < SMALL_BYTES:
                connection.spend(SMALL)
        finally:
            few = connection.assemble(len(assembler) - before)
        if not few:
            raise TooMuch("too many large messages at a time on this connection")
        for message in messages:
            if type(message) is Packed:
                connection.expect(len(message))
            if self.over or self._trailers is not None:
                return
            if self._on_message is not None:
                self._on_message(self._unpacked(message))
            else:
                self._keep(message)

    def _unpacked(self, message: bytes) -> bytes:
        if type(message) is not Packed:
            return message
        connection = self._connection
        if not connection.unpack(0):
            raise TooMuch("too many compressed messages on this connection for now")
        size = connection.limits.message_bytes  # what may have been made of it before it turned out to be bad
        try:
            unpacked = self._assembler.unpacked(message)
            size = len(unpacked)
        finally:
            connection.unpack(size)
        return unpacked

    def _keep(self, message: bytes) -> None:
        self._inbox.append(message)
        size = len(message) + PREFIX_BYTES
        self._held += size
        if not self._connection.hold(size):
            raise TooMuch("too many messages wait to be read")
        self._wake()

    def end(self) -> None:
        """Handle the end of the client's messages."""
        self.heard_all = True
        if self.over or self._trailers is not None:
            return
        if self._expected:  # 8.1.1
            raise StreamFault(frames.PROTOCOL_ERROR)
        if self._assembler:
            self.on_fault(BadMessage(StatusCode.INTERNAL, "the last message is not complete"))
            return
        self._wake()
        if self._on_message is not None:
            try:
                self._on_end()
            except Exception as error:  # noqa: BLE001
                self.on_fault(error)

    def _wake(self) -> None:
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)

    def _replenish(self) -> None:
        """Reopen the window by what was taken, in large steps."""
        connection = self._connection
        grown = connection.limits.stream_window - self._held - self._credit
        if grown >= connection.half_stream_window and not (self.heard_all or self.over):
            self._credit += grown
            connection.write(frames.window_update(self.number, grown))

    # ---------------------------------------------------------------------------------------------------------- sending

    def begin(self, block: bytes = BEGIN) -> None:
        """Send the response headers, once."""
        if not self._begun and not self.over:
            self._begun = True
            self._connection.headers(self.number, block)

    def at_end_of_turn(self, send: Callable[[], None]) -> Callable[[], None]:
        """Schedule a callback for the end of this turn, even when the stream is over."""
        return partial(self._connection.soon, send)

    def send(self, message: bytes) -> None:
        """Send a message as soon as the window allows; raise Full if the queue is full."""
        if self.over or self._trailers is not None:
            return
        connection = self._connection
        if not self._begun:
            self.begin()
        length = len(message)
        size = length + PREFIX_BYTES
        if (
            not self._pending
            and size <= self.window
            and size <= connection.window
            and size <= connection.room
            and size <= connection.frame_size
        ):
            self.window -= size
            connection.window -= size
            connection.room -= size
            connection.busy = True
            connection.write(message_head(self.number, length) + message)
            return
        if not connection.queue(size):
            connection.queue(-size)
            raise Full
        self._pending += frames.message_prefix(length)
        self._pending += message
        self.pump()
        self._stuffed = not self.writable

    @property
    def writable(self) -> bool:
        """Tell if the sender should send more now."""
        return len(self._pending) < self._connection.limits.queued_bytes

    async def drained(self) -> None:
        """Wait until more should be sent, or the stream is over."""
        while not (self.writable or self.over):
            waiting = asyncio.get_running_loop().create_future()
            self._writers.append(waiting)
            await waiting

    def finish(self, trailers: bytes) -> None:
        """Send the trailers after all queued messages, and ignore further input."""
        if self.over or self._trailers is not None:
            return
        if self._pending:
            self._trailers = trailers
            return
        block = trailers if self._begun else BEGIN + trailers
        self._connection.headers(self.number, block, last=True)
        self._close()

    def widen(self, increment: int) -> None:
        """Change the send window, which settings may also reduce."""
        if self.window + increment > MOST_WINDOW:  # 6.9.1
            raise StreamFault(FLOW_CONTROL_ERROR)
        self.window += increment
        if self._pending:
            self.pump()

    def pump(self) -> None:
        """Send queued output as far as the windows allow."""
        connection, pending = self._connection, self._pending
        while pending:
            room = min(self.window, connection.window, connection.room, connection.frame_size)
            if room <= 0:
                if self.window > 0:
                    connection.block(self)
                break
            piece = bytes(pending[:room])
            del pending[:room]
            connection.queue(-len(piece))
            self.window -= len(piece)
            connection.window -= len(piece)
            connection.room -= len(piece)
            connection.busy = True
            connection.write(frames.data(self.number, piece))
        if not pending and self._trailers is not None:
            trailers, self._trailers = self._trailers, None
            self.finish(trailers)
        if self._stuffed and self.writable and not self.over:
            self._stuffed = False
            self._wake_writers()
            if self.on_writable is not None:
                self.on_writable()

    def _wake_writers(self) -> None:
        writers, self._writers = self._writers, []
        for waiting in writers:
            if not waiting.done():
                waiting.set_result(None)

    # ---------------------------------------------------------------------------------------------------------- the end

    @property
    def kept(self) -> int:
        """Return the bytes buffered for this stream."""
        waiting = self._held + MESSAGE_BYTES * len(self._inbox)
        return self.kept_headers + waiting + len(self._assembler) + len(self._pending)

    def is_stalled(self) -> bool:
        """Tell if the client has exceeded a time limit that no handler enforces. Checked at each maintenance."""
        limits = self._connection.limits
        if self.asking or self.mute:
            self._tarried += limits.beat_seconds
            return self._tarried > limits.request_seconds
        if self._trailers is not None:
            self._tarried += limits.beat_seconds
            return self._tarried > limits.patience_seconds
        return False

    def _close(self) -> None:
        """Close both directions."""
        self.over = True
        connection = self._connection
        if self._inbox:
            connection.release(self._held, len(self._inbox))
            self._held = 0
            self._inbox.clear()
        if self._assembler:
            connection.assemble(-len(self._assembler))
        connection.queue(-len(self._pending))
        self._pending.clear()
        self._wake()
        self._wake_writers()
        # Nobody is called any more; and without circles of references nothing waits for the garbage collector.
        self.on_lost = self._on_end = _nothing
        self.on_fault = _ignored
        self.on_writable = self._on_message = None
        connection.forget(self)

    def lose(self) -> None:
        """End the call after a cancel or a lost connection."""
        if not self.over:
            self.heard_all = True
            self._trailers = None
            on_lost = self.on_lost
            self._close()
            on_lost()


def _nothing() -> None:
    pass


def _ignored(_error: BaseException) -> None:
    pass
