"""Connection that is made again whenever it is lost, with many commands in flight.

redis-py connects, greets and checks. It would also reconnect inside a command and repeat that, which is not for
commands that may have run: here a lost connection is told to the subclass, which knows what was sent. And it would wake
a task for each read and each write, which costs a lone act half of what the store does for it (decision 0021): here
replies come from hiredis by callback, as in an `asyncio.Protocol` of its own.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import ClassVar, Final, TypeAlias, cast

import hiredis
import structlog
from redis.asyncio.connection import AbstractConnection
from redis.backoff import EqualJitterBackoff
from redis.exceptions import InvalidResponse

from landsraad_server.store.errors import NotExecuted, StoreError, StoreUnavailable
from landsraad_server.store.redis_connection import Access, Endpoint, ask, dial, hand_over, hang_up
from landsraad_server.store.resp import Done, Reply, noop, pack, read_error
from landsraad_server.store.throttled_warnings import ThrottledWarnings

_log = structlog.get_logger()

#: After one such time of silence the server is pinged, after two the connection is given up.
BEAT_SECONDS = 2.5
_SHORTEST_PAUSE, _LONGEST_PAUSE = 0.02, 1.0
_BACKOFF: Final = EqualJitterBackoff(cap=_LONGEST_PAUSE, base=_SHORTEST_PAUSE)
#: What hiredis returns while no whole reply has arrived (None and False are replies).
_NOTHING: Final = object()
_GREETING: Final = (pack(b"ROLE"), pack(b"PING"))

#: Returns the server to connect to.
Locate: TypeAlias = Callable[[], Awaitable[Endpoint]]


class ReconnectingConnection(ABC):
    """Keeps a connection to the server that `locate` names, until it is closed."""

    #: its purpose, in the log
    carries: ClassVar[str]

    def __init__(self, locate: Locate, access: Access) -> None:
        self._locate = locate
        self._access = access
        self._loop = asyncio.get_running_loop()
        self._stream: _ReplyStream | None = None  # while there is a connection
        self._lost = asyncio.Event()
        self._settled = asyncio.Event()
        self._keeper: asyncio.Task[None] | None = None
        #: why there was no connection when one was last tried
        self.failure: StoreError = NotExecuted("not connected yet")
        self._troubles = ThrottledWarnings()

    @property
    def up(self) -> bool:
        """True while there is a connection."""
        return self._stream is not None

    @abstractmethod
    def next_write(self) -> bytes:
        """Return what is to be sent now, and count it as sent; empty if there is nothing.

        Asked for in the next tick after `send_soon`, if the connection takes bytes.
        """

    @abstractmethod
    def on_reply(self, reply: Reply) -> None:
        """Take a reply."""

    @abstractmethod
    def on_up(self) -> None:
        """Use the new connection."""

    @abstractmethod
    def on_down(self) -> None:
        """Give up what was sent over the lost connection: nothing of it will be answered."""

    @abstractmethod
    def ping(self) -> None:
        """Send something that will be answered."""

    def send_soon(self) -> None:
        """Have all that this tick wants to send go out in one write."""
        self._loop.call_soon(self.flush)

    def flush(self) -> None:
        """Send what there is to send, unless the connection takes no bytes: then as soon as it does."""
        stream = self._stream
        if stream is not None and not stream.paused and (data := self.next_write()):
            stream.transport.write(data)

    async def check(self, connection: AbstractConnection) -> None:
        """Raise NotExecuted unless the server is a master that has read its file.

        A replica would refuse our writes. A server that is still reading its file tells its role, but a ping it
        refuses.
        """
        role, _ = await ask(connection, *_GREETING)
        if not isinstance(role, list) or role[0] != b"master":
            raise NotExecuted("the server is a replica")

    def start(self) -> None:
        """Begin to connect, and never stop trying."""
        self._keeper = asyncio.create_task(self._keep())

    async def open(self, patience: float) -> None:
        """Return once connected.

        Raises:
            StoreError: An operator has to change something, or the last failure after `patience` seconds.
        """
        self.start()
        if not await self.up_within(patience):
            await self.close()
            raise self.failure

    async def up_within(self, patience: float) -> bool:
        """Wait so many seconds for the connection, or until it turns out that only an operator can help."""
        with suppress(TimeoutError):
            async with asyncio.timeout(patience):
                await self._settled.wait()
        return self.up

    async def close(self) -> None:
        """End the connection and make no new one."""
        if self._keeper is not None:
            self._keeper.cancel()
            await asyncio.wait({self._keeper})
            self._keeper = None

    def drop(self) -> None:
        """Give the present connection up."""
        if self._stream is not None:
            self._stream.abandon()
            self._stream = None
            self._settled.clear()
            self._lost.set()
            self.on_down()

    async def _keep(self) -> None:
        """Connect, and connect again."""
        failures, missed = 0, False
        while True:
            try:
                endpoint = await self._locate()
                connection = await dial(endpoint, self._access, self.check)
            except StoreError as error:
                self.failure, missed = error, True
                self._troubles.warn("store_not_reached", error, self.carries)
                if not isinstance(error, StoreUnavailable):
                    self._settled.set()
                await asyncio.sleep(_BACKOFF.compute(failures))
                failures = min(failures + 1, 16)  # two to that power is beyond the longest pause
                continue
            if missed:  # a warning as well: its readers have read of the loss
                _log.warning("store_found", resource=self.carries, address=str(endpoint))
            await self._use(connection, endpoint)
            _log.warning("store_lost", resource=self.carries, address=str(endpoint))
            failures, missed = 0, True
            await asyncio.sleep(_BACKOFF.compute(0))  # for a server that accepts and hangs up at once

    async def _use(self, connection: AbstractConnection, endpoint: Endpoint) -> None:
        """Send and receive until the connection is lost or given up."""
        try:
            self._lost.clear()
            self._stream = _ReplyStream(self.on_reply, self.flush, self.drop)
            await hand_over(connection, self._stream)
            self._settled.set()
            self.on_up()
            await self._watch(self._stream, endpoint)
        finally:
            self.drop()
            await hang_up(connection)

    async def _watch(self, stream: _ReplyStream, endpoint: Endpoint) -> None:
        """Return when the connection is lost, or to be given up: for its silence, or because another is master now."""
        silent = 0
        while not self._lost.is_set():
            with suppress(TimeoutError):
                async with asyncio.timeout(BEAT_SECONDS):  # not wait_for, which may swallow a cancellation (until 3.12)
                    await self._lost.wait()
                return
            silent = 0 if stream.heard else silent + 1
            stream.heard = False
            if silent == 1:
                self.ping()
            if silent > 1 or not await self._still_at(endpoint):
                return

    async def _still_at(self, endpoint: Endpoint) -> bool:
        """Ask the Sentinels if this is the master. An old master may hang up on us only seconds later."""
        try:
            return await self._locate() == endpoint
        except StoreError:
            return True  # they do not say otherwise


class _ReplyStream(asyncio.Protocol):
    """Replies of one connection, in order, until it is lost or abandoned."""

    transport: asyncio.Transport

    def __init__(self, receive: Done, writable: Callable[[], None], lost: Callable[[], None]) -> None:
        self.paused = False  # the transport takes no more bytes for now
        self.heard = False  # anything since this was last set to False
        self._receive = receive
        self._writable = writable
        self._lost = lost
        self._reader = hiredis.Reader(protocolError=InvalidResponse, replyError=read_error, notEnoughData=_NOTHING)

    def abandon(self) -> None:
        """Call nothing any more."""
        self._receive = self._lost = self._writable = noop

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        self.heard = True
        self._reader.feed(data)
        gets = self._reader.gets
        try:
            while (reply := gets()) is not _NOTHING:
                self._receive(reply)
        except InvalidResponse:
            self.transport.abort()

    def pause_writing(self) -> None:
        self.paused = True

    def resume_writing(self) -> None:
        self.paused = False
        self._writable()

    def connection_lost(self, exc: Exception | None) -> None:
        self._lost()
