"""Nodes: real servers of which replicas, Sentinels and clusters are made."""

from __future__ import annotations

import asyncio
import contextlib
import subprocess
from pathlib import Path
from typing import Any

import redis
from tests.ports import free_port

APPEND_ONLY = ("--appendonly", "yes", "--save", "")
#: Replicas connect to their master at once instead of waiting for other replicas.
REPLICA = ("--repl-diskless-sync-delay", "0")


class Node:
    """A server with a port, one of several."""

    def __init__(self, program: Path, directory: Path, *settings: str) -> None:
        self.port = free_port()
        self.process: subprocess.Popen[bytes] | None = None
        self._directory = directory
        self._command = [
            *(str(program), *settings, "--port", str(self.port), "--bind", "127.0.0.1", "--dir", str(directory)),
            *("--logfile", "log"),
        ]

    @property
    def address(self) -> tuple[str, str]:
        return ("127.0.0.1", str(self.port))

    def start(self) -> None:
        self.process = subprocess.Popen(self._command, cwd=self._directory, stdout=subprocess.DEVNULL)

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()

    async def ask(self, *command: str | int | bytes) -> Any:
        """Return the node's answer, as soon as it answers at all."""
        async with asyncio.timeout(20):
            while True:
                with contextlib.suppress(redis.ConnectionError), redis.Redis(port=self.port, protocol=2) as client:
                    client.response_callbacks.clear()  # raw replies
                    return client.execute_command(*command)
                await asyncio.sleep(0.01)

    async def until(self, word: bytes, *command: str | int) -> None:
        """Repeat a command until the word is in the answer."""
        async with asyncio.timeout(20):
            while word not in repr(await self.ask(*command)).encode():  # noqa: ASYNC110  another process, no event
                await asyncio.sleep(0.01)


class Nodes:
    """Starts nodes, and stops them all at the end."""

    def __init__(self, program: Path, directory: Path) -> None:
        self._program = program
        self._directory = directory
        self._nodes: list[Node] = []

    def add(self, *settings: str) -> Node:
        directory = self._directory / f"node{len(self._nodes)}"
        directory.mkdir()
        node = Node(self._program, directory, *settings)
        self._nodes.append(node)
        node.start()
        return node

    def end(self) -> None:
        for node in self._nodes:
            node.kill()


async def in_step(master: Node, replica: Node) -> None:
    """Wait until the replica has everything and confirms writes, which can take up to a second."""
    await replica.until(b"master_link_status:up", "INFO", "replication")
    with redis.Redis(port=master.port) as client:
        client.set("in-step", "")
        assert client.wait(1, 20_000) == 1
        client.delete("in-step")
