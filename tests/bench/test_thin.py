"""The thin client against grpcio's server, and against a scripted peer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import grpc
import grpc.aio
import pytest
from hpack import Encoder

from landsraad_bench.thin_client import ThinCallFailed, ThinClient
from landsraad_bench.transports import Carrier
from landsraad_http2 import frames
from landsraad_http2.frames import Frame, FrameReader
from landsraad_http2.limits import Limits
from landsraad_http2.server import Server

_SERVICE = "landsraad.bench.Test"
_BOUND = 20.0
_MIB = 1 << 20

Serve = Callable[["Handler"], AbstractAsyncContextManager[str]]
Handler = Callable[[AsyncIterator[bytes], Any], AsyncIterator[bytes]]


# ------------------------------------------------------------------------------------------------------ a whole server


def grpcio() -> Any:
    return grpc.aio.server(options=(("grpc.max_receive_message_length", -1),))


def ours() -> Any:
    return Server(limits=Limits(message_bytes=64 << 20))


@pytest.fixture(params=[grpcio, ours])
def serve(request: pytest.FixtureRequest) -> Serve:
    """Serve one method, Play, by either transport; return the address."""

    @asynccontextmanager
    async def served(handler: Handler) -> AsyncIterator[str]:
        server = request.param()
        handlers: dict[str, Any] = {"Play": grpc.stream_stream_rpc_method_handler(handler)}
        server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(_SERVICE, handlers),))
        port = server.add_insecure_port("127.0.0.1:0")
        await server.start()
        try:
            yield f"127.0.0.1:{port}"
        finally:
            await server.stop(None)

    return served


def call(address: str, method: str = "Play", metadata: tuple[tuple[str, str], ...] = ()) -> ThinClient:
    return ThinClient(address, f"/{_SERVICE}/{method}", metadata)


async def answered(carrier: Carrier, count: int) -> list[bytes]:
    """Receive so many messages, then cancel the call."""
    got: list[bytes] = []
    enough = asyncio.Event()

    def take(message: bytes) -> None:
        got.append(message)
        if len(got) == count:
            enough.set()

    running = asyncio.create_task(carrier.run(take))
    waiting = asyncio.create_task(enough.wait())
    await asyncio.wait({running, waiting}, timeout=_BOUND, return_when=asyncio.FIRST_COMPLETED)
    running.cancel()
    waiting.cancel()
    await asyncio.gather(running, return_exceptions=True)
    return got


async def echo(messages: AsyncIterator[bytes], _context: Any) -> AsyncIterator[bytes]:
    async for message in messages:
        yield message


@pytest.mark.asyncio
async def test_messages_of_all_sizes_go_there_and_come_back_in_order(serve: Serve) -> None:
    messages = [b"a" * size for size in (0, 1, 100, 16_379, 16_380, 70_000, 0, 3 * _MIB, 2)]
    async with serve(echo) as address:
        carrier = call(address)
        for message in messages:
            carrier.send(message)
        assert await answered(carrier, len(messages)) == messages


@pytest.mark.asyncio
async def test_much_more_than_the_windows_hold_goes_both_ways(serve: Serve) -> None:
    message = bytes(range(256)) * 4096
    async with serve(echo) as address:
        carrier = call(address)
        for _ in range(40):
            carrier.send(message)
        got = await answered(carrier, 40)
    assert len(got) == 40
    assert set(got) == {message}


@pytest.mark.asyncio
async def test_the_service_reads_the_metadata(serve: Serve) -> None:
    async def tell(_messages: AsyncIterator[bytes], context: Any) -> AsyncIterator[bytes]:
        yield dict(context.invocation_metadata())["authorization"].encode()

    async with serve(tell) as address:
        assert await answered(call(address, metadata=(("authorization", "Bearer x"),)), 1) == [b"Bearer x"]


@pytest.mark.asyncio
async def test_a_call_that_the_service_ends_well(serve: Serve) -> None:
    async def say(_messages: AsyncIterator[bytes], _context: Any) -> AsyncIterator[bytes]:
        yield b"only this"

    got: list[bytes] = []
    async with serve(say) as address:
        await asyncio.wait_for(call(address).run(got.append), _BOUND)
    assert got == [b"only this"]


@pytest.mark.asyncio
async def test_a_call_that_the_service_refuses(serve: Serve) -> None:
    async def refuse(_messages: AsyncIterator[bytes], context: Any) -> AsyncIterator[bytes]:
        await context.abort(grpc.StatusCode.PERMISSION_DENIED, "100 % «no»")
        yield b""

    async with serve(refuse) as address:
        with pytest.raises(ThinCallFailed) as failed:
            await asyncio.wait_for(call(address).run(print), _BOUND)
        assert (failed.value.code, failed.value.details) == (grpc.StatusCode.PERMISSION_DENIED, "100 % «no»")
        with pytest.raises(ThinCallFailed) as failed:
            await asyncio.wait_for(call(address, "Nothing").run(print), _BOUND)
        assert failed.value.code is grpc.StatusCode.UNIMPLEMENTED


@pytest.mark.asyncio
async def test_the_service_hears_that_a_player_has_left(serve: Serve) -> None:
    left = asyncio.Event()

    async def wait(messages: AsyncIterator[bytes], context: Any) -> AsyncIterator[bytes]:
        context.add_done_callback(lambda _: left.set())
        async for message in messages:
            yield message

    async with serve(wait) as address:
        carrier = call(address)
        carrier.send(b"here")
        assert await answered(carrier, 1) == [b"here"]
        await asyncio.wait_for(left.wait(), _BOUND)


@pytest.mark.asyncio
async def test_nobody_is_there() -> None:
    with pytest.raises(ThinCallFailed) as failed:
        await asyncio.wait_for(call("127.0.0.1:1").run(print), _BOUND)
    assert failed.value.code is grpc.StatusCode.UNAVAILABLE


# -------------------------------------------------------------------------------------------------- a scripted server


class Peer:
    """The server's side of one connection, frame by frame."""

    def __init__(self, carrier: ThinClient, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.carrier = carrier
        self._reader = reader
        self._writer = writer
        self._frames = FrameReader(frames.MOST_FRAME_SIZE)
        self._came: list[Frame] = []

    async def greet(self) -> None:
        assert await self._reader.readexactly(len(frames.PREFACE)) == frames.PREFACE
        self.say(frames.settings())
        await self.hear(frames.HEADERS)

    def say(self, *said: bytes) -> None:
        self._writer.write(b"".join(said))

    async def hear(self, kind: int) -> Frame:
        """Return the next frame of this kind, skipping others."""
        while (found := await self.next())[0] != kind:
            pass
        return found

    async def next(self) -> Frame:
        while not self._came:
            data = await asyncio.wait_for(self._reader.read(1 << 16), _BOUND)
            assert data, "the client has gone"
            self._came += self._frames.feed(data)
        return self._came.pop(0)

    def close(self) -> None:
        self._writer.close()


@asynccontextmanager
async def scripted(*, messages: tuple[bytes, ...] = ()) -> AsyncIterator[tuple[Peer, asyncio.Task[None], list[bytes]]]:
    """Provide the peer, the running call, and the messages received so far."""
    met: asyncio.Future[tuple[Any, ...]] = asyncio.get_running_loop().create_future()
    server = await asyncio.start_server(lambda *ends: met.set_result(ends), "127.0.0.1", 0)
    carrier = call(f"127.0.0.1:{server.sockets[0].getsockname()[1]}")
    for message in messages:
        carrier.send(message)
    got: list[bytes] = []
    running = asyncio.create_task(carrier.run(got.append))
    peer = Peer(carrier, *await asyncio.wait_for(met, _BOUND))
    try:
        await peer.greet()
        yield peer, running, got
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        peer.close()
        server.close()


def block(*pairs: tuple[str, str]) -> bytes:
    return Encoder().encode(pairs)


def message(body: bytes) -> bytes:
    return frames.message_prefix(len(body)) + body


TRAILERS = block((":status", "200"), ("grpc-status", "0"))
OK = frames.headers(1, TRAILERS, last=True)


async def failure(running: asyncio.Task[None]) -> grpc.StatusCode:
    with pytest.raises(ThinCallFailed) as failed:
        await asyncio.wait_for(running, _BOUND)
    return failed.value.code


@pytest.mark.asyncio
@pytest.mark.parametrize("size", [1, 4, 5, 7, 1000])
async def test_messages_however_they_are_cut(size: int) -> None:
    bodies = [b"", b"abc", b"x" * 300]
    whole = b"".join(map(message, bodies))
    async with scripted() as (peer, running, got):
        peer.say(*(frames.data(1, whole[at : at + size]) for at in range(0, len(whole), size)), OK)
        await asyncio.wait_for(running, _BOUND)
    assert got == bodies


@pytest.mark.asyncio
async def test_padding_and_frames_that_say_nothing_to_us() -> None:
    padded = frames.frame(frames.DATA, frames.PADDED, 1, b"\3" + message(b"abc") + b"\0\0\0")
    async with scripted() as (peer, running, got):
        unknown = frames.frame(77, 0, 1, b"?")
        peer.say(frames.frame(frames.PRIORITY, 0, 1, b"\0" * 5), unknown, frames.SETTINGS_ACK, padded, OK)
        await asyncio.wait_for(running, _BOUND)
    assert got == [b"abc"]


@pytest.mark.asyncio
async def test_trailers_in_several_frames() -> None:
    async with scripted() as (peer, running, _):
        peer.say(frames.headers(1, TRAILERS, last=True, most=3))
        await asyncio.wait_for(running, _BOUND)


@pytest.mark.asyncio
async def test_pings_are_answered() -> None:
    async with scripted() as (peer, _running, _):
        peer.say(frames.ping(b"12345678"))
        assert await peer.hear(frames.PING) == (frames.PING, frames.ACK, 0, b"12345678")


@pytest.mark.asyncio
async def test_no_more_is_sent_than_the_service_gives_credit_for() -> None:
    sent = message(b"a" * 50) + message(b"b" * 100_000)
    async with scripted(messages=(b"a" * 50, b"b" * 100_000)) as (peer, running, _):
        came = b""
        while len(came) < frames.FIRST_WINDOW:  # the initial window of the standard
            came += (await peer.hear(frames.DATA))[3]
        assert len(came) == frames.FIRST_WINDOW
        peer.say(frames.window_update(0, 1 << 20), frames.window_update(1, 3))
        piece = (await peer.hear(frames.DATA))[3]
        assert len(piece) == 3
        # A smaller initial window makes the stream's window negative (RFC 9113, 6.9.2): a credit of 10 is not enough.
        peer.say(frames.settings([(frames.INITIAL_WINDOW_SIZE, frames.FIRST_WINDOW - 20)]))
        peer.say(frames.window_update(1, 10), frames.ping(b"x" * 8))
        assert [(await peer.next())[0] for _ in range(2)] == [frames.SETTINGS, frames.PING]
        came += piece
        peer.say(frames.window_update(1, 1 << 20))
        while len(came) < len(sent):
            kind, _, _, piece = await peer.next()
            assert kind == frames.DATA
            assert len(piece) <= frames.FIRST_FRAME_SIZE
            came += piece
        assert came == sent
        assert not running.done()


@pytest.mark.asyncio
async def test_frames_are_as_large_as_the_service_takes_them() -> None:
    grown = frames.MOST_WINDOW - frames.FIRST_WINDOW
    async with scripted() as (peer, _running, _):
        peer.say(frames.settings([(frames.MAX_FRAME_SIZE, 1 << 20), (frames.INITIAL_WINDOW_SIZE, frames.MOST_WINDOW)]))
        peer.say(frames.window_update(0, grown), frames.ping(b"x" * 8))
        await peer.hear(frames.PING)
        peer.carrier.send(b"m" * 500_000)
        assert (await peer.next())[3] == message(b"m" * 500_000)


@pytest.mark.asyncio
async def test_what_is_sent_in_a_tick_goes_out_in_one_write() -> None:
    written: list[bytes] = []

    class Wire(asyncio.Transport):
        def write(self, data: Any) -> None:
            written.append(data)

    carrier = call("127.0.0.1:1")
    carrier.connection_made(Wire())
    written.clear()
    for number in range(20):
        carrier.send(b"%d" % number)
    assert written == []
    await asyncio.sleep(0)  # the next tick
    [once] = written
    carrier.data_received(frames.ping(b"x" * 8) + frames.settings())
    assert written == [once, frames.ping_ack(b"x" * 8) + frames.SETTINGS_ACK]


class Written(asyncio.Transport):
    """A transport that keeps what is written."""

    def __init__(self) -> None:
        super().__init__()
        self.written = b""

    def write(self, data: Any) -> None:
        self.written += data


def connected(on_message: Callable[[bytes], None]) -> tuple[ThinClient, Written]:
    """A client after its opening frames, fed by the test."""
    carrier, wire = call("127.0.0.1:1"), Written()
    carrier._on_message = on_message
    carrier.connection_made(wire)
    wire.written = b""
    return carrier, wire


@pytest.mark.asyncio
@pytest.mark.parametrize("size", [*range(1, 40), 1000])
async def test_what_comes_is_the_same_however_it_is_read(size: int) -> None:
    """Whole messages take the fast path, those that are cut the slow one, and other frames may lie between them."""
    bodies = [b"", b"a", b"b" * 20, b"", b"c" * 5, b"d" * 6, b"e" * 7, b"f"]
    cut = message(b"c" * 5) + message(b"d" * 6)
    said = b"".join((
        *(frames.message_head(1, len(body)) + body for body in bodies[:3]),
        frames.ping(b"12345678"),
        frames.data(1, message(b"") + cut[:3]),
        frames.settings(),
        frames.data(1, cut[3:-1]),
        frames.data(1, cut[-1:]),
        frames.message_head(1, 7) + bodies[6],
        frames.frame(frames.DATA, frames.PADDED, 1, b"\2" + message(b"f") + b"\0\0"),
    ))  # fmt: skip
    got: list[bytes] = []
    carrier, wire = connected(got.append)
    for at in range(0, len(said), size):
        carrier.data_received(said[at : at + size])
    assert got == bodies
    assert wire.written == frames.ping_ack(b"12345678") + frames.SETTINGS_ACK


@pytest.mark.asyncio
async def test_credit_is_given_for_the_payload_of_whole_messages() -> None:
    said = frames.message_head(1, 2995) + b"x" * 2995
    carrier, wire = connected(lambda _: None)
    for _ in range(8 * _MIB // 6000 + 1):
        assert wire.written == b""
        carrier.data_received(said + said)
    given = (8 * _MIB // 6000 + 1) * 6000
    assert wire.written == frames.window_update(0, given) + frames.window_update(1, given)


@pytest.mark.asyncio
async def test_a_frame_that_is_too_large_is_not_taken_because_it_is_whole() -> None:
    got: list[bytes] = []
    carrier, wire = connected(got.append)
    carrier.data_received(frames.message_head(1, 2 * _MIB) + b"x" * (2 * _MIB))
    assert (got, wire.written) == ([], frames.goaway(0, frames.FRAME_SIZE_ERROR))
    with pytest.raises(ThinCallFailed, match="larger than was allowed"):
        carrier._ended.result()


@pytest.mark.asyncio
async def test_credit_is_given_before_the_service_has_to_wait() -> None:
    async with scripted() as (peer, running, got):
        peer.say(*(frames.data(1, message(b"x" * (_MIB - 9))) for _ in range(9)))
        for stream in (0, 1):
            _, _, of, payload = await peer.hear(frames.WINDOW_UPDATE)
            assert (of, frames.number(payload)) == (stream, 9 * (_MIB - 4))
        assert (len(got), running.done()) == (9, False)


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("said", "code"),
    [
        (frames.rst_stream(1, frames.CANCEL), grpc.StatusCode.CANCELLED),
        (frames.rst_stream(1, frames.REFUSED_STREAM), grpc.StatusCode.UNAVAILABLE),
        (frames.rst_stream(1, frames.ENHANCE_YOUR_CALM), grpc.StatusCode.RESOURCE_EXHAUSTED),
        (frames.rst_stream(1, frames.PROTOCOL_ERROR), grpc.StatusCode.INTERNAL),
        (frames.goaway(0, frames.NO_ERROR, "full"), grpc.StatusCode.UNAVAILABLE),
        (frames.goaway(1, frames.NO_ERROR) + frames.rst_stream(1, frames.CANCEL), grpc.StatusCode.CANCELLED),
        (frames.data(1, b"", last=True), grpc.StatusCode.INTERNAL),
        (frames.headers(1, block((":status", "200")), last=True), grpc.StatusCode.UNKNOWN),
        (frames.headers(1, block((":status", "503")), last=True), grpc.StatusCode.UNKNOWN),
        (frames.headers(1, b"\xff\xff\xff\xff\xff", last=True), grpc.StatusCode.INTERNAL),
        (frames.data(1, b"\1\0\0\0\1x"), grpc.StatusCode.INTERNAL),
        (frames.frame(frames.DATA, 0, 1, b"x" * (2 << 20)), grpc.StatusCode.INTERNAL),
    ],
)
async def test_how_calls_end(said: bytes, code: grpc.StatusCode) -> None:
    async with scripted() as (peer, running, _):
        peer.say(said)
        assert await failure(running) is code


@pytest.mark.asyncio
async def test_the_service_is_gone() -> None:
    async with scripted() as (peer, running, _):
        peer.close()
        assert await failure(running) is grpc.StatusCode.UNAVAILABLE


@pytest.mark.asyncio
async def test_the_service_learns_what_was_wrong_with_it() -> None:
    async with scripted() as (peer, running, _):
        peer.say(frames.frame(frames.DATA, 0, 1, b"x" * (2 << 20)))
        await failure(running)
        _, _, _, payload = await peer.hear(frames.GOAWAY)
        assert payload == frames.goaway(0, frames.FRAME_SIZE_ERROR)[frames.HEAD_BYTES :]


@pytest.mark.asyncio
async def test_who_leaves_says_so() -> None:
    async with scripted() as (peer, running, _):
        running.cancel()
        assert frames.number((await peer.hear(frames.RST_STREAM))[3]) == frames.CANCEL
        await peer.hear(frames.GOAWAY)


def fail(_message: bytes) -> None:
    raise ZeroDivisionError


@pytest.mark.asyncio
async def test_a_player_that_fails_ends_its_call(serve: Serve) -> None:
    async with serve(echo) as address:
        carrier = call(address)
        carrier.send(b"x")
        with pytest.raises(ZeroDivisionError):
            await asyncio.wait_for(carrier.run(fail), _BOUND)
