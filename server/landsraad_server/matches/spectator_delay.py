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


class Delayed:
    """One for each match with a delay that is being watched on this worker; it listens to the match's host."""

    __slots__ = (
        "_coming",
        "_delay_ms",
        "_hall",
        "_host",
        "_loading",
        "_reading",
        "_waiting",
        "head",
        "listeners",
        "match",
        "position",
    )

    def __init__(self, hall: MatchHosts, host: MatchHost, delay_ms: int) -> None:
        self.match = host.match
        self.position: HostedMatch | None = None
        self.head: Head = GENESIS  # of the last record that was told
        self.listeners: list[RecordListener] = []
        self._hall = hall
        self._host = host
        self._delay_ms = delay_ms
        self._coming: deque[MatchRecord] = deque()
        self._loading: asyncio.Future[None] | None = None
        self._reading = asyncio.Lock()  # what is heard belongs to one reading of the log
        self._waiting = 0  # for `ready`

    async def ready(self) -> bool:
        """Whether there is something to tell, once that is known; whoever comes first reads it for all. There is not if
        the match's host has failed meanwhile.

        Who comes first may also be the first to go: the others go on waiting.
        """
        if self._loading is None:
            self._loading = asyncio.ensure_future(self._load())
        self._waiting += 1
        try:
            await asyncio.shield(self._loading)
            if self._hall.delayed.get(self.match) is self:
                return True
            self._end()  # nobody lets it go on
            return False
        except Exception:  # the next watcher begins anew
            self._end()
            raise
        except asyncio.CancelledError:
            if self._waiting == 1 and not self.listeners:
                self._loading.cancel()
                self._end()
            raise
        finally:
            self._waiting -= 1

    async def _load(self) -> None:
        """Read the log: what is old enough to be told, and what will be."""
        async with self._reading:
            head = await self._hall.read(self.match, self._listen)
            records = [given for given in await self._hall.records(self.match) if given[0].version <= head.version]
            heard, self._coming = self._coming, deque()
            oldest = self._hall.now() - self._delay_ms
            # That the match was made is told at once: somebody waits for it to begin. Times need not rise in a log, for
            # each worker has a clock of its own: what is old enough waits for what stands before it.
            made, *rest = records
            told = [made, *takewhile(lambda given: given[1].at <= oldest, rest)]
            self.position = HostedMatch.from_records(self.match, told)
            # Of the log's epoch, though that may be younger than what is told: what was told in another may be lost.
            self.head = told[-1][0]._replace(epoch=head.epoch)
            self._coming.extend(record for _, record in records[len(told) :])
            self._coming.extend(heard)

    def _listen(self, position: HostedMatch) -> Head:
        self._coming.clear()  # what is heard from now on follows this head, though who waits for it comes later
        if self not in self._host.listeners:
            self._host.listen(self)
        return self._host.head

    def release(self, now: int) -> None:
        """Tell whatever is old enough by now."""
        if self._reading.locked():  # what is heard does not follow what was told
            return
        position = self.position
        while position is not None and self._coming and self._coming[0].at + self._delay_ms <= now:
            record = self._coming.popleft()
            try:
                position.absorb(record)
                report = RecordFanout(record)
            except Exception as error:  # noqa: BLE001  other matches have to go on
                self._hall.fault("tell late", self.match, error)
                self.lost()
                return
            self.head = self.head._replace(version=self.head.version + 1)
            self._tell(lambda listener, report=report: listener.hear(position, report))  # type: ignore[misc]

    def _tell(self, tell: Callable[[RecordListener], None]) -> None:
        for listener in tuple(self.listeners):
            try:
                tell(listener)
            except Exception as error:  # noqa: BLE001  one listener's fault is not the others'
                self._hall.fault("tell late", self.match, error)
                with suppress(Exception):  # it could not even be told that
                    listener.lost()

    # ---------------------------------------------------------------------------------------- for streams: as of Host

    def listen(self, listener: RecordListener) -> None:
        """See Host."""
        self.listeners.append(listener)

    def unlisten(self, listener: RecordListener) -> None:
        """See Host."""
        if listener in self.listeners:
            self.listeners.remove(listener)
        if not (self.listeners or self._waiting):
            self._end()

    def _end(self) -> None:
        self._host.unlisten(self)
        self._forget()

    def _forget(self) -> None:
        """Whoever wants to watch from now on is told by another one."""
        if self._hall.delayed.get(self.match) is self:
            del self._hall.delayed[self.match]

    def put(self, request: MatchRequest) -> None:
        """See Host. Nothing is written here, so nothing is waited for."""
        position = self.position
        assert position is not None
        outcome: Any = request.run(position, self._hall.now())
        request.settle(position, outcome)

    async def history(self, log: int, first: int, waypoints: list[Waypoint]) -> History:
        """See Host; up to what was told."""
        return await self._hall.history(self.match, log, first, waypoints, until=self.head.version)

    # -------------------------------------------------------------------------------------- what the match's host says

    def hear(self, position: HostedMatch, report: RecordFanout) -> None:
        """See Listener. The host goes on writing to what its records are made of."""
        self._coming.append(decode_record(encode(report.record)))

    def rewound(self, position: HostedMatch, epoch: int) -> None:
        """See Listener."""
        self._hall.spawn(self._begin_again())

    async def _begin_again(self) -> None:
        try:
            await self._load()
        except Exception as error:  # noqa: BLE001  the next watcher begins anew
            self._hall.unforeseen("watch late", self.match, error)
            self.lost()
            return
        if not (self.listeners or self._waiting):  # the last has gone meanwhile, and this has listened again
            self._end()
            return
        position, epoch = self.position, self.head.epoch
        assert position is not None
        self._tell(lambda listener: listener.rewound(position, epoch))

    def gone(self) -> None:
        """See Listener. The match has left the store; what is still to come is here."""

    def lost(self) -> None:
        """See Listener. What was heard is not all, or cannot be told."""
        self._end()
        self._tell(lambda listener: listener.lost())
