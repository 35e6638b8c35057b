"""An event loop in a thread of its own, for programs that do not have one."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Coroutine, Iterator
from typing import Any, TypeVar

T = TypeVar("T")


class Portal:
    """Runs coroutines on its loop and waits for what they give."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._ending: set[asyncio.Task[None]] = set()
        self._thread = threading.Thread(target=self._loop.run_forever, name="landsraad", daemon=True)
        self._thread.start()

    def run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """What the coroutine gives, or its exception. Interrupting the wait cancels it."""
        future = asyncio.run_coroutine_threadsafe(coroutine, self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def iterate(self, items: AsyncIterator[T]) -> Iterator[T]:
        """The items of an asynchronous iterator, one by one."""
        try:
            while True:
                try:
                    item = self.run(_next(items))
                except StopAsyncIteration:
                    return
                yield item
        finally:
            self._let_go(items)

    def _let_go(self, items: Any) -> None:
        """End an iterator. Garbage is collected in any thread: ours cannot wait for itself."""
        if threading.current_thread() is self._thread:
            ending = self._loop.create_task(_close(items))
            self._ending.add(ending)
            ending.add_done_callback(self._ending.discard)
        elif not self._loop.is_closed():
            self.run(_close(items))

    def close(self) -> None:
        """End the loop and its thread."""
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
        if not self._loop.is_closed():
            self._loop.close()


async def _next(items: AsyncIterator[T]) -> T:
    return await anext(items)


async def _close(items: Any) -> None:
    if hasattr(items, "aclose"):
        await items.aclose()
