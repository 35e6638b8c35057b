"""Subscriptions of a worker to what others commit: one connection per server, never one per match or client.

redis-py's own PubSub and ClusterPubSub are not used: see decision 0021.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import ClassVar, Protocol

from redis.asyncio.connection import AbstractConnection

from landsraad_server.store import keys
from landsraad_server.store.errors import Moved, StoreError
from landsraad_server.store.reconnecting_connection import Locate, ReconnectingConnection
from landsraad_server.store.redis_connection import Access
from landsraad_server.store.resp import Reply, noop, pack
from landsraad_server.store.server_probe import probe


class Listener(Protocol):
    """Receiver of what is published on a channel."""

    def ready(self) -> None:
        """Read from the log what came before: from now on nothing is missed."""

    def message(self, blob: bytes) -> None:
        """Take what was published."""


class Subscriptions(ReconnectingConnection):
    """Channels and their listeners, subscribed to again on every new connection.

    From version 7 on, a channel is sharded: published only on the node that holds the slot. `on_moved` gets a channel
    and its listener back when that is not, or no longer, this one.
    """

    carries: ClassVar[str] = "news"

    def __init__(
        self,
        locate: Locate,
        access: Access,
        *,
        on_moved: Callable[[bytes, Listener], None] = noop,
    ) -> None:
        super().__init__(locate, access)
        self._on_moved = on_moved
        self._message = self._subscribed = self._unsubscribed = b""
        self._listeners: dict[bytes, Listener] = {}
        self._asked: deque[bytes] = deque()  # channels subscribed to but not yet confirmed
        self._queue: list[bytes] = []

    async def check(self, connection: AbstractConnection) -> None:
        # The commit script publishes by the version of the server that runs it.
        shard = b"s" if (await probe(connection)).sharded else b""
        kinds = (b"message", b"subscribe", b"unsubscribe")
        self._message, self._subscribed, self._unsubscribed = (shard + kind for kind in kinds)
        await super().check(connection)

    def listen(self, channel: bytes, listener: Listener) -> None:
        """Hear `channel` until `unlisten`. `ready` follows, now and after every interruption.

        One listener a channel: a worker follows a match once and spreads what it hears itself.
        """
        if channel in self._listeners:
            raise ValueError(f"{channel!r} has its listener")
        self._listeners[channel] = listener
        self._ask(channel)

    def unlisten(self, channel: bytes) -> None:
        if self._listeners.pop(channel, None) is not None:
            self._write(pack(self._unsubscribed, channel))

    def give_up_all(self) -> None:
        """Hand all channels back as moved: this server goes out of service."""
        for channel in tuple(self._listeners):
            self._moved(channel)

    def next_write(self) -> bytes:
        queue, self._queue = self._queue, []
        return b"".join(queue)

    def on_up(self) -> None:
        self._asked.clear()
        self._queue.clear()
        for channel in self._listeners:
            self._ask(channel)

    def on_down(self) -> None:
        """Tell listeners nothing: what they miss, they read once `ready` comes."""

    def ping(self) -> None:
        self._write(pack(b"PING"))

    def on_reply(self, reply: Reply) -> None:
        if isinstance(reply, list):
            self._hear(*reply)
        elif isinstance(reply, Moved):
            self._elsewhere(reply.slot)
        elif isinstance(reply, StoreError):
            self.drop()  # it may be better on another connection; and the loss shows

    def _hear(self, kind: bytes, channel: bytes, content: Reply = None) -> None:
        if kind == self._message:
            listener = self._listeners.get(channel)
            if listener is not None:
                listener.message(content)
        elif kind == self._subscribed:
            self._asked.popleft()
            if channel in self._listeners:
                self._listeners[channel].ready()
        elif kind == self._unsubscribed and channel not in self._asked:
            self._moved(channel)  # at our wish, then nobody listens any more; or the slot was moved away

    def _elsewhere(self, slot: int) -> None:
        """Hand back a channel of this slot that was asked for; or left, which is answered in the same way."""
        for channel in self._asked:
            if keys.slot(channel) == slot:
                self._asked.remove(channel)
                self._moved(channel)
                return

    def _moved(self, channel: bytes) -> None:
        listener = self._listeners.pop(channel, None)
        if listener is not None:
            self._on_moved(channel, listener)

    def _ask(self, channel: bytes) -> None:
        if self._stream is not None:
            self._asked.append(channel)
            self._write(pack(self._subscribed, channel))

    def _write(self, command: bytes) -> None:
        """Send a command with the others of this tick: a thousand matches may be followed in one."""
        if self._stream is None:
            return
        if not self._queue:
            self.send_soon()
        self._queue.append(command)
