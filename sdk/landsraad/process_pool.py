"""Work in other processes, which end when we do, however we end."""

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
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn"), initializer=_begin) as executor:
        try:
            yield executor
        except BaseException:
            for process in active_children():
                process.kill()
            raise


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
