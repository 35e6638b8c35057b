"""The CPU budget of the house: its bots together take no more of the machine than the service grants them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Final

#: Seconds of budget that may be saved up.
_BURST_SECONDS: Final = 5.0


class CpuBudget:
    """A token bucket of CPU seconds, charged with all that this process uses.

    Args:
        cores: The CPU seconds granted for each second.
        cpu: The CPU time that the process has used.
        now: The clock.
    """

    def __init__(
        self,
        cores: float,
        cpu: Callable[[], float] = time.process_time,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._cores = cores
        self._cpu = cpu
        self._now = now
        self._lock = threading.Lock()
        self._saved = self._most = cores * _BURST_SECONDS
        self._seen = (cpu(), now())
        #: CPU seconds promised to decisions that are being made
        self._promised = 0.0

    def grant(self, seconds: float) -> float:
        """Return how many of the CPU seconds a decision may use. Give them back with `release`."""
        with self._lock:
            used, now = self._cpu(), self._now()
            self._saved += (now - self._seen[1]) * self._cores - (used - self._seen[0])
            self._saved = min(self._most, self._saved)
            self._seen = (used, now)
            granted = max(0.0, min(seconds, self._saved - self._promised))
            self._promised += granted
            return granted

    def release(self, granted: float) -> None:
        """Give a grant back when its decision is made."""
        with self._lock:
            self._promised -= granted
