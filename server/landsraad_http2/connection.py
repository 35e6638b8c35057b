"""One HTTP/2 connection (RFC 9113). Writes of all its streams are coalesced into one per turn of the loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from landsraad_http2 import frames, guard
from landsraad_http2.counters import RefusalCounters
from landsraad_http2.frames import (
    ACK,
    END_HEADERS,
    END_STREAM,
    FLOW_CONTROL_ERROR,
    FRAME_SIZE_ERROR,
    LAST_STREAM,
    MOST_WINDOW,
    NO_ERROR,
    PADDED,
    PROTOCOL_ERROR,
    REFUSED_STREAM,
    STREAM_CLOSED,
    WITH_PRIORITY,
    ConnectionFault,
)
from landsraad_http2.guard import AbuseGuard
from landsraad_http2.headers import (
    MOST_LIST_BYTES,
    BlockReader,
    Malformed,
    RefusedRequest,
    Request,
    check_trailers,
    only_status,
)
from landsraad_http2.intake import Intake
from landsraad_http2.limits import MESSAGE_BYTES, STREAM_BYTES, Limits
from landsraad_http2.messages import BadMessage, TooMuch
from landsraad_http2.quotas import ClientQuotas
from landsraad_http2.stream import Http2Stream, StreamFault
from landsraad_http2.turns import CALL_SECONDS, MOST_UNFOLDED, UNPACK_SECONDS, Turns
from landsraad_http2.wire import LINGER_SECONDS, TURN_BYTES

if TYPE_CHECKING:
    from landsraad_http2.context import Explain

#: Streams that we have ended before their clients had: what they still send is no fault of theirs.
_MOST_REMEMBERED: Final = 512
#: Calls that no other may displace: a probe that fails has a server restarted which does its best.
HEALTH: Final = "/grpc.health.v1.Health/"
#: The payload of a ping whose answer says that the first GOAWAY has come there.
_GOING: Final = b"landsra\1"


class Connection(Intake):
    """A server's connection. It calls `accept` for each new call and `on_close` at its end."""

    __slots__ = (
        "_accept",
        "_block",
        "_block_frames",
        "_blocks",
        "_credit",
        "_ended",
        "_explain",
        "_guard",
        "_half_window",
        "_held",
        "_known",
        "_last",
        "_leaving",
        "_metadata",
        "_most",
        "_on_close",
        "_on_open",
        "_queued",
        "_settled",
        "_tarried",
        "_unfinished",
        "_unpackable",
        "counters",
        "first_window",
        "half_stream_window",
        "streams",
    )

    def __init__(
        self,
        limits: Limits,
        known: dict[bytes, Request],
        quotas: ClientQuotas,
        turns: Turns,
        counters: RefusalCounters,
        accept: Callable[[Http2Stream, Request, Connection], None],
        on_open: Callable[[Connection], None],
        on_close: Callable[[Connection], None],
        explain: Explain,
    ) -> None:
        super().__init__(limits, quotas, turns)
        self.half_stream_window = max(1, limits.stream_window // 2)
        self.streams: dict[int, Http2Stream] = {}
        #: what the client lets us send on a new stream
        self.first_window = frames.FIRST_WINDOW
        self._accept = accept
        self._on_open = on_open
        self._on_close = on_close
        self._explain = explain
        self.counters = counters
        self._guard: AbuseGuard
        self._known = known
        self._blocks: BlockReader
        self._settled = False  # the first frame has come
        self._tarried = False  # it has not within a beat
        # Of a header block that is not complete: its bytes (of one that is too long only the first), its frames.
        self._block = bytearray()
        self._block_frames = 0
        self._last = 0  # the highest stream
        self._most = LAST_STREAM  # a higher one is not taken any more
        self._ended: dict[int, None] = {}  # by us, not yet by the client
        # What the client may still send on all streams, and what of that has come and was not read.
        self._credit = limits.connection_window
        self._half_window = limits.connection_window // 2
        self._held = 0
        self._leaving = False
        # Bytes of messages that are not complete, of what waits for the client, of metadata; and what may be unpacked.
        self._unfinished = 0
        self._queued = 0
        self._metadata = 0
        self._unpackable = limits.unpacked_bytes

    # ------------------------------------------------------------------------------------------------ as the loop wants

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        limits = self.limits
        self._guard = AbuseGuard(limits, self.quota)
        self._blocks = BlockReader(self._known, self._guard, limits.block_bytes, self.charge)
        if self._closed:
            return
        mine = (
            (frames.HEADER_TABLE_SIZE, 0),
            (frames.MAX_CONCURRENT_STREAMS, limits.streams),
            (frames.INITIAL_WINDOW_SIZE, limits.stream_window),
            (frames.MAX_HEADER_LIST_SIZE, MOST_LIST_BYTES),
        )
        self.write(frames.settings(mine))
        if limits.connection_window > frames.FIRST_WINDOW:
            self.write(frames.window_update(0, limits.connection_window - frames.FIRST_WINDOW))
        self._on_open(self)

    def eof_received(self) -> None:
        """Close at end of file: a client that has closed its side reads no answer."""

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        for stream in tuple(self.streams.values()):
            stream.lose()
        self._blocks.forget()
        self.part()
        self._on_close(self)

    # ---------------------------------------------------------------------------------------- what streams tell of them

    def hold(self, size: int) -> bool:
        """Count an unread message against the receive windows; return true if it fits."""
        self._held += size
        return self.charge(size + MESSAGE_BYTES)

    def release(self, size: int, messages: int = 1) -> None:
        """Give back the window of messages that were read."""
        self._held -= size
        self.charge(-size - MESSAGE_BYTES * messages)
        if self._credit < self._half_window:
            self._replenish()

    def assemble(self, size: int) -> bool:
        """Count bytes of incomplete messages; return true if they fit."""
        self._unfinished += size
        return self.charge(size) and self._unfinished <= self.limits.unfinished_bytes

    def queue(self, size: int) -> bool:
        """Count bytes queued for the client; return true if they fit."""
        self._queued += size
        return self.charge(size) and self._queued <= self.limits.most_queued_bytes

    def expect(self, size: int) -> None:
        """Charge the time to decompress a message of this size, which may grow a thousandfold."""
        self.quota.left -= min(size * MOST_UNFOLDED, self.limits.message_bytes) * UNPACK_SECONDS

    def unpack(self, size: int) -> bool:
        """Charge decompressed bytes; return true while more may follow."""
        self._unpackable -= size
        enough = self.quota.unpackable.take(size)
        # A connection that has hardly used any does not suffer for others of its address.
        return self._unpackable > 0 and (
            enough or self.limits.unpacked_bytes - self._unpackable <= self.limits.message_bytes
        )

    def forget(self, stream: Http2Stream) -> None:
        """Drop a finished stream, and reset it if the client has not ended its side (8.1)."""
        number = stream.number
        del self.streams[number]
        self._metadata -= stream.metadata
        self.charge(-stream.kept_headers)
        self.unblock(stream)
        if not (stream.heard_all or self._closed):
            self._reset(number, NO_ERROR)
        if self._leaving and not self.streams:
            self.close()

    def evict_stream(self, number: int) -> None:
        """Reset a stream to free memory: its client holds the most."""
        stream = self.streams.get(number)
        if stream is not None:
            self.counters.evicted()
            self._reset(number, frames.ENHANCE_YOUR_CALM)
            stream.lose()

    def evict_connection(self) -> None:
        """End the connection to free memory that its streams do not hold."""
        if not self._closed:
            self._fail(ConnectionFault(frames.ENHANCE_YOUR_CALM, "too much is kept for this connection"))
            self.drop_late()
            self.transport.abort()

    def _reset(self, number: int, code: int) -> None:
        self.write(frames.rst_stream(number, code))
        if len(self._ended) >= _MOST_REMEMBERED:
            del self._ended[next(iter(self._ended))]
        self._ended[number] = None

    # ---------------------------------------------------------------------------------------------------------- reading

    def _take(self, kind: int, flags: int, number: int, payload: bytes) -> None:
        if self._closed:  # by a frame that has come together with this one
            return
        if not self._settled:
            if kind != frames.SETTINGS or flags & ACK:
                raise ConnectionFault(PROTOCOL_ERROR, "settings come first")
            self._settled = True
        if self._open_block is not None and kind != frames.CONTINUATION:  # 6.10
            raise ConnectionFault(PROTOCOL_ERROR, "a header block has to be complete before anything else")
        if kind < len(_HANDLERS):
            try:
                _HANDLERS[kind](self, flags, number, payload)
            except StreamFault as fault:
                self._fail_stream(number, fault.code)
        else:  # 5.5: whatever it is, it is not for us
            self._guard.spend(guard.STRAY)

    def _fail_stream(self, number: int, code: int) -> None:
        self._guard.spend(guard.STRAY)
        self._reset(number, code)
        stream = self.streams.get(number)
        if stream is not None:
            stream.lose()

    def _idle(self, number: int) -> bool:
        """Tell if this stream has not been opened yet. Even numbers would be the server's (5.1.1)."""
        return number > self._last or not number & 1

    def _data(self, flags: int, number: int, payload: bytes) -> None:
        size = len(payload)
        self._credit -= size
        if self._credit < 0:
            raise ConnectionFault(FLOW_CONTROL_ERROR, "more than the connection's window")
        if flags & PADDED:
            payload = frames.without_padding(flags, payload)
        last = bool(flags & END_STREAM)
        if not (payload or last):
            self._guard.spend(guard.EMPTY)
        stream = self.streams.get(number)
        try:
            if stream is None:
                self._stray(number, last=last)
            elif stream.heard_all:
                raise StreamFault(STREAM_CLOSED)
            else:
                stream.data(payload, size, last=last)
        except StreamFault as fault:
            self._fail_stream(number, fault.code)
        if self._credit < self._half_window:
            self._replenish()

    def _stray(self, number: int, *, last: bool) -> None:
        """Handle data of a stream that is not open."""
        if self._idle(number):
            raise ConnectionFault(PROTOCOL_ERROR, "a stream begins with headers")
        if number not in self._ended:
            raise StreamFault(STREAM_CLOSED)
        self._guard.spend(guard.LATE)
        if last:
            del self._ended[number]

    def _replenish(self) -> None:
        grown = self.limits.connection_window - self._held - self._credit
        if grown >= self._half_window:
            self._credit += grown
            self.write(frames.window_update(0, grown))

    # ---------------------------------------------------------------------------------------------------- header blocks

    def _headers(self, flags: int, number: int, payload: bytes) -> None:
        if not number & 1:
            raise ConnectionFault(PROTOCOL_ERROR, "streams of clients have odd numbers")
        block = frames.without_padding(flags, payload)
        if flags & WITH_PRIORITY:
            if len(block) < 5:
                raise ConnectionFault(FRAME_SIZE_ERROR, "no room for the priority")
            block = block[5:]
        if flags & END_HEADERS:
            self._whole_block(number, flags, block)
            return
        self._open_block = number, flags
        self._block[:] = block
        self._block_frames = 1

    def _continuation(self, flags: int, number: int, payload: bytes) -> None:
        if self._open_block is None or self._open_block[0] != number:
            raise ConnectionFault(PROTOCOL_ERROR, "there is nothing to continue")
        if len(self._block) <= self.limits.block_bytes:
            self._block += payload
        self._block_frames += 1
        if self._block_frames > self.limits.block_frames:
            raise ConnectionFault(frames.ENHANCE_YOUR_CALM, "headers without an end")
        if flags & END_HEADERS:
            first, self._open_block = self._open_block[1], None
            block = bytes(self._block)
            self._block.clear()
            self._whole_block(number, first, block)

    def _whole_block(self, number: int, flags: int, block: bytes) -> None:
        last = bool(flags & END_STREAM)
        stream = self.streams.get(number)
        if stream is not None:
            self._second_block(stream, block, last=last)
        elif number in self._ended:
            self._guard.spend(guard.STRAY)
            with suppress(RefusedRequest):
                self._blocks.fields(block)
            if last:
                del self._ended[number]
        elif number <= self._last:
            raise ConnectionFault(PROTOCOL_ERROR, "numbers of streams go up")
        else:
            self._open(number, block, last=last)

    def _second_block(self, stream: Http2Stream, block: bytes, *, last: bool) -> None:
        """Handle a second header block: trailers, which must end the stream (8.1)."""
        try:
            fields = self._blocks.fields(block)
        except RefusedRequest:
            raise StreamFault(frames.ENHANCE_YOUR_CALM) from None
        if stream.heard_all:
            raise StreamFault(STREAM_CLOSED)
        try:
            check_trailers(fields)
        except Malformed:
            raise StreamFault(PROTOCOL_ERROR) from None
        if not last:
            raise StreamFault(PROTOCOL_ERROR)
        stream.end()

    def _open(self, number: int, block: bytes, *, last: bool) -> None:
        self._last = number
        try:
            request = self._blocks.request(block)
        except Malformed:
            raise StreamFault(PROTOCOL_ERROR) from None
        except RefusedRequest as refused:
            self._refuse(number, refused.answer, last=last)
            return
        if number > self._most or len(self.streams) >= self.limits.streams:
            self.counters.refused()
            raise StreamFault(REFUSED_STREAM)
        if self._metadata + request.size > self.limits.metadata_bytes:
            self._refuse(number, TooMuch("too much metadata at a time on this connection"), last=last)
            return
        if not self.charge(request.kept + STREAM_BYTES) and not request.path.startswith(HEALTH):
            self.charge(-request.kept - STREAM_BYTES)
            self.counters.refused()
            raise StreamFault(REFUSED_STREAM)
        self._metadata += request.size
        self.quota.left -= CALL_SECONDS
        stream = self.streams[number] = Http2Stream(self, number, request)
        self._accept(stream, request, self)
        if last and not stream.over:
            stream.end()

    def _refuse(self, number: int, answer: bytes | BadMessage, *, last: bool) -> None:
        """Answer a request that is not served."""
        self._guard.spend(guard.STRAY)
        if isinstance(answer, bytes):
            block = answer
        else:
            block = only_status(answer.code.value[0], *self._explain(answer))
        self.headers(number, block, last=True)
        if not last:
            self._reset(number, NO_ERROR)

    # ------------------------------------------------------------------------------------------------------- the others

    def _priority(self, flags: int, number: int, payload: bytes) -> None:
        self._guard.spend(guard.PRIORITY)
        if not number:
            raise ConnectionFault(PROTOCOL_ERROR, "priority of no stream")
        if len(payload) != 5:
            if self._idle(number):  # what has not begun cannot be reset (6.4)
                raise ConnectionFault(FRAME_SIZE_ERROR, "a priority has five bytes")
            raise StreamFault(FRAME_SIZE_ERROR)

    def _rst_stream(self, flags: int, number: int, payload: bytes) -> None:
        frames.number(payload)
        if self._idle(number):
            raise ConnectionFault(PROTOCOL_ERROR, "a stream cannot be reset before it begins")
        self._guard.spend(guard.RESET)  # CVE-2023-44487: to begin a call and cancel it costs the client nothing
        self._ended.pop(number, None)
        stream = self.streams.get(number)
        if stream is not None:
            stream.heard_all = True
            stream.lose()

    def _settings(self, flags: int, number: int, payload: bytes) -> None:
        if number:
            raise ConnectionFault(PROTOCOL_ERROR, "settings are the connection's")
        self._guard.spend(guard.SETTINGS + len(payload) // guard.SETTING_BYTES)
        if flags & ACK:
            if payload:
                raise ConnectionFault(FRAME_SIZE_ERROR, "an acknowledgement says nothing")
            self._blocks.forget_table()
            return
        window = self.first_window
        for name, value in frames.read_settings(payload):
            if name == frames.INITIAL_WINDOW_SIZE:
                if value > MOST_WINDOW:
                    raise ConnectionFault(FLOW_CONTROL_ERROR, "the window is too large")
                window = value  # of many in one frame the last holds: each would go through all streams
            else:
                self._set(name, value)
        if window != self.first_window:
            self._widen(window)
        self.write(frames.SETTINGS_ACK)

    def _widen(self, window: int) -> None:
        """Apply a change of the initial window to all streams (6.9.2)."""
        self._guard.spend(len(self.streams) // guard.WIDENED_STREAMS)
        grown, self.first_window = window - self.first_window, window
        for stream in tuple(self.streams.values()):
            try:
                stream.widen(grown)
            except StreamFault:  # here it is the connection's
                raise ConnectionFault(FLOW_CONTROL_ERROR, "a window is too large") from None

    def _set(self, name: int, value: int) -> None:
        if name == frames.MAX_FRAME_SIZE:
            if not frames.FIRST_FRAME_SIZE <= value <= frames.MOST_FRAME_SIZE:
                raise ConnectionFault(PROTOCOL_ERROR, "no such size of frames")
            self.frame_size = min(value, TURN_BYTES)
        elif name == frames.HEADER_TABLE_SIZE:
            self._said_no_table = False  # if it has become less, the next block has to say what we use (4.3.1)
        elif name == frames.ENABLE_PUSH and value > 1:
            raise ConnectionFault(PROTOCOL_ERROR, "push is on or off")

    def _push_promise(self, flags: int, number: int, payload: bytes) -> None:
        raise ConnectionFault(PROTOCOL_ERROR, "clients do not push")

    def _ping(self, flags: int, number: int, payload: bytes) -> None:
        if number:
            raise ConnectionFault(PROTOCOL_ERROR, "pings are the connection's")
        if len(payload) != 8:
            raise ConnectionFault(FRAME_SIZE_ERROR, "a ping has eight bytes")
        if flags & ACK:
            if payload == _GOING:
                self.leave()
            else:  # we ask now and then, and never much
                self._guard.spend(guard.STRAY)
            return
        self._guard.ping(self._loop.time(), busy=self.busy)
        self.busy = False
        self.write(frames.ping_ack(payload))

    def _goaway(self, flags: int, number: int, payload: bytes) -> None:
        if number:
            raise ConnectionFault(PROTOCOL_ERROR, "going away is the connection's")
        if len(payload) < 8:
            raise ConnectionFault(FRAME_SIZE_ERROR, "this is too short to go away")
        self._guard.spend(guard.STRAY)
        self._leaving = True
        if not self.streams:
            self.close()

    def _window_update(self, flags: int, number: int, payload: bytes) -> None:
        increment = frames.number(payload) & MOST_WINDOW
        if not number:
            if not increment:
                raise ConnectionFault(PROTOCOL_ERROR, "a window grows by something")
            if increment < guard.SMALL_INCREMENT:
                self._guard.spend(guard.SMALL)
            self.window += increment
            if self.window > MOST_WINDOW:
                raise ConnectionFault(FLOW_CONTROL_ERROR, "the connection's window is too large")
            self.pump()
            return
        if self._idle(number):
            raise ConnectionFault(PROTOCOL_ERROR, "a stream has no window before it begins")
        stream = self.streams.get(number)
        if not increment:
            raise StreamFault(PROTOCOL_ERROR)
        if stream is None or increment < guard.SMALL_INCREMENT:
            self._guard.spend(guard.SMALL)
        if stream is not None:
            stream.widen(increment)

    # ---------------------------------------------------------------------------------------------------------- the end

    def drain(self) -> None:
        """Shut down gracefully in two steps (6.8): running calls end, new ones are refused.

        The first GOAWAY only announces it. Calls that the client starts before it acknowledges are still answered.
        """
        if self._closed or self._leaving:
            return
        self.write(frames.goaway(LAST_STREAM, NO_ERROR))
        self.write(frames.ping(_GOING))
        self._loop.call_later(LINGER_SECONDS, self.leave)

    def leave(self) -> None:
        """Send the final GOAWAY: later calls may be retried on another connection."""
        if self._closed or self._most != LAST_STREAM:
            return
        self._most = self._last
        self._leaving = True
        self.write(frames.goaway(self._last, NO_ERROR))
        if not self.streams:
            self.close()

    def _beat(self) -> None:
        super()._beat()
        self._guard.renew()
        self._unpackable = self.limits.unpacked_bytes
        for stream in tuple(self.streams.values()):
            if stream.is_stalled():
                self.counters.expired()
                self._reset(stream.number, frames.CANCEL)
                stream.lose()
        if not self._settled:  # it has not even begun, and had two beats for it
            if self._tarried:
                self.transport.abort()
            self._tarried = True

    def spend(self, cost: int) -> None:
        """Charge useless frames to the abuse budget; raise ConnectionFault once it is spent."""
        self._guard.spend(cost)

    def _fail(self, fault: ConnectionFault) -> None:
        if not self._closed:
            self.counters.went_away(fault.code)
        self.write(frames.goaway(self._last, fault.code, str(fault)))
        self.close()
        for stream in tuple(self.streams.values()):
            stream.lose()


#: By the kinds of frames.
_HANDLERS: Final[tuple[Callable[[Connection, int, int, bytes], None], ...]] = (
    Connection._data,
    Connection._headers,
    Connection._priority,
    Connection._rst_stream,
    Connection._settings,
    Connection._push_promise,
    Connection._ping,
    Connection._goaway,
    Connection._window_update,
    Connection._continuation,
)
