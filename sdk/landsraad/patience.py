"""How long, and how often, something is tried again that has failed."""

from __future__ import annotations

import asyncio
from typing import Final

from landsraad.errors import ConnectionLost

#: Seconds before the first attempt, and the most between two of them.
_FIRST: Final = 0.05
_MOST: Final = 2.0


class Patience:
    """Waits longer from attempt to attempt, and gives up so many seconds after it has last worked."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self.worked()

    def worked(self) -> None:
        """It has worked: begin anew."""
        self._since = asyncio.get_running_loop().time()
        self._delay = _FIRST

    async def wait(self, reason: Exception, least: float | None = None) -> None:
        """Wait before the next attempt, for at least so long; ConnectionLost if there is to be none."""
        delay = max(self._delay, least or 0.0)
        if asyncio.get_running_loop().time() + delay - self._since > self._seconds:
            raise ConnectionLost(f"tried for {self._seconds:g} s: {reason}") from reason
        self._delay = min(2 * self._delay, _MOST)
        await asyncio.sleep(delay)
