"""A match as it was a while ago: what those who watch are told, where the match says that they are behind the players.

To the streams of spectators it is a host like any other; what it tells them are the records of the match, each when its
time has come. How far behind it is follows from the times in the log, so nobody comes nearer by connecting again.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from landsraad_server.matches.history import History
from landsraad_server.matches.hosted_match import HostedMatch
from landsraad_server.matches.match_host import MatchHost, RecordListener
from landsraad_server.matches.record_fanout import RecordFanout
from landsraad_server.matches.records import MatchRecord, Waypoint, decode_record, encode
from landsraad_server.matches.requests import MatchRequest
from landsraad_server.store import GENESIS, Head

if TYPE_CHECKING:
    from landsraad_server.matches.match_hosts import MatchHosts


class DelayedHost:
    """One for each match with a delay that is being watched on this worker; it listens to the match's host."""

    __slots__ = (
        "_delay_ms",
        "_host",
        "_hosts",
        "_loading",
        "_pending",
        "_reading",
        "_waiters",
        "head",
        "hosted",
        "listeners",
        "match",
    )

    def __init__(self, hosts: MatchHosts, host: MatchHost, delay_ms: int) -> None:
        self.match = host.match
        self.hosted: HostedMatch | None = None
        self.head: Head = GENESIS  # of the last record that was told
        self.listeners: list[RecordListener] = []
        self._hosts = hosts
        self._host = host
        self._delay_ms = delay_ms
        self._pending: deque[MatchRecord] = deque()
        self._loading: asyncio.Future[None] | None = None
        self._reading = asyncio.Lock()  # what is heard belongs to one reading of the log
        self._waiters = 0  # for `ready`

    async def ready(self) -> bool:
        """Whether there is something to tell, once that is known; whoever comes first reads it for all. There is not if
        the match's host has failed meanwhile.

        Who comes first may also be the first to go: the others go on waiting.
        """
        if self._loading is None:
            self._loading = asyncio.ensure_future(self._load())
        self._waiters += 1
        try:
            await asyncio.shield(self._loading)
            if self._hosts.delayed.get(self.match) is self:
                return True
            self._stop()  # nobody lets it go on
            return False
        except Exception:  # the next watcher begins anew
            self._stop()
            raise
        except asyncio.CancelledError:
            if self._waiters == 1 and not self.listeners:
                self._loading.cancel()
                self._stop()
            raise
        finally:
            self._waiters -= 1

    async def _load(self) -> None:
        """Read the log: what is old enough to be told, and what will be."""
        async with self._reading:
            head = await self._hosts.read(self.match, self._listen)
            records = [given for given in await self._hosts.records(self.match) if given[0].version <= head.version]
            heard, self._pending = self._pending, deque()
            oldest = self._hosts.now() - self._delay_ms
            # That the match was made is told at once: somebody waits for it to begin. Times need not rise in a log, for
            # each worker has a clock of its own: what is old enough waits for what stands before it.
            made, *rest = records
            told = [made, *takewhile(lambda given: given[1].at <= oldest, rest)]
            self.hosted = HostedMatch.from_records(self.match, told)
            # Of the log's epoch, though that may be younger than what is told: what was told in another may be lost.
            self.head = told[-1][0]._replace(epoch=head.epoch)
            self._pending.extend(record for _, record in records[len(told) :])
            self._pending.extend(heard)

    def _listen(self, hosted: HostedMatch) -> Head:
        self._pending.clear()  # what is heard from now on follows this head, though who waits for it comes later
        if self not in self._host.listeners:
            self._host.add_listener(self)
        return self._host.head

    def release(self, now: int) -> None:
        """Tell whatever is old enough by now."""
        if self._reading.locked():  # what is heard does not follow what was told
            return
        hosted = self.hosted
        while hosted is not None and self._pending and self._pending[0].at + self._delay_ms <= now:
            record = self._pending.popleft()
            try:
                hosted.absorb(record)
                report = RecordFanout(record)
            except Exception as error:  # noqa: BLE001  other matches have to go on
                self._hosts.log_fault("tell late", self.match, error)
                self.on_failed()
                return
            self.head = self.head._replace(version=self.head.version + 1)
            self._notify(lambda listener, report=report: listener.on_record(hosted, report))  # type: ignore[misc]

    def _notify(self, tell: Callable[[RecordListener], None]) -> None:
        for listener in tuple(self.listeners):
            try:
                tell(listener)
            except Exception as error:  # noqa: BLE001  one listener's fault is not the others'
                self._hosts.log_fault("tell late", self.match, error)
                with suppress(Exception):  # it could not even be told that
                    listener.on_failed()

    # ---------------------------------------------------------------------------------------- for streams: as of Host

    def add_listener(self, listener: RecordListener) -> None:
        """See Host."""
        self.listeners.append(listener)

    def remove_listener(self, listener: RecordListener) -> None:
        """See Host."""
        if listener in self.listeners:
            self.listeners.remove(listener)
        if not (self.listeners or self._waiters):
            self._stop()

    def _stop(self) -> None:
        self._host.remove_listener(self)
        self._forget()

    def _forget(self) -> None:
        """Whoever wants to watch from now on is told by another one."""
        if self._hosts.delayed.get(self.match) is self:
            del self._hosts.delayed[self.match]

    def put(self, request: MatchRequest) -> None:
        """See Host. Nothing is written here, so nothing is waited for."""
        hosted = self.hosted
        assert hosted is not None
        outcome: Any = request.run(hosted, self._hosts.now())
        request.settle(hosted, outcome)

    async def history(self, log: int, first: int, waypoints: list[Waypoint]) -> History:
        """See Host; up to what was told."""
        return await self._hosts.history(self.match, log, first, waypoints, until=self.head.version)

    # -------------------------------------------------------------------------------------- what the match's host says

    def on_record(self, hosted: HostedMatch, report: RecordFanout) -> None:
        """See Listener. The host goes on writing to what its records are made of."""
        self._pending.append(decode_record(encode(report.record)))

    def on_rewound(self, hosted: HostedMatch, epoch: int) -> None:
        """See Listener."""
        self._hosts.spawn(self._restart())

    async def _restart(self) -> None:
        try:
            await self._load()
        except Exception as error:  # noqa: BLE001  the next watcher begins anew
            self._hosts.log_unexpected("watch late", self.match, error)
            self.on_failed()
            return
        if not (self.listeners or self._waiters):  # the last has gone meanwhile, and this has listened again
            self._stop()
            return
        hosted, epoch = self.hosted, self.head.epoch
        assert hosted is not None
        self._notify(lambda listener: listener.on_rewound(hosted, epoch))

    def on_archived(self) -> None:
        """See Listener. The match has left the store; what is still to come is here."""

    def on_failed(self) -> None:
        """See Listener. What was heard is not all, or cannot be told."""
        self._stop()
        self._notify(lambda listener: listener.on_failed())
