"""Service under test: `landsraad serve` on this machine, with the CPU time of its processes."""

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
from landsraad_server.process.serve_handshake import drain, read_ready_line
from landsraad_server.store import Durability, EmbeddedServer
from landsraad_server.transports.registry import DEFAULT

#: Seconds until the service has to have stopped; longer than its own grace period.
_GRACE_SECONDS = 60.0


class BenchService(NamedTuple):
    """A running service."""

    address: str
    workers: list[int]
    store: int

    def usage(self) -> tuple[Usage, Usage]:
        """Return the usage of the workers and of the store; the supervisor is idle."""
        return usages(self.workers), usages([self.store])


class _Guarded(subprocess.Popen[str]):
    """A subprocess in a session of its own, together with its guard; killing it kills the whole session."""

    def kill(self) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)


@contextmanager
def serving(durability: Durability, workers: int, transport: str = DEFAULT) -> Iterator[BenchService]:
    """Run `landsraad serve` with a store in a temporary directory."""
    with (
        tempfile.TemporaryDirectory(prefix="lr-") as directory,
        EmbeddedServer(Path(directory) / "store", durability=durability) as store,
    ):
        command = [
            *(executable, "-c", "from landsraad_cli import main; main()"),
            *("serve", "--json", "--port", "0", "--no-house", "--log-level", "warning"),
            *(
                "--workers",
                str(workers),
                "--transport",
                transport,
                "--redis",
                store.url,
                "--durability",
                durability.value,
            ),
            *("--data", str(Path(directory) / "data")),
        ]
        with _Guarded(
            # the guard stops the service however this process ends
            [executable, "-m", "landsraad_cli.local.run_until_orphaned", *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,  # Ctrl-C must stop the clients first and the service last
        ) as process:
            try:
                ready = read_ready_line(process)
                yield BenchService(ready["address"], [worker["pid"] for worker in ready["workers"]], store.pid)
            finally:
                drain(process, _GRACE_SECONDS)
