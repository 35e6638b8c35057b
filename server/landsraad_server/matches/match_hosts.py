"""Match hosts: one worker's cache of matches, with all that they share (store, archive, clock, presence, counters)."""

from __future__ import annotations

import asyncio
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from typing import Any, NamedTuple, TypeVar

import structlog

from landsraad_server.matches.archive import Archive
from landsraad_server.matches.builds import other_build
from landsraad_server.matches.coalescing import CoalescingTimer
from landsraad_server.matches.history import History, find_end, find_start
from landsraad_server.matches.hosted_match import HostedMatch
from landsraad_server.matches.match_host import MatchHost
from landsraad_server.matches.presence import PresenceTracker
from landsraad_server.matches.record_format import UnknownFormat
from landsraad_server.matches.records import (
    Fill,
    MatchRecord,
    MatchStage,
    Waypoint,
    decode_image,
    decode_log_record,
    decode_record,
)
from landsraad_server.matches.requests import MatchCall
from landsraad_server.matches.service_clock import ClockPauses
from landsraad_server.matches.spectator_delay import DelayedHost
from landsraad_server.matches.talk_feed import TalkFeeds
from landsraad_server.refusals import Denied, is_expected
from landsraad_server.store import GENESIS, Entry, Head, IndexState, Listing, Store
from landsraad_server.store.doubt import is_doubted
from landsraad_server.store.errors import Rewound, StoreUnavailable, Torn
from landsraad_server.store.match_log import Loaded as Log
from landsraad_server.store.resp import noop
from landsraad_server.telemetry import logs
from landsraad_server.telemetry.metrics import Counters
from landsraad_server.telemetry.tracing import OFF, Tracing

_log = structlog.get_logger()

T = TypeVar("T")

#: Hosts without requests and listeners that stay in the cache.
MOST_IDLE = 2000
#: Heads of evicted hosts that are remembered.
MOST_REMEMBERED = 20_000
#: Attempts to read the log of a delayed match for a new spectator, if its host fails meanwhile.
_READ_ATTEMPTS = 3

_INDEX_STATES = {1: IndexState.OPEN, 2: IndexState.LIVE, 3: IndexState.OVER}


class LoadedMatch(NamedTuple):
    """A match as loaded from the store or the archive."""

    hosted: HostedMatch
    head: Head
    #: the entries after the head that the caller knew; None: that head is not in the log any more
    missed: list[Entry] | None
    archived: bool = False
    #: the versions that are known by it, oldest first
    heads: Sequence[Head] = ()
    #: of a torn log: the stored head, and the epoch that is lost; see the store's `Loaded`
    found: bytes | None = None
    lost_epoch: int = -1


class MatchHosts:
    """The cache of matches of one worker, by match id.

    Args:
        store: The store of all matches.
        now: The source of time, in ms since 1970.
        archive: The archive of finished matches.
        counters: The worker's metrics.
        describe: Encodes a match for the match index.
        on_bots_needed: Called with the id of a match that has seats for which a house bot is needed.
        coalescing: The timer that coalesces output of streams that is not urgent; none: output is sent at once.
        tracing: Makes spans.
        check_cell: Raises `Denied` for the id of a match that belongs to another cell.
    """

    def __init__(
        self,
        store: Store,
        now: Callable[[], int],
        *,
        archive: Archive,
        counters: Counters,
        describe: Callable[[HostedMatch], bytes],
        on_bots_needed: Callable[[str], None] = noop,
        coalescing: CoalescingTimer | None = None,
        tracing: Tracing = OFF,
        check_cell: Callable[[str], None] = noop,
    ) -> None:
        self.store = store
        self.now = now
        self.archive = archive
        self.counters = counters
        self.by_match: dict[str, MatchHost] = {}
        counters.hosts = self.by_match
        self._evicted: OrderedDict[str, Head] = OrderedDict()  # The heads of hosts that were evicted, oldest first.
        self.delayed: dict[str, DelayedHost] = {}
        self.talk_feeds = TalkFeeds(store.talk, now)
        self.presence = PresenceTracker(self)
        self.pauses = ClockPauses(store.pulse)
        self.coalescing = coalescing or CoalescingTimer(0.0)
        self.tracing = tracing
        self._summarize = describe
        self._check_cell = check_cell
        self._on_bots_needed = on_bots_needed
        self.most_hosts = MOST_IDLE
        self._ready: list[MatchHost] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._loop = asyncio.get_running_loop()

    # ------------------------------------------------------------------------------------------------ for services

    def host(self, match: str) -> MatchHost:
        """Return the host of a match, which may not be loaded yet."""
        host = self.by_match.get(match)
        if host is None:
            self._check_cell(match)
            if len(self.by_match) >= self.most_hosts:
                self._evict_idle()
            host = self.by_match[match] = MatchHost(self, match)
            host.head = self._evicted.pop(match, GENESIS)  # Else it would not see that the log was rewound.
        return host

    async def read(self, match: str, read: Callable[[HostedMatch], T], *, acknowledges: bool = False) -> T:
        """Return what a function reads from a match, as of now.

        Args:
            match: The match.
            read: The function.
            acknowledges: Whether its result tells which inputs have been accepted.
        """
        call = MatchCall(read=read, acknowledges=acknowledges)
        self.host(match).put(call)
        return await call.future

    async def change(self, match: str, run: Callable[[HostedMatch, int], T]) -> T:
        """Change a match, and return the result of `run` once the change is committed."""
        call = MatchCall(run)
        self.host(match).put(call)
        return await call.future

    async def create(self, hosted: HostedMatch, run: Callable[[HostedMatch, int], T]) -> T:
        """Create a match and change it with `run`. If a match of that name exists, `run` changes that instead."""
        call: MatchCall[T] = MatchCall(run, any_case=True)  # Else a cancelled call would create it without `run`.
        self.host(hosted.match).create(hosted, call)
        return await call.future

    async def spectator_host(self, match: str) -> MatchHost | DelayedHost:
        """Return the host from which spectators see a match: the match's own, or one that delays its records."""
        delay, ended = await self.read(match, lambda hosted: (hosted.terms.watch_delay_ms, hosted.status.ended))
        if not delay or 0 < ended <= self.now() - delay:
            return self.host(match)
        for _ in range(_READ_ATTEMPTS):
            found = self.delayed.get(match)
            if found is None:
                found = self.delayed[match] = DelayedHost(self, self.host(match), delay)
            if await found.ready():
                return found
        raise RuntimeError("the host of a match fails whenever its log is read")

    async def history(
        self,
        match: str,
        log: int,
        first: int,
        waypoints: list[Waypoint],
        *,
        last: int | None = None,
        until: int | None = None,
    ) -> History:
        """Read a part of one information log of a match.

        Args:
            match: The match.
            log: The number of the log.
            first: The first entry that is wanted; some before it are read, too.
            waypoints: The match's waypoints, which bound what is read.
            last: The last entry that is wanted, if the log has it; none: the log's last. Some after it are read, too.
            until: The last version that may be read; none: the match's last.
        """
        start, skipped = find_start(waypoints, log, first)
        end = None if last is None else find_end(waypoints, log, last)
        stored: list[tuple[Head, bytes]] = []
        if end is not None and (until is None or end.version < until):
            stored = await self._stored_records(match, start, end.version)
        if end is None or not stored or stored[-1][0] != end:  # Also if the log was rewound behind the waypoint.
            # Reading begins at `start` itself, which proves that nothing was lost.
            stored = await self._stored_records(match, start, None if until is None else max(until, start.version))
        records = [decode_log_record(payload) for _, payload in stored]
        return History(log, skipped, records, [head for head, _ in stored])

    async def records(self, match: str, start: Head = GENESIS) -> list[tuple[Head, MatchRecord]]:
        """Read the records of a match after a version, from the store or the archive."""
        return [(head, decode_record(payload)) for head, payload in await self._stored_records(match, start)]

    async def _stored_records(self, match: str, start: Head, until: int | None = None) -> list[tuple[Head, bytes]]:
        """Read the encoded records of a match after a version, up to another one if that is given."""
        host = self.by_match.get(match)
        lost: Rewound | None = None
        if host is None or not host.archived:
            try:
                entries = await self.read_log(match, start, until)
            except Rewound as rewound:
                lost = rewound
            else:
                if entries or start != GENESIS:
                    return [(entry.head, entry.payload) for entry in entries]
        # A match that is not in the store was archived, perhaps just now. Otherwise its log has lost its end.
        archived = await self.archive.stored(match)
        if lost is not None and not archived:
            raise lost

        def place(version: int) -> int:
            return bisect_right(archived, version, key=lambda record: record[0].version)

        return archived[place(start.version) : None if until is None else place(until)]

    async def read_log(self, match: str, start: Head = GENESIS, until: int | None = None) -> list[Entry]:
        """Read the entries of a match in the store after a version, up to another one if that is given.

        If the log is torn, see to its being mended.

        Raises:
            Rewound: The version is not in the log any more.
            Torn: The log is torn.
        """
        try:
            return await self.store.log.read(match, start, until)
        except Torn:
            # The break may be before the snapshot, where loading would not find it.
            await self.store.log.distrust_snapshot(match)
            self.host(match).on_torn()
            raise

    # --------------------------------------------------------------------------------------------------- for hosts

    def schedule(self, host: MatchHost) -> None:
        """Let a host run a batch at the end of this iteration of the event loop, with all requests that come in it."""
        if not self._ready:
            self._loop.call_soon(self._run)
        self._ready.append(host)

    def _run(self) -> None:
        ready, self._ready = self._ready, []
        for host in ready:
            try:
                host.run_batch()
            except Exception as error:  # noqa: BLE001  a fault of one host must not stop the others
                self.log_fault("turn", host.match, error)

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Run a coroutine in the background, until `close`."""
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def log_unexpected(self, where: str, match: str, error: Exception) -> None:
        """Log an error, unless it is an expected one such as a refusal. A format unread here is none."""
        if not is_expected(error) or isinstance(error, UnknownFormat):
            self.log_fault(where, match, error)

    def log_fault(self, where: str, match: str, error: Exception) -> None:
        """Log and count a fault of this program."""
        self.counters.faults += 1
        logs.fault(where, error, match=match)

    def log_lost(self, event: str, match: str) -> None:
        """Log for the operators that the store has lost what it had confirmed."""
        _log.error(event, match=match)

    def on_changed(self, hosted: HostedMatch) -> None:
        """Follow up on a change of terms or status that this worker has committed."""
        if hosted.over:
            self.spawn(self._free_quota(hosted))
        if hosted.stage is MatchStage.LIVE and any(plan.fill is Fill.HOUSE for plan in hosted.terms.seats):
            self.request_bots(hosted.match)

    def request_bots(self, match: str) -> None:
        """Request house bots for a match that has seats without one."""
        self._on_bots_needed(match)

    async def _free_quota(self, hosted: HostedMatch) -> None:
        """Remove a finished match from its creator's quota."""
        with suppress(StoreUnavailable):  # The quota is recounted when it is used up.
            await self.store.quotas.release(hosted.terms.creator, hosted.match)

    def listing(self, hosted: HostedMatch) -> Listing:
        """Return the entry of a match in the match index."""
        return Listing(hosted.terms.created, _INDEX_STATES[hosted.stage], self._summarize(hosted))

    async def save_snapshot(self, match: str, head: Head, image: bytes) -> None:
        """Write a snapshot to the store. If that fails, loading only takes longer."""
        try:
            with self.tracing.span("snapshot", match):
                await self.store.log.keep_snapshot(match, head, image)
        except Exception as error:  # noqa: BLE001
            self.log_unexpected("snapshot", match, error)

    async def load(self, match: str, since: Head) -> LoadedMatch:
        """Load a match from the store or the archive, with the entries after the version `since`.

        Raises:
            Denied: There is no such match.
        """
        loaded = await self.store.log.load(match)
        if loaded.head == GENESIS:
            return await self._from_archive(match)
        entries = [(entry.head, decode_record(entry.payload)) for entry in loaded.entries]
        hosted: HostedMatch | None
        if loaded.snapshot is None:
            hosted = HostedMatch.from_records(match, entries)
            if hosted is None:
                raise Denied("NO_SUCH_MATCH", "there is no such match")
        else:
            hosted = HostedMatch.from_image(match, decode_image(loaded.snapshot.payload))
            hosted.absorb_all(entries)
        heads = [point.head for point in hosted.waypoints] + [head for head, _ in entries]
        if loaded.found is not None:
            if not is_doubted(loaded.found):  # Of those in doubt the store's owner has logged the number.
                self.log_lost("log_torn", match)
            if hosted.of_other_build:
                raise other_build()  # A worker of the match's own build mends it.
        missed = await self._missed(match, since, loaded)
        return LoadedMatch(hosted, loaded.head, missed, heads=heads, found=loaded.found, lost_epoch=loaded.lost_epoch)

    async def _missed(self, match: str, since: Head, loaded: Log) -> list[Entry] | None:
        """Return the entries between a version and the loaded one; None if that version is not in the log any more."""
        if since == GENESIS:
            return []
        heads = [
            GENESIS if loaded.snapshot is None else loaded.snapshot.head,
            *(entry.head for entry in loaded.entries),
        ]
        if since in heads:
            return loaded.entries[heads.index(since) :]
        if since.version > loaded.head.version:  # It may still be in the store, behind a break.
            return None
        try:
            missed, _ = await self.store.log.intact(match, since)
        except Rewound:
            return None
        # More may have been committed between the two reads. Listeners must not be told more than is loaded.
        return [entry for entry in missed if entry.head.version <= loaded.head.version]

    async def _from_archive(self, match: str) -> LoadedMatch:
        records: list[tuple[Head, MatchRecord]] = await self.archive.records(match)
        hosted = HostedMatch.from_records(match, records)
        if hosted is None:
            raise Denied("NO_SUCH_MATCH", "there is no such match")
        return LoadedMatch(hosted, records[-1][0], [], archived=True)

    async def archive_match(self, match: str) -> bool:
        """Move a finished match from the store to the archive.

        Returns:
            False if the match is not over any more, because its log has lost its end.
        """
        host = self.host(match)
        hosted, head = await self.read(match, lambda hosted: (hosted, host.head))
        if host.archived or not hosted.over:
            return host.archived
        with self.tracing.span("archive", match):
            try:
                entries = await self.read_log(match)
            except Torn:
                return False
            if not entries:  # Another worker has archived it meanwhile: its files must not be overwritten.
                return True
            if entries[-1].head != head:
                return False
            await self.archive.save(match, entries, hosted.status.ended, self._summarize(hosted))
            await self.store.forget(match)
        archived = self.by_match.pop(match, None)
        if archived is not None:
            archived.retire()
        return True

    def _evict_idle(self) -> None:
        """Evict idle hosts, least recently used first, until nine tenths of `MOST_IDLE` are left."""
        idle = sorted((host for host in self.by_match.values() if host.idle), key=lambda host: host.last_used)
        for host in idle[: max(0, len(idle) - MOST_IDLE * 9 // 10)]:
            del self.by_match[host.match]
            if host.head != GENESIS and not host.archived:
                self._evicted[host.match] = host.head
        while len(self._evicted) > MOST_REMEMBERED:
            self._evicted.popitem(last=False)
        # Busy hosts do not count. The limit rises with them, since a search for each new host would cost too much.
        self.most_hosts = max(MOST_IDLE, len(self.by_match) + MOST_IDLE // 10)

    async def close(self) -> None:
        """Unsubscribe from all logs, and cancel all background work."""
        self.talk_feeds.close()
        for host in self.by_match.values():
            host.unsubscribe()
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
