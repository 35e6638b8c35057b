"""Work in other processes, which end when we do, however we end."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import active_children, get_context, parent_process
from typing import Any, TypeVar

T = TypeVar("T")


@contextmanager
def mapping(processes: int) -> Iterator[Callable[..., Iterator[Any]]]:
    """`map`, done by so many processes; if it is one, by this."""
    if processes == 1:
        yield map
    else:
        with pool(processes) as executor:
            yield executor.map


@contextmanager
def pool(processes: int) -> Iterator[ProcessPoolExecutor]:
    """So many processes for as long as the block runs. If it is broken off, what they are at is not waited for."""
    executor = _Pool(processes, mp_context=get_context("spawn"), initializer=_begin)
    with _interrupting(executor), executor:
        try:
            yield executor
        except BaseException:
            executor.kill()
            raise


class _Pool(ProcessPoolExecutor):
    """On Ctrl-C its processes are killed, and whoever waits for them finds it broken.

    By itself Ctrl-C would come up anywhere, also where the executor has just taken a lock: then it would never end.
    """

    interrupted = False

    def interrupt(self, *_: object) -> None:
        self.interrupted = True
        self.kill()

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        future = super().submit(fn, *args, **kwargs)
        if self.interrupted:  # while a process was being started
            self.kill()
        return future

    def kill(self) -> None:
        for process in active_children():
            process.kill()


@contextmanager
def _interrupting(executor: _Pool) -> Iterator[None]:
    """Meanwhile it is the pool that Ctrl-C interrupts; KeyboardInterrupt is raised in the end."""
    here = threading.current_thread() is threading.main_thread()  # no other thread is ever interrupted
    before = {number: signal.signal(number, executor.interrupt) for number in (signal.SIGINT, signal.SIGTERM) if here}
    try:
        yield
    except Exception:
        if not executor.interrupted:
            raise
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if executor.interrupted:
        raise KeyboardInterrupt


def _begin() -> None:
    """In each process, before its work."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a Ctrl-C at the terminal is for whoever has started us
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """A pool's process waits for work for ever, also when nobody is left to give it any."""
    parent = parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
