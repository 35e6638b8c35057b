"""Retries with exponential backoff, and a probe for silent streams."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import aclosing
from typing import Final, TypeVar

from landsraad.errors import ConnectionLost

T = TypeVar("T")

#: Seconds of the first and of the longest delay.
_FIRST_DELAY: Final = 0.05
_MAX_DELAY: Final = 2.0


class BackoffTimer:
    """Exponential backoff that gives up when the last success is too long ago.

    Args:
        seconds: The time without a success after which `wait` gives up.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self.succeeded()

    def succeeded(self) -> None:
        """Reset the delay and the time limit after a success."""
        self._since = asyncio.get_running_loop().time()
        self._delay = _FIRST_DELAY

    async def wait(self, reason: Exception, least: float | None = None) -> None:
        """Wait before the next attempt.

        Args:
            reason: The error of the attempt before.
            least: The least number of seconds to wait.

        Raises:
            ConnectionLost: The time limit would be exceeded.
        """
        delay = max(self._delay, least or 0.0)
        if asyncio.get_running_loop().time() + delay - self._since > self._seconds:
            raise ConnectionLost(f"tried for {self._seconds:g} s: {reason}") from reason
        self._delay = min(2 * self._delay, _MAX_DELAY)
        await asyncio.sleep(delay)


async def probe_while_silent(
    items: AsyncGenerator[T, None], interval: float, probe: Callable[[], Awaitable[object]]
) -> AsyncIterator[T]:
    """Yield the items of a stream, and probe the service whenever the stream is silent for a while.

    A broken network is as silent as a match in which a player thinks. Only a probe tells them apart.

    Args:
        items: The stream. It is closed at the end.
        interval: Seconds of silence before each probe.
        probe: A coroutine function that raises if the service cannot be reached.
    """
    async with aclosing(items):
        while True:
            upcoming = asyncio.ensure_future(anext(items, None))
            try:
                while not (await asyncio.wait({upcoming}, timeout=interval))[0]:
                    await probe()
                item = upcoming.result()
            except BaseException:
                upcoming.cancel()
                # Retrieve its exception, if it failed as well: asyncio would warn that it was never retrieved.
                await asyncio.gather(upcoming, return_exceptions=True)
                raise
            if item is None:
                return
            yield item
