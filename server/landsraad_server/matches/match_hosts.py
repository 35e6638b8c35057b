"""All matches that one worker has in memory, and what they share: the store, the time, the tick."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, NamedTuple, TypeVar

from landsraad_server.matches.archive import Archive
from landsraad_server.matches.coalescing import CoalescingTimer
from landsraad_server.matches.history import History, start_for
from landsraad_server.matches.hosted_match import HostedMatch
from landsraad_server.matches.match_host import MatchHost
from landsraad_server.matches.presence import PresenceTracker
from landsraad_server.matches.records import Fill, MatchRecord, MatchStage, Waypoint, decode_image, decode_record
from landsraad_server.matches.requests import MatchCall
from landsraad_server.matches.spectator_delay import Delayed
from landsraad_server.refusals import Denied, foreseen
from landsraad_server.store import GENESIS, Entry, Head, IndexState, Listing, Store
from landsraad_server.store.errors import Rewound, StoreUnavailable
from landsraad_server.store.match_log import Loaded as Log
from landsraad_server.store.resp import noop
from landsraad_server.telemetry import logs
from landsraad_server.telemetry.metrics import Counters
from landsraad_server.telemetry.tracing import OFF, Tracing

T = TypeVar("T")

#: Matches that are kept in memory although nobody listens to them.
MOST_IDLE = 2000
#: How often a match with a delay is read for somebody who begins to watch it, if its host fails meanwhile.
_READINGS = 3

_STATES = {1: IndexState.OPEN, 2: IndexState.LIVE, 3: IndexState.OVER}


class LoadedMatch(NamedTuple):
    """A match as it was found."""

    position: HostedMatch
    head: Head
    #: what followed the head that was asked about; None: that head is not in the log any more
    missed: list[Entry] | None
    archived: bool = False


class MatchHosts:
    """One per worker. `describe` makes what the match index keeps of a match."""

    def __init__(
        self,
        store: Store,
        now: Callable[[], int],
        *,
        archive: Archive,
        figures: Counters,
        describe: Callable[[HostedMatch], bytes],
        on_house: Callable[[str], None] = noop,
        lingering: CoalescingTimer | None = None,
        tracing: Tracing = OFF,
    ) -> None:
        self.store = store
        self.now = now
        self.archive = archive
        self.figures = figures
        self.hosts: dict[str, MatchHost] = {}
        figures.hosts = self.hosts
        self.delayed: dict[str, Delayed] = {}
        self.attendance = PresenceTracker(self)
        #: parts of logs that ask nothing of their readers
        self.lingering = lingering or CoalescingTimer(0.0)
        self.tracing = tracing
        self._describe = describe
        self._on_house = on_house
        self.most_hosts = MOST_IDLE
        self._ready: list[MatchHost] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._loop = asyncio.get_running_loop()

    # ------------------------------------------------------------------------------------------------ for services

    def host(self, match: str) -> MatchHost:
        """The host of a match, loaded or not."""
        host = self.hosts.get(match)
        if host is None:
            if len(self.hosts) >= self.most_hosts:
                self._forget_some()
            host = self.hosts[match] = MatchHost(self, match)
        return host

    async def read(self, match: str, read: Callable[[HostedMatch], T]) -> T:
        """Something of a match as it stands now."""
        call = MatchCall(read=read)
        self.host(match).put(call)
        return await call.future

    async def change(self, match: str, run: Callable[[HostedMatch, int], T]) -> T:
        """Change a match; what `run` has given is given back once it is committed."""
        call = MatchCall(run)
        self.host(match).put(call)
        return await call.future

    async def create(self, position: HostedMatch, run: Callable[[HostedMatch, int], T]) -> T:
        """A new match; if there is one of that name already, `run` is run on it instead."""
        call: MatchCall[T] = MatchCall(run, any_case=True)  # else it would be made, but not begin
        self.host(position.match).create(position, call)
        return await call.future

    async def watched(self, match: str) -> MatchHost | Delayed:
        """A match as spectators are told of it."""
        delay, ended = await self.read(match, lambda position: (position.terms.watch_delay_ms, position.standing.ended))
        if not delay or 0 < ended <= self.now() - delay:
            return self.host(match)
        for _ in range(_READINGS):
            found = self.delayed.get(match)
            if found is None:
                found = self.delayed[match] = Delayed(self, self.host(match), delay)
            if await found.ready():
                return found
        raise RuntimeError("the host of a match fails whenever its log is read")

    async def history(
        self, match: str, log: int, first: int, waypoints: list[Waypoint], until: int | None = None
    ) -> History:
        """One information log of a match, from before the entry `first` to the end, or to a version."""
        start, told = start_for(waypoints, log, first)
        records = await self.records(match, start)
        return History(log, told, [record for head, record in records if until is None or head.version <= until])

    async def records(self, match: str, start: Head = GENESIS) -> list[tuple[Head, MatchRecord]]:
        """The records of a match after a version."""
        host = self.hosts.get(match)
        lost: Rewound | None = None
        if host is None or not host.archived:
            try:
                entries = await self.store.log.read(match, start)
            except Rewound as rewound:
                lost = rewound
            else:
                if entries or start != GENESIS:
                    return [(entry.head, decode_record(entry.payload)) for entry in entries]
        # What is gone from the store was archived, perhaps just now; or else the log has lost its end.
        archived = await self.archive.records(match)
        if lost is not None and not archived:
            raise lost
        return [given for given in archived if given[0].version > start.version]

    # --------------------------------------------------------------------------------------------------- for hosts

    def ready(self, host: MatchHost) -> None:
        """A host has something to do: it gets its turn at the end of this tick, with all that came in it."""
        if not self._ready:
            self._loop.call_soon(self._run)
        self._ready.append(host)

    def _run(self) -> None:
        ready, self._ready = self._ready, []
        for host in ready:
            try:
                host.turn()
            except Exception as error:  # noqa: BLE001  the others want their turn, too
                self.fault("turn", host.match, error)

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something that waits, and that is not part of every action."""
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def unforeseen(self, where: str, match: str, error: Exception) -> None:
        """Log an error, unless it is only an answer."""
        if not foreseen(error):
            self.fault(where, match, error)

    def fault(self, where: str, match: str, error: Exception) -> None:
        """Something went wrong that nobody has foreseen."""
        self.figures.faults += 1
        logs.fault(where, error, match=match)

    def settled(self, position: HostedMatch) -> None:
        """What is agreed about a match, or where it stands, was changed by this worker."""
        if position.over:
            self.spawn(self._uncount(position))
        if position.stage is MatchStage.LIVE and any(plan.fill is Fill.HOUSE for plan in position.terms.seats):
            self.call_bots(position.match)

    def call_bots(self, match: str) -> None:
        """Let the house hear that a match has seats which nobody plays, and its bots should."""
        self._on_house(match)

    async def _uncount(self, position: HostedMatch) -> None:
        """It does not count any more among those that its creator may have."""
        with suppress(StoreUnavailable):  # then it is found out when they are many
            await self.store.quotas.free(position.terms.creator, position.match)

    def listing(self, position: HostedMatch) -> Listing:
        """What the match index is told."""
        return Listing(position.terms.created, _STATES[position.stage], self._describe(position))

    async def keep(self, match: str, head: Head, image: bytes) -> None:
        """Keep a snapshot; without it loading only takes longer."""
        try:
            with self.tracing.span("snapshot", match):
                await self.store.log.keep_snapshot(match, head, image)
        except Exception as error:  # noqa: BLE001
            self.unforeseen("snapshot", match, error)

    async def load(self, match: str, since: Head) -> LoadedMatch:
        """A match as it stands, and what followed a head; Denied if there is none."""
        loaded = await self.store.log.load(match)
        if loaded.head == GENESIS:
            return await self._from_archive(match)
        entries = [(entry.head, decode_record(entry.payload)) for entry in loaded.entries]
        position: HostedMatch | None
        if loaded.snapshot is None:
            position = HostedMatch.from_records(match, entries)
            if position is None:
                raise Denied("NO_SUCH_MATCH", "there is no such match")
        else:
            position = HostedMatch.of(match, decode_image(loaded.snapshot.payload))
            position.follow(entries)
        return LoadedMatch(position, loaded.head, await self._missed(match, since, loaded))

    async def _missed(self, match: str, since: Head, loaded: Log) -> list[Entry] | None:
        """What followed a head, up to where a match was loaded; None: it is not in the log any more."""
        if since == GENESIS:
            return []
        heads = [
            GENESIS if loaded.snapshot is None else loaded.snapshot.head,
            *(entry.head for entry in loaded.entries),
        ]
        if since in heads:
            return loaded.entries[heads.index(since) :]
        try:
            missed = await self.store.log.read(match, since)
        except Rewound:
            return None
        # More may have been committed between the two reads: what is told must not be ahead of the position.
        return [entry for entry in missed if entry.head.version <= loaded.head.version]

    async def _from_archive(self, match: str) -> LoadedMatch:
        records: list[tuple[Head, MatchRecord]] = await self.archive.records(match)
        position = HostedMatch.from_records(match, records)
        if position is None:
            raise Denied("NO_SUCH_MATCH", "there is no such match")
        return LoadedMatch(position, records[-1][0], [], archived=True)

    async def file(self, match: str) -> bool:
        """A match is over, and everybody has had time to read on: archive first, then it leaves the store. False if it
        is not over any more: the log has lost its end.
        """
        host = self.host(match)
        position, head = await self.read(match, lambda position: (position, host.head))
        if host.archived or not position.over:
            return host.archived
        with self.tracing.span("archive", match):
            entries = await self.store.log.read(match)
            if not entries:  # another worker was at it, too, and is done: what it has kept must stay
                return True
            if entries[-1].head != head:
                return False
            await self.archive.keep(match, entries, position.standing.ended, self._describe(position))
            await self.store.forget(match)
        filed = self.hosts.pop(match, None)
        if filed is not None:
            filed.leave_store()
        return True

    def _forget_some(self) -> None:
        """Let go of a tenth of the matches that nobody needs here, those not wanted for longest first."""
        idle = sorted((host for host in self.hosts.values() if host.idle), key=lambda host: host.used)
        for host in idle[: max(0, len(idle) - MOST_IDLE * 9 // 10)]:
            del self.hosts[host.match]
        # Those that somebody needs do not count; to look through all of them for each new one would be too much.
        self.most_hosts = max(MOST_IDLE, len(self.hosts) + MOST_IDLE // 10)

    async def close(self) -> None:
        """Let go of everything."""
        for host in self.hosts.values():
            host.unfollow()
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
