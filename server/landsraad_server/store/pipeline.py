"""Command pipeline with group commit: all commands of one event loop tick go out in one write on one connection.

A command costs a list append when sent and a callback when answered; there is no future, lock or pool. Replies come in
the order of the commands. The pipeline never resends: a command whose connection broke is answered with `ReplyLost`
(sent) or `NotExecuted` (not yet sent), and only its sender knows whether repeating it is safe.

With `replicas`, every group that holds a write ends with one WAIT, and the answers to its writes are held back until
that many replicas have confirmed. The next group forms meanwhile, so a slower confirmation makes larger groups.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial

from redis.asyncio.connection import AbstractConnection

from landsraad_server.store.errors import (
    Demoted,
    NotExecuted,
    NotReplicated,
    Overloaded,
    ReplyLost,
    StoreError,
    StoreUnavailable,
)
from landsraad_server.store.reconnecting_connection import Locate, ReconnectingConnection
from landsraad_server.store.redis_connection import Access, Check
from landsraad_server.store.resp import Done, Reply, noop, pack

#: Backpressure: pending commands beyond which more are refused, several seconds of work for the server.
MOST_UNDER_WAY = 50_000
#: Milliseconds that replicas may take to confirm a group.
REPLICA_MS = 2000


class Link(ABC):
    """A carrier of commands: one server, or a cluster that picks a node by key."""

    @abstractmethod
    def send(self, key: bytes, command: bytes, done: Done, *, read: bool = False) -> None:
        """Send a packed command about `key`; `done` gets the reply, later and exactly once.

        If this raises, nothing was sent. A command marked `read` never waits for replicas.
        """

    @abstractmethod
    def nodes(self) -> Sequence[Link]:
        """Return every server that holds keys, for commands that concern all of them."""

    def call(self, key: bytes, *command: bytes | int, read: bool = False) -> asyncio.Future[Reply]:
        """Send a command and return a future of its reply, which raises what the server or the connection reported."""
        future: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self.send(key, pack(*command), partial(settle, future), read=read)
        return future


def settle(future: asyncio.Future[Reply], reply: Reply) -> None:
    """Resolve `future` with its reply, unless its waiter was cancelled."""
    if future.done():
        return
    if isinstance(reply, Exception):
        future.set_exception(reply)
    else:
        future.set_result(reply)


async def admit_any(_: AbstractConnection) -> None:
    """Admit every server."""


class Pipeline(ReconnectingConnection, Link):
    """A connection to one server, shared by the whole process."""

    carries = "commands"

    def __init__(
        self,
        locate: Locate,
        access: Access,
        *,
        admit: Check = admit_any,
        replicas: int = 0,
        most: int = MOST_UNDER_WAY,
        on_change: Callable[[bool], None] = noop,
    ) -> None:
        super().__init__(locate, access)
        self._admit = admit
        self._replicas = replicas
        self._wait = pack(b"WAIT", replicas, REPLICA_MS)
        self._most = most
        self._on_change = on_change
        self._queue: list[tuple[bytes, Done, bool]] = []  # of this tick: command, callback, whether it is a read
        self._under_way: deque[Done] = deque()  # sent and not answered, in order
        self._unconfirmed: list[tuple[Done, Reply]] = []  # answered, but not confirmed by replicas
        self._waiting = False  # a WAIT is pending: the server reads no further commands until it is answered

    def send(self, key: bytes, command: bytes, done: Done, *, read: bool = False) -> None:
        if self._stream is None:
            raise NotExecuted("there is no connection to the store at the moment")
        if len(self._under_way) + len(self._queue) >= self._most:
            raise Overloaded(f"{self._most} commands are pending already")
        if not self._queue:
            self.send_soon()
        self._queue.append((command, done, read))

    def nodes(self) -> Sequence[Link]:
        return (self,)

    async def check(self, connection: AbstractConnection) -> None:
        await self._admit(connection)
        await super().check(connection)

    def next_write(self) -> bytes:
        if self._waiting or not self._queue:
            return b""  # the answer to WAIT lets the next group go
        queue, self._queue = self._queue, []
        commands = [command for command, _, _ in queue]
        if self._replicas and not all(read for _, _, read in queue):
            self._under_way.extend(done if read else partial(self._hold, done) for _, done, read in queue)
            self._under_way.append(self._release)
            commands.append(self._wait)
            self._waiting = True
        else:
            self._under_way.extend([done for _, done, _ in queue])
        return b"".join(commands)

    def on_reply(self, reply: Reply) -> None:
        done = self._under_way.popleft()
        try:
            done(reply)
        except Exception as error:  # noqa: BLE001 as in `_answer`, inlined for speed
            self._fault(error)
        if type(reply) is Demoted:
            self.drop()

    def on_up(self) -> None:
        self._on_change(True)

    def on_down(self) -> None:
        lost, self._under_way = self._under_way, deque()
        unsent, self._queue = self._queue, []
        self._on_change(False)
        for done in lost:
            self._answer(done, ReplyLost("the connection was lost before the answer came"))
        for _, done, _ in unsent:
            self._answer(done, NotExecuted("the connection was lost before the command was sent"))

    def ping(self) -> None:
        # too many pending commands for a ping: the timeout of their answers detects a dead connection
        with suppress(StoreUnavailable):
            self.send(b"", pack(b"PING"), noop, read=True)

    def _hold(self, done: Done, reply: Reply) -> None:
        self._unconfirmed.append((done, reply))

    def _release(self, confirmed: Reply) -> None:
        held, self._unconfirmed = self._unconfirmed, []
        self._waiting = False
        enough = not isinstance(confirmed, StoreError) and confirmed >= self._replicas
        for done, reply in held:
            if enough or isinstance(reply, StoreError):
                self._answer(done, reply)
            else:
                self._answer(done, NotReplicated(f"confirmed by replicas within {REPLICA_MS} ms: {confirmed}"))
        self.flush()

    def _answer(self, done: Done, reply: Reply) -> None:
        try:
            done(reply)
        except Exception as error:  # noqa: BLE001 one callback's fault must not cost the others their replies
            self._fault(error)

    def _fault(self, error: Exception) -> None:
        self._loop.call_exception_handler({"message": "a store callback failed", "exception": error})
