"""Pulse: the last time at which any worker could write to the store, and the last pause of that.

While the store is away no player can act, so match clocks must stand. A worker that has been started since does not
remember the outage; so each worker writes the time of the service to the store, ten times a second, and the first one
that can write again records the pause.
"""

from __future__ import annotations

from typing import NamedTuple

from landsraad_server.store import keys
from landsraad_server.store.pipeline import Link
from landsraad_server.store.scripts import PULSE

#: Longest silence that is no pause: several missed pulses, so that a busy moment does not count.
MOST_SILENT_MS = 500
#: Time after a pause for which clocks still stand, so that clients can send again what the store did not take.
GRACE_MS = 1000


class Pause(NamedTuple):
    """A time in which clocks stand, in ms of the service's time."""

    begin: int
    end: int


NO_PAUSE = Pause(0, 0)


class Beat(NamedTuple):
    """The answer to a pulse."""

    store_now: int
    service: int | None  # the service's time that was noted last
    seen: int  # when, by the store's time
    pause: Pause

    @property
    def silent_ms(self) -> int:
        """The time since the last pulse before this one."""
        return self.store_now - self.seen


class Pulse:
    """Access to the pulse."""

    def __init__(self, link: Link) -> None:
        self._link = link

    async def ask(self) -> Beat:
        """Read the pulse without noting anything."""
        return await self._call(b"")

    async def beat(self, now: int) -> Beat:
        """Note the service's time, and record a pause if no worker has done so for too long."""
        return await self._call(now)

    async def _call(self, now: bytes | int) -> Beat:
        store_now, service, seen, begin, end = await PULSE.call(
            self._link, (keys.PULSE,), now, MOST_SILENT_MS, GRACE_MS
        )
        pause = Pause(begin, end) if end > 0 else NO_PAUSE
        return Beat(store_now, None if service < 0 else service, seen, pause)
