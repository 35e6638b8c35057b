"""One server, or the one that Sentinels call master: a pipeline for commands and a line for publications."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from landsraad_server.store.errors import NotExecuted, StoreError
from landsraad_server.store.line import Access, Endpoint, ask
from landsraad_server.store.pipeline import Admit, Link, Pipeline, admit_any
from landsraad_server.store.resp import Done, noop, pack
from landsraad_server.store.subscriptions import Subscriptions

Locate = Callable[[], Awaitable[Endpoint]]


def always(endpoint: Endpoint) -> Locate:
    """A server with a fixed address."""

    async def locate() -> Endpoint:
        return endpoint

    return locate


def by_sentinel(sentinels: Sequence[Endpoint], access: Access, service: str) -> Locate:
    """The master that the first Sentinel to answer names; asked before each connection, so it follows a failover."""
    question = pack(b"SENTINEL", b"GET-MASTER-ADDR-BY-NAME", service.encode())

    async def locate() -> Endpoint:
        trouble: StoreError = NotExecuted(f"no Sentinel knows {service}")
        for sentinel in sentinels:
            try:
                [found] = await ask(sentinel, access, question)
            except StoreError as error:
                trouble = error
            else:
                if found is not None:
                    return Endpoint(found[0].decode(), int(found[1]))
        raise trouble

    return locate


class Single(Link):
    """One server as link and ether."""

    def __init__(
        self,
        locate: Locate,
        access: Access,
        *,
        sharded: bool,
        admit: Admit = admit_any,
        replicas: int = 0,
        on_change: Callable[[bool], None] = noop,
    ) -> None:
        self._pipeline = Pipeline(locate, access, admit=admit, replicas=replicas, on_change=on_change)
        self._subscriptions = Subscriptions(locate, access, sharded=sharded)
        self.listen = self._subscriptions.listen
        self.unlisten = self._subscriptions.unlisten

    @property
    def up(self) -> bool:
        return self._pipeline.wire is not None

    async def open(self, patience: float) -> None:
        await asyncio.gather(self._pipeline.open(patience), self._subscriptions.open(patience))

    async def close(self) -> None:
        await self._pipeline.close()
        await self._subscriptions.close()

    def send(self, key: bytes, command: bytes, done: Done, *, read: bool = False) -> None:
        self._pipeline.send(key, command, done, read=read)

    def nodes(self) -> Sequence[Link]:
        return (self._pipeline,)
