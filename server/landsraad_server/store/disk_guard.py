"""Disk guard: let the embedded server refuse writes before its disk is full.

A server that cannot write its append-only file refuses writes only *after* the first that failed. With `appendfsync
no` the commands of that moment are acknowledged by then, and live in its memory alone: if it dies before there is room
again, they are lost. So while there is little room, the server is told to refuse. The guard also keeps a file as
ballast, and frees its room when another program fills the disk faster than it looks: the server retries once a second,
and can then write what it has acknowledged.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import structlog

_PERIOD_SECONDS = 0.1
#: Largest room that is kept, and the largest part of the disk.
_RESERVE_BYTES, _RESERVE_PART = 16 << 20, 32
#: Size of the file that is written to find out whether there is room: larger than any commit.
_PROBE_BYTES = 256 << 10
_log = structlog.get_logger()


def has_room(directory: Path) -> bool:
    """Return whether files in this directory can grow."""
    # Free blocks do not tell of quotas, nor of a disk that is broken.
    probe = directory / "room.probe"
    try:
        with probe.open("wb") as file:
            file.write(bytes(_PROBE_BYTES))
            file.flush()
            os.fsync(file.fileno())
    except OSError:
        return False
    finally:
        with suppress(OSError):
            probe.unlink()
    return True


class DiskGuard:
    """A thread of the server's owner.

    Args:
        data: The server's directory.
        refuse: Tells the server to refuse writes, or to take them again; raises OSError if it cannot be told.
    """

    def __init__(self, data: Path, refuse: Callable[[bool], None]) -> None:
        self.low = False  # There is too little room.
        self._data = data
        self._refuse = refuse
        self._refuses = False  # The server has been told to refuse.
        self._ballast = data / "ballast"
        disk = os.statvfs(data)
        self._reserve = min(_RESERVE_BYTES, disk.f_blocks * disk.f_frsize // _RESERVE_PART)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="store-disk", daemon=True)

    def start(self) -> None:
        """Begin to watch the disk."""
        self._thread.start()

    def stop(self) -> None:
        """End the thread, and give the ballast back."""
        self._stop.set()
        if self._thread.ident is not None:
            self._thread.join()
        self._ballast.unlink(missing_ok=True)

    def launched(self) -> bool:
        """Note that the server is started anew; return whether it has to refuse writes from its start."""
        self.measure()
        self._refuses = self.low
        return self.low

    def check(self) -> None:
        """Measure the room, and tell the server if there is too little of it, or enough again."""
        self.measure()
        if self.low != self._refuses:
            self._refuse(self.low)
            self._refuses = self.low

    def measure(self) -> None:
        """Measure the room; take ballast on board if there is enough, and drop it if there is not."""
        disk = os.statvfs(self._data)
        free = disk.f_bavail * disk.f_frsize
        held = self._ballast.exists()
        # The room must be larger to end the state than to begin it, and must not be that of the ballast alone.
        low = free < (self._reserve * 3 if self.low else self._reserve)
        if low != self.low:
            self.low = low
            _log.error("store_disk_low" if low else "store_disk_found", count=free)
        if low and held:
            self._ballast.unlink(missing_ok=True)
        elif not low and not held and free > self._reserve * 3:
            self._take_ballast()

    def _take_ballast(self) -> None:
        if sys.platform == "linux":
            with suppress(OSError), self._ballast.open("wb") as file:
                os.posix_fallocate(file.fileno(), 0, self._reserve)

    def _run(self) -> None:
        while not self._stop.wait(_PERIOD_SECONDS):
            with suppress(OSError):  # The server is not there, or the disk is not: the next check may find them.
                self.check()
