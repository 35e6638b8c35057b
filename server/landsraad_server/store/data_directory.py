"""Data directory of an embedded server: its path, its owner's lock, and the removal of a stale server."""

from __future__ import annotations

import fcntl
import os
import re
import select
import signal
import subprocess
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

    def ended_uncleanly(self) -> bool:
        """Return whether the machine has stopped under the last server, or what it lost is not dealt with yet.

        Only with its machine can a server lose what it has handed to the operating system.
        """
        try:
            return self._marker.read_text() != _boot()
        except FileNotFoundError:
            return False

    def note_doubt(self) -> None:
        """Note that acknowledged entries may be lost, until `note_running`."""
        if not self._marker.exists():
            write_durably(self._marker, "in doubt")
            return
        with self._marker.open("rb+") as file:  # In place, for which a full disk has room.
            file.write(b"in doubt")
            os.fsync(file.fileno())

    def note_running(self) -> None:
        """Note that a server runs, and that what the last one may have lost is dealt with."""
        write_durably(self._marker, _boot())

    def note_stop(self) -> None:
        """Note that the server has ended after its last write."""
        self._marker.unlink(missing_ok=True)

    @property
    def _marker(self) -> Path:
        """Return the path of the file that stands while a server runs; it holds the boot of the machine."""
        return self.path / "running"

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


def write_durably(path: Path, text: str) -> None:
    """Write a small file that survives a power loss from then on."""
    part = path.with_name(f".{path.name}.{os.getpid()}")
    with part.open("w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)
    sync_directory(path.parent)


def sync_directory(path: Path) -> None:
    """Write the names in a directory to the disk."""
    directory = os.open(path, os.O_RDONLY)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)


def _boot() -> str:
    """Return a name of the time since the machine was started; of this process where the system tells none."""
    if sys.platform == "linux":
        with suppress(OSError):
            return Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    if sys.platform == "darwin":
        with suppress(OSError, subprocess.CalledProcessError):
            told = subprocess.run(["/usr/sbin/sysctl", "-n", "kern.bootsessionuuid"], capture_output=True, check=True)
            return told.stdout.decode().strip()
    return f"process {os.getpid()} of {time.time_ns()}"


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
