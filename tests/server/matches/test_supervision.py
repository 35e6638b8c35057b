"""Supervision: child processes that are started, monitored and restarted; ports and directories with one owner."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest

from landsraad_server.matches.presence import PresenceTracker
from landsraad_server.process.children import CHECK_SECONDS, MOST_STARTING, MOST_STOPPING, MOST_UNANSWERED, Child
from landsraad_server.process.supervisor import PortTaken, reserve_port
from landsraad_server.store import EmbeddedServer, keys
from landsraad_server.store.resp import noop
from landsraad_server.store.roster import DEAD_MS
from landsraad_testkit import serving

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

    import redis

    from landsraad_testkit import ServeProcess

#: Says what it was told, line by line; ends when told to, or when its input ends.
ECHO = """
import json, sys
task = sys.stdin.readline().strip()
print("this is no line of ours", flush=True)
print(json.dumps({"ready": {"task": task}}), flush=True)
for line in sys.stdin:
    told = json.loads(line)
    if "end" in told:
        sys.exit(told["end"])
    print(json.dumps({"stats": {"asked": told}}), flush=True)
"""


class Heard:
    """The lines of a child, as they come."""

    def __init__(self) -> None:
        self._lines: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.take = self._lines.put_nowait
        #: what was known of the processes that have ended
        self.ends: list[dict[str, Any]] = []

    async def next(self) -> dict[str, Any]:
        return await asyncio.wait_for(self._lines.get(), 10)


def child(code: str = ECHO) -> tuple[Child, Heard]:
    heard = Heard()
    return Child("echo", [sys.executable, "-I", "-S", "-c", code], "the task", heard.take, heard.ends.append), heard


@asynccontextmanager
async def kept_running(one: Child) -> AsyncIterator[None]:
    """Run a child, and stop it in the end."""
    running = asyncio.create_task(one.run())
    try:
        yield
    finally:
        one.stop()
        await asyncio.wait_for(running, 10)


@pytest.mark.asyncio
async def test_a_child_is_told_its_task_and_started_again_whenever_it_ends() -> None:
    one, heard = child()
    async with kept_running(one):
        assert await heard.next() == {"ready": {"task": "the task"}}
        first = one.pid
        assert await one.stats() == {"asked": {"stats": True}}
        await heard.next()
        one.send(end=3)
        assert "ready" in await heard.next()
        assert (one.restarts, one.pid == first) == (1, False)
        assert heard.ends == [{"asked": {"stats": True}}]
    assert one.restarts == 1


@pytest.mark.asyncio
async def test_a_child_may_print_whatever_it_likes() -> None:
    one, heard = child(
        "import sys; print(5); print('x' * 300_000); print('[' * 50_000); print('{\"ready\": {}}', flush=True);"
        "sys.stdin.read()"
    )
    async with kept_running(one):
        assert await heard.next() == {"ready": {}}
    assert one.restarts == 0


@pytest.mark.asyncio
async def test_a_child_that_is_to_be_started_again_later_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    ended = asyncio.Event()
    monkeypatch.setattr("landsraad_server.process.children._SHORTEST_PAUSE", 60.0)
    monkeypatch.setattr("landsraad_server.process.children._LONGEST_PAUSE", 60.0)
    one = Child("short", [sys.executable, "-I", "-S", "-c", ""], "", noop, lambda _: ended.set())
    async with kept_running(one):
        await asyncio.wait_for(ended.wait(), 10)
    assert one.stopped


@pytest.mark.asyncio
async def test_a_child_that_does_not_answer_is_known_by_what_it_said_last() -> None:
    one, heard = child("import json, sys; print(json.dumps({'ready': {'old': 1}}), flush=True); sys.stdin.read()")
    async with kept_running(one):
        await heard.next()
        assert await one.stats(within=0.01) == {"old": 1}


@pytest.mark.asyncio
async def test_a_child_that_hangs_is_ended_and_started_again() -> None:
    """A child that answers late is not restarted, however late this process reads the answer."""
    one, heard = child()
    async with kept_running(one):
        await heard.next()
        first = one.pid
        os.kill(first, signal.SIGSTOP)
        for _ in range(MOST_UNANSWERED):
            one.check_alive()
        os.kill(first, signal.SIGCONT)
        for _ in range(MOST_UNANSWERED):
            await heard.next()
        assert one.pid == first
        os.kill(first, signal.SIGSTOP)
        for _ in range(MOST_UNANSWERED + 1):
            one.check_alive()
        assert "ready" in await heard.next()
        assert (one.restarts, one.pid == first) == (1, False)


#: Begins when it is told to, and ends as soon as somebody looks for it.
SLOW = """
import signal, sys
sys.stdin.readline(); sys.stdin.readline()
print('{"ready": {}}', flush=True)
sys.stdin.read()
signal.sigwait({signal.SIGUSR1})
"""


async def begun(one: Child) -> None:
    """Wait until there is a process."""
    while not one.pid:  # noqa: ASYNC110
        await asyncio.sleep(0)


@pytest.mark.asyncio
async def test_a_child_that_begins_or_ends_may_take_its_time() -> None:
    one, heard = child("import signal; signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1})\n" + SLOW)
    async with kept_running(one):
        one.check_alive()  # there is nobody yet
        await begun(one)
        for _ in range(MOST_STARTING):
            one.check_alive()
        one.send(go=True)
        assert "ready" in await heard.next()
        one.stop(drain=7 * CHECK_SECONDS)
        for _ in range(7 + MOST_STOPPING):
            one.check_alive()
        os.kill(one.pid, signal.SIGUSR1)
    assert heard.ends == [{}]
    assert one.restarts == 0


@pytest.mark.asyncio
async def test_a_child_that_never_begins_is_ended_and_started_again() -> None:
    one, heard = child(SLOW)
    async with kept_running(one):
        await begun(one)
        first = one.pid
        for _ in range(MOST_STARTING + 1):
            one.check_alive()
        while one.pid == first:  # noqa: ASYNC110
            await asyncio.sleep(0.001)
        one.send(go=True)
        assert "ready" in await heard.next()
        assert one.restarts == 1
        os.kill(one.pid, signal.SIGKILL)


@pytest.mark.asyncio
async def test_a_child_that_never_ends_is_ended_for_good() -> None:
    """Even if it still writes lines."""
    one, heard = child(SLOW.replace("sys.stdin.read()", "sys.stdin.read(); print('{\"stats\": {}}', flush=True)"))
    async with kept_running(one):
        await begun(one)
        one.send(go=True)
        await heard.next()
        one.stop(drain=CHECK_SECONDS)
        assert "stats" in await heard.next()
        for _ in range(1 + MOST_STOPPING + 1):
            one.check_alive()
    assert one.restarts == 0


@pytest.mark.asyncio
async def test_a_child_that_is_stopped_while_it_starts_ends() -> None:
    one, _ = child()
    async with kept_running(one):
        await asyncio.sleep(0)
    assert one.restarts == 0


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    """Another process that listens on a shared port."""
    with socket.socket() as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        yield listening


def test_a_port_that_somebody_shares_is_taken_all_the_same(listener: socket.socket) -> None:
    with pytest.raises(PortTaken, match="cannot be listened on"), reserve_port("127.0.0.1", listener.getsockname()[1]):
        pass


@pytest.mark.parametrize(("host", "port"), [("no host", 7447), ("192.0.2.1", 7447), ("127.0.0.1", 65536)])
def test_what_is_nowhere_cannot_be_listened_on(host: str, port: int) -> None:
    with pytest.raises(PortTaken, match=f"{host}:{port} cannot be listened on: "), reserve_port(host, port):
        pass


def test_a_port_for_figures_that_is_taken_is_said_at_once(listener: socket.socket, tmp_path: Path) -> None:
    port = listener.getsockname()[1]
    serve = [sys.executable, "-c", "from landsraad_cli import main; main()", "serve", "--port", "0", "--no-house"]
    options = ["--data", str(tmp_path), "--workers", "1", "--metrics-port", str(port)]
    done = subprocess.run([*serve, *options], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 1
    assert f"127.0.0.1:{port} cannot be listened on" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_reserved_port_is_for_our_workers_alone() -> None:
    with reserve_port("127.0.0.1", 0) as port:
        workers = [socket.socket() for _ in range(2)]
        for worker in workers:
            worker.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
            worker.bind(("127.0.0.1", port))
            worker.listen()
        with pytest.raises(PortTaken), reserve_port("127.0.0.1", port):
            pass
        for worker in workers:
            worker.close()


@pytest.mark.asyncio
async def test_a_worker_that_dies_leaves_the_roster_at_once(
    server: EmbeddedServer, raw: redis.Redis, tmp_path: Path
) -> None:
    """Its supervisor removes it, without waiting for missing heartbeats."""
    with serving(tmp_path / "data", "--redis", server.url) as service:
        dying, other = (worker["address"] for worker in service.ready["workers"])

        def listed() -> list[str]:
            told: Any = raw.hvals(keys.ADDRESSES)
            return [one.decode().partition(" ")[2] for one in told]

        assert sorted(listed()) == sorted([dying, other])
        os.kill(service.workers[0], signal.SIGKILL)
        killed = time.monotonic()
        while dying in listed():  # noqa: ASYNC110
            await asyncio.sleep(0)
        assert time.monotonic() - killed < DEAD_MS / 1000 - PresenceTracker.every_seconds


def test_a_second_service_on_the_same_data_is_told_why_not(service: ServeProcess) -> None:
    command = [sys.executable, "-c", "from landsraad_cli import main; main()", "serve", "--port", "0", "--no-house"]
    second = subprocess.run(
        [*command, "--data", str(service.data)], capture_output=True, text=True, timeout=30, check=False
    )
    assert second.returncode == 1
    assert f"is in use by process {service.ready['pid']}" in second.stderr
    assert "Traceback" not in second.stderr
