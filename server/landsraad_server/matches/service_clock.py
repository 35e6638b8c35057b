"""Service clock: the time that all workers share, which no step of a machine's clock moves.

It begins with the machine's time of day and goes on by the monotonic clock. A worker that is started while others run
takes over their time if its machine tells another one.
"""

from __future__ import annotations

import time

from landsraad_server.store.pulse import NO_PAUSE, Beat, Pause, Pulse

#: Difference to the time of other workers that is put down to the machine's clock.
_MOST_APART_MS = 1000
#: Silence after which the machine's time counts again: no worker is left that goes by the other one.
_FORGOTTEN_MS = 60_000
#: Time without an answer of the store after which this worker takes it for away.
_AWAY_MS = 500


def _monotonic_ms() -> int:
    # On Linux the boot time also counts while the machine is suspended.
    source = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
    return time.clock_gettime_ns(source) // 1_000_000


class ServiceClock:
    """The service's time in ms since 1970; calling it returns the time."""

    def __init__(self) -> None:
        self._offset = time.time_ns() // 1_000_000 - _monotonic_ms()

    def __call__(self) -> int:
        return _monotonic_ms() + self._offset

    def follow(self, beat: Beat) -> None:
        """Take over the time of the workers that have noted it."""
        if beat.service is not None and 0 <= beat.silent_ms < _FORGOTTEN_MS:
            theirs = beat.service + beat.silent_ms
            if abs(theirs - self()) > _MOST_APART_MS:
                self._offset += theirs - self()


#: The clock of this process.
SERVICE_CLOCK = ServiceClock()


def now_ms() -> int:
    """Return the service's time. Tests pass another source of time instead."""
    return SERVICE_CLOCK()


class ClockPauses:
    """The times in which match clocks stand, because the store is away."""

    def __init__(self, pulse: Pulse) -> None:
        self._pulse = pulse
        self._last = NO_PAUSE
        self._answered = 0  # Time of the last answer; 0: there was none.
        self._followed = False

    async def refresh(self, now: int, *, clock: ServiceClock | None = None) -> None:
        """Note that the store is there, and learn of the last pause; `clock` follows that of other workers.

        Raises:
            StoreError: The store is away.
        """
        if not self._followed:
            beat = await self._pulse.ask()
            if clock is not None:
                clock.follow(beat)
                now = clock()
            self._followed = True
        self._last = (await self._pulse.beat(now)).pause
        self._answered = now

    def last(self, now: int) -> Pause:
        """Return the last pause, or the one that goes on."""
        if self._answered and now - self._answered > _AWAY_MS:
            return Pause(self._answered, now)
        return self._last
