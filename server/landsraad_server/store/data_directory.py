"""Data directory of an embedded server: its path, its owner's lock, and the removal of a stale server."""

from __future__ import annotations

import fcntl
import os
import re
import select
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path

from landsraad_server.store.errors import DataDirectoryBusy, SetupError, StartFailed

#: Seconds that a server may take to write its data and exit.
GRACE_SECONDS = 10.0


def named(name: str) -> Path:
    """Return the data directory of that name among the user's state files."""
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", name):
        raise SetupError(f"a store's name can have only letters, digits, dots and dashes: {name!r}")
    state = os.environ.get("XDG_STATE_HOME")
    return (Path(state) if state else Path.home() / ".local" / "state") / "landsraad" / name


class DataDirectory:
    """A data directory, exclusively owned between `own` and `release`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = -1

    @property
    def pid_file(self) -> Path:
        """Return the path of the file to which the server writes its process id."""
        return self.path / "server.pid"

    def own(self) -> None:
        """Lock the directory; DataDirectoryBusy if another process has it."""
        self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Not inherited by children: the lock stands for the owner alone.
        lock = os.open(self.path / "owner.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            owner = os.pread(lock, 32, 0).decode(errors="replace").strip()
            os.close(lock)
            raise DataDirectoryBusy(f"{self.path} is in use by process {owner or '(unknown)'}") from None
        os.ftruncate(lock, 0)
        os.pwrite(lock, b"%d\n" % os.getpid(), 0)
        self._lock = lock

    def release(self) -> None:
        """Unlock the directory."""
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    def end_stale_server(self) -> None:
        """Stop a server that a previous owner of this directory left running."""
        try:
            pid = int(self.pid_file.read_text())
        except (OSError, ValueError):
            return
        process = _Process.find(pid)
        if process is None:
            return
        with process:
            if not self._is_ours(pid):
                return  # the process id has been reused
            process.signal(signal.SIGTERM)
            if not process.ended_within(GRACE_SECONDS):
                process.signal(signal.SIGKILL)
                if not process.ended_within(GRACE_SECONDS):
                    raise StartFailed(f"cannot stop the server in {self.path}, process {pid}")

    def _is_ours(self, pid: int) -> bool:
        """Return whether that process is a server in this directory; servers change into their data directory."""
        if sys.platform != "linux":
            return True  # the directory is locked and only servers write the file: no better evidence is available here
        with suppress(OSError):
            return Path(f"/proc/{pid}/cwd").resolve(strict=True) == self.path.resolve()
        return False


class _Process:
    """A process that is not our child, held by a pidfd on Linux so that its id cannot come to mean another."""

    def __init__(self, pid: int, handle: int) -> None:
        self._pid = pid
        self._handle = handle

    @classmethod
    def find(cls, pid: int) -> _Process | None:
        try:
            if sys.platform == "linux":
                return cls(pid, os.pidfd_open(pid))
            os.kill(pid, 0)
        except ProcessLookupError:
            return None
        return cls(pid, -1)

    def __enter__(self) -> None:
        return None

    def __exit__(self, *_: object) -> None:
        if self._handle >= 0:
            os.close(self._handle)

    def signal(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError):
            if sys.platform == "linux":
                signal.pidfd_send_signal(self._handle, number)
            else:
                os.kill(self._pid, number)

    def ended_within(self, seconds: float) -> bool:
        if sys.platform == "linux":
            return bool(select.select([self._handle], [], [], seconds)[0])
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                os.kill(self._pid, 0)
            except ProcessLookupError:
                return True
            time.sleep(0.02)
        return False
