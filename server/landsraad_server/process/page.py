"""The page: a child process that shows matches to browsers, as a client of the workers.

It gets its settings as one JSON line, and prints {"ready": ...} once it serves. It must exit when its standard input
ends.
"""

from __future__ import annotations

import asyncio
import json
import sys
from contextlib import suppress
from importlib.util import find_spec
from typing import Final

import structlog

from landsraad_server.config import Config
from landsraad_server.process.children import Child
from landsraad_server.store.resp import noop

_log = structlog.get_logger()

#: The process: a module run with `python -m`.
RUNNER: Final = "landsraad_web"
#: Seconds that the page may take to start before the service reports that it is ready without it.
_START_SECONDS: Final = 20.0


def is_installed() -> bool:
    """Return whether the page and the libraries that it needs are installed."""
    return all(find_spec(module) is not None for module in (RUNNER, "starlette", "uvicorn"))


class PageProcess:
    """The process of the page.

    Args:
        config: Settings of the deployment.
        server: The address of the workers, in plaintext on loopback.
        port: The port of the page, which is reserved for it.
    """

    def __init__(self, config: Config, server: str, port: int) -> None:
        host = config.http_host
        tls = config.tls_files if config.http_tls else None
        settings = {
            "server": server,
            "host": host,
            "port": port,
            "sessions": str(config.data / "page-sessions.db"),
            "names": config.http_names,
            "behind_proxy": config.http_behind_proxy,
            "certificate": str(tls[0]) if tls else "",
            "key": str(tls[1]) if tls else "",
            "guests": config.auth == "open",
            "proxies": [str(network) for network in config.proxies],
            "log_level": config.log_level,
        }
        self.child = Child("page", [sys.executable, "-m", RUNNER], json.dumps(settings), noop)
        scheme = "https" if tls else "http"
        shown = f"[{host}]" if ":" in host and not host.startswith("[") else host
        self.address = f"{scheme}://{shown}:{port}"

    async def run(self) -> None:
        """Keep the process running; whatever becomes of it does not concern the workers."""
        await self.child.run()

    async def wait_until_ready(self) -> bool:
        """Return whether the page serves within the time that it has for its start."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_START_SECONDS):
                await self.child.ready.wait()
                return True
        _log.warning("page_not_ready", seconds=_START_SECONDS)
        return False
