"""Turns of the loop: what comes in one piece is handled in slices, and whoever sends little does not wait for it."""

from __future__ import annotations

import asyncio
from typing import Any

import grpc
import pytest

from landsraad_http2 import frames
from landsraad_http2.connection import Connection
from landsraad_http2.frames import FrameReader
from landsraad_http2.limits import CONNECTION_BYTES, Limits
from landsraad_http2.server import Server
from landsraad_testkit.http2_peer import SERVICE, Methods, message, request

pytestmark = pytest.mark.asyncio

GREETING = frames.PREFACE + frames.settings() + frames.SETTINGS_ACK
#: Takes at least some thirty milliseconds.
PILE = b"".join(
    [
        frames.headers(1, request("Count")),
        frames.data(1, frames.message_prefix(60_000)),
        frames.data(1, b"x") * 59_999,
    ]
)


class Pipe(asyncio.Transport):
    """A transport that keeps what is written, and knows whether it is to read."""

    def __init__(self, host: str) -> None:
        super().__init__({"peername": (host, 1)})
        self.written = b""
        self.reading = True

    def write(self, data: Any) -> None:
        self.written += data

    def pause_reading(self) -> None:
        self.reading = False

    def resume_reading(self) -> None:
        self.reading = True

    def is_closing(self) -> bool:
        return False

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        pass

    def get_write_buffer_size(self) -> int:
        return 0

    def close(self) -> None:
        pass

    def answered(self) -> bool:
        """Return whether a ping was answered."""
        return any(kind == frames.PING for kind, *_ in FrameReader(1 << 18).feed(self.written))


def connected(server: Server, host: str) -> tuple[Connection, Pipe]:
    """A connection from that address, which has greeted."""
    connection, pipe = server.protocol(), Pipe(host)
    connection.connection_made(pipe)
    connection.data_received(GREETING)
    return connection, pipe


@pytest.mark.parametrize("other", ["127.0.0.2", "127.0.0.1"])
async def test_a_pile_delays_nobody(other: str) -> None:
    """Neither at another address nor at the same."""
    server = Server(limits=Limits(abuse_budget=1_000_000, address_abuse_budget=1_000_000))
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, Methods().handlers()),))
    busy, pipe = connected(server, "127.0.0.1")
    neighbour, line = connected(server, other)
    busy.data_received(PILE)
    assert not pipe.reading
    assert server.kept.bytes > len(PILE) // 2
    neighbour.data_received(frames.ping(bytes(8)))
    turns = 0
    while not line.answered():
        turns += 1
        await asyncio.sleep(0)
    assert turns <= 4
    assert not pipe.reading  # the pile is not done
    async with asyncio.timeout(20):
        while not pipe.reading:  # noqa: ASYNC110
            await asyncio.sleep(0)
    busy.data_received(frames.data(1, b"x", last=True))
    async with asyncio.timeout(20):
        while message(b"1 60000") not in pipe.written:  # noqa: ASYNC110
            await asyncio.sleep(0)
    assert server.kept.bytes == 2 * CONNECTION_BYTES
    for one in (busy, neighbour):
        one.connection_lost(None)
    assert not server.kept.bytes


async def test_who_is_gone_waits_no_more() -> None:
    server = Server(limits=Limits(abuse_budget=1_000_000, address_abuse_budget=1_000_000))
    connection, _ = connected(server, "127.0.0.1")
    connection.data_received(PILE)
    connection.connection_lost(None)
    assert not server.kept.bytes
    for _ in range(5):
        await asyncio.sleep(0)
    assert not server.kept.bytes


async def test_addresses_of_one_network_are_one() -> None:
    """Of IPv6 everybody has 2 ** 64 addresses, and some addresses of it are those of IPv4."""
    server = Server()
    quotas = {
        host: connected(server, host)[0].quota
        for host in ("2001:db8::1", "2001:db8::2", "2001:db8:0:1::1", "127.0.0.1", "::ffff:127.0.0.1")
    }
    assert quotas["2001:db8::1"] is quotas["2001:db8::2"] is not quotas["2001:db8:0:1::1"]
    assert quotas["127.0.0.1"] is quotas["::ffff:127.0.0.1"]
    for connection in tuple(server.connections):
        connection.connection_lost(None)


async def test_a_line_in_the_log_now_and_then(caplog: pytest.LogCaptureFixture) -> None:
    """One for many refusals, in numbers."""
    server = Server()
    connection, _ = connected(server, "127.0.0.1")
    connection.data_received(frames.headers(2, request()))
    for _ in range(1_000):
        server.counters.refused()
    for _ in range(3):
        await asyncio.sleep(0)
    assert [record.getMessage() for record in caplog.records] == [
        "streams refused: 1000, evicted: 0; connections ended for a fault: 1"
    ]
    assert server.figures()["goaways"] == 1
    assert server.figures()["refused_streams"] == 1_000
    connection.connection_lost(None)
