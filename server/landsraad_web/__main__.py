"""`python -m landsraad_web`: serve the page, as the supervisor says on standard input, until that is closed."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import resource
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

import msgspec
import uvicorn

from landsraad import gc_tuning
from landsraad_web.application import WebPage
from landsraad_web.settings import Settings

#: Seconds in which requests under way are finished at the end.
_GRACE_SECONDS: Final = 2
_BACKLOG: Final = 2048


def send_line(**line: Any) -> None:
    """Send one JSON line to the supervisor."""
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


def listening_socket(host: str, port: int) -> socket.socket:
    """Return a socket on a port that the supervisor holds for us."""
    family, _, _, _, address = socket.getaddrinfo(host.strip("[]"), port, type=socket.SOCK_STREAM)[0]
    listening = socket.socket(family)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    listening.bind(address)
    return listening


class ReportingServer(uvicorn.Server):
    """A server that reports when it serves.

    Args:
        config: Settings of uvicorn.
        on_ready: Called once it accepts connections.
    """

    def __init__(self, config: uvicorn.Config, on_ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._on_ready = on_ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, and report."""
        await super().startup(sockets)
        if self.started:
            self._on_ready()


async def serve(settings: Settings) -> None:
    """Serve until standard input ends."""
    page = WebPage(settings)
    config = uvicorn.Config(
        page.app,
        http="h11",
        ws="none",
        lifespan="on",
        proxy_headers=False,  # the guard reads them, and tells whom to trust
        server_header=False,
        access_log=False,
        log_config=None,
        backlog=_BACKLOG,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=_GRACE_SECONDS,
        h11_max_incomplete_event_size=32 * 1024,
        ssl_certfile=settings.certificate or None,
        ssl_keyfile=settings.key or None,
    )
    server = ReportingServer(config, on_ready=lambda: send_line(ready=_stats(page)))
    listening = listening_socket(settings.host, settings.port)
    orders = asyncio.create_task(_listen(page, server))
    gc_tuning.tune()
    await server.serve(sockets=[listening])
    orders.cancel()


async def _listen(page: WebPage, server: uvicorn.Server) -> None:
    """Carry out the supervisor's commands until its end of the pipe closes."""
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    try:
        while line := await reader.readline():
            if "stats" in json.loads(line):
                send_line(stats=_stats(page))
    finally:  # the page must not outlive its supervisor
        await page.feeds.close()  # uvicorn waits for streams, which would never end
        server.should_exit = True


def _stats(page: WebPage) -> dict[str, Any]:
    return {"pid": os.getpid(), "streams": page.feeds.readers}


def _allow_files() -> None:
    """Raise the soft limit of open files: each watcher is one."""
    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 1 << 16 if most == resource.RLIM_INFINITY else min(most, 1 << 16)
    if now != resource.RLIM_INFINITY and now < wanted:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))


def main() -> None:
    """Read the settings and serve."""
    _allow_files()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C at the terminal is for the supervisor
    with open(0, "rb", buffering=0, closefd=False) as first:
        settings = msgspec.json.decode(first.readline(), type=Settings)
    logging.basicConfig(level=settings.log_level.upper(), format="page: %(message)s")
    for noisy in ("uvicorn", "uvicorn.error", "asyncio"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
    with suppress(ImportError):
        import uvloop  # noqa: PLC0415  where it is installed

        asyncio.set_event_loop_policy(uvloop.EventLoopPolicy())
    asyncio.run(serve(settings))


if __name__ == "__main__":
    main()
