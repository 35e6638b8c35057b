"""What clients of grpcio do without being asked, or can be asked to do: retries, keepalive; and who only knocks."""

from __future__ import annotations

import asyncio
import json
import socket
import struct
from typing import TYPE_CHECKING, Any

import grpc
import grpc.aio
import pytest

from landsraad_testkit.http2_peer import SERVICE, Methods
from landsraad_testkit.raw_stream import PATIENCE_SECONDS

if TYPE_CHECKING:
    from tests.server.http2.conftest import Connect, Serve

pytestmark = pytest.mark.asyncio

#: Clients that look after their connection as eagerly as they may, and measure what goes through it.
EAGER = (
    ("grpc.keepalive_time_ms", 1),
    ("grpc.keepalive_timeout_ms", 5_000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.max_pings_without_data", 0),
    ("grpc.http2.bdp_probe", 1),
)


async def test_retries(serve: Serve) -> None:
    """What is refused before anything was said is tried again, if the client is set up so, and says how often."""
    server, port = await serve()
    tried: list[str] = []

    async def third_time(request: bytes, context: Any) -> bytes:
        tried.append(dict(context.invocation_metadata()).get("grpc-previous-rpc-attempts", "0"))
        if len(tried) < 3:
            await context.abort(grpc.StatusCode.UNAVAILABLE, "not yet")
        return request

    handler: Any = grpc.unary_unary_rpc_method_handler(third_time)
    server.add_registered_method_handlers("retry.Retry", {"Try": handler})
    policy = {"maxAttempts": 4, "initialBackoff": "0.01s", "maxBackoff": "0.01s", "backoffMultiplier": 1}
    policy["retryableStatusCodes"] = ["UNAVAILABLE"]
    config = json.dumps({"methodConfig": [{"name": [{}], "retryPolicy": policy}]})
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}", options=[("grpc.service_config", config)]) as channel:
        call: Any = channel.unary_unary("/retry.Retry/Try")
        assert await call(b"x", timeout=PATIENCE_SECONDS) == b"x"
    assert tried == ["0", "1", "2"]


async def test_the_largest_message_both_ways(serve: Serve) -> None:
    _, port = await serve()
    body = bytes(range(256)) * ((4 << 20) // 256)
    for compression in (grpc.Compression.NoCompression, grpc.Compression.Gzip):
        async with grpc.aio.insecure_channel(f"127.0.0.1:{port}", compression=compression) as channel:
            echo: Any = channel.unary_unary(f"/{SERVICE}/Echo")
            assert await echo(body, timeout=PATIENCE_SECONDS) == body


async def test_clients_that_ask_often_whether_we_are_there(serve: Serve) -> None:
    """They may, as long as they have a call; and large answers let them ask even more."""
    _, port = await serve()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}", options=EAGER) as channel:
        repeat: Any = channel.unary_stream(f"/{SERVICE}/Repeat")
        for _ in range(5):
            sizes = [len(body) async for body in repeat(b"100000 20", timeout=PATIENCE_SECONDS)]
            assert sizes == [100_000] * 20


@pytest.mark.parametrize(("size", "code"), [(12_000, grpc.StatusCode.OK), (20_000, grpc.StatusCode.RESOURCE_EXHAUSTED)])
async def test_much_metadata(size: int, code: grpc.StatusCode, serve: Serve) -> None:
    _, port = await serve()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        call: Any = channel.unary_unary(f"/{SERVICE}/Echo")
        assert await call(b"x", metadata=(("x", "y" * size),), timeout=PATIENCE_SECONDS).code() is code
        assert await call(b"x", timeout=PATIENCE_SECONDS) == b"x"


@pytest.mark.parametrize("manner", ["closes", "resets", "asks in HTTP/1.1"])
async def test_who_only_knocks(
    manner: str,
    serve: Serve,
    methods: Methods,
    connect: Connect,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Load balancers look whether a port is open: that leaves nothing behind, no line in the log either."""
    server, port = await serve()
    for _ in range(5):
        with socket.create_connection(("127.0.0.1", port)) as knocking:
            if manner == "resets":
                knocking.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            elif manner == "asks in HTTP/1.1":
                knocking.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
    other = await connect(port=port)
    async with asyncio.timeout(PATIENCE_SECONDS):
        while len(server.connections) > 1:
            await other.alive()
    assert not caplog.records
    assert capfd.readouterr() == ("", "")
