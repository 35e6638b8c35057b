"""A connection that is made again whenever it is lost. What travels over it is the business of the subclasses."""

from __future__ import annotations

import asyncio
import random
import ssl
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple, cast

import structlog

from landsraad_server.store.errors import NoReply, NotExecuted, StoreError, StoreUnavailable, UnsuitableServer
from landsraad_server.store.resp import NOTHING, Done, Reply, noop, pack, reader
from landsraad_server.store.throttled_warnings import ThrottledWarnings

_log = structlog.get_logger()

#: How long a connection may take to be made and greeted.
DIAL_SECONDS = 5.0
#: After one such time of silence the server is pinged, after two the connection is given up.
BEAT_SECONDS = 2.5
_SHORTEST_PAUSE, _LONGEST_PAUSE = 0.02, 1.0


class Endpoint(NamedTuple):
    """Where a server listens: a Unix socket if `path` is given, else host and port."""

    host: str = ""
    port: int = 0
    path: str = ""

    def __str__(self) -> str:
        return self.path or f"{self.host}:{self.port}"


@dataclass(frozen=True, slots=True)
class Access:
    """How to be let in, on whichever endpoint."""

    username: str = ""
    password: str = field(default="", repr=False)
    db: int = 0
    tls: ssl.SSLContext | None = None

    def greeting(self) -> list[bytes]:
        commands = []
        if self.password:
            who = (self.username.encode(),) if self.username else ()
            commands.append(pack(b"AUTH", *who, self.password.encode()))
        if self.db:
            commands.append(pack(b"SELECT", self.db))
        return commands


class Wire(asyncio.Protocol):
    """The bytes of one connection. Replies go, in order, to whatever `receive` is at the time."""

    def __init__(self) -> None:
        self.receive: Done = noop
        self.lost: Callable[[], None] = noop
        self.writable: Callable[[], None] = noop
        self.paused = False
        self.garbled = False  # what came was no reply; nothing more is read
        self.heard = False  # anything since somebody last set this to False
        self._reader = reader()
        self._transport: asyncio.Transport | None = None

    @property
    def alive(self) -> bool:
        return self._transport is not None

    def write(self, data: bytes) -> None:
        cast("asyncio.Transport", self._transport).write(data)

    def abort(self) -> None:
        """End the connection now; `lost` is called as for any other loss."""
        if self._transport is not None:
            self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        self.heard = True
        self._reader.feed(data)
        gets = self._reader.gets
        try:
            while (reply := gets()) is not NOTHING:
                self.receive(reply)
        except NoReply:
            self.garbled = True
            self.abort()

    def pause_writing(self) -> None:
        self.paused = True

    def resume_writing(self) -> None:
        self.paused = False
        self.writable()

    def connection_lost(self, exc: Exception | None) -> None:
        self._transport = None
        self.lost()


async def dial(endpoint: Endpoint, access: Access, commands: Sequence[bytes]) -> tuple[Wire, list[Reply]]:
    """A connection on which we are logged in, and the replies to `commands`. Raises if one of them is an error."""
    loop = asyncio.get_running_loop()
    commands = [*access.greeting(), *commands]
    replies: list[Reply] = []
    over = asyncio.Event()  # all replies are here, or none comes any more

    def receive(reply: Reply) -> None:
        replies.append(reply)
        if len(replies) == len(commands):
            over.set()

    wire = Wire()
    wire.receive, wire.lost = receive, over.set
    try:
        async with asyncio.timeout(DIAL_SECONDS):
            if endpoint.path:
                await loop.create_unix_connection(lambda: wire, endpoint.path)
            else:
                await loop.create_connection(lambda: wire, endpoint.host, endpoint.port, ssl=access.tls)
            if commands and wire.alive:
                wire.write(b"".join(commands))
                await over.wait()
        for reply in replies:
            if isinstance(reply, StoreError):
                raise reply
        if wire.garbled:
            raise UnsuitableServer(f"{endpoint} does not answer as a Redis server does")
        if not wire.alive:
            raise NotExecuted(f"{endpoint} closed the connection")
    except (OSError, TimeoutError) as error:
        wire.abort()
        raise NotExecuted(f"cannot reach {endpoint}: {error!r}") from error
    except BaseException:
        wire.abort()
        raise
    wire.receive = wire.lost = noop
    return wire, replies


async def ask(endpoint: Endpoint, access: Access, *commands: bytes) -> list[Reply]:
    """The replies to `commands`, over a connection of their own."""
    wire, replies = await dial(endpoint, access, commands)
    wire.abort()
    return replies[-len(commands) :]


class Line(ABC):
    """Keeps one connection to the server that `locate` names, for ever, in one task."""

    #: what it is for, in the log
    carries: ClassVar[str]

    def __init__(self, locate: Callable[[], Awaitable[Endpoint]], access: Access) -> None:
        self.wire: Wire | None = None  # None while there is no connection
        self._locate = locate
        self._access = access
        self._keeper: asyncio.Task[None] | None = None
        self._lost = asyncio.Event()
        self._up = asyncio.Event()
        self._failure: StoreError = NotExecuted("not connected yet")
        self._troubles = ThrottledWarnings()

    @abstractmethod
    def on_reply(self, reply: Reply) -> None:
        """A reply arrived."""

    @abstractmethod
    def on_up(self) -> None:
        """There is a new connection."""

    @abstractmethod
    def on_down(self) -> None:
        """The connection is gone; nothing sent over it will be answered."""

    @abstractmethod
    def ping(self) -> None:
        """Send something that will be answered."""

    @abstractmethod
    def on_writable(self) -> None:
        """The connection takes bytes again after it had been `paused`."""

    def start(self) -> None:
        """Begin to connect, and never stop trying."""
        self._keeper = asyncio.create_task(self._keep(strict=False))

    async def open(self, patience: float) -> None:
        """Return once connected. What only an operator can mend is raised at once, the last Unavailable after
        `patience` seconds.
        """
        self._keeper = asyncio.create_task(self._keep(strict=True))
        try:
            if not await self.up_within(patience):
                if self._keeper.done():
                    self._keeper.result()
                raise self._failure
        except BaseException:
            await self.close()
            raise

    async def up_within(self, patience: float) -> bool:
        """Wait for the connection for so many seconds."""
        up = asyncio.create_task(self._up.wait())
        try:
            await asyncio.wait(
                {up, *([self._keeper] if self._keeper else [])}, timeout=patience, return_when="FIRST_COMPLETED"
            )
        finally:
            up.cancel()
        return self._up.is_set()

    async def close(self) -> None:
        """End the connection and make no new one."""
        if self._keeper is not None:
            self._keeper.cancel()
            await asyncio.wait({self._keeper})
            self._keeper = None
        self.drop()

    def drop(self) -> None:
        """Give the present connection up."""
        if self.wire is not None:
            self.wire.abort()
            self._on_lost()

    async def _keep(self, *, strict: bool) -> None:
        """Connect, and connect again; if `strict`, end at once where only an operator could help."""
        pause, missed = _SHORTEST_PAUSE, False
        while True:
            try:
                endpoint = await self._locate()
                wire = await self._dial(endpoint)
            except StoreError as error:
                self._failure, missed = error, True
                self._troubles.warn("store_not_reached", error, self.carries)
                if strict and not isinstance(error, StoreUnavailable):
                    return
                await asyncio.sleep(pause * random.uniform(0.5, 1.0))
                pause = min(2 * pause, _LONGEST_PAUSE)
                continue
            strict, pause = False, _SHORTEST_PAUSE
            wire.receive, wire.lost, wire.writable = self.on_reply, self._on_lost, self.on_writable
            self.wire = wire
            self._lost.clear()
            self._up.set()
            self.on_up()
            if missed:  # a warning, too: whoever has read of the loss wants to read of its end
                _log.warning("store_found", resource=self.carries, address=str(endpoint))
            await self._watch(wire, endpoint)
            _log.warning("store_lost", resource=self.carries, address=str(endpoint))
            missed = True
            await asyncio.sleep(pause)  # a server that takes us and drops us at once is not to be hammered

    async def _dial(self, endpoint: Endpoint) -> Wire:
        # A replica would refuse our writes; asking for the role first keeps us from settling on one. A server that is
        # still reading its file tells its role, but a ping it refuses.
        wire, replies = await dial(endpoint, self._access, [pack(b"ROLE"), pack(b"PING")])
        if replies[-2][0] != b"master":
            wire.abort()
            raise NotExecuted("the server is a replica")
        return wire

    async def _watch(self, wire: Wire, endpoint: Endpoint) -> None:
        """Return when the connection is lost, or was given up: for its silence, or because another is master now."""
        silent = 0
        while not self._lost.is_set():
            with suppress(TimeoutError):
                async with asyncio.timeout(BEAT_SECONDS):  # not wait_for, which may swallow a cancellation (until 3.12)
                    await self._lost.wait()
                return
            silent = 0 if wire.heard else silent + 1
            wire.heard = False
            if silent == 1:
                self.ping()
            if silent > 1 or not await self._still_at(endpoint):
                self.drop()

    async def _still_at(self, endpoint: Endpoint) -> bool:
        """False if Sentinels name another server. An old master may hang up on us only seconds after that."""
        try:
            return await self._locate() == endpoint
        except StoreError:
            return True  # they do not say otherwise

    def _on_lost(self) -> None:
        if self.wire is not None:
            self.wire.lost = self.wire.receive = noop
            self.wire = None
            self._up.clear()
            self._lost.set()
            self.on_down()
