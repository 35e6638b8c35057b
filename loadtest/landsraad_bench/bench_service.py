"""The service as it is run in earnest, on this machine, with its processes counted."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from sys import executable
from typing import NamedTuple

from landsraad_bench.process_usage import Usage, usages
from landsraad_server.process.serve_handshake import drained, ready
from landsraad_server.store import Durability, EmbeddedServer

#: Longer than the service gives its streams to end.
_GRACE_SECONDS = 60.0


class BenchService(NamedTuple):
    """A running service."""

    address: str
    workers: list[int]
    store: int

    def usage(self) -> tuple[Usage, Usage]:
        """Of the workers, and of the store; the supervisor has nothing to do."""
        return usages(self.workers), usages([self.store])


class _Guarded(subprocess.Popen[str]):
    """A program behind its guard, in a session of their own: to kill it ends both, and whatever they have begun."""

    def kill(self) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)


@contextmanager
def serving(durability: Durability, workers: int) -> Iterator[BenchService]:
    """`landsraad serve` with a store of our own, in a directory that goes with it."""
    with (
        tempfile.TemporaryDirectory(prefix="lr-") as directory,
        EmbeddedServer(Path(directory) / "store", durability=durability) as store,
    ):
        command = [
            *(executable, "-c", "from landsraad_cli import main; main()"),
            *("serve", "--json", "--port", "0", "--no-house"),
            *("--workers", str(workers), "--redis", store.url, "--durability", durability.value),
            *("--data", str(Path(directory) / "data")),
        ]
        with _Guarded(
            [executable, "-m", "landsraad_cli.local.run_until_orphaned", *command],  # which ends it, however we end
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,  # Ctrl-C is for us: it shall end after its clients, not before
        ) as process:
            try:
                said = ready(process)
                yield BenchService(said["address"], [worker["pid"] for worker in said["workers"]], store.pid)
            finally:
                drained(process, _GRACE_SECONDS)
