"""An event loop in a thread of its own, for programs that do not have one."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator, AsyncIterator, Coroutine, Iterator
from contextlib import suppress
from typing import Any, Generic, TypeVar

from landsraad.errors import ConnectionLost

T = TypeVar("T")


class Portal:
    """Runs coroutines on its loop and waits for what they give."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._closed = False
        # Nothing gets onto the loop once it is to end: whoever waits for it would wait for ever.
        self._door = threading.RLock()  # garbage may be collected, and with it an iterator closed, by whoever holds it
        self._ending: set[asyncio.Task[None]] = set()
        self._thread = threading.Thread(target=self._loop.run_forever, name="landsraad", daemon=True)
        self._thread.start()

    @property
    def closed(self) -> bool:
        """Whether its loop has ended, or is about to."""
        return self._closed

    def run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """What the coroutine gives, or its exception. Interrupting the wait cancels it."""
        with self._door:
            if self._closed:
                coroutine.close()
                raise ConnectionLost("the client was closed")
            future = asyncio.run_coroutine_threadsafe(coroutine, self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def iterate(self, items: AsyncIterator[T]) -> Iterator[T]:
        """The items of an asynchronous iterator, one by one."""
        drawn = _Drawn(items)
        try:
            while True:
                try:
                    item = self.run(drawn.item())
                except StopAsyncIteration:
                    return
                yield item
        finally:
            self._let_go(drawn)

    def _let_go(self, drawn: _Drawn[T]) -> None:
        """End an iterator. Garbage is collected in any thread: ours cannot wait for itself."""
        if threading.current_thread() is self._thread:
            ending = self._loop.create_task(drawn.close())
            self._ending.add(ending)
            ending.add_done_callback(self._ending.discard)
        else:
            with suppress(ConnectionLost):  # it was ended with the loop
                self.run(drawn.close())

    def close(self) -> None:
        """End the loop and its thread, and whatever still runs there."""
        with self._door:
            if self._closed:
                return
            self._closed = True
        try:
            asyncio.run_coroutine_threadsafe(_end_all(), self._loop).result()
        finally:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()


async def _end_all() -> None:
    """As `asyncio.run` does at its end: nothing is thrown away in the middle of what it does."""
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
    await asyncio.get_running_loop().shutdown_asyncgens()


class _Drawn(Generic[T]):
    """An iterator from which items are drawn, until it is closed. Who was interrupted while one came does not wait."""

    def __init__(self, items: AsyncIterator[T]) -> None:
        self._items = items
        self._drawing: asyncio.Task[Any] | None = None
        self._idle = asyncio.Event()
        self._idle.set()

    async def item(self) -> T:
        """The next one."""
        self._drawing = asyncio.current_task()
        self._idle.clear()
        try:
            return await anext(self._items)
        finally:
            self._drawing = None
            self._idle.set()

    async def close(self) -> None:
        """End it; one that is still running could not be closed. Nobody has cancelled that for whoever was interrupted
        before it had begun to wait.
        """
        if self._drawing is not None and not self._drawing.cancelling():
            self._drawing.cancel()
        await self._idle.wait()
        if isinstance(self._items, AsyncGenerator):
            await self._items.aclose()
