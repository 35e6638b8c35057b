"""Writes the embedded server's append-only file through to the disk once a second, in its place.

Left to itself (`appendfsync everysec`), a server whose fsync is under way keeps new entries in its own memory until
that is done, and acknowledges them nevertheless: killed in that moment it loses them, although nothing happened to
the machine. (Seen in about half of the attempts to kill it just after the full second.) With `appendfsync no` it
hands every entry to the system before it acknowledges, which any death of the process survives; what is left to do
for a power loss is this.
"""

from __future__ import annotations

import errno
import os
import threading
from pathlib import Path

import structlog

_PERIOD_SECONDS = 1.0
_log = structlog.get_logger()


class FsyncThread:
    """A thread of the owner: the server does not outlive it, so there is no time without."""

    def __init__(self, data: Path) -> None:
        self._data = data
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="store-syncer", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """End the thread, after one last time."""
        self._stop.set()
        self._thread.join()

    def sync(self) -> None:
        """Write through what the server has handed over up to now."""
        # Since version 7 there is a directory of several files, of which the last grows; before, there was one file.
        for path in (*self._data.glob("appendonlydir/*.aof"), *self._data.glob("appendonly.aof")):
            try:
                file = os.open(path, os.O_RDONLY)
            except FileNotFoundError:
                continue  # replaced by a newer one meanwhile
            try:
                os.fsync(file)
            finally:
                os.close(file)

    def _run(self) -> None:
        stopping = False
        while not stopping:
            stopping = self._stop.wait(_PERIOD_SECONDS)
            try:
                self.sync()
            except OSError as error:
                # Entries are in the system's hands, not on the disk: an operator has to know, a player does not.
                _log.error(
                    "store_not_synced", fault=type(error).__name__, code=errno.errorcode.get(error.errno or 0, "")
                )
