"""Intake of a connection: what has come is handled in its address's share of a turn, and the rest waits."""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from collections import deque
from time import perf_counter
from typing import TYPE_CHECKING, Final, cast

from landsraad_http2.accounts import Account, Accounts
from landsraad_http2.frames import DATA, PREFACE, Fault, FrameReader
from landsraad_http2.limits import CONNECTION_BYTES, Limits
from landsraad_http2.turns import SLICE_SECONDS, STEP_BYTES, Turns
from landsraad_http2.wire import Wire

if TYPE_CHECKING:
    from landsraad_http2.connection import Connection

#: Bytes that wait for their turn before no more are read.
_MOST_LATE_BYTES: Final = 16 << 10


class Intake(Wire):
    """Reads frames out of what comes, in turns; see Connection, which handles them."""

    __slots__ = (
        "_accounts",
        "_late",
        "_late_bytes",
        "_open_block",
        "_preface",
        "_reader",
        "_turns",
        "_unsent",
        "account",
        "kept",
    )

    def __init__(self, limits: Limits, accounts: Accounts, turns: Turns) -> None:
        super().__init__(limits)
        #: what all connections of the client's address may do together
        self.account: Account
        #: bytes that are kept for this connection
        self.kept = CONNECTION_BYTES
        self._accounts = accounts
        self._turns = turns
        self._reader = FrameReader()
        self._preface: bytes | None = b""  # what has come of it; None afterwards
        # A header block that is not complete: its stream, and the flags of its first frame.
        self._open_block: tuple[int, int] | None = None
        self._late: deque[bytes] = deque()  # has come, and waits for its turn
        self._late_bytes = 0
        self._unsent = 0  # what waits in the transport, since it said that this was too much

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.account = self._accounts.join(cast("Connection", self), transport.get_extra_info("peername"))
        super().connection_made(transport)

    @abstractmethod
    def _data(self, flags: int, number: int, payload: bytes) -> None:
        """Handle a frame of data."""

    @abstractmethod
    def _take(self, kind: int, flags: int, number: int, payload: bytes) -> None:
        """Handle any other frame."""

    @abstractmethod
    def _fail(self, fault: Fault) -> None:
        """End the connection."""

    def data_received(self, data: bytes) -> None:
        if self._closed:
            return
        self._heard = True
        account, turns = self.account, self._turns
        if not account.active:
            turns.enter(account)
        if self._late:
            self._put_off(data)
        elif account.left <= 0 or turns.left <= 0:
            self._put_off(data)
            account.fresh.append(cast("Connection", self))
            turns.wait(account, fresh=True)
        else:
            started = perf_counter()
            done = self._work(data, started + min(SLICE_SECONDS, account.left))
            if done < len(data):
                self._put_off(data[done:])
                account.stale.append(cast("Connection", self))
                turns.wait(account, fresh=False)
            spent = perf_counter() - started
            account.left -= spent
            turns.left -= spent

    def _work(self, data: bytes, until: float) -> int:
        """Handle what has come, step by step, until that time; return how many bytes that were."""
        account, end = self.account, len(data)
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
                if account.left <= 0 or perf_counter() >= until:
                    return at
        except Fault as fault:
            self._fail(fault)
            return end

    def _put_off(self, data: bytes) -> None:
        """Keep what there is no time for; with much of it, read no more."""
        self._late.append(data)
        self._late_bytes += len(data)
        self.charge(len(data))
        if self._late_bytes > _MOST_LATE_BYTES:
            self.stop_reading()

    def catch_up(self, until: float) -> bool:
        """Go on with what waits, until that time; return whether something is left. In its first turn at once."""
        late = self._late
        while late and not self._closed:
            data = late.popleft()
            done = self._work(data, until)
            self._late_bytes -= done
            self.charge(-done)
            if done < len(data):
                late.appendleft(data[done:])
                return not self._closed
            if self.account.left <= 0 or perf_counter() >= until:
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
        """Forget what waits."""
        self._late.clear()
        self.charge(-self._late_bytes)
        self._late_bytes = 0

    def _greeted(self, data: bytes) -> bytes:
        """What comes after the preface (3.4). Whoever says something else does not speak HTTP/2, and gets no answer."""
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
        """Count bytes that are kept, or fewer; return whether they may be."""
        self.kept += size
        return self._accounts.charge(self.account, size)

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
        """The connection has ended."""
        self.drop_late()
        self._sent()
        self._accounts.part(cast("Connection", self), self.account)
