"""The receive path of a connection: input is handled in its client's share of a turn, and the rest waits."""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from collections import deque
from time import perf_counter
from typing import TYPE_CHECKING, Final, cast

from landsraad_http2.frames import DATA, PREFACE, ConnectionFault, FrameReader
from landsraad_http2.limits import CONNECTION_BYTES, Limits
from landsraad_http2.quotas import ClientQuota, ClientQuotas
from landsraad_http2.turns import SLICE_SECONDS, STEP_BYTES, Turns
from landsraad_http2.wire import Wire

if TYPE_CHECKING:
    from landsraad_http2.connection import Connection

#: Bytes that wait for their turn before no more are read.
_MOST_LATE_BYTES: Final = 16 << 10


class Intake(Wire):
    """Parse input into frames, slice by slice. Connection handles them."""

    __slots__ = (
        "_late",
        "_late_bytes",
        "_open_block",
        "_preface",
        "_quotas",
        "_reader",
        "_turns",
        "_unsent",
        "kept",
        "quota",
    )

    def __init__(self, limits: Limits, quotas: ClientQuotas, turns: Turns) -> None:
        super().__init__(limits)
        #: what all connections of the client's address may do together
        self.quota: ClientQuota
        #: bytes that are kept for this connection
        self.kept = CONNECTION_BYTES
        self._quotas = quotas
        self._turns = turns
        self._reader = FrameReader()
        self._preface: bytes | None = b""  # what has come of it; None afterwards
        # A header block that is not complete: its stream, and the flags of its first frame.
        self._open_block: tuple[int, int] | None = None
        self._late: deque[bytes] = deque()  # has come, and waits for its turn
        self._late_bytes = 0
        self._unsent = 0  # what waits in the transport, since it said that this was too much

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.quota = self._quotas.join(cast("Connection", self), transport.get_extra_info("peername"))
        super().connection_made(transport)

    @abstractmethod
    def _data(self, flags: int, number: int, payload: bytes) -> None:
        """Handle a frame of data."""

    @abstractmethod
    def _take(self, kind: int, flags: int, number: int, payload: bytes) -> None:
        """Handle any other frame."""

    @abstractmethod
    def _fail(self, fault: ConnectionFault) -> None:
        """End the connection."""

    def data_received(self, data: bytes) -> None:
        if self._closed:
            return
        self._heard = True
        quota, turns = self.quota, self._turns
        if not quota.active:
            turns.enter(quota)
        if self._late:
            self._put_off(data)
        elif quota.left <= 0 or turns.left <= 0:
            self._put_off(data)
            quota.fresh.append(cast("Connection", self))
            turns.wait(quota, fresh=True)
        else:
            started = perf_counter()
            done = self._work(data, started + min(SLICE_SECONDS, quota.left))
            if done < len(data):
                self._put_off(data[done:])
                quota.stale.append(cast("Connection", self))
                turns.wait(quota, fresh=False)
            spent = perf_counter() - started
            quota.left -= spent
            turns.left -= spent

    def _work(self, data: bytes, until: float) -> int:
        """Handle input until the deadline; return the number of bytes handled."""
        quota, end = self.quota, len(data)
        at = 0
        try:
            while True:
                piece = data if end <= STEP_BYTES else data[at : at + STEP_BYTES]
                at += STEP_BYTES
                if self._preface is not None:
                    piece = self._greeted(piece)
                for kind, flags, number, payload in self._reader.feed(piece):
                    if kind == DATA and self._open_block is None:
                        self._data(flags, number, payload)
                    else:
                        self._take(kind, flags, number, payload)
                if at >= end or self._closed:
                    return end
                if quota.left <= 0 or perf_counter() >= until:
                    return at
        except ConnectionFault as fault:
            self._fail(fault)
            return end

    def _put_off(self, data: bytes) -> None:
        """Keep input for a later turn; with much of it, pause reading."""
        self._late.append(data)
        self._late_bytes += len(data)
        self.charge(len(data))
        if self._late_bytes > _MOST_LATE_BYTES:
            self.stop_reading()

    def catch_up(self, until: float) -> bool:
        """Handle waiting input until the deadline; return true if some is left."""
        late = self._late
        while late and not self._closed:
            data = late.popleft()
            done = self._work(data, until)
            self._late_bytes -= done
            self.charge(-done)
            if done < len(data):
                late.appendleft(data[done:])
                return not self._closed
            if self.quota.left <= 0 or perf_counter() >= until:
                break
        if self._closed:
            self.drop_late()
            return False
        if late:
            return True
        self._heard = True
        self.go_on_reading()
        return False

    def drop_late(self) -> None:
        """Drop waiting input."""
        self._late.clear()
        self.charge(-self._late_bytes)
        self._late_bytes = 0

    def _greeted(self, data: bytes) -> bytes:
        """Return the bytes after the connection preface (3.4); abort at any other: the peer speaks no HTTP/2."""
        begun = (self._preface or b"") + data
        if not begun.startswith(PREFACE):
            if PREFACE.startswith(begun):
                self._preface = begun
            else:
                self._closed = True
                self.transport.abort()
            return b""
        self._preface = None
        return begun[len(PREFACE) :]

    def charge(self, size: int) -> bool:
        """Count buffered bytes (negative: released); return true if they may be kept."""
        self.kept += size
        return self._quotas.charge(self.quota, size)

    def pause_writing(self) -> None:
        self._unsent = self.transport.get_write_buffer_size()
        self.charge(self._unsent)
        super().pause_writing()

    def resume_writing(self) -> None:
        self._sent()
        super().resume_writing()

    def _sent(self) -> None:
        self.charge(-self._unsent)
        self._unsent = 0

    def part(self) -> None:
        """Release what is counted for the connection."""
        self.drop_late()
        self._sent()
        self._quotas.part(cast("Connection", self), self.quota)
