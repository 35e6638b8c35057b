"""Embedded server: a private Redis or Valkey process for deployments without one.

It listens on a Unix socket in a directory that only this user can enter, and on no port. It keeps an append-only file
in a data directory that one owner at a time may have, and exits with its owner. All workers of the owner share it by
`url`.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Literal, Self
from urllib.parse import quote

import redis
import structlog

from landsraad_server.store import aof_repair, doubt, server_binary
from landsraad_server.store.data_directory import GRACE_SECONDS, DataDirectory
from landsraad_server.store.disk_guard import DiskGuard, has_room
from landsraad_server.store.errors import SetupError, SocketPathTooLong, StartFailed
from landsraad_server.store.fsync_thread import FsyncThread
from landsraad_server.store.server_binary import ServerBinary
from landsraad_server.store.server_probe import Durability

#: Longest path of a socket: 104 bytes on macOS and 108 on Linux, including the terminating zero.
SOCKET_PATH_MOST = 103
#: Seconds until the server has to answer; reading back a large append-only file takes time.
START_SECONDS = 60.0
_SOCKET = "store"
#: Name of the socket until clients may come; not longer than the other one.
_FRESH_SOCKET = "fresh"
_log = structlog.get_logger()
_DIE_WITH_PARENT = Path(__file__).with_name("die_with_parent.py")


class EmbeddedServer:
    """One server process, from `start` to `stop`. `EmbeddedServerWatchdog` restarts it in between."""

    def __init__(
        self,
        data: Path,
        *,
        durability: Durability = Durability.EVERYSEC,
        server: ServerBinary | None = None,
        parent_watch: Literal["signal", "pipe"] = "signal" if sys.platform == "linux" else "pipe",
    ) -> None:
        if durability is Durability.REPLICATED:
            raise SetupError("the embedded store has no replicas: durability replicated needs --redis")
        self.binary = server or server_binary.find()
        self.wanted = False  # whether it should be running
        self._data = DataDirectory(data.absolute())
        self._durability = durability
        self._parent_watch = parent_watch
        self._process: subprocess.Popen[bytes] | None = None
        self._fsync_thread: FsyncThread | None = None
        self._socket_directory: Path | None = None
        self._disk_guard: DiskGuard | None = None
        self._in_doubt = False  # The logs may have lost their ends, and are not marked yet.
        self._open = False  # Clients can connect.

    @property
    def socket(self) -> Path:
        if self._socket_directory is None:
            raise StartFailed("the embedded store has not been started")
        return self._socket_directory / _SOCKET

    @property
    def url(self) -> str:
        """Return the URL for `connect`, the same after a restart; it tells whether the owner syncs the file to disk."""
        return f"unix://{quote(str(self.socket))}" + ("" if self._server_syncs else "?synced=owner")

    @property
    def _server_syncs(self) -> bool:
        return self._durability is Durability.ALWAYS

    @property
    def pid(self) -> int:
        """Return the process id of the server."""
        return int(self._data.pid_file.read_text())

    def start(self) -> None:
        """Lock the data directory, run the server, and return once it answers."""
        self._data.own()
        try:
            self._socket_directory = socket_directory(self._data.path)
            self.wanted = True
            self._repair()
            self._disk_guard = DiskGuard(self._data.path, self._refuse_writes)
            self.launch()
            deadline = time.monotonic() + START_SECONDS
            while not self.admit_clients():
                self._check_start(deadline - time.monotonic())
                time.sleep(0.005)
            self._disk_guard.start()
            if not self._server_syncs:
                self._fsync_thread = FsyncThread(self._data.path)
                self._fsync_thread.start()
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """Stop the server after its last write, and release the data directory."""
        self.wanted = False
        if self._process is not None and self._process.poll() is not None:
            self.disk_is_full()  # It has ended by itself.
        if self._disk_guard is not None:
            self._disk_guard.stop()
            self._disk_guard = None
        if self._process is not None:
            self._process.terminate()
            try:
                if self._process.wait(GRACE_SECONDS) == 0 and not self._in_doubt:
                    self._data.note_stop()
            except subprocess.TimeoutExpired:
                os.kill(self.pid, signal.SIGKILL)
                self._process.wait(GRACE_SECONDS)
            if self._process.stdin is not None:
                self._process.stdin.close()
            self._process = None
        if self._fsync_thread is not None:
            self._fsync_thread.stop()
            self._fsync_thread = None
        if self._socket_directory is not None:
            shutil.rmtree(self._socket_directory, ignore_errors=True)
            self._socket_directory = None
        self._data.release()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    # --- for the watchdog

    def launch(self) -> None:
        """Start the server process without waiting until it answers."""
        if self._parent_watch == "signal" and threading.current_thread() is not threading.main_thread():
            raise SetupError("start the embedded store from the main thread: it ends with the thread that started it")
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.close()
        self._data.end_stale_server()
        self._open = False
        parent_watch = [sys.executable, "-I", "-S", str(_DIE_WITH_PARENT), self._parent_watch, str(os.getpid())]
        with (self._data.path / "server.log").open("ab") as output:
            self._process = subprocess.Popen(  # noqa: S603
                [*parent_watch, self.binary.path, *self._settings()],
                stdin=subprocess.PIPE if self._parent_watch == "pipe" else subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                # A Ctrl-C at the terminal is for the owner, who stops its workers first and the server last.
                start_new_session=True,
            )

    def admit_clients(self) -> bool:
        """Let clients connect once the server answers; return whether they can. Logs in doubt are marked before.

        Until then the server listens on a socket of another name.
        """
        if not self._open and self._answers():
            if self._in_doubt:
                with redis.Redis(unix_socket_path=str(self._fresh_socket)) as client:
                    matches = client.eval(doubt.SOURCE, 0)
                _log.error("store_in_doubt", matches=matches)
                self._in_doubt = False
            with suppress(OSError):  # A full disk: the marker of the former run still stands.
                self._data.note_running()
            self._fresh_socket.replace(self.socket)
            self._open = True
        return self._open

    def disk_is_full(self) -> bool:
        """Return whether the server, which has ended, cannot go on for lack of room.

        It may have ended before it could write what it had acknowledged, so its logs are in doubt.
        """
        full = not has_room(self._data.path)
        if (full or (self._disk_guard is not None and self._disk_guard.low)) and not self._server_syncs:
            self._doubt()
        if self._disk_guard is not None:
            self._disk_guard.measure()  # It may give room.
        return full

    def exit_code(self) -> int | None:
        """Return the exit code of the server; None while it runs."""
        return self._process.poll() if self._process is not None else None

    def log_tail(self) -> str:
        """Return the end of the server's own log."""
        with (self._data.path / "server.log").open("rb") as log:
            log.seek(max(0, log.seek(0, os.SEEK_END) - 2000))
            return log.read().decode(errors="replace").strip()

    @property
    def _fresh_socket(self) -> Path:
        return self.socket.with_name(_FRESH_SOCKET)

    def _repair(self) -> None:
        """Repair what a power loss has left of the append-only file, and find out whether the logs are in doubt."""
        unclean = self._data.ended_uncleanly()
        damaged = aof_repair.damaged(self._data.path, scan=unclean)
        # With `always` nothing was acknowledged that was not on the disk.
        if damaged is not None or (unclean and not self._server_syncs):
            self._doubt()  # Before the traces are removed.
        if damaged is not None:
            _log.error("store_repaired", resource=damaged.path.name, count=damaged.lost)
            aof_repair.cut(damaged)

    def _doubt(self) -> None:
        self._in_doubt = True
        with suppress(OSError):  # A full disk: it is remembered here.
            self._data.note_doubt()

    def _refuse_writes(self, refuse: bool) -> None:
        """Let the server refuse writes, or take them again: it behaves as if it lacked a replica."""
        try:
            with redis.Redis(unix_socket_path=str(self.socket), socket_timeout=1.0) as client:
                client.config_set("min-replicas-to-write", int(refuse))
        except redis.RedisError as error:
            raise OSError("the embedded store cannot be told") from error

    def _answers(self) -> bool:
        """Return whether the server answers commands."""
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(1.0)
            try:
                connection.connect(str(self._fresh_socket))
                connection.sendall(b"PING\r\n")
                return connection.recv(64).startswith(b"+PONG")
            except OSError:
                return False

    def _check_start(self, seconds_left: float) -> None:
        """Raise StartFailed if the server has exited or the time is over."""
        code = self.exit_code()
        if code is not None or seconds_left < 0:
            ended = "did not answer in time" if code is None else f"ended with code {code}"
            raise StartFailed(f"the embedded store {ended}; its log says:\n{self.log_tail()}")

    def _settings(self) -> list[str]:
        settings = {
            "port": ["0"],
            "unixsocket": [str(self._fresh_socket)],
            "unixsocketperm": ["700"],
            "dir": [str(self._data.path)],
            "pidfile": [str(self._data.pid_file)],
            "daemonize": ["no"],
            "appendonly": ["yes"],
            "appendfsync": ["always" if self._server_syncs else "no"],
            "aof-load-truncated": ["yes"],  # a power loss leaves half an entry at the end
            "save": [""],  # no RDB snapshots: the append-only file holds everything
            # Rewriting the file occupies a core for a while, and pays only once most of it is of archived matches.
            "auto-aof-rewrite-min-size": ["256mb"],
            # An entry has about 1.5 kB: of a stream node's default size, 4 kB, a third would be wasted.
            "stream-node-max-bytes": ["8192"],
            "maxmemory-policy": ["noeviction"],
            # Subscribers of thousands of matches may lag for a moment; if cut off, they would all have to read again.
            "client-output-buffer-limit": ["pubsub", "256mb", "64mb", "60"],
        }
        if self._disk_guard is not None and self._disk_guard.launched():
            settings["min-replicas-to-write"] = ["1"]
        return [part for name, values in settings.items() for part in (f"--{name}", *values)]


def running_url(data: Path) -> str:
    """Return the URL of the server that another process runs in this data directory."""
    return f"unix://{quote(str(socket_directory(data.absolute()) / _SOCKET))}?synced=owner"


def socket_directory(data: Path) -> Path:
    """Return a directory for the socket that only this user can enter and whose path is short enough.

    It depends on the data directory alone, so an owner that was killed leaves at most this one behind.
    """
    name = f"landsraad-{os.getuid()}-{hashlib.blake2b(os.fsencode(data), digest_size=6).hexdigest()}"
    parents = (os.environ.get("XDG_RUNTIME_DIR"), tempfile.gettempdir(), "/tmp")  # noqa: S108  see below
    for directory in (Path(parent) / name for parent in parents if parent):
        if len(os.fsencode(directory / _SOCKET)) > SOCKET_PATH_MOST:
            continue
        try:
            directory.mkdir(0o700, exist_ok=True)
        except OSError:
            continue
        # Other users can create directories of any name among temporary files: check that this one is ours.
        found = directory.lstat()
        if stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & 0o077:
            return directory
    raise SocketPathTooLong("no short and private directory for a Unix socket: set XDG_RUNTIME_DIR or TMPDIR to one")
