"""Fsync thread: sync the embedded server's append-only file to disk once a second, in the server's place.

With `appendfsync everysec` a server whose fsync is under way keeps new entries in its own memory until that is done,
and acknowledges them nevertheless: killed in that moment it loses them, although nothing happened to the machine. (Seen
in about half of the attempts to kill it just after the full second.) With `appendfsync no` it hands every entry to the
operating system before it acknowledges, which any death of the process survives. This thread adds the protection
against a power loss.
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
    """A thread of the server's owner. The server does not outlive its owner, so the file is always covered."""

    def __init__(self, data: Path) -> None:
        self._data = data
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="store-fsync", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Sync once more and end the thread."""
        self._stop.set()
        self._thread.join()

    def sync(self) -> None:
        """Sync all that the server has written so far."""
        # Since version 7 the file is a directory of several files, of which the last grows.
        for path in (*self._data.glob("appendonlydir/*.aof"), *self._data.glob("appendonly.aof")):
            try:
                file = os.open(path, os.O_RDONLY)
            except FileNotFoundError:
                continue  # a rewrite has replaced it
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
                # The entries are safe from a crash of the server, not from a power loss: operators have to know,
                # players do not.
                _log.error(
                    "store_not_synced", fault=type(error).__name__, code=errno.errorcode.get(error.errno or 0, "")
                )
