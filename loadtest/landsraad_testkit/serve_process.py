"""Service subprocess: `landsraad serve` with processes of its own, which tests can kill."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final

from landsraad_server.process.serve_handshake import drain, read_ready_line

_GRACE_SECONDS: Final = 30.0


class ServeProcess:
    """A running service."""

    def __init__(self, process: subprocess.Popen[str], data: Path, ready: dict[str, Any]) -> None:
        self.process = process
        self.data = data
        #: its ready line
        self.ready = ready
        self.address: str = ready["address"]
        self.admin: str = ready["admin"]
        #: address of the page; empty if there is none
        self.http: str = ready.get("http", "")
        self.workers: list[int] = [worker["pid"] for worker in ready["workers"]]

    @property
    def store(self) -> int:
        """Return the present process id of the embedded store."""
        return int((self.data / "store" / "server.pid").read_text())

    def operator(self) -> str:
        """Return the operators' credential."""
        return (self.data / "admin-credential").read_text().strip()

    def stop(self) -> int:
        """Drain the service and return its exit code."""
        return drain(self.process, _GRACE_SECONDS)


@contextmanager
def serving(
    data: Path,
    *options: str,
    workers: int = 2,
    environment: Mapping[str, str] | None = None,
    log: Path | None = None,
) -> Iterator[ServeProcess]:
    """Run a service with its data in a directory, on a free port; drain it at the end of the block.

    Without `--redis` among the options it has an embedded store, with `--http` a page. Its log goes to a file, if one
    is given.
    """
    command = [
        *(sys.executable, "-c", "from landsraad_cli import main; main()", "serve", "--json", "--port", "0"),
        *("--workers", str(workers), "--data", str(data), *options),
    ]
    if "--house" not in options:
        command.append("--no-house")
    if "--http" not in options:
        command.append("--no-http")
    with ExitStack() as stack:
        errors = stack.enter_context(log.open("a")) if log is not None else None
        process = stack.enter_context(
            subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=errors, text=True, env={**os.environ, **(environment or {})}
            )
        )
        try:
            yield ServeProcess(process, data, read_ready_line(process))
        finally:
            drain(process, _GRACE_SECONDS)


def plug_in(directory: Path, games: Mapping[str, str]) -> dict[str, str]:
    """Return environment variables by which other processes find these games, as if another package had installed
    them.
    """
    installed = directory / "plugged_in-1.dist-info"
    installed.mkdir(parents=True)
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: plugged-in\nVersion: 1\n")
    lines = ["[landsraad.games]", *(f"{name} = {target}" for name, target in games.items())]
    (installed / "entry_points.txt").write_text("\n".join(lines) + "\n")
    return {"PYTHONPATH": os.pathsep.join([str(directory), *filter(None, [os.environ.get("PYTHONPATH")])])}
