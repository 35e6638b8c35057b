"""Process pools whose processes end with their parent, even if it is killed."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import active_children, get_context, parent_process
from typing import Any


@contextmanager
def process_map(processes: int, prepare: Callable[[], None] | None = None) -> Iterator[Callable[..., Iterator[Any]]]:
    """Return a `map` that uses several processes, in each of which `prepare` is called first; with one process, the
    plain `map`.
    """
    if processes == 1:
        yield map
    else:
        with process_pool(processes, prepare) as executor:
            yield executor.map


@contextmanager
def process_pool(processes: int, prepare: Callable[[], None] | None = None) -> Iterator[ProcessPoolExecutor]:
    """Make a pool for the block, in each of whose processes `prepare` is called first.

    If the block fails, kill the processes instead of waiting for them.
    """
    context = get_context("spawn")
    with ProcessPoolExecutor(processes, context, initializer=_begin, initargs=(prepare,)) as executor:
        try:
            yield executor
        except BaseException:
            for process in active_children():
                process.kill()
            raise


def _begin(prepare: Callable[[], None] | None) -> None:
    """Prepare a process of the pool."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a Ctrl-C at the terminal is for the parent
    threading.Thread(target=_end_with_parent, daemon=True).start()
    if prepare is not None:
        prepare()


def _end_with_parent() -> None:
    """Exit when the parent dies: the process would wait for work for ever."""
    parent = parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
