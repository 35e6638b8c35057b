"""Fault-injecting proxy in front of the store."""

from __future__ import annotations

import asyncio
from pathlib import Path

from landsraad_http2.listening import take_no_more


class StoreProxy:
    """Forwards connections to the store; can break all of them, or pass commands on and drop the answers."""

    def __init__(self, server: Path, path: Path) -> None:
        self.url = f"unix://{path}?synced=owner"
        self.swallowing = False
        self.swallowed = asyncio.Event()
        self.chunks: list[bytes] = []  # what clients have sent, one element per read
        self._server = server
        self._path = path
        self._listener: asyncio.Server | None = None
        self._open: set[asyncio.StreamWriter] = set()
        self._pumps: set[asyncio.Task[None]] = set()

    async def listen(self) -> None:
        self._listener = await asyncio.start_unix_server(self._serve, self._path)

    async def refuse(self) -> None:
        """Refuse new connections, and break the present ones."""
        assert self._listener is not None
        await take_no_more(self._listener.sockets)
        self._listener.close()
        self._path.unlink(missing_ok=True)
        self.cut()

    def cut(self) -> None:
        for writer in self._open:
            writer.transport.abort()
        self.swallowing = False
        self.swallowed.clear()

    async def close(self) -> None:
        await self.refuse()
        await asyncio.gather(*self._pumps, return_exceptions=True)

    async def _serve(self, from_client: asyncio.StreamReader, to_client: asyncio.StreamWriter) -> None:
        from_server, to_server = await asyncio.open_unix_connection(self._server)
        # refused while the connection to the store was being made
        if self._listener is None or not self._listener.is_serving():
            to_client.transport.abort()
            to_server.transport.abort()
            return
        self._open |= {to_client, to_server}
        there = asyncio.create_task(self._commands(from_client, to_server))
        back = asyncio.create_task(self._answers(from_server, to_client))
        self._pumps |= {there, back}
        await asyncio.gather(there, back, return_exceptions=True)
        to_client.close()
        to_server.close()
        self._open -= {to_client, to_server}

    async def _commands(self, source: asyncio.StreamReader, to: asyncio.StreamWriter) -> None:
        while chunk := await source.read(1 << 20):
            self.chunks.append(chunk)
            to.write(chunk)
        to.close()

    async def _answers(self, source: asyncio.StreamReader, to: asyncio.StreamWriter) -> None:
        while chunk := await source.read(1 << 20):
            if self.swallowing:
                self.swallowed.set()
            else:
                to.write(chunk)
        to.close()
