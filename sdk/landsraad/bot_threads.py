"""Threads in which bots decide, so that streams go on meanwhile. A bot that never returns does not block the exit."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future
from queue import SimpleQueue
from typing import Any, Final, TypeVar

T = TypeVar("T")

#: The same limit as for `asyncio.to_thread`.
_MOST: Final = min(32, (os.cpu_count() or 1) + 4)


class _DaemonThreads(Executor):
    """An executor of daemon threads. The standard library joins its threads at exit, so that Ctrl-C would hang."""

    def __init__(self) -> None:
        self._work: SimpleQueue[tuple[Future[Any], Callable[[], Any]]] = SimpleQueue()
        self._lock = threading.Lock()
        self._threads = 0
        self._busy = 0

    def submit(self, call: Callable[..., T], /, *arguments: Any, **named: Any) -> Future[T]:
        future: Future[T] = Future()
        with self._lock:
            self._busy += 1
            if self._threads < min(self._busy, _MOST):
                self._threads += 1
                threading.Thread(target=self._serve, name="landsraad-bot", daemon=True).start()
        self._work.put((future, lambda: call(*arguments, **named)))
        return future

    def _serve(self) -> None:
        while True:
            future, call = self._work.get()
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(call())
                except BaseException as error:  # noqa: BLE001  the future carries it
                    future.set_exception(error)
            del future, call
            with self._lock:
                self._busy -= 1


_DAEMON_THREADS: Final = _DaemonThreads()


async def run_in_bot_thread(call: Callable[..., T], *arguments: Any) -> T:
    """Run a slow call in a bot thread, and return its result."""
    return await asyncio.get_running_loop().run_in_executor(_DAEMON_THREADS, call, *arguments)
