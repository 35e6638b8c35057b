"""Service under test: `landsraad serve` on this machine, with the CPU time of its processes."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from sys import executable
from typing import NamedTuple

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
    #: its name, if it is a cell
    cell: str = ""
    #: ends it and its store at once, as the loss of their machine does
    kill: Callable[[], None] = lambda: None


class _Guarded(subprocess.Popen[str]):
    """A subprocess in a session of its own, together with its guard; killing it kills the whole session."""

    def kill(self) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)


@contextmanager
def serving(
    durability: Durability, workers: int, transport: str = DEFAULT, *options: str, cell: str = ""
) -> Iterator[BenchService]:
    """Run `landsraad serve` with a store in a temporary directory, and with more options."""
    with (
        tempfile.TemporaryDirectory(prefix="lr-") as directory,
        EmbeddedServer(Path(directory) / "store", durability=durability) as store,
    ):
        command = [
            *(executable, "-c", "from landsraad_cli import main; main()"),
            *("serve", "--json", "--port", "0", "--no-house", "--log-level", "warning"),
            *("--workers", str(workers), "--transport", transport),
            *("--redis", store.url, "--durability", durability.value),
            *("--data", str(Path(directory) / "data")),
            *options,
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
                workers_of = [worker["pid"] for worker in ready["workers"]]

                def kill() -> None:
                    process.kill()
                    process.wait()  # otherwise its workers still log that their store is lost
                    os.kill(store.pid, signal.SIGKILL)

                yield BenchService(ready["address"], workers_of, store.pid, cell, kill)
            finally:
                drain(process, _GRACE_SECONDS)


@contextmanager
def serving_cells(
    durability: Durability, cells: int, workers: int, transport: str = DEFAULT
) -> Iterator[list[BenchService]]:
    """Run so many cells on this machine, each with a store and so many workers, and a store for their accounts."""
    with ExitStack() as stack:
        directory = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="lr-")))
        accounts = stack.enter_context(EmbeddedServer(directory / "accounts"))
        ports = {f"c{number + 1}": port for number, port in enumerate(_free_ports(cells))}
        named = directory / "cells.toml"
        named.write_text("".join(f'[{cell}]\naddress = "127.0.0.1:{port}"\n' for cell, port in ports.items()))
        shared = ("--cells", str(named), "--accounts", accounts.url)
        yield [
            stack.enter_context(
                serving(durability, workers, transport, *shared, "--cell", cell, "--port", str(port), cell=cell)
            )
            for cell, port in ports.items()
        ]


def _free_ports(count: int) -> list[int]:
    """Return ports that nothing listens on."""
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]
