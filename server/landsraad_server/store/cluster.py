"""Cluster: one pipeline and one subscription connection per master, placed by redis-py's table of slots.

The table is fetched again when a node says that a slot has moved, or is not reached. What a node refuses because the
slot is elsewhere has not run, so it is passed on to the right node; everything else is left to the caller, as on one
server.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from math import inf
from typing import Final

from redis.asyncio.cluster import ClusterNode, NodesManager
from redis.crc import REDIS_CLUSTER_HASH_SLOTS
from redis.exceptions import RedisClusterException, RedisError

from landsraad_server.store import keys
from landsraad_server.store.errors import Moved, NotExecuted, SetupError, StoreError, StoreUnavailable
from landsraad_server.store.pipeline import Link, admit_any
from landsraad_server.store.redis_connection import Access, Check, Endpoint, as_failure
from landsraad_server.store.resp import Done, Reply, noop, pack
from landsraad_server.store.single_server import SingleServer, always
from landsraad_server.store.subscriptions import Listener

_ASKING: Final = pack(b"ASKING")
#: Between looks at the table while some node is not reached.
_LOOK_SECONDS = 0.25
#: How long a new node may keep the others' new table waiting.
_CONNECT_SECONDS = 1.0


class Cluster(Link):
    """All masters of a cluster as one link, and as one source of publications."""

    def __init__(
        self,
        seeds: Sequence[Endpoint],
        access: Access,
        *,
        admit: Check = admit_any,
        replicas: int = 0,
        on_change: Callable[[bool], None] = noop,
    ) -> None:
        self._seeds = seeds
        self._access = access
        self._admit = admit
        self._replicas = replicas
        self._on_change = on_change
        self._table = self._new_table()
        #: the table's slots, with their master first, as of the time when the masters below were last arranged
        self._slots: dict[int, list[ClusterNode]] = {}
        self._nodes: dict[str, SingleServer] = {}
        self._looking: asyncio.Task[None] | None = None
        self._arranging = asyncio.Lock()
        self._homeless: list[tuple[bytes, Listener]] = []  # channels whose node is not known at the moment

    @property
    def up(self) -> bool:
        """True while every slot can be reached."""
        covered = len(self._slots) == REDIS_CLUSTER_HASH_SLOTS
        return covered and all(node.up for node in self._nodes.values())

    async def open(self, patience: float) -> None:
        """Return once every slot can be reached.

        Raises:
            StoreError: An operator has to change something, or the last failure after `patience` seconds.
        """
        deadline = asyncio.get_running_loop().time() + patience
        try:
            await self._look_until_up(deadline)
        except BaseException:
            await self.close()
            raise

    async def close(self) -> None:
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.wait({self._looking})
        nodes, self._nodes = self._nodes, {}
        await asyncio.gather(*(node.close() for node in nodes.values()))
        await _close(self._table)

    # --- commands

    def send(self, key: bytes, command: bytes, done: Done, *, read: bool = False) -> None:
        node = self._owner(key)
        if node is None:
            raise NotExecuted("nobody serves this slot at the moment")
        node.send(key, command, partial(self._arrived, key, command, done, read), read=read)

    def nodes(self) -> Sequence[Link]:
        return list(self._nodes.values())

    def _owner(self, key: bytes) -> SingleServer | None:
        owners = self._slots.get(keys.slot(key))
        return self._nodes.get(owners[0].name) if owners else None

    def _arrived(self, key: bytes, command: bytes, done: Done, read: bool, reply: Reply) -> None:
        if type(reply) is Moved:
            self._pass_on(reply, key, command, done, read=read)
            return
        if isinstance(reply, NotExecuted):
            self._look_again()
        done(reply)

    def _pass_on(self, moved: Moved, key: bytes, command: bytes, done: Done, *, read: bool) -> None:
        node = self._nodes.get(moved.node)
        if not moved.once:
            if node is not None and (owner := self._table.get_node(node_name=moved.node)):
                self._slots[moved.slot] = [owner]
            self._look_again()
        try:
            if node is None:
                raise NotExecuted("the slot has moved to a node that we do not know yet")
            if moved.once:
                node.send(key, _ASKING, noop, read=True)
            # Without a further hop: a command that finds no home at its second address is the caller's again.
            node.send(key, command, partial(_final, done), read=read)
        except StoreUnavailable as error:
            done(error)

    # --- publications

    def listen(self, channel: bytes, listener: Listener) -> None:
        node = self._owner(channel)
        if node is None:
            self._set_down(channel, listener)
        else:
            node.listen(channel, listener)

    def unlisten(self, channel: bytes) -> None:
        self._homeless = [(other, listener) for other, listener in self._homeless if other != channel]
        for node in self._nodes.values():
            node.unlisten(channel)

    def _set_down(self, channel: bytes, listener: Listener) -> None:
        """Keep a channel until the table tells its node."""
        self._homeless.append((channel, listener))
        self._look_again()

    # --- the table

    def _look_again(self) -> None:
        if self._looking is None or self._looking.done():
            self._looking = asyncio.get_running_loop().create_task(self._look_until_up())

    async def _look_until_up(self, deadline: float = inf) -> None:
        while True:
            try:
                await self._look()
                if self.up:
                    return
                broken = (node.failure for node in self._nodes.values() if isinstance(node.failure, SetupError))
                raise next(broken, NotExecuted("not every slot of the cluster is served"))
            except StoreError as error:
                helpless = deadline < inf and not isinstance(error, StoreUnavailable)
                if helpless or asyncio.get_running_loop().time() > deadline:
                    raise
            await asyncio.sleep(_LOOK_SECONDS)

    async def _look(self) -> None:
        """Fetch the table from a node that answers, and arrange the masters after it; one table after the other."""
        async with self._arranging:
            try:
                await self._table.initialize()
            except (IndexError, RedisClusterException, RedisError) as error:
                # It knows the nodes of its last answer, all of which may be gone: begin with the seeds again.
                await _close(self._table)
                self._table = self._new_table()
                if isinstance(error, IndexError):  # redis-py looks for a default node
                    raise NotExecuted("the cluster serves no slot yet") from error
                raise as_failure("the cluster", error) from error
            await self._arrange()

    async def _arrange(self) -> None:
        slots = self._table.slots_cache
        wanted = {owners[0].name: owners[0] for owners in slots.values()}
        added = {name: wanted[name] for name in wanted.keys() - self._nodes.keys()}
        new = {name: self._node(Endpoint(node.host, int(node.port))) for name, node in added.items()}
        self._nodes |= new
        await asyncio.gather(*(node.up_within(_CONNECT_SECONDS) for node in new.values()))
        gone = [self._nodes.pop(name) for name in self._nodes.keys() - wanted]
        self._slots = slots
        for node in gone:
            node.subscriptions.give_up_all()
        homeless, self._homeless = self._homeless, []
        for channel, listener in homeless:
            self.listen(channel, listener)
        await asyncio.gather(*(node.close() for node in gone))

    def _new_table(self) -> NodesManager:
        settings = self._access.settings()
        seeds = [ClusterNode(seed.host, seed.port, **settings) for seed in self._seeds]
        return NodesManager(seeds, require_full_coverage=False, connection_kwargs=settings)

    def _node(self, endpoint: Endpoint) -> SingleServer:
        node = SingleServer(
            always(endpoint),
            self._access,
            admit=self._admit,
            replicas=self._replicas,
            on_change=self._node_changed,
            on_moved=self._set_down,
        )
        node.start()
        return node

    def _node_changed(self, up: bool) -> None:
        if not up and self._nodes:
            self._look_again()
        self._on_change(self.up)


async def _close(table: NodesManager) -> None:
    """Close the connections over which a table was fetched."""
    for nodes in ("nodes_cache", "startup_nodes"):
        with suppress(RedisError):
            await table.aclose(nodes)


def _final(done: Done, reply: Reply) -> None:
    done(NotExecuted("the slot is on its way between nodes") if isinstance(reply, Moved) else reply)
