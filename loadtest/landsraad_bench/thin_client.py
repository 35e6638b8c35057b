"""Thin client: gRPC over HTTP/2 for one bidirectional call on its own connection, at the least cost that Python allows.

Messages go straight from the socket to a callback, without a task or a future, and everything sent within one tick goes
out in one write. It has no name resolution, TLS or retries.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from struct import Struct
from typing import cast
from urllib.parse import unquote_to_bytes

import grpc

from landsraad_http2 import frames
from landsraad_http2.frames import HEAD_BYTES, PREFIX_BYTES, ConnectionFault, FrameReader
from landsraad_http2.headers import BlockReader, literal
from landsraad_http2.messages import Assembler, BadMessage

#: The first stream that a client opens (RFC 9113, 5.1.1); the only one here.
_STREAM = 1
#: Flow control window of the stream and of the connection.
_WINDOW = 16 << 20
#: A WINDOW_UPDATE is sent once so much is consumed, long before the service has to wait for it.
_CREDIT = _WINDOW // 2
_FRAME_SIZE = 1 << 20
#: The largest message: a frame may hold snapshots of many seats.
_MOST_BYTES = 64 << 20
#: Frame header and message prefix of a message that fills a whole DATA frame: see `frames.message_head`.
_HEAD = Struct(">IBIBI")
_read_head, _HEAD_BYTES = _HEAD.unpack_from, _HEAD.size
_STATUSES = {b"%d" % code.value[0]: code for code in grpc.StatusCode}
#: gRPC status codes for RST_STREAM error codes; INTERNAL for all others.
_RESETS = {
    frames.REFUSED_STREAM: grpc.StatusCode.UNAVAILABLE,
    frames.CANCEL: grpc.StatusCode.CANCELLED,
    frames.ENHANCE_YOUR_CALM: grpc.StatusCode.RESOURCE_EXHAUSTED,
}


class ThinCallFailed(Exception):
    """The call ended with another status than OK."""

    def __init__(self, code: grpc.StatusCode, details: str | None) -> None:
        super().__init__(f"{code.name}: {details}")
        self.code = code
        self.details = details or ""


class ThinClient(asyncio.Protocol):
    """One call to `method` at "host:port", made by `run`. Implements `transports.Carrier`."""

    __slots__ = (
        "_address",
        "_block",
        "_blocks",
        "_connection_window",
        "_cut",
        "_ended",
        "_first_window",
        "_flush_is_due",
        "_frame_size",
        "_frames",
        "_is_last",
        "_loop",
        "_messages",
        "_missing",
        "_on_message",
        "_out",
        "_stream_window",
        "_transport",
        "_unacknowledged",
        "_waiting",
    )

    def __init__(self, address: str, method: str, metadata: Iterable[tuple[str, str]] = ()) -> None:
        self._address = address
        self._loop = asyncio.get_running_loop()
        self._ended: asyncio.Future[None] = self._loop.create_future()
        self._on_message: Callable[[bytes], None] = lambda _: None
        self._transport: asyncio.Transport | None = None
        self._out = [_opening(_headers(address, method, metadata))]
        self._flush_is_due = False
        self._frames = FrameReader(_FRAME_SIZE)
        self._missing = False  # an incomplete frame or message is buffered
        self._cut = 0  # bytes of the incomplete frame
        self._blocks = BlockReader({})
        self._messages = Assembler("identity", _MOST_BYTES)
        self._block = b""  # header block, which CONTINUATION frames may extend
        self._is_last = False
        self._unacknowledged = 0  # bytes received since the last WINDOW_UPDATE
        # Send windows, and the data that waits for them.
        self._frame_size = frames.FIRST_FRAME_SIZE
        self._first_window = self._stream_window = self._connection_window = frames.FIRST_WINDOW
        self._waiting: deque[bytes] = deque()

    async def run(self, on_message: Callable[[bytes], None]) -> None:
        """Make the call and pass on its messages until it ends; ThinCallFailed if its status is not OK."""
        self._on_message = on_message
        host, _, port = self._address.rpartition(":")
        try:
            await self._loop.create_connection(lambda: self, host.strip("[]"), int(port))
        except OSError as error:
            raise ThinCallFailed(grpc.StatusCode.UNAVAILABLE, str(error)) from error
        try:
            await self._ended
        finally:
            self._leave()

    def _leave(self) -> None:
        assert self._transport is not None
        if self._ended.cancelled():
            self._out.append(frames.rst_stream(_STREAM, frames.CANCEL))
        self._out.append(frames.goaway(0, frames.NO_ERROR))
        self._flush()
        self._transport.close()

    def _end(self, code: grpc.StatusCode, details: str | None = None) -> None:
        if self._ended.done():
            return
        if code is grpc.StatusCode.OK:
            self._ended.set_result(None)
        else:
            self._ended.set_exception(ThinCallFailed(code, details))

    # ---------------------------------------------------------------------------------------------------------- sending

    def send(self, message: bytes) -> None:
        """Send a message after those before it, as soon as connection and flow control allow."""
        size = PREFIX_BYTES + len(message)
        if self._waiting or size > self._frame_size or size > self._stream_window or size > self._connection_window:
            self._waiting.append(frames.message_prefix(len(message)) + message)
            self._send_waiting()
        else:
            self._stream_window -= size
            self._connection_window -= size
            self._out += (frames.message_head(_STREAM, len(message)), message)
        if not self._flush_is_due:
            self._flush_is_due = True
            self._loop.call_soon(self._flush)

    def _send_waiting(self) -> None:
        """Send as much as the windows allow, in frames as large as the service accepts."""
        while self._waiting:
            payload = self._waiting[0]
            size = min(len(payload), self._frame_size, self._stream_window, self._connection_window)
            if size <= 0:  # a window may be negative (RFC 9113, 6.9.2)
                return
            self._stream_window -= size
            self._connection_window -= size
            self._out.append(frames.data(_STREAM, payload[:size]))
            if size < len(payload):
                self._waiting[0] = payload[size:]
            else:
                self._waiting.popleft()

    def _flush(self) -> None:
        self._flush_is_due = False
        if self._out and self._transport is not None:
            self._transport.write(b"".join(self._out))
            self._out.clear()

    # -------------------------------------------------------------------------------------------------------- receiving

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self._flush()

    def connection_lost(self, exc: Exception | None) -> None:
        self._end(grpc.StatusCode.UNAVAILABLE, str(exc) if exc else "the connection was closed")

    def data_received(self, data: bytes) -> None:
        self._flush_is_due = True  # flushed below, once the data is processed
        try:
            if self._missing or len(data) > _FRAME_SIZE or (data := self._take_whole(data)):
                self._take_frames(data)
        except ConnectionFault as fault:
            self._out.append(frames.goaway(0, fault.code))
            self._end(grpc.StatusCode.INTERNAL, str(fault))
        except BadMessage as bad:
            self._end(bad.code, bad.text)
        except Exception as error:  # noqa: BLE001 otherwise the loop only logs a player's error
            if not self._ended.done():
                self._ended.set_exception(error)
        self._flush_is_due = False
        if self._out:
            self._flush()

    def _take_whole(self, data: bytes) -> bytes:
        """Fast path: take messages that each fill one whole DATA frame, as nearly all do; return the rest of the
        data.
        """
        at = taken = 0
        end = len(data)
        while end - at >= _HEAD_BYTES:
            head, flags, stream, compressed, size = _read_head(data, at)
            payload = size + PREFIX_BYTES
            body, at_next = at + _HEAD_BYTES, at + HEAD_BYTES + payload
            # Length and type of a frame are read as one number; the type of DATA is 0.
            if head != payload << 8 or flags or stream != _STREAM or compressed or at_next > end:
                break
            taken += payload
            self._on_message(data[body:at_next])
            at = at_next
        self._unacknowledged += taken
        if self._unacknowledged >= _CREDIT:
            self._give_credit()
        return data[at:]

    def _take_frames(self, data: bytes) -> None:
        """Slow path: take any frames, however they are cut."""
        self._cut += len(data)
        for kind, flags, stream, payload in self._frames.feed(data):
            self._cut -= HEAD_BYTES + len(payload)
            if kind == frames.DATA:
                self._take_data(flags, payload)
            else:
                self._take_other(kind, flags, stream, payload)
        self._missing = bool(self._cut or self._messages)

    def _take_data(self, flags: int, payload: bytes) -> None:
        self._unacknowledged += len(payload)
        if self._unacknowledged >= _CREDIT:
            self._give_credit()
        if flags & frames.PADDED:
            payload = frames.without_padding(flags, payload)
        if payload:
            for message in self._messages.feed(payload):
                self._on_message(self._messages.unpacked(message))
        if flags & frames.END_STREAM:
            self._end(grpc.StatusCode.INTERNAL, "the stream has ended without a status")

    def _give_credit(self) -> None:
        credit, self._unacknowledged = self._unacknowledged, 0
        self._out += (frames.window_update(0, credit), frames.window_update(_STREAM, credit))

    def _take_other(self, kind: int, flags: int, stream: int, payload: bytes) -> None:
        """Handle a frame other than DATA."""
        if kind in {frames.HEADERS, frames.CONTINUATION}:
            self._take_headers(kind, flags, payload)
        elif kind == frames.WINDOW_UPDATE:
            if stream == _STREAM:
                self._stream_window += frames.number(payload)
            else:
                self._connection_window += frames.number(payload)
            self._send_waiting()
        elif kind == frames.SETTINGS and not flags & frames.ACK:
            self._take_settings(payload)
        elif kind == frames.PING and not flags & frames.ACK:
            self._out.append(frames.ping_ack(payload))
        elif kind == frames.RST_STREAM:
            code = frames.number(payload)
            self._end(_RESETS.get(code, grpc.StatusCode.INTERNAL), f"the stream was reset with {code}")
        elif kind == frames.GOAWAY and frames.number(payload[:4]) < _STREAM:
            # The service has not processed the call; calls that it has processed continue to their end (RFC 9113, 6.8).
            self._end(grpc.StatusCode.UNAVAILABLE, payload[8:].decode(errors="replace") or "the service goes away")

    def _take_settings(self, payload: bytes) -> None:
        for name, value in frames.read_settings(payload):
            if name == frames.INITIAL_WINDOW_SIZE:
                self._stream_window += value - self._first_window
                self._first_window = value
            elif name == frames.MAX_FRAME_SIZE:
                self._frame_size = value
        self._out.append(frames.SETTINGS_ACK)
        self._send_waiting()

    def _take_headers(self, kind: int, flags: int, payload: bytes) -> None:
        if kind == frames.HEADERS:
            payload = frames.without_padding(flags, payload)
            self._block = payload[5:] if flags & frames.WITH_PRIORITY else payload
            self._is_last = bool(flags & frames.END_STREAM)
        else:
            self._block += payload
        if not flags & frames.END_HEADERS:
            return
        found = dict(self._blocks.fields(self._block))
        if self._is_last:
            code = _STATUSES.get(found.get(b"grpc-status", b""), grpc.StatusCode.UNKNOWN)
            self._end(code, unquote_to_bytes(found.get(b"grpc-message", b"")).decode(errors="replace"))


def _opening(block: bytes) -> bytes:
    """Return the bytes that open a connection and the call."""
    return b"".join((
        frames.PREFACE,
        frames.settings((
            (frames.ENABLE_PUSH, 0),
            (frames.INITIAL_WINDOW_SIZE, _WINDOW),
            (frames.MAX_FRAME_SIZE, _FRAME_SIZE),
        )),
        frames.window_update(0, _WINDOW - frames.FIRST_WINDOW),
        frames.headers(_STREAM, block),
    ))  # fmt: skip


def _headers(address: str, method: str, metadata: Iterable[tuple[str, str]]) -> bytes:
    """Return the header block of the call."""
    ours = (
        *((":method", "POST"), (":scheme", "http"), (":path", method), (":authority", address)),
        *(("te", "trailers"), ("content-type", "application/grpc")),
    )
    return b"".join([literal(name.encode(), value.encode()) for name, value in (*ours, *metadata)])
