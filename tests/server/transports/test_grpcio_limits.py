"""The options of the default transport, each tried over a real connection where it can be observed."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import grpc
import grpc.aio
import pytest
import pytest_asyncio

from landsraad import AsyncClient
from landsraad.async_seat import AsyncSeat
from landsraad_http2 import frames
from landsraad_server.request_limits import MOST_READ_BYTES
from landsraad_server.transports import grpcio
from landsraad_server.transports.grpcio import OPTIONS, GrpcioServer
from landsraad_testkit.http2_peer import SERVICE, Methods, Peer, call, message, request
from landsraad_testkit.raw_stream import PATIENCE_SECONDS

if TYPE_CHECKING:
    from tests.server.conftest import StartWorker

pytestmark = pytest.mark.asyncio

Serve = Callable[..., Awaitable[int]]
MEBIBYTE = 1 << 20


@pytest.fixture
def change(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Give options other values, by the last part of their names."""

    def run(**values: int) -> None:
        by_name = {option.name.rpartition(".")[2]: option for option in OPTIONS}
        assert values.keys() <= by_name.keys()
        changed = [option._replace(value=values.get(name, option.value)) for name, option in by_name.items()]
        monkeypatch.setattr(grpcio, "OPTIONS", tuple(changed))

    return run


@pytest_asyncio.fixture
async def methods() -> Methods:
    return Methods()


@pytest_asyncio.fixture
async def serve(methods: Methods, change: Callable[..., None]) -> AsyncIterator[Serve]:
    """Start a server and return its port; `serve(max_concurrent_streams=1)` changes options."""
    servers: list[GrpcioServer] = []

    async def run(**values: int) -> int:
        change(**values)
        server = GrpcioServer(message_bytes=MOST_READ_BYTES, shared_port=False)
        server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, methods.handlers()),))
        port = server.listen("127.0.0.1:0")
        await server.start()
        servers.append(server)
        return port

    yield run
    methods.go.set()
    for server in servers:
        await server.stop(None)


@pytest_asyncio.fixture
async def peer(serve: Serve) -> AsyncIterator[Callable[..., Awaitable[Peer]]]:
    """Connect a client that keeps no rules: to a new server, or to a port."""
    peers: list[Peer] = []

    async def run(port: int = 0, *, greets: bool = True, **values: int) -> Peer:
        one = Peer(*await asyncio.open_connection("127.0.0.1", port or await serve(**values)))
        peers.append(one)
        if greets:
            one.send_preface()
        return one

    yield run
    for one in peers:
        one.cut()


def stub(channel: grpc.aio.Channel, method: str) -> Any:
    return channel.unary_unary(f"/{SERVICE}/{method}")


async def test_what_a_client_is_told_in_the_settings(peer: Any) -> None:
    one = await peer()
    settings = dict(frames.read_settings((await one.next(frames.SETTINGS))[3]))
    assert settings[frames.MAX_CONCURRENT_STREAMS] == 1024
    assert settings[frames.MAX_HEADER_LIST_SIZE] == 16 << 10
    assert settings.get(frames.INITIAL_WINDOW_SIZE, frames.FIRST_WINDOW) <= 64 << 10


async def test_a_stream_too_many_is_refused(peer: Any, methods: Methods) -> None:
    one = await peer(max_concurrent_streams=2)
    one.send(*(call(number, "Hold") for number in (1, 3, 5)))
    assert (await one.reset())[0] == 5
    methods.go.set()
    assert (await one.headers())[0] in {1, 3}


async def test_what_nobody_reads_does_not_pile_up(peer: Any) -> None:
    """The window of a stream is not opened until the handler reads."""
    one = await peer()
    one.send(frames.headers(1, request("Deaf")))
    size = 16 << 10
    allowed, sent = frames.FIRST_WINDOW, 0
    while sent + size <= allowed < MEBIBYTE:
        sent += size
        one.send(frames.data(1, message(bytes(size - frames.PREFIX_BYTES))), frames.ping(b"answered"))
        while (frame := await one.next(frames.WINDOW_UPDATE, frames.PING))[3] != b"answered":
            if frame[0] == frames.WINDOW_UPDATE and frame[2] == 1:
                allowed += frames.number(frame[3])
    assert sent <= 192 << 10


@pytest.mark.parametrize("encoding", ["gzip", "deflate"])
async def test_compressed_messages_are_refused_before_they_are_unpacked(encoding: str) -> None:
    algorithm = {"gzip": grpc.Compression.Gzip, "deflate": grpc.Compression.Deflate}[encoding]
    bomb = bytes(64 * MEBIBYTE)
    with _echo_process() as (process, port):
        before = _peak_bytes(process.pid)
        options = (("grpc.max_send_message_length", -1),)
        async with grpc.aio.insecure_channel(f"127.0.0.1:{port}", options=options) as channel:
            for _ in range(2):
                with pytest.raises(grpc.aio.AioRpcError) as refused:
                    await stub(channel, "Echo")(bomb, compression=algorithm, timeout=PATIENCE_SECONDS)
                assert refused.value.code() is grpc.StatusCode.UNIMPLEMENTED
            assert await stub(channel, "Echo")(b"hello", timeout=PATIENCE_SECONDS) == b"hello"
        assert _peak_bytes(process.pid) - before < 16 * MEBIBYTE


@contextmanager
def _echo_process() -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A server in a process of its own, whose memory can be measured."""
    command = [sys.executable, str(Path(__file__).with_name("echo_process.py"))]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        yield process, int(process.stdout.readline())
        process.stdin.close()


def _peak_bytes(pid: int) -> int:
    lines = Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines()
    return 1024 * int(next(line.split()[1] for line in lines if line.startswith("VmHWM")))


async def test_an_answer_beyond_all_limits_is_not_sent(serve: Serve) -> None:
    port = await serve(max_send_message_length=1000)
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await stub(channel, "Echo")(bytes(1001), timeout=PATIENCE_SECONDS)
        assert refused.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
        assert await stub(channel, "Echo")(bytes(1000), timeout=PATIENCE_SECONDS) == bytes(1000)


async def test_metadata_beyond_the_limit_is_refused(serve: Serve) -> None:
    port = await serve()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await stub(channel, "Echo")(b"", metadata=(("x-long", "y" * (17 << 10)),), timeout=PATIENCE_SECONDS)
        assert refused.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
        short = (("x-short", "y" * (7 << 10)),)
        assert await stub(channel, "Echo")(b"", metadata=short, timeout=PATIENCE_SECONDS) == b""


async def test_a_client_that_does_not_begin_is_closed(peer: Any) -> None:
    one = await peer(greets=False, server_handshake_timeout_ms=200)
    await one.closed()


async def test_a_client_that_does_not_answer_pings_is_closed(peer: Any, methods: Methods) -> None:
    """A half-open connection looks like this to the server."""
    one = await peer(keepalive_time_ms=100, keepalive_timeout_ms=100, ping_timeout_ms=100)
    await one.next(frames.SETTINGS)
    one.acknowledges = False
    one.send(call(1, "Hold"))
    await one.closed()
    assert await asyncio.wait_for(methods.ends.get(), PATIENCE_SECONDS) == "cancelled"


async def test_an_idle_connection_is_closed(peer: Any) -> None:
    one = await peer(max_connection_idle_ms=200)
    assert await one.error() is not None


async def test_an_old_connection_is_closed_with_its_streams(peer: Any, methods: Methods) -> None:
    one = await peer(max_connection_age_ms=200, max_connection_age_grace_ms=200)
    one.send(call(1, "Hold"))
    assert await one.error() == frames.NO_ERROR
    assert await asyncio.wait_for(methods.ends.get(), PATIENCE_SECONDS) == "cancelled"


async def test_a_client_that_pings_without_end_is_closed(peer: Any) -> None:
    one = await peer()
    one.send(*(frames.ping(bytes(8)) for _ in range(10)))
    assert await one.error() == frames.ENHANCE_YOUR_CALM


async def test_a_connection_too_many_is_closed(peer: Any, serve: Serve) -> None:
    port = await serve(max_allowed_incoming_connections=2)
    first, second = await peer(port), await peer(port)
    assert await first.alive()
    assert await second.alive()
    third = await peer(port)
    await third.closed()
    assert await first.alive()


async def test_a_call_too_many_is_refused(peer: Any, monkeypatch: pytest.MonkeyPatch, methods: Methods) -> None:
    monkeypatch.setattr(grpcio, "MOST_CALLS", 2)
    one = await peer()
    one.send(*(call(number, "Hold") for number in (1, 3)))
    async with asyncio.timeout(PATIENCE_SECONDS):
        while len(methods.contexts) < 2:  # noqa: ASYNC110  nothing tells of the second
            await asyncio.sleep(0.01)
    one.send(call(5))
    number, fields, _ = await one.headers()
    assert (number, fields["grpc-status"]) == (5, str(grpc.StatusCode.RESOURCE_EXHAUSTED.value[0]))


async def test_players_do_not_notice_that_their_connections_age(
    start_worker: StartWorker, change: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A whole match over connections that live for a second: every answer counts once, and no call fails."""
    change(max_connection_age_ms=1000, max_connection_age_grace_ms=100)
    worker = await start_worker()
    opened: asyncio.Queue[None] = asyncio.Queue()
    serve = worker.streams.serve

    async def counted(*arguments: Any) -> None:
        opened.put_nowait(None)
        await serve(*arguments)

    monkeypatch.setattr(worker.streams, "serve", counted)
    answers = [0, 0, 0]

    async def play(seat: AsyncSeat) -> None:
        rng = Random(seat.number)
        async for decision in seat:
            if seat.number == 0 and answers[0] < 3:
                await opened.get()  # a new stream has taken the place of one that has aged
            await seat.answer(decision.sample(rng), decision)
            answers[seat.number] += 1

    async with AsyncClient(worker.address) as client, asyncio.timeout(60):
        match = await client.create_match("teaching", 3)
        seats = [await client.join(match.name) for _ in range(3)]
        await asyncio.gather(*map(play, seats))
        journal = (await client.certificate(match.name))["journal"]
        accepted = [seat for seat, kind, _ in journal if kind == "answer"]
        assert [accepted.count(seat) for seat in range(3)] == answers
        for seat in seats:
            assert seat.timeouts == 0
            assert (await client.replay(match.name, seat.number)).view().table == seat.view.table
