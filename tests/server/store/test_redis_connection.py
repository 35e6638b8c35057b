"""Connections of redis-py as we use them: what is checked, trusted, given up and asked again."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import hiredis
import pytest
import pytest_asyncio
from redis.asyncio.cluster import ClusterNode
from redis.asyncio.connection import AbstractConnection
from redis.exceptions import ConnectionError as Unreached
from tests.nodes import Nodes

from landsraad_server.store import EmbeddedServer, cluster, connect, errors
from landsraad_server.store.address import parse
from landsraad_server.store.pipeline import Pipeline
from landsraad_server.store.redis_connection import Access, Endpoint, dial, hang_up
from landsraad_server.store.resp import noop, pack
from landsraad_server.store.single_server import always
from landsraad_server.store.subscriptions import Subscriptions

pytestmark = pytest.mark.asyncio


# --- one connection


async def test_there_is_no_connection_without_its_check(server: EmbeddedServer) -> None:
    """Not even if redis-py makes it again by itself."""
    endpoint, checked = parse(server.url).endpoints[0], []

    async def check(connection: AbstractConnection) -> None:
        checked.append(connection)
        if len(checked) > 1:
            raise errors.UnsuitableServer("not any more")

    connection = await dial(endpoint, Access(), check)
    await hang_up(connection)
    with pytest.raises(errors.UnsuitableServer):
        await connection.send_packed_command(pack(b"PING"))
    assert checked == [connection, connection]
    await hang_up(connection)


@pytest.mark.parametrize("path", ["", "socket"])
async def test_a_password_is_told_as_wrong_over_any_kind_of_socket(nodes: Nodes, tmp_path: Path, path: str) -> None:
    settings = ("--unixsocket", str(tmp_path / path)) if path else ()
    node = nodes.add("--requirepass", "spice", *settings)
    endpoint = Endpoint(path=str(tmp_path / path)) if path else Endpoint("127.0.0.1", node.port)
    async with asyncio.timeout(20):
        while True:
            with contextlib.suppress(errors.NotExecuted):  # it does not listen yet
                await hang_up(await dial(endpoint, Access(password="spice")))
                break
            await asyncio.sleep(0.01)
    with pytest.raises(errors.AccessDenied):
        await dial(endpoint, Access(password="melange"))


class Deaf:
    """A server that greets and then reads nothing until `hear`."""

    def __init__(self) -> None:
        self.endpoint = Endpoint()
        self._heard = asyncio.Event()
        self._bytes = asyncio.get_running_loop().create_future()

    async def hear(self) -> int:
        """Return the number of bytes that have been sent after the greeting."""
        self._heard.set()
        async with asyncio.timeout(20):
            heard: int = await self._bytes
        return heard

    async def serve(self, source: asyncio.StreamReader, to: asyncio.StreamWriter) -> None:
        await source.readuntil(b"PING\r\n")
        to.write(b"*1\r\n$6\r\nmaster\r\n+PONG\r\n")
        await self._heard.wait()
        count = 0
        with contextlib.suppress(ConnectionError):
            while chunk := await source.read(1 << 20):
                count += len(chunk)
        to.close()
        if not self._bytes.done():
            self._bytes.set_result(count)


@pytest_asyncio.fixture
async def deaf() -> AsyncIterator[Deaf]:
    server = Deaf()
    listener = await asyncio.start_server(server.serve, "127.0.0.1", 0)
    server.endpoint = Endpoint(*listener.sockets[0].getsockname()[:2])
    yield server
    listener.close()
    await listener.wait_closed()


async def test_what_was_given_up_is_not_sent_afterwards(deaf: Deaf) -> None:
    """Its sender has been told, and may have repeated it over another connection."""
    pipeline = Pipeline(always(deaf.endpoint), Access())
    await pipeline.open(5.0)
    replies: list[Any] = []
    commands = [pack(b"SET", b"key", bytes(1 << 20)) for _ in range(32)]
    for command in commands:
        pipeline.send(b"", command, replies.append)
    await asyncio.sleep(0)
    await asyncio.sleep(0)  # the write has been made: most of it waits in the transport's buffer
    pipeline.send(b"", commands[0], replies.append)
    await pipeline.close()
    assert [type(reply) for reply in replies] == [errors.ReplyLost] * 32 + [errors.NotExecuted]
    assert await deaf.hear() < sum(map(len, commands)) / 2


# --- Sentinels


async def test_sentinels_that_reject_the_password_are_told_at_once(nodes: Nodes, tmp_path: Path) -> None:
    settings = tmp_path / "sentinel.conf"
    settings.write_text("requirepass spice\nsentinel monitor duke 127.0.0.1 1 1\n")
    sentinel = nodes.add(str(settings), "--sentinel")
    where = f"redis+sentinel://127.0.0.1:{sentinel.port}/duke?sentinel_password="
    with pytest.raises(errors.AccessDenied) as told:
        await connect(f"{where}melange", patience=3600)
    assert "melange" not in str(told.value)
    with pytest.raises(errors.NotExecuted, match=r"duke|127\.0\.0\.1:1"):  # it is let in; there is no such master
        await connect(f"{where}spice", patience=0.1)


# --- a cluster's table of slots


class Slots:
    """Answers of a cluster's nodes to CLUSTER SLOTS."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.asked: list[str] = []
        self.ranges: list[list[Any]] | None = None  # None: no node is reached

        async def execute_command(node: ClusterNode, *_: Any) -> Any:
            self.asked.append(node.name)
            if self.ranges is None:
                raise Unreached("nobody there")
            return self.ranges

        monkeypatch.setattr(ClusterNode, "execute_command", execute_command)
        monkeypatch.setattr(cluster, "_CONNECT_SECONDS", 0.01)


@pytest.fixture
def slots(monkeypatch: pytest.MonkeyPatch) -> Slots:
    return Slots(monkeypatch)


@pytest_asyncio.fixture
async def link() -> AsyncIterator[cluster.Cluster]:
    link = cluster.Cluster([Endpoint("127.0.0.1", 3)], Access())
    yield link
    await link.close()


async def test_a_cluster_whose_known_nodes_are_all_gone_is_found_by_its_seeds(
    slots: Slots, link: cluster.Cluster
) -> None:
    slots.ranges = [[0, 16383, [b"127.0.0.1", 1]]]
    await link._look()
    slots.ranges = None
    with pytest.raises(errors.NotExecuted, match="nobody there"):
        await link._look()
    slots.ranges = [[0, 16383, [b"127.0.0.1", 2]]]
    await link._look()
    assert slots.asked == ["127.0.0.1:3", "127.0.0.1:1", "127.0.0.1:3"]
    assert list(link._nodes) == ["127.0.0.1:2"]


async def test_a_slot_that_nobody_serves_is_refused_before_anything_is_sent(
    slots: Slots, link: cluster.Cluster
) -> None:
    slots.ranges = []
    with pytest.raises(errors.NotExecuted, match="no slot"):
        await link._look()
    slots.ranges = [[0, 100, [b"127.0.0.1", 1]]]
    await link._look()
    with pytest.raises(errors.NotExecuted, match="slot"):
        link.send(b"{duke}", pack(b"PING"), noop)  # slot 2824
    assert not link.up


# --- publications


class Publisher:
    """A server of some version that answers what a subscription asks, and publishes once to each channel."""

    def __init__(self, version: str) -> None:
        self.version = version
        self.endpoint = Endpoint()
        self.subscribed: list[bytes] = []

    async def serve(self, source: asyncio.StreamReader, to: asyncio.StreamWriter) -> None:
        commands = hiredis.Reader()
        with contextlib.suppress(ConnectionError):
            while chunk := await source.read(65536):
                commands.feed(chunk)
                while command := commands.gets():
                    to.write(self._answer(*command))
        to.close()

    def _answer(self, name: bytes, *arguments: bytes) -> bytes:
        if name == b"INFO":
            info = f"redis_version:{self.version}\r\n".encode()
            return b"$%d\r\n%b\r\n" % (len(info), info)
        if name.endswith(b"subscribe"):
            self.subscribed.append(name)
            kind, channel = name.removesuffix(b"subscribe"), arguments[0]
            return pack(name, channel) + pack(kind + b"message", channel, b"news")
        replies = {b"ROLE": pack(b"master"), b"CONFIG": pack(b"appendfsync", b"always"), b"PING": b"+PONG\r\n"}
        return replies[name]


@pytest.mark.parametrize(("version", "command"), [("6.2.14", b"subscribe"), ("7.0.0", b"ssubscribe")])
async def test_channels_are_those_that_the_version_of_the_server_publishes_on(version: str, command: bytes) -> None:
    heard: asyncio.Queue[bytes] = asyncio.Queue()

    class Hearing:
        def ready(self) -> None:
            heard.put_nowait(b"ready")

        def message(self, blob: bytes) -> None:
            heard.put_nowait(blob)

    publisher = Publisher(version)
    async with await asyncio.start_server(publisher.serve, "127.0.0.1", 0) as listener:
        endpoint = Endpoint(*listener.sockets[0].getsockname()[:2])
        subscriptions = Subscriptions(always(endpoint), Access())
        await subscriptions.open(5.0)
        subscriptions.listen(b"log:{m}", Hearing())
        async with asyncio.timeout(10):
            assert [await heard.get(), await heard.get()] == [b"ready", b"news"]
        assert publisher.subscribed == [command]
        await subscriptions.close()
