"""A service of one's own, in processes beside this one, for as long as a block runs."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from landsraad.errors import LandsraadError

#: The first start on a cold machine takes some seconds; more than this it never does.
_START_SECONDS: Final = 60.0
_STOP_SECONDS: Final = 15.0


class NotServing(LandsraadError):
    """The service could not be started."""


@asynccontextmanager
async def own_service(*options: str) -> AsyncIterator[str]:
    """Start `landsraad serve` with a store of its own on a free port; its address. It leaves nothing behind."""
    with TemporaryDirectory(prefix="landsraad-") as folder:
        command = [sys.executable, "-m", "landsraad_cli", "serve", "--port", "0", "--json", "--data", folder, *options]
        with (Path(folder) / "log").open("wb") as log:
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "landsraad_cli.local.run_until_orphaned", *command),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=log,
                start_new_session=True,  # Ctrl-C is for us: the service shall end after its clients, not before
            )
        assert process.stdin is not None
        try:
            yield await _address(process, Path(folder) / "log")
        finally:
            process.stdin.close()
            try:
                async with asyncio.timeout(_STOP_SECONDS):
                    await process.wait()
            except TimeoutError:
                process.kill()
                await process.wait()


async def _address(process: asyncio.subprocess.Process, log: Path) -> str:
    """Wait for the line that says that everything serves."""
    assert process.stdout is not None
    try:
        async with asyncio.timeout(_START_SECONDS):
            line = await process.stdout.readline()
    except TimeoutError:
        line = b""
    if not line:
        raise NotServing(f"the service did not start: {_last_line(log)}")
    address: str = json.loads(line)["address"]
    return address


def _last_line(log: Path) -> str:
    lines = log.read_text(errors="replace").strip().splitlines()
    return lines[-1] if lines else "it said nothing"
