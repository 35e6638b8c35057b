"""Clients of grpcio, the asynchronous and the synchronous one, find what they know from grpc.aio."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

import grpc
import grpc.aio
import pytest
import pytest_asyncio

from landsraad_testkit.http2_peer import SERVICE, Methods
from landsraad_testkit.raw_stream import PATIENCE_SECONDS

if TYPE_CHECKING:
    from tests.server.http2.conftest import Serve

pytestmark = pytest.mark.asyncio

LARGE = (("grpc.max_receive_message_length", -1), ("grpc.use_local_subchannel_pool", 1))


class Stub:
    """The methods that are served, as a client has them."""

    def __init__(self, channel: Any) -> None:
        self.channel = channel

    def one(self, method: str, body: bytes = b"hello", **more: Any) -> Any:
        return self.channel.unary_unary(f"/{SERVICE}/{method}")(body, timeout=more.pop("timeout", 20), **more)

    def few(self, method: str, body: bytes = b"hello", **more: Any) -> Any:
        return self.channel.unary_stream(f"/{SERVICE}/{method}")(body, timeout=20, **more)

    def many(self, method: str, bodies: Any, **more: Any) -> Any:
        return self.channel.stream_unary(f"/{SERVICE}/{method}")(bodies, timeout=20, **more)

    def both(self, method: str, bodies: Any = None, **more: Any) -> Any:
        return self.channel.stream_stream(f"/{SERVICE}/{method}")(bodies, timeout=20, **more)


@pytest_asyncio.fixture
async def stub(serve: Serve) -> AsyncIterator[Stub]:
    _, port = await serve()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}", options=LARGE) as channel:
        yield Stub(channel)


async def failed(call: Any) -> grpc.aio.AioRpcError:
    with pytest.raises(grpc.aio.AioRpcError) as error:
        await call
    return error.value


async def test_all_four_kinds(stub: Stub) -> None:
    assert await stub.one("Echo") == b"hello"
    assert [body async for body in stub.few("Repeat", b"3 4")] == [b"xxx"] * 4
    assert await stub.many("Count", iter([b"a", b"", b"bc"])) == b"3 3"
    for method in ("Chat", "Push"):
        bodies = [b"a", b"", b"x" * 100_000]
        assert [body async for body in stub.both(method, iter(bodies))] == bodies


async def test_all_four_kinds_for_a_synchronous_client(serve: Serve) -> None:
    _, port = await serve()

    def run() -> None:
        with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
            stub = Stub(channel)
            assert stub.one("Echo") == b"hello"
            assert list(stub.few("Repeat", b"3 4")) == [b"xxx"] * 4
            assert stub.many("Count", iter([b"a", b"", b"bc"])) == b"3 3"
            for method in ("Chat", "Push"):
                assert list(stub.both(method, iter([b"a", b""]))) == [b"a", b""]
            with pytest.raises(grpc.RpcError) as error:
                stub.one("Refuse", b"no")
            assert error.value.code() is grpc.StatusCode.NOT_FOUND

    await asyncio.to_thread(run)


async def test_a_conversation(stub: Stub) -> None:
    """Each side speaks when it has something to say."""
    for method in ("Chat", "Push"):
        call = stub.both(method)
        for number in range(20):
            await call.write(b"%d" % number)
            assert await call.read() == b"%d" % number
        await call.done_writing()
        assert await call.read() is grpc.aio.EOF
        assert await call.code() is grpc.StatusCode.OK


async def test_large_messages(stub: Stub) -> None:
    body = bytes(range(256)) * (12 << 10)
    assert await stub.one("Echo", body) == body
    assert [body async for body in stub.both("Push", iter([body, body]))] == [body, body]
    sizes = [len(body) async for body in stub.few("Repeat", b"3000000 5")]
    assert sizes == [3_000_000] * 5
    error = await failed(stub.one("Echo", bytes((4 << 20) + 1)))
    assert error.code() is grpc.StatusCode.RESOURCE_EXHAUSTED


@pytest.mark.parametrize("compression", [grpc.Compression.Gzip, grpc.Compression.Deflate])
async def test_compressed_requests(compression: grpc.Compression, stub: Stub) -> None:
    body = bytes(100_000)
    assert await stub.one("Echo", body, compression=compression) == body
    assert await stub.many("Count", iter([body] * 3), compression=compression) == b"3 300000"


async def test_metadata(stub: Stub) -> None:
    given = (("x-text", "a b, c"), ("x-bytes-bin", bytes(range(256))), ("x-text", "again"), ("x-empty-bin", b""))
    call = stub.one("Tell", metadata=given)
    assert (await call).startswith(b"ipv4:127.0.0.1:")
    for received in (await call.initial_metadata(), await call.trailing_metadata()):
        assert sorted(pair for pair in received if pair[0].startswith("x-")) == sorted(given)


@pytest.mark.parametrize("length", range(4))
async def test_bytes_of_any_length(length: int, stub: Stub) -> None:
    """Base64 with and without the characters that fill it up."""
    call = stub.one("Tell", metadata=(("x-bin", b"\xfb" * length),))
    await call
    assert ("x-bin", b"\xfb" * length) in tuple(await call.trailing_metadata())


async def test_over_ipv6(serve: Serve) -> None:
    _, port = await serve("[::1]")
    async with grpc.aio.insecure_channel(f"[::1]:{port}") as channel:
        assert (await Stub(channel).one("Tell")).startswith(b"ipv6:[::1]:")


@pytest.mark.parametrize("details", ["", "100 %", "nüchtern — 沙丘\n\t\x7f", "x" * 3000])
async def test_refusals(details: str, stub: Stub) -> None:
    error = await failed(stub.one("Refuse", details.encode()))
    assert (error.code(), error.details()) == (grpc.StatusCode.NOT_FOUND, details)
    assert ("x-why-bin", b"\0\xff") in tuple(error.trailing_metadata())


async def test_a_status_that_is_set(stub: Stub) -> None:
    error = await failed(stub.one("Set"))
    assert (error.code(), error.details()) == (grpc.StatusCode.DATA_LOSS, "lost")


async def test_faults_tell_nothing(stub: Stub, caplog: pytest.LogCaptureFixture) -> None:
    """What went wrong stands in the log, without what the exception says."""
    error = await failed(stub.one("Break", b"my secret"))
    assert error.code() is grpc.StatusCode.UNKNOWN
    assert "secret" not in str(error)
    said = caplog.text
    assert "ValueError" in said
    assert "secret" not in said


async def test_metadata_that_cannot_be_sent(stub: Stub, caplog: pytest.LogCaptureFixture) -> None:
    """The call has its end all the same, and the log a fault."""
    assert await stub.one("Nonsense") == b"hello"
    assert "ValueError" in caplog.text


async def test_no_such_method(stub: Stub) -> None:
    assert (await failed(stub.one("Missing"))).code() is grpc.StatusCode.UNIMPLEMENTED


async def test_deadlines(stub: Stub, methods: Methods) -> None:
    """The handler is cancelled, and the client told, whoever of both is faster."""
    error = await failed(stub.one("Hold", timeout=0.05))
    assert error.code() is grpc.StatusCode.DEADLINE_EXCEEDED
    assert await methods.ends.get() == "cancelled"
    (context,) = methods.contexts
    assert context.done()
    assert context.cancelled()


async def test_time_remaining(stub: Stub, methods: Methods) -> None:
    await stub.one("Echo", timeout=500)
    assert 490 < methods.contexts[0].time_remaining() < 510  # clients round it up
    await stub.one("Echo", timeout=None)
    assert methods.contexts[1].time_remaining() == float("inf")


async def test_cancelled_by_the_client(stub: Stub, methods: Methods) -> None:
    call = stub.one("Hold")
    call.add_done_callback(lambda _: None)
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not methods.contexts:
            await stub.one("Set").code()
        ended: asyncio.Queue[Any] = asyncio.Queue()
        methods.contexts[0].add_done_callback(ended.put_nowait)
        call.cancel()
        assert await methods.ends.get() == "cancelled"
        assert await ended.get() is methods.contexts[0]
    assert methods.contexts[0].code() is grpc.StatusCode.CANCELLED


async def test_as_many_streams_as_a_connection_may_have(stub: Stub) -> None:
    """All opened in the same moment, all answered, all open at the same time."""

    async def opened(number: int) -> Any:
        call = stub.both("Chat")
        await call.write(b"%d" % number)
        assert await call.read() == b"%d" % number
        return call

    async with asyncio.timeout(PATIENCE_SECONDS):
        calls = await asyncio.gather(*map(opened, range(256)))
        for call in calls:
            call.cancel()


async def test_what_is_registered(serve: Serve, stub: Stub, methods: Methods) -> None:
    """Generated code adds its methods twice: by a generic handler, and by name."""
    server, port = await serve()
    server.add_registered_method_handlers("other.Other", {"Echo": methods.handlers()["Echo"]})
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        echo: Any = channel.unary_unary("/other.Other/Echo")
        assert await echo(b"here") == b"here"
