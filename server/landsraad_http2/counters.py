"""Counters of refusals, for metrics, and a throttled log line about them."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from typing import Final

_log = logging.getLogger("landsraad_http2")
#: Seconds between two lines.
_QUIET_SECONDS: Final = 10.0


class RefusalCounters:
    """Totals since the start of a server. Read them at any time; `Server.figures` adds the gauges."""

    def __init__(self) -> None:
        #: streams refused before their call began
        self.refused_streams = 0
        #: streams reset because their client held the most when too much was kept
        self.evicted_streams = 0
        #: streams reset because their client took too long to ask, or to take the answer
        self.expired_streams = 0
        #: GOAWAYs for a fault, by error code
        self.goaways: Counter[int] = Counter()
        self._loop = asyncio.get_running_loop()
        self._told: tuple[int, ...] = self._totals()
        self._quiet = False

    def refused(self) -> None:
        self.refused_streams += 1
        self._tell()

    def evicted(self) -> None:
        self.evicted_streams += 1
        self._tell()

    def expired(self) -> None:
        self.expired_streams += 1

    def went_away(self, code: int) -> None:
        self.goaways[code] += 1
        self._tell()

    def _totals(self) -> tuple[int, ...]:
        return self.refused_streams, self.evicted_streams, self.goaways.total()

    def _tell(self) -> None:
        """Log refusals, coalesced: one line per interval at most."""
        if not self._quiet:
            self._quiet = True
            self._loop.call_later(0.0, self._log)

    def _log(self) -> None:
        totals = self._totals()
        if totals == self._told:
            self._quiet = False
            return
        refused, evicted, goaways = (now - before for now, before in zip(totals, self._told, strict=True))
        self._told = totals
        text = f"streams refused: {refused}, evicted: {evicted}; connections ended for a fault: {goaways}"
        _log.warning(text, extra={"safe": text})
        self._loop.call_later(_QUIET_SECONDS, self._log)
