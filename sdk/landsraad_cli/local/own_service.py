"""A service in processes of its own, for the time of a block."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from landsraad.errors import LandsraadError
from landsraad_cli.command_table import COMMANDS, INSTALL_SERVER

#: A first start on a cold machine takes some seconds.
_START_SECONDS: Final = 60.0
_STOP_SECONDS: Final = 15.0


class NotServing(LandsraadError):
    """The service could not be started."""


def check_server_installed() -> None:
    """Check that a service can be started here, before anything is printed.

    Raises:
        NotServing: Only the SDK is installed.
    """
    if "serve" not in COMMANDS.targets():
        raise NotServing(f"this command starts a service, but the server is not installed. {INSTALL_SERVER}")


@asynccontextmanager
async def own_service(*options: str) -> AsyncIterator[str]:
    """Run `landsraad serve` on a free port with a store of its own and no page, and leave nothing behind.

    Args:
        *options: Further options of `landsraad serve`.

    Yields:
        The address of the service.

    Raises:
        NotServing: The server is not installed, or does not start.
    """
    async with started_service("--no-http", *options) as ready:
        yield ready["address"]


@asynccontextmanager
async def started_service(*options: str) -> AsyncIterator[dict[str, Any]]:
    """Run a service likewise, with a page.

    Args:
        *options: Further options of `landsraad serve`.

    Yields:
        Its ready line: `address`, and `http` if it has a page.

    Raises:
        NotServing: The server is not installed, or does not start.
    """
    check_server_installed()
    with TemporaryDirectory(prefix="landsraad-") as folder:
        command = [sys.executable, "-m", "landsraad_cli", "serve", "--port", "0", "--json", "--data", folder, *options]
        with (Path(folder) / "log").open("wb") as log:
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "landsraad_cli.local.run_until_orphaned", *command),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=log,
                start_new_session=True,  # Ctrl-C must not reach the service: it has to end after its clients
            )
        assert process.stdin is not None
        try:
            yield await _ready_line(process, Path(folder) / "log")
        finally:
            process.stdin.close()
            try:
                async with asyncio.timeout(_STOP_SECONDS):
                    await process.wait()
            except TimeoutError:
                process.kill()
                await process.wait()


async def _ready_line(process: asyncio.subprocess.Process, log: Path) -> dict[str, Any]:
    """Wait for the line that reports the addresses."""
    assert process.stdout is not None
    try:
        async with asyncio.timeout(_START_SECONDS):
            line = await process.stdout.readline()
    except TimeoutError:
        line = b""
    if not line:
        raise NotServing(f"the service did not start: {_last_line(log)}")
    ready: dict[str, Any] = json.loads(line)
    return ready


def _last_line(log: Path) -> str:
    """Return the last line of a log that says something: typer draws a frame around its errors."""
    lines = [line.strip(" │╭╮╰╯─") for line in log.read_text(errors="replace").splitlines()]
    return next((line for line in reversed(lines) if line), "it printed nothing")
