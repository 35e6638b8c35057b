"""The transport side of a connection: coalesced writes, backpressure, keepalive."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, cast

from landsraad_http2 import frames
from landsraad_http2.limits import Limits

if TYPE_CHECKING:
    from landsraad_http2.stream import Http2Stream

#: What is handed to the system in one turn; and what may wait there before we are told to pause.
TURN_BYTES: Final = 256 << 10
_MOST_WAITING_BYTES: Final = 4 << 20
#: Seconds for a client to take our last words.
LINGER_SECONDS: Final = 2.0
#: The payload of a ping that asks whether somebody is there.
_ARE_YOU_THERE: Final = b"landsra\0"


class Wire(asyncio.Protocol):
    """The transport and the timers of a connection; see Connection.

    With slots: a dict for the attributes of both classes would be a third of the size of a connection.
    """

    __slots__ = (
        "_blocked",
        "_closed",
        "_flushing",
        "_heard",
        "_loop",
        "_next_beat",
        "_out",
        "_paused",
        "_reading",
        "_said_no_table",
        "_silence",
        "_stuck",
        "_unsent_before",
        "_writers",
        "busy",
        "frame_size",
        "limits",
        "peer",
        "room",
        "transport",
        "window",
    )

    transport: asyncio.Transport

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        #: where the client is, as gRPC spells it
        self.peer = ""
        #: what the client lets us send: on all streams together, and in one frame; and what this turn does
        self.window = frames.FIRST_WINDOW
        self.frame_size = frames.FIRST_FRAME_SIZE
        self.room = TURN_BYTES
        #: something of a call was sent since the client has asked whether we are there
        self.busy = False
        self._loop = asyncio.get_running_loop()
        self._out: list[bytes] = []
        self._writers: list[Callable[[], None]] = []  # have something to write in this turn
        self._flushing = False
        self._paused = False
        self._reading = True
        self._said_no_table = False
        self._blocked: dict[Http2Stream, None] = {}  # could send but for us, in the order of their waiting
        self._closed = False
        self._heard = False  # anything since the last beat
        self._silence = 0.0
        self._stuck = 0.0  # seconds in which the client has taken nothing of what waits, and how much that was
        self._unsent_before = 0
        self._next_beat: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)
        secured = transport.get_extra_info("ssl_object")
        if secured is not None and secured.selected_alpn_protocol() != "h2":  # 3.2
            self._closed = True
            self.transport.abort()
            return
        self.transport.set_write_buffer_limits(TURN_BYTES)
        self.peer = _spelled(transport.get_extra_info("peername"))
        self._next_beat = self._loop.call_later(self.limits.beat_seconds, self._beat)

    def connection_lost(self, exc: Exception | None) -> None:
        self._closed = True
        self._out.clear()
        if self._next_beat is not None:
            self._next_beat.cancel()

    @property
    def certificate(self) -> dict[str, Any]:
        """Return the client's verified certificate, empty if none was required."""
        secured = self.transport.get_extra_info("ssl_object")
        return (secured.getpeercert() or {}) if secured is not None else {}

    def pause_writing(self) -> None:
        self._paused = True
        self.room = 0

    def resume_writing(self) -> None:
        self._paused = False
        self.room = TURN_BYTES
        self.pump()

    def stop_reading(self) -> None:
        """Pause reading."""
        if self._reading and not (self._closed or self.transport.is_closing()):
            self._reading = False
            self.transport.pause_reading()

    def go_on_reading(self) -> None:
        if not self._reading:
            self._reading = True
            if not (self._closed or self.transport.is_closing()):
                self.transport.resume_reading()

    # ---------------------------------------------------------------------------------------------------------- writing

    def write(self, data: bytes) -> None:
        """Queue bytes for the write at the end of this turn. After the last bytes, do nothing."""
        if self._closed:
            return
        self._out.append(data)
        if not self._flushing:
            self._flushing = True
            self._loop.call_soon(self._flush)

    def soon(self, write: Callable[[], None]) -> None:
        """Schedule a callback that writes at the end of this turn."""
        self._writers.append(write)
        if not self._flushing:
            self._flushing = True
            self._loop.call_soon(self._flush)

    def _flush(self) -> None:
        if self._writers:
            writers, self._writers = self._writers, []
            for write in writers:
                write()
        self._flushing = bool(self._writers)
        if self._flushing:
            self._loop.call_soon(self._flush)  # next turn
        out = self._out
        if not out:
            return
        self.transport.write(b"".join(out) if len(out) > 1 else out[0])
        out.clear()
        if not self._paused:
            self.room = TURN_BYTES
            if self._blocked:
                self.pump()
        elif self.transport.get_write_buffer_size() > _MOST_WAITING_BYTES:
            self.transport.abort()  # data do not wait there; it asks and asks, and takes no answer

    def block(self, stream: Http2Stream) -> None:
        """Queue a stream until the connection window opens."""
        self._blocked[stream] = None

    def unblock(self, stream: Http2Stream) -> None:
        """Remove a stream from that queue."""
        self._blocked.pop(stream, None)

    def pump(self) -> None:
        """Let queued streams send, round robin."""
        blocked = self._blocked
        while blocked and self.window > 0 and self.room > 0:
            stream = next(iter(blocked))
            del blocked[stream]
            stream.pump()

    def headers(self, number: int, block: bytes, *, last: bool = False) -> None:
        """Send a header block. The first one sets the table size to 0 (RFC 7541, 4.2)."""
        if not self._said_no_table:
            self._said_no_table = True
            block = b"\x20" + block
        self.busy = True
        self.write(frames.headers(number, block, last=last))

    # ----------------------------------------------------------------------------------------- whether anybody is there

    def _beat(self) -> None:
        """Run the periodic maintenance: keepalive, time limits, budgets."""
        if self._closed:
            return
        limits = self.limits
        self._silence = 0.0 if self._heard else self._silence + limits.beat_seconds
        unsent = self.transport.get_write_buffer_size() if self._paused else 0
        self._stuck = self._stuck + limits.beat_seconds if unsent and unsent >= self._unsent_before else 0.0
        self._unsent_before = unsent
        self._heard = False
        if self._silence >= limits.keepalive_seconds + limits.answer_seconds or self._stuck > limits.patience_seconds:
            self.transport.abort()
            return
        if self._silence >= limits.keepalive_seconds:
            self.write(frames.ping(_ARE_YOU_THERE))
        self._next_beat = self._loop.call_later(limits.beat_seconds, self._beat)

    def close(self) -> None:
        """Close the transport once all output is flushed."""
        if self._closed:
            return
        self._closed = True
        self._flush()
        self.transport.close()
        self._loop.call_later(LINGER_SECONDS, self.transport.abort)


def _spelled(name: Any) -> str:
    """Spell an address as gRPC does."""
    if not isinstance(name, tuple):
        return "unix:"
    host, port = name[:2]
    return f"ipv6:[{host}]:{port}" if ":" in host else f"ipv4:{host}:{port}"
