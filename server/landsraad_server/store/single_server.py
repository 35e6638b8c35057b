"""One server, or the one that Sentinels call master: a pipeline for commands and a connection for publications."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from redis.asyncio.sentinel import MasterNotFoundError, Sentinel
from redis.exceptions import AuthenticationError, RedisError

from landsraad_server.store.errors import AccessDenied, NotExecuted, StoreError
from landsraad_server.store.pipeline import Link, Pipeline, admit_any
from landsraad_server.store.reconnecting_connection import Locate
from landsraad_server.store.redis_connection import Access, Check, Endpoint, as_failure
from landsraad_server.store.resp import Done, noop
from landsraad_server.store.subscriptions import Listener, Subscriptions


def always(endpoint: Endpoint) -> Locate:
    """Locate a server with a fixed address."""

    async def locate() -> Endpoint:
        return endpoint

    return locate


def by_sentinel(sentinels: Sequence[Endpoint], access: Access, service: str) -> Locate:
    """Locate the master that the first Sentinel to answer names.

    Asked for before each connection, so that a failover is followed.
    """

    async def locate() -> Endpoint:
        # One for each question: of two that run at once, redis-py's reordering of its Sentinels may forget one.
        discovery = Sentinel(())  # type: ignore[no-untyped-call]
        discovery.sentinels = [access.client(sentinel) for sentinel in sentinels]
        try:
            return Endpoint(*await discovery.discover_master(service))
        except MasterNotFoundError as error:
            if AuthenticationError.__name__ in str(error):  # redis-py tells their errors only as a text
                raise AccessDenied("the Sentinels reject our password") from error
            asked = ", ".join(map(str, sentinels))
            raise NotExecuted(f"none of the Sentinels at {asked} names a master of {service}") from error
        except RedisError as error:
            raise as_failure("the Sentinels", error) from error
        finally:
            await asyncio.gather(*(client.aclose() for client in discovery.sentinels), return_exceptions=True)

    return locate


class SingleServer(Link):
    """One server as a link, and as a source of publications."""

    def __init__(
        self,
        locate: Locate,
        access: Access,
        *,
        admit: Check = admit_any,
        replicas: int = 0,
        on_change: Callable[[bool], None] = noop,
        on_moved: Callable[[bytes, Listener], None] = noop,
    ) -> None:
        self._pipeline = Pipeline(locate, access, admit=admit, replicas=replicas, on_change=on_change)
        self.subscriptions = Subscriptions(locate, access, on_moved=on_moved)
        self.listen = self.subscriptions.listen
        self.unlisten = self.subscriptions.unlisten
        self.up_within = self._pipeline.up_within

    @property
    def up(self) -> bool:
        return self._pipeline.up

    @property
    def failure(self) -> StoreError:
        """Why commands could not be sent when that was last tried."""
        return self._pipeline.failure

    def start(self) -> None:
        """Begin to connect, and never stop trying."""
        self._pipeline.start()
        self.subscriptions.start()

    async def open(self, patience: float) -> None:
        """Return once both connections are made."""
        await asyncio.gather(self._pipeline.open(patience), self.subscriptions.open(patience))

    async def close(self) -> None:
        await self._pipeline.close()
        await self.subscriptions.close()

    def send(self, key: bytes, command: bytes, done: Done, *, read: bool = False) -> None:
        self._pipeline.send(key, command, done, read=read)

    def nodes(self) -> Sequence[Link]:
        return (self,)
