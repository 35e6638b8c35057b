"""A cluster: one pipeline and one subscription line per master, and the map that says who serves which slot.

The map is fetched again when a node says that a slot has moved, or is not reached. What a node refuses because the slot
is elsewhere has not run, so it is passed on to the right node; everything else is left to the caller, as on one server.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial

from landsraad_server.store import keys
from landsraad_server.store.errors import Moved, NotExecuted, SetupError, StoreError, StoreUnavailable
from landsraad_server.store.line import Access, Endpoint, ask
from landsraad_server.store.pipeline import Admit, Link, Pipeline, admit_any
from landsraad_server.store.resp import Done, Reply, noop, pack
from landsraad_server.store.subscriptions import Listener, Subscriptions

_SLOTS = 16384
_SLOTS_QUESTION = pack(b"CLUSTER", b"SLOTS")
_ASKING = pack(b"ASKING")
#: Between looks at the map while some node is not reached.
_LOOK_SECONDS = 0.25
#: How long a new node may keep the others' new map waiting.
_CONNECT_SECONDS = 1.0


class _Node:
    """One master. It is connected to for as long as the map names it, however long that takes."""

    def __init__(self, pipeline: Pipeline, subscriptions: Subscriptions) -> None:
        self.pipeline = pipeline
        self.subscriptions = subscriptions
        pipeline.start()
        subscriptions.start()

    async def close(self) -> None:
        await self.pipeline.close()
        await self.subscriptions.close()


class Cluster(Link):
    """All masters of a cluster, as one link and one ether."""

    def __init__(
        self,
        seeds: Sequence[Endpoint],
        access: Access,
        *,
        admit: Admit = admit_any,
        replicas: int = 0,
        on_change: Callable[[bool], None] = noop,
    ) -> None:
        self._seeds = seeds
        self._access = access
        self._admit = admit
        self._replicas = replicas
        self._on_change = on_change
        self._nodes: dict[Endpoint, _Node] = {}
        self._map: list[_Node | None] = [None] * _SLOTS
        self._looking: asyncio.Task[None] | None = None
        self._arranging = asyncio.Lock()
        self._homeless: list[tuple[bytes, Listener]] = []  # channels whose node is not known at the moment

    @property
    def up(self) -> bool:
        """Whether every slot can be reached."""
        return all(node is not None and node.pipeline.wire is not None for node in set(self._map))

    async def open(self, patience: float) -> None:
        """Return once every slot can be reached."""
        deadline = asyncio.get_running_loop().time() + patience
        while True:
            try:
                await self._look()
                if self.up:
                    return
                raise NotExecuted("not every slot of the cluster is served")
            except StoreUnavailable:
                if asyncio.get_running_loop().time() > deadline:
                    await self.close()
                    raise
            await asyncio.sleep(_LOOK_SECONDS)

    async def close(self) -> None:
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.wait({self._looking})
        nodes, self._nodes = self._nodes, {}
        await asyncio.gather(*(node.close() for node in nodes.values()))

    # --- commands

    def send(self, key: bytes, command: bytes, done: Done, *, read: bool = False) -> None:
        node = self._map[keys.slot(key)]
        if node is None:
            raise NotExecuted("nobody serves this slot at the moment")
        node.pipeline.send(key, command, partial(self._arrived, key, command, done, read), read=read)

    def nodes(self) -> Sequence[Link]:
        return [node.pipeline for node in self._nodes.values()]

    def _arrived(self, key: bytes, command: bytes, done: Done, read: bool, reply: Reply) -> None:
        if type(reply) is Moved:
            self._pass_on(reply, key, command, done, read=read)
            return
        if isinstance(reply, NotExecuted):
            self._look_again()
        done(reply)

    def _pass_on(self, moved: Moved, key: bytes, command: bytes, done: Done, *, read: bool) -> None:
        node = self._nodes.get(Endpoint(*moved.address))
        if not moved.once:
            self._map[moved.slot] = node or self._map[moved.slot]
            self._look_again()
        try:
            if node is None:
                raise NotExecuted("the slot has moved to a node that we do not know yet")
            if moved.once:
                node.pipeline.send(key, _ASKING, noop, read=True)
            # Without a further hop: a command that finds no home at its second address is the caller's again.
            node.pipeline.send(key, command, partial(_final, done), read=read)
        except StoreUnavailable as error:
            done(error)

    # --- publications

    def listen(self, channel: bytes, listener: Listener) -> None:
        node = self._map[keys.slot(channel)]
        if node is None:
            self._set_down(channel, listener)
        else:
            node.subscriptions.listen(channel, listener)

    def unlisten(self, channel: bytes) -> None:
        self._homeless = [(other, listener) for other, listener in self._homeless if other != channel]
        for node in self._nodes.values():
            node.subscriptions.unlisten(channel)

    def _set_down(self, channel: bytes, listener: Listener) -> None:
        """Keep a channel until the map tells its node."""
        self._homeless.append((channel, listener))
        self._look_again()

    # --- the map

    def _look_again(self) -> None:
        if self._looking is None or self._looking.done():
            self._looking = asyncio.get_running_loop().create_task(self._look_until_up())

    async def _look_until_up(self) -> None:
        while True:
            try:
                await self._look()
            except StoreError:
                pass  # nobody tells: ask again
            else:
                if self.up:
                    return
            await asyncio.sleep(_LOOK_SECONDS)

    async def _look(self) -> None:
        """Fetch the map from whoever answers, and arrange the nodes after it; one map after the other."""
        async with self._arranging:
            trouble: StoreError = SetupError("the cluster's address names no node")
            for endpoint in (*self._nodes, *self._seeds):
                try:
                    [ranges] = await ask(endpoint, self._access, _SLOTS_QUESTION)
                except StoreError as error:
                    trouble = error
                else:
                    await self._arrange(ranges, endpoint.host)
                    return
            raise trouble

    async def _arrange(self, ranges: Sequence[Sequence[Reply]], asked: str) -> None:
        owners: list[tuple[int, int, Endpoint]] = []
        for first, last, (host, port, *_), *_ in ranges:
            # An empty host means: the one you asked.
            owners.append((first, last, Endpoint(host.decode() if host else asked, port)))
        wanted = {endpoint for _, _, endpoint in owners}
        new = {endpoint: self._node(endpoint) for endpoint in wanted - self._nodes.keys()}
        self._nodes |= new
        await asyncio.gather(*(node.pipeline.up_within(_CONNECT_SECONDS) for node in new.values()))
        gone = [self._nodes.pop(endpoint) for endpoint in self._nodes.keys() - wanted]
        self._map = [None] * _SLOTS
        for first, last, endpoint in owners:
            self._map[first : last + 1] = [self._nodes[endpoint]] * (last + 1 - first)
        for node in gone:
            node.subscriptions.give_up_all()
        homeless, self._homeless = self._homeless, []
        for channel, listener in homeless:
            self.listen(channel, listener)
        await asyncio.gather(*(node.close() for node in gone))

    def _node(self, endpoint: Endpoint) -> _Node:
        async def locate() -> Endpoint:
            return endpoint

        return _Node(
            Pipeline(locate, self._access, admit=self._admit, replicas=self._replicas, on_change=self._node_changed),
            Subscriptions(locate, self._access, sharded=True, on_moved=self._set_down),
        )

    def _node_changed(self, up: bool) -> None:
        if not up and self._nodes:
            self._look_again()
        self._on_change(self.up)


def _final(done: Done, reply: Reply) -> None:
    done(NotExecuted("the slot is on its way between nodes") if isinstance(reply, Moved) else reply)
