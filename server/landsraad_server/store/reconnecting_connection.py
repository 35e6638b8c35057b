"""Connection of redis-py that is made again whenever it is lost, with many commands in flight.

redis-py reconnects inside a command and then repeats it, which is not for commands that may have run. Here a lost
connection is told to the subclass, which knows what was sent, and a task makes the next one.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import ClassVar, Final, TypeAlias

import structlog
from redis.asyncio.connection import AbstractConnection
from redis.backoff import EqualJitterBackoff
from redis.exceptions import RedisError

from landsraad_server.store.errors import NotExecuted, StoreError, StoreUnavailable
from landsraad_server.store.redis_connection import Access, Endpoint, abort, ask, dial, hang_up
from landsraad_server.store.resp import Reply, as_error, is_reply, pack
from landsraad_server.store.throttled_warnings import ThrottledWarnings

_log = structlog.get_logger()

#: After one such time of silence the server is pinged, after two the connection is given up.
BEAT_SECONDS = 2.5
_SHORTEST_PAUSE, _LONGEST_PAUSE = 0.02, 1.0
_BACKOFF: Final = EqualJitterBackoff(cap=_LONGEST_PAUSE, base=_SHORTEST_PAUSE)
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
        self._connection: AbstractConnection | None = None
        self._heard = False  # anything since the last look
        self._to_send = asyncio.Event()
        self._settled = asyncio.Event()
        self._keeper: asyncio.Task[None] | None = None
        #: why there was no connection when one was last tried
        self.failure: StoreError = NotExecuted("not connected yet")
        self._troubles = ThrottledWarnings()

    @property
    def up(self) -> bool:
        """True while there is a connection."""
        return self._connection is not None

    @abstractmethod
    def next_write(self) -> bytes:
        """Return what is to be sent now, and count it as sent; empty if there is nothing.

        Asked for in the next tick after `_to_send` is set, if the connection takes bytes.
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
        """Give the present connection up: it is cut, which ends its tasks."""
        if self._connection is not None:
            abort(self._connection)
            self._connection = None
            self._settled.clear()
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
        self._connection = connection
        work = (self._receive(connection), self._send(connection), self._watch(endpoint))
        tasks = [asyncio.create_task(part) for part in work]
        try:
            self._settled.set()
            self.on_up()
            await asyncio.wait(tasks, return_when="FIRST_COMPLETED")
        finally:
            self.drop()
            for task in tasks:
                task.cancel()
            try:
                self._report(await asyncio.gather(*tasks, return_exceptions=True))
            finally:  # it may be closed just now
                await hang_up(connection)

    def _report(self, ends: Sequence[object]) -> None:
        """Tell of a task that did not end as they do when a connection is lost, which is a fault of ours."""
        for end in ends:
            if isinstance(end, Exception) and not isinstance(end, RedisError | OSError):
                context = {"message": f"a connection for {self.carries} failed", "exception": end}
                asyncio.get_running_loop().call_exception_handler(context)

    async def _receive(self, connection: AbstractConnection) -> None:
        read = connection.read_response
        while self._connection is connection:
            try:
                reply = await read(disconnect_on_error=False)
            except RedisError as error:
                if not is_reply(error):
                    raise
                reply = as_error(error)
            self._heard = True
            self.on_reply(reply)

    async def _send(self, connection: AbstractConnection) -> None:
        while True:
            await self._to_send.wait()
            self._to_send.clear()
            if not connection.is_connected:
                return  # redis-py would connect again by itself
            if data := self.next_write():
                await connection.send_packed_command(data, check_health=False)

    async def _watch(self, endpoint: Endpoint) -> None:
        """Return when the connection is to be given up: for its silence, or because another is master now."""
        silent = 0
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            silent = 0 if self._heard else silent + 1
            self._heard = False
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
