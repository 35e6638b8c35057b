"""An event loop in a thread of its own, for programs without one."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator, AsyncIterator, Coroutine, Iterator
from contextlib import suppress
from typing import Any, Generic, TypeVar

from landsraad.errors import ConnectionLost

T = TypeVar("T")


class Portal:
    """Run coroutines on an event loop in another thread, and wait for their results."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._closed = False
        # No coroutine may be submitted to a loop that has stopped: its caller would wait without end. The lock is
        # reentrant because the garbage collector may close an iterator in a thread that holds it.
        self._lock = threading.RLock()
        self._ending: set[asyncio.Task[None]] = set()
        self._thread = threading.Thread(target=self._loop.run_forever, name="landsraad", daemon=True)
        self._thread.start()

    @property
    def closed(self) -> bool:
        """True once the loop has ended or is about to."""
        return self._closed

    def run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine and return its result. Interrupting the wait cancels the coroutine.

        Raises:
            ConnectionLost: The portal is closed.
        """
        with self._lock:
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
        """Iterate over an asynchronous iterator."""
        drawn = _DrawnIterator(items)
        try:
            while True:
                try:
                    item = self.run(drawn.item())
                except StopAsyncIteration:
                    return
                yield item
        finally:
            self._close_drawn(drawn)

    def _close_drawn(self, drawn: _DrawnIterator[T]) -> None:
        """Close an iterator. The garbage collector may call this in the loop's own thread, which must not wait for
        itself.
        """
        if threading.current_thread() is self._thread:
            ending = self._loop.create_task(drawn.close())
            self._ending.add(ending)
            ending.add_done_callback(self._ending.discard)
        else:
            with suppress(ConnectionLost):  # the loop has ended, and the iterator with it
                self.run(drawn.close())

    def close(self) -> None:
        """End the loop and its thread, and cancel everything that still runs there."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
        try:
            asyncio.run_coroutine_threadsafe(_cancel_all(), self._loop).result()
        finally:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()


async def _cancel_all() -> None:
    """Cancel all other tasks and wait for them, as `asyncio.run` does at its end."""
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
    await asyncio.get_running_loop().shutdown_asyncgens()


class _DrawnIterator(Generic[T]):
    """An asynchronous iterator that can be closed while its next item is awaited."""

    def __init__(self, items: AsyncIterator[T]) -> None:
        self._items = items
        self._drawing: asyncio.Task[Any] | None = None
        self._idle = asyncio.Event()
        self._idle.set()

    async def item(self) -> T:
        """Return the next item."""
        self._drawing = asyncio.current_task()
        self._idle.clear()
        try:
            return await anext(self._items)
        finally:
            self._drawing = None
            self._idle.set()

    async def close(self) -> None:
        """Close the iterator. An iterator that is running cannot be closed, so cancel it first.

        If the waiting thread was interrupted before its coroutine began, nothing else has cancelled it.
        """
        if self._drawing is not None and not self._drawing.cancelling():
            self._drawing.cancel()
        await self._idle.wait()
        if isinstance(self._items, AsyncGenerator):
            await self._items.aclose()
