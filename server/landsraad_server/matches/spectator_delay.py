"""Spectator delay: show spectators a match as it was some time ago, if its terms ask for that.

A `DelayedHost` listens to the host of the match and passes each record on after the delay. To the streams of spectators
it looks like any other host. The delay is measured by the times in the log, so reconnecting does not shorten it.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from landsraad_server.matches.history import History
from landsraad_server.matches.hosted_match import HostedMatch
from landsraad_server.matches.match_host import MatchHost
from landsraad_server.matches.record_fanout import RecordFanout
from landsraad_server.matches.record_listeners import RecordListener, RecordListeners
from landsraad_server.matches.records import MatchRecord, Waypoint
from landsraad_server.matches.requests import MatchRequest
from landsraad_server.store import GENESIS, Head

if TYPE_CHECKING:
    from landsraad_server.matches.match_hosts import MatchHosts


class DelayedHost:
    """The delayed view of one match on one worker: a listener of the match's host, and a host for spectators."""

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
        self.head: Head = GENESIS  # The version that spectators see.
        self.listeners = RecordListeners(lambda error: hosts.log_fault("tell late", host.match, error))
        self._hosts = hosts
        self._host = host
        self._delay_ms = delay_ms
        self._pending: deque[MatchRecord] = deque()
        self._loading: asyncio.Future[None] | None = None
        self._reading = asyncio.Lock()  # The records that come meanwhile belong to one reading of the log.
        self._waiters = 0  # Calls of `ready` that wait.

    async def ready(self) -> bool:
        """Wait until the log is read; False if the match's host has failed meanwhile.

        The first caller starts the reading, and all callers share it. If one of them is cancelled, the others still
        wait for it.
        """
        if self._loading is None:
            self._loading = asyncio.ensure_future(self._load())
        self._waiters += 1
        try:
            await asyncio.shield(self._loading)
            if self._hosts.delayed.get(self.match) is self:
                return True
            self._stop()  # It is not registered any more, so nothing would be released.
            return False
        except Exception:  # The next spectator starts anew.
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
        """Read the log, and divide it into records that are old enough to be shown and those that are pending."""
        async with self._reading:
            head = await self._hosts.read(self.match, self._listen)
            records = [found for found in await self._hosts.records(self.match) if found[0].version <= head.version]
            received, self._pending = self._pending, deque()
            newest = self._hosts.now() - self._delay_ms
            # The creation of the match is shown at once, since spectators may wait for it to begin. Times may fall in a
            # log, since each worker has a clock of its own: a record also waits for those before it.
            created, *rest = records
            shown = [created, *takewhile(lambda found: found[1].at <= newest, rest)]
            self.hosted = HostedMatch.from_records(self.match, shown)
            # The epoch is that of the whole log, even if it is later than the records that are shown: what spectators
            # saw in an earlier epoch may be lost.
            self.head = shown[-1][0]._replace(epoch=head.epoch)
            self._pending.extend(record for _, record in records[len(shown) :])
            self._pending.extend(received)

    def _listen(self, hosted: HostedMatch) -> Head:
        """Listen to the match's host, and drop what came before: records that come now follow the returned head."""
        self._pending.clear()
        if self not in self._host.listeners:
            self._host.add_listener(self)
        return self._host.head

    def release(self, now: int) -> None:
        """Pass on all records that are old enough by now."""
        if self._reading.locked():  # The pending records do not follow what was shown.
            return
        hosted = self.hosted
        while hosted is not None and self._pending and self._pending[0].at + self._delay_ms <= now:
            record = self._pending.popleft()
            try:
                hosted.absorb(record)
                fanout = RecordFanout(record)
            except Exception as error:  # noqa: BLE001  other matches must go on
                self._hosts.log_fault("tell late", self.match, error)
                self.on_failed()
                return
            self.head = self.head._replace(version=self.head.version + 1)
            self.listeners.notify(lambda listener, fanout=fanout: listener.on_record(hosted, fanout))  # type: ignore[misc]

    # ------------------------------------------------------------------------------------- for streams: as a MatchHost

    def add_listener(self, listener: RecordListener) -> None:
        """Tell a listener of all records that are passed on from now on."""
        self.listeners.add(listener)

    def remove_listener(self, listener: RecordListener) -> None:
        """Tell a listener of nothing more, and stop with the last one."""
        self.listeners.remove(listener)
        if not (self.listeners or self._waiters):
            self._stop()

    def _stop(self) -> None:
        self._host.remove_listener(self)
        self._forget()

    def _forget(self) -> None:
        """Leave later spectators to a new delayed host."""
        if self._hosts.delayed.get(self.match) is self:
            del self._hosts.delayed[self.match]

    def put(self, request: MatchRequest) -> None:
        """Run and settle a request at once: it can only read."""
        hosted = self.hosted
        assert hosted is not None
        outcome: Any = request.run(hosted, self._hosts.now())
        request.settle(hosted, outcome)

    def mark(self, nonce: bytes) -> bytes:
        """Return no mark: a delayed log is not followed commit by commit."""
        return b""

    async def history(self, log: int, first: int, waypoints: list[Waypoint]) -> History:
        """Read one information log, up to the version that spectators see."""
        return await self._hosts.history(self.match, log, first, waypoints, until=self.head.version)

    # -------------------------------------------------------------------- for the match's host: as a RecordListener

    def on_record(self, hosted: HostedMatch, fanout: RecordFanout) -> None:
        """Queue a record until its time has come."""
        self._pending.append(fanout.record)

    def on_rewound(self, hosted: HostedMatch, epoch: int, stands: Sequence[int]) -> None:
        """Read the log anew, and tell listeners that it was rewound."""
        self._hosts.spawn(self._restart(stands))

    async def _restart(self, stands: Sequence[int]) -> None:
        try:
            await self._load()
        except Exception as error:  # noqa: BLE001  the next spectator starts anew
            self._hosts.log_unexpected("watch late", self.match, error)
            self.on_failed()
            return
        if not (self.listeners or self._waiters):  # The last spectator has gone meanwhile, but this listens again.
            self._stop()
            return
        hosted, epoch = self.hosted, self.head.epoch
        assert hosted is not None
        self.listeners.notify(lambda listener: listener.on_rewound(hosted, epoch, stands))

    def on_archived(self) -> None:
        """Do nothing: all records that are still to be shown are pending."""

    def on_failed(self) -> None:
        """Stop, since records are missing: spectators must connect anew."""
        self._stop()
        self.listeners.notify(lambda listener: listener.on_failed())
