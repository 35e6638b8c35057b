"""A private Redis or Valkey server of our own, for those who have none.

It listens on a Unix socket in a directory that only this user can enter, and on no port. It keeps an append-only file
in a data directory that one owner at a time may have, and ends with its owner. All workers of the owner share it by
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
from pathlib import Path
from types import TracebackType
from typing import Literal, Self
from urllib.parse import quote

from landsraad_server.store import server_binary
from landsraad_server.store.data_directory import GRACE_SECONDS, DataDirectory
from landsraad_server.store.errors import SetupError, SocketPathTooLong, StartFailed
from landsraad_server.store.fsync_thread import FsyncThread
from landsraad_server.store.server_binary import ServerBinary
from landsraad_server.store.server_probe import Durability

#: A socket's address has 104 bytes on macOS and 108 on Linux, the closing zero included.
SOCKET_PATH_MOST = 103
#: Reading back a large append-only file takes time.
START_SECONDS = 60.0
_SOCKET = "store"
_DIE_WITH_PARENT = Path(__file__).with_name("die_with_parent.py")


class EmbeddedServer:
    """One server process, from `start` to `stop`. `Keeper` restarts it in between."""

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
        self._syncer: FsyncThread | None = None
        self._socket_directory: Path | None = None

    @property
    def socket(self) -> Path:
        if self._socket_directory is None:
            raise StartFailed("the embedded store has not been started")
        return self._socket_directory / _SOCKET

    @property
    def url(self) -> str:
        """Address for `connect`; the same after a restart. It says who writes to the disk, if not the server itself."""
        return f"unix://{quote(str(self.socket))}" + ("" if self._server_syncs else "?synced=owner")

    @property
    def _server_syncs(self) -> bool:
        return self._durability is Durability.ALWAYS

    @property
    def pid(self) -> int:
        """Process id of the server."""
        return int(self._data.pid_file.read_text())

    def start(self) -> None:
        """Own the data directory, run the server, and return when it answers."""
        self._data.own()
        try:
            self._socket_directory = socket_directory(self._data.path)
            self.wanted = True
            self.launch()
            deadline = time.monotonic() + START_SECONDS
            while not self._answers():
                self._check_start(deadline - time.monotonic())
                time.sleep(0.005)
            if not self._server_syncs:
                self._syncer = FsyncThread(self._data.path)
                self._syncer.start()
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """Let the server write its last, end it, and leave the data directory to others."""
        self.wanted = False
        if self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(GRACE_SECONDS)
            except subprocess.TimeoutExpired:
                os.kill(self.pid, signal.SIGKILL)
                self._process.wait(GRACE_SECONDS)
            if self._process.stdin is not None:
                self._process.stdin.close()
            self._process = None
        if self._syncer is not None:
            self._syncer.stop()
            self._syncer = None
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

    # --- for the keeper

    def launch(self) -> None:
        """Run the server; it does not answer yet."""
        if self._parent_watch == "signal" and threading.current_thread() is not threading.main_thread():
            raise SetupError("start the embedded store from the main thread: it ends with the thread that started it")
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.close()
        self._data.end_stale_server()
        parent_watch = [sys.executable, "-I", "-S", str(_DIE_WITH_PARENT), self._parent_watch, str(os.getpid())]
        with (self._data.path / "server.log").open("ab") as output:
            self._process = subprocess.Popen(  # noqa: S603
                [*parent_watch, self.binary.path, *self._settings()],
                stdin=subprocess.PIPE if self._parent_watch == "pipe" else subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                # A Ctrl-C at the terminal is for the owner, who ends us after its workers.
                start_new_session=True,
            )

    def exit_code(self) -> int | None:
        """How the server ended; None while it runs."""
        return self._process.poll() if self._process is not None else None

    def last_words(self) -> str:
        """The end of the server's own log."""
        with (self._data.path / "server.log").open("rb") as log:
            log.seek(max(0, log.seek(0, os.SEEK_END) - 2000))
            return log.read().decode(errors="replace").strip()

    def _answers(self) -> bool:
        """Whether the server serves commands now."""
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(1.0)
            try:
                connection.connect(str(self.socket))
                connection.sendall(b"PING\r\n")
                return connection.recv(64).startswith(b"+PONG")
            except OSError:
                return False

    def _check_start(self, seconds_left: float) -> None:
        """Raise StartFailed if the server ended again, or took too long."""
        code = self.exit_code()
        if code is not None or seconds_left < 0:
            ended = "did not answer in time" if code is None else f"ended with code {code}"
            raise StartFailed(f"the embedded store {ended}; its log says:\n{self.last_words()}")

    def _settings(self) -> list[str]:
        settings = {
            "port": ["0"],
            "unixsocket": [str(self.socket)],
            "unixsocketperm": ["700"],
            "dir": [str(self._data.path)],
            "pidfile": [str(self._data.pid_file)],
            "daemonize": ["no"],
            "appendonly": ["yes"],
            "appendfsync": ["always" if self._server_syncs else "no"],
            "aof-load-truncated": ["yes"],  # half an entry at the end is what a power loss leaves
            "save": [""],  # no snapshots of the whole: the append-only file holds everything already
            # Rewriting the file costs a core for a while, and pays only where most of it is of matches long archived.
            "auto-aof-rewrite-min-size": ["256mb"],
            # An entry has about 1.5 kB: of the usual 4 kB of a stream's node, a third would be waste.
            "stream-node-max-bytes": ["8192"],
            "maxmemory-policy": ["noeviction"],
            # Followers of thousands of matches may lag for a moment; cut off, they would all have to read again.
            "client-output-buffer-limit": ["pubsub", "256mb", "64mb", "60"],
        }
        return [part for name, values in settings.items() for part in (f"--{name}", *values)]


def running_url(data: Path) -> str:
    """Address of the server that another process runs in this data directory."""
    return f"unix://{quote(str(socket_directory(data.absolute()) / _SOCKET))}?synced=owner"


def socket_directory(data: Path) -> Path:
    """A directory for the socket that only this user can enter, and that is short enough for a socket's address.

    Always the same for the same data, so that an owner that was killed leaves at most this one behind.
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
        # Anybody may make a directory of any name among temporary files: this one has to be ours.
        found = directory.lstat()
        if stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & 0o077:
            return directory
    raise SocketPathTooLong("no short and private directory for a Unix socket: set XDG_RUNTIME_DIR or TMPDIR to one")
