"""Commit benchmark: the cost of a durable commit, beside a bare loop around the same script.

It measures CPU time, which does not depend on what else the machine is doing. Both loops keep the same number of
commits pending, so that both write in groups, as a busy worker does.
"""

from __future__ import annotations

import asyncio
import socket
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import hiredis

from landsraad_server.store.connect import Store, connect
from landsraad_server.store.embedded_server import EmbeddedServer
from landsraad_server.store.entries import GENESIS, Head
from landsraad_server.store.match_log import Outcome
from landsraad_server.store.resp import Reply, as_lines, pack
from landsraad_server.store.scripts import COMMIT
from landsraad_server.store.server_probe import Durability

#: Concurrent commits, each to a match of its own, and the payload of an entry.
UNDER_WAY = 32
PAYLOAD = b"x" * 400


class Cost(NamedTuple):
    """Microseconds of CPU per commit."""

    client: float
    server: float
    commits: int


class CommitCost(NamedTuple):
    """Costs of the bare loop and of the store's pipeline."""

    bare: Cost
    pipeline: Cost


def bench_commit(
    seconds: float,
    durability: Durability = Durability.EVERYSEC,
    loop_factory: Callable[[], asyncio.AbstractEventLoop] | None = None,
) -> CommitCost:
    """Commit for so many seconds, half of them each way, to an embedded server in a temporary directory."""

    def pipeline_loop() -> int:
        with asyncio.Runner(loop_factory=loop_factory) as runner:
            return runner.run(_pipeline_loop(server.url, durability, seconds / 2))

    with (
        tempfile.TemporaryDirectory(prefix="lr-") as directory,
        EmbeddedServer(Path(directory) / "data", durability=durability) as server,
    ):
        bare = _measure(server, lambda: _bare_loop(server.socket, seconds / 2))
        return CommitCost(bare, _measure(server, pipeline_loop))


def _measure(server: EmbeddedServer, run: Callable[[], int]) -> Cost:
    served, spent = _server_seconds(server.socket), time.process_time()
    commits = run()
    spent, served = time.process_time() - spent, _server_seconds(server.socket) - served
    return Cost(spent / commits * 1e6, served / commits * 1e6, commits)


def _server_seconds(path: Path) -> float:
    [info] = _exchange(path, [pack(b"INFO", b"CPU")])
    lines = as_lines(info)
    return float(lines["used_cpu_user"]) + float(lines["used_cpu_sys"])


def _exchange(path: Path, commands: list[bytes]) -> list[Reply]:
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(str(path))
        return _round_trip(connection, commands)


def _round_trip(connection: socket.socket, commands: list[bytes]) -> list[Reply]:
    """Send the commands in one write and return their replies."""
    connection.sendall(b"".join(commands))
    replies: list[Reply] = []
    source = hiredis.Reader()
    while len(replies) < len(commands):
        source.feed(connection.recv(65536))
        while (reply := source.gets()) is not False:
            replies.append(reply)
    return replies


def _bare_loop(path: Path, seconds: float) -> int:
    """Run the script and nothing else: no event loop, no futures, no parsing of headers."""
    names = [(b"log:{bare%d}" % number, b"head:{bare%d}" % number) for number in range(UNDER_WAY)]
    [digest] = _exchange(path, [pack(b"SCRIPT", b"LOAD", COMMIT.source)])
    before, version = GENESIS.encode(), 0
    end = time.monotonic() + seconds
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(str(path))
        while time.monotonic() < end:
            version += 1
            after = b"%d 0 bare.%x 0" % (version, version)
            entry = b"%b - %b" % (after, PAYLOAD)
            replies = _round_trip(
                connection,
                [
                    pack(b"EVALSHA", digest, 2, log, head, before, after, b"%d-0" % version, entry)
                    for log, head in names
                ],
            )
            if set(replies) != {1}:
                raise RuntimeError(f"the bare loop was refused: {replies}")
            before = after
    return version * UNDER_WAY


async def _pipeline_loop(url: str, durability: Durability, seconds: float) -> int:
    """Commit as a worker does: draft, commit, take the new head from the outcome."""
    store = await connect(url, durability=durability)
    writers = [_Writer(store, f"piped{number}", time.monotonic() + seconds) for number in range(UNDER_WAY)]
    commits = await asyncio.gather(*(writer.finished for writer in writers))
    await store.close()
    return sum(commits)


class _Writer:
    """Commits to one match, each after the outcome of the one before."""

    def __init__(self, store: Store, match: str, end: float) -> None:
        self._store = store
        self._match = match
        self._end = end
        self.finished: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._next(GENESIS)

    def _next(self, before: Head) -> None:
        self._store.commit(self._store.log.draft(self._match, before, PAYLOAD), self._answered)

    def _answered(self, outcome: Outcome) -> None:
        if isinstance(outcome, Exception):
            self.finished.set_exception(outcome)
        elif time.monotonic() < self._end:
            self._next(outcome)
        else:
            self.finished.set_result(outcome.version)
