"""The time for a decision: CPU time by the settings, and never more of the seat's clock than it can spare."""

from __future__ import annotations

import time
from collections import Counter
from typing import Any, Final

from landsraad_bots.searching.settings import SearchSettings

#: Seconds of the clock that are never used: the answer has to travel, and a process has to be scheduled.
RESERVE: Final = 0.05
#: The part of a bank for one decision, before it is weighted by kind.
_BANK_SHARE: Final = 1 / 40
#: The part of an increment that is used at once.
_INCREMENT_SHARE: Final = 0.8
#: A search overshoots by a playout at most; this much is kept for it.
_OVERSHOOT: Final = 0.03


class TimePlan:
    """Shares the seat's clock by how much decisions of a kind have changed so far."""

    def __init__(self) -> None:
        self._searched: Counter[str] = Counter()
        self._changed: Counter[str] = Counter()

    def note(self, kind: str, *, changed: bool) -> None:
        """Count a searched decision."""
        self._searched[kind] += 1
        self._changed[kind] += changed

    def weight(self, kind: str) -> float:
        """Return the weight of a kind of decision, 1 on average."""
        searched = sum(self._searched.values())
        usual = (sum(self._changed.values()) + 2) / (searched + 8)
        rate = (self._changed[kind] + 8 * usual) / (self._searched[kind] + 8)
        return min(2.0, max(0.5, rate / usual))

    def spare(self, clock: Any, kind: str) -> float:
        """Return the seconds that the seat's clock can spare for a decision; infinity without a clock."""
        if clock is None or (clock.decision is None and clock.bank is None):
            return float("inf")
        spare = 0.0
        if clock.decision is not None:
            spare += max(0.0, clock.decision - RESERVE)
        if clock.bank is not None:
            bank = max(0.0, clock.bank - RESERVE)
            wanted = bank * _BANK_SHARE * self.weight(kind) + _INCREMENT_SHARE * (clock.increment or 0.0)
            spare += min(bank, wanted)
        return max(0.0, spare - _OVERSHOOT)


class TimedEffort:
    """CPU seconds of this thread, within so many seconds of the wall clock."""

    def __init__(self, seconds: float, wall: float) -> None:
        self._seconds = max(seconds, 1e-6)
        self._wall = max(wall, 1e-6)
        self._cpu_start = time.thread_time()
        self._wall_start = time.monotonic()

    def spent(self, worlds: int) -> float:
        """Return the share of the time that has passed."""
        cpu = (time.thread_time() - self._cpu_start) / self._seconds
        return max(cpu, (time.monotonic() - self._wall_start) / self._wall)


class CountedEffort:
    """A number of worlds, whatever time they take, within so many seconds of the wall clock."""

    def __init__(self, worlds: int, wall: float) -> None:
        self._worlds = worlds
        self._wall = max(wall, 1e-6)
        self._wall_start = time.monotonic()

    def spent(self, worlds: int) -> float:
        """Return the share of the worlds that were tried."""
        return max(worlds / self._worlds, (time.monotonic() - self._wall_start) / self._wall)


def effort_for(settings: SearchSettings, wall: float, granted: float = float("inf")) -> TimedEffort | CountedEffort:
    """Return the effort for a decision that may take so many seconds of the wall clock, and CPU seconds as granted."""
    if settings.worlds:
        return CountedEffort(settings.worlds, wall)
    return TimedEffort(min(settings.seconds, wall, granted), wall)
