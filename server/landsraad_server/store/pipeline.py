"""Group commit: all that one tick of the event loop wants from a server goes out in one write on one connection.

A command costs a list append when sent and a callback when answered; there is no task, lock or pool. Replies come in
the order of the commands. Nothing is ever sent twice on its own: a command whose connection broke is answered with
`ReplyLost` (sent) or `NotExecuted` (not yet sent), and only its sender knows whether repeating it is safe.

With `replicas`, every group that holds a write ends with one WAIT, and the answers to its writes are held back until
that many replicas have confirmed. The next group forms meanwhile, so a slower confirmation makes larger groups.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial

from landsraad_server.store.errors import (
    Demoted,
    NotExecuted,
    NotReplicated,
    Overloaded,
    ReplyLost,
    StoreError,
    StoreUnavailable,
)
from landsraad_server.store.line import Access, Endpoint, Line
from landsraad_server.store.resp import Done, Reply, noop, pack

#: Commands under way on one connection beyond which more are refused: seconds of work for the server.
MOST_UNDER_WAY = 50_000
#: How long replicas may take to confirm a group.
REPLICA_MS = 2000


class Link(ABC):
    """What can carry commands: one server, or a cluster that picks one by key."""

    @abstractmethod
    def send(self, key: bytes, command: bytes, done: Done, *, read: bool = False) -> None:
        """Send a packed command about `key`; `done` gets the reply, later and exactly once.

        What raises was not sent. A command marked `read` never waits for replicas.
        """

    @abstractmethod
    def nodes(self) -> Sequence[Link]:
        """Every server that holds keys, for questions about all of them."""

    def call(self, key: bytes, *command: bytes | int, read: bool = False) -> asyncio.Future[Reply]:
        """The same for code that is in no hurry: the future raises what the server or the connection said."""
        future: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self.send(key, pack(*command), partial(settle, future), read=read)
        return future


def settle(future: asyncio.Future[Reply], reply: Reply) -> None:
    """Give `future` its reply, unless whoever waited has gone."""
    if future.done():
        return
    if isinstance(reply, Exception):
        future.set_exception(reply)
    else:
        future.set_result(reply)


class Pipeline(Line, Link):
    """One connection to one server, shared by everything in the process."""

    carries = "commands"

    def __init__(
        self,
        locate: Callable[[], Awaitable[Endpoint]],
        access: Access,
        *,
        replicas: int = 0,
        most: int = MOST_UNDER_WAY,
        on_change: Callable[[bool], None] = noop,
    ) -> None:
        super().__init__(locate, access)
        self._loop = asyncio.get_running_loop()
        self._replicas = replicas
        self._wait = pack(b"WAIT", replicas, REPLICA_MS)
        self._most = most
        self._on_change = on_change
        self._queue: list[tuple[bytes, Done, bool]] = []  # wanted in this tick: command, who waits, whether it reads
        self._under_way: deque[Done] = deque()  # sent, by order of sending
        self._unconfirmed: list[tuple[Done, Reply]] = []  # answered, but not known to be on the replicas
        self._waiting = False  # whether a WAIT is under way: until then the server reads nothing more from us

    def send(self, key: bytes, command: bytes, done: Done, *, read: bool = False) -> None:
        if self.wire is None:
            raise NotExecuted("there is no connection to the store at the moment")
        if len(self._under_way) + len(self._queue) >= self._most:
            raise Overloaded(f"{self._most} commands are under way already")
        if not self._queue:
            self._loop.call_soon(self._flush)
        self._queue.append((command, done, read))

    def nodes(self) -> Sequence[Link]:
        return (self,)

    def _flush(self) -> None:
        wire = self.wire
        if wire is None or wire.paused or self._waiting or not self._queue:
            return  # whoever ends that state flushes
        queue, self._queue = self._queue, []
        commands = [command for command, _, _ in queue]
        if self._replicas and not all(read for _, _, read in queue):
            self._under_way.extend(done if read else partial(self._hold, done) for _, done, read in queue)
            self._under_way.append(self._release)
            commands.append(self._wait)
            self._waiting = True
        else:
            self._under_way.extend(done for _, done, _ in queue)
        wire.write(b"".join(commands))

    def on_reply(self, reply: Reply) -> None:
        done = self._under_way.popleft()
        try:
            done(reply)
        except Exception as error:  # noqa: BLE001  as in `_answer`, but without a call more for each
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

    def on_writable(self) -> None:
        self._flush()

    def ping(self) -> None:
        with suppress(StoreUnavailable):  # too much under way to add a ping: then it is answers that are missing
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
        self._flush()

    def _answer(self, done: Done, reply: Reply) -> None:
        try:
            done(reply)
        except Exception as error:  # noqa: BLE001  a callback's fault must not cost the others their replies
            self._fault(error)

    def _fault(self, error: Exception) -> None:
        self._loop.call_exception_handler({"message": "a store callback failed", "exception": error})
