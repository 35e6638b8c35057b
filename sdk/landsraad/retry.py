"""How long, and how often, something is tried again that has failed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import aclosing
from typing import Final, TypeVar

from landsraad.errors import ConnectionLost

T = TypeVar("T")

#: Seconds before the first attempt, and the most between two of them.
_FIRST: Final = 0.05
_MOST: Final = 2.0


class RetryTimer:
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


async def lively(told: AsyncGenerator[T, None], every: float, ask: Callable[[], Awaitable[object]]) -> AsyncIterator[T]:
    """The same; but while nothing comes, ``ask`` now and then whether anybody is there. It raises if nobody is.

    A network that is broken is as silent as a match in which somebody thinks.
    """
    async with aclosing(told):
        while True:
            coming = asyncio.ensure_future(anext(told, None))
            try:
                while not (await asyncio.wait({coming}, timeout=every))[0]:
                    await ask()
                found = coming.result()
            except BaseException:
                coming.cancel()  # or it has failed as well, which nobody needs to be told a second time
                await asyncio.gather(coming, return_exceptions=True)
                raise
            if found is None:
                return
            yield found
