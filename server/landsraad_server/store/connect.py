"""Store of a worker, connected from an address."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from redis.asyncio.connection import AbstractConnection

from landsraad_server.store import address, scripts
from landsraad_server.store.account_store import AccountStore
from landsraad_server.store.address import Address, StoreKind
from landsraad_server.store.clock_sets import ClockSets
from landsraad_server.store.cluster import Cluster
from landsraad_server.store.doubt import check_run
from landsraad_server.store.entries import Entry, Head
from landsraad_server.store.errors import Rewound, StoreUnavailable
from landsraad_server.store.log_subscription import LogSubscription, LogSubscriptions
from landsraad_server.store.match_index import MatchIndex
from landsraad_server.store.match_log import Draft, MatchLog, Outcome
from landsraad_server.store.match_quotas import MatchQuotas
from landsraad_server.store.pipeline import settle
from landsraad_server.store.pulse import Pulse
from landsraad_server.store.reconnecting_connection import Locate
from landsraad_server.store.redis_connection import ask
from landsraad_server.store.resp import Reply, noop, pack
from landsraad_server.store.roster import Roster
from landsraad_server.store.server_probe import Durability, ServerFacts, check_suitable, probe
from landsraad_server.store.single_server import SingleServer, always, by_sentinel
from landsraad_server.store.sweeper import Sweeper
from landsraad_server.store.talk_store import TalkStore
from landsraad_server.store.throttled_warnings import ThrottledWarnings
from landsraad_server.store.token_buckets import RateLimits

#: How long the first connection may take: as long as an embedded server may need to read its file.
PATIENCE_SECONDS = 10.0


class Store:
    """State that a worker keeps outside itself. One per event loop."""

    def __init__(self, where: Address, durability: Durability, replicas: int) -> None:
        self.facts: ServerFacts  # of the server that was connected to last
        self.durability = durability
        self.on_health: Callable[[bool], None] = noop  # told when the store is lost and found
        self._where = where
        waited_for = replicas if durability is Durability.REPLICATED else 0
        self.link: SingleServer | Cluster
        if where.kind is StoreKind.CLUSTER:
            self.link = Cluster(
                where.endpoints, where.access, admit=self._admit, replicas=waited_for, on_change=self._changed
            )
        else:
            self.link = SingleServer(
                _locate(where), where.access, admit=self._admit, replicas=waited_for, on_change=self._changed
            )
        link = self.link
        self.log = MatchLog(link, replicated=waited_for > 0)
        self.index = MatchIndex(link)
        self.clocks = ClockSets(link)
        self.accounts = AccountStore(link)
        self.limits = RateLimits(link)
        self.roster = Roster(link)
        self.quotas = MatchQuotas(link)
        self.pulse = Pulse(link)
        self.talk = TalkStore(link)
        self.sweeper = Sweeper(link, self.index, self.clocks)
        self._follower = LogSubscriptions(self.log, link)
        self._troubles = ThrottledWarnings()

    @property
    def up(self) -> bool:
        """True while commands can be sent."""
        return self.link.up

    def commit(self, draft: Draft, done: Callable[[Outcome], None]) -> None:
        """Commit an entry; then, once it stands, see to the match's clock and its line in the index.

        Those two may be lost with this process, and are then mended by the sweeper. What raises was not sent.
        """
        self._follower.expect(draft)
        self.log.append(draft, partial(self._committed, draft, done))

    async def committed(self, draft: Draft) -> Head:
        """Commit an entry and return the new head, or raise what came instead."""
        future: asyncio.Future[Head] = asyncio.get_running_loop().create_future()
        self.commit(draft, partial(settle, future))
        return await future

    def follow(
        self,
        match: str,
        after: Head,
        on_entry: Callable[[Entry], None],
        on_rewound: Callable[[Rewound], None],
    ) -> LogSubscription:
        """Subscribe to the entries of the match after `after`, this worker's own included. See LogSubscriptions."""
        return self._follower.subscribe(match, after, on_entry, on_rewound)

    async def forget(self, match: str) -> None:
        """Remove a match that was archived or aborted: log first here as well.

        Whoever still follows it is told Rewound when it next reads.
        """
        await self.log.forget(match)
        await self.clocks.disarm(match)
        await self.index.remove(match)

    async def _admit(self, connection: AbstractConnection) -> None:
        """Raise UnsuitableServer if the server cannot keep the promise of durability.

        A failover may lead to a server with other settings, and a server may be restarted with others.
        """
        self.facts = await probe(connection)
        clustered = self._where.kind is StoreKind.CLUSTER
        check_suitable(self.facts, self.durability, cluster=clustered, synced=self._where.synced)
        if _may_lose(self._where, self.durability):

            async def call(*command: bytes | int) -> Reply:
                [reply] = await ask(connection, pack(*command))
                return reply

            await check_run(self.facts.run, call)

    async def close(self) -> None:
        self.clocks.close()
        self._follower.close()
        await self.link.close()

    def _committed(self, draft: Draft, done: Callable[[Outcome], None], outcome: Outcome) -> None:
        if isinstance(outcome, Head):
            before, after = draft.before.due, outcome.due
            if after and (after < before or not before):
                self.clocks.arm(draft.match, after)
            if draft.listing:
                with suppress(StoreUnavailable):
                    self.index.put(draft.match, draft.listing).add_done_callback(_look_at)
        elif isinstance(outcome, StoreUnavailable) and self.up:  # a disk is full, or memory, or it was made a replica
            self._troubles.warn("store_refuses", outcome, "commands")
        done(outcome)

    def _changed(self, up: bool) -> None:
        self.roster.distrust()
        # Of a cluster some node may be back while others are still away; who cannot read yet waits for the next change.
        self._follower.catch_up()
        self.on_health(up)


def _look_at(future: asyncio.Future[Reply]) -> None:
    """Take notice of an error without doing anything about it."""
    if not future.cancelled():
        future.exception()


def _locate(where: Address) -> Locate:
    if where.kind is StoreKind.SENTINEL:
        return by_sentinel(where.endpoints, where.sentinel_access, where.service)
    return always(where.endpoints[0])


async def connect(
    url: str,
    *,
    durability: Durability = Durability.EVERYSEC,
    replicas: int = 1,
    patience: float = PATIENCE_SECONDS,
) -> Store:
    """Return the store at `url`, connected and found fit for `durability`.

    Args:
        url: Address of the store, see `address`.
        durability: Level of durability that the server has to give.
        replicas: How many replicas confirm each group of commits if durability is `replicated`.
        patience: Seconds after which the last failure is raised.

    Raises:
        SetupError: An operator has to change something; the message says what.
        StoreUnavailable: The store was not reached in time.
    """
    where = address.parse(url)
    store = Store(where, durability, replicas)
    try:
        await store.link.open(patience)
        await scripts.load(store.link)
    except BaseException:
        await store.close()
        raise
    return store


def _may_lose(where: Address, durability: Durability) -> bool:
    """Return whether a restart of the server, or a failover, may lose what was acknowledged without a word.

    The owner of an embedded server knows whether it has ended cleanly. Of a cluster no node has a place of its own
    where its run could be recorded.
    """
    if where.synced or where.kind is StoreKind.CLUSTER or durability is Durability.REPLICATED:
        return False
    return durability is Durability.EVERYSEC or where.kind is StoreKind.SENTINEL
