"""Where a server listens, with TLS and without; and how it ends."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, cast

import grpc
import grpc.aio
import pytest

from landsraad.transport import Tls
from landsraad_http2 import connection, frames, wire
from landsraad_http2.server import Server
from landsraad_http2.tls import server_context
from landsraad_testkit.http2_peer import SERVICE, Methods, call, message, request
from landsraad_testkit.raw_stream import PATIENCE_SECONDS

if TYPE_CHECKING:
    from tests.server.conftest import Certify
    from tests.server.http2.conftest import Connect, Serve

pytestmark = pytest.mark.asyncio


# --- listening


async def test_ports_are_shared_if_that_is_wanted() -> None:
    first, second = Server(shared_port=True), Server(shared_port=True)
    port = first.add_insecure_port("127.0.0.1:0")
    assert second.add_insecure_port(f"127.0.0.1:{port}") == port
    with pytest.raises(RuntimeError, match=f"127.0.0.1:{port}"):
        Server().add_insecure_port(f"127.0.0.1:{port}")
    await first.stop(None)
    await second.stop(None)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]", "[::]", "0.0.0.0"])  # noqa: S104
async def test_addresses(host: str, serve: Serve) -> None:
    _, port = await serve(host)
    named = {"[::]": "127.0.0.1", "0.0.0.0": "127.0.0.1"}.get(host, host)  # noqa: S104
    async with grpc.aio.insecure_channel(f"{named}:{port}") as channel:
        echo: Any = channel.unary_unary(f"/{SERVICE}/Echo")
        assert await echo(b"x", timeout=PATIENCE_SECONDS) == b"x"


async def test_no_such_address() -> None:
    with pytest.raises(RuntimeError):
        Server().add_insecure_port("192.0.2.1:0")


# --- TLS


@pytest.fixture
def secured(certify: Certify) -> Callable[..., ssl.SSLContext]:
    """The context of a server, as its settings make it."""

    def run(*, asks: bool = False) -> ssl.SSLContext:
        certificate, key = certify("server")
        authority = certify("authority", "authority")[0] if asks else None
        return server_context(certificate, key, authority)

    return run


async def seen(port: int, methods: Methods, tls: Tls) -> Any:
    """What the server knows of a client that calls it with TLS."""
    async with grpc.aio.secure_channel(f"127.0.0.1:{port}", tls.credentials()) as channel:
        echo: Any = channel.unary_unary(f"/{SERVICE}/Echo")
        body = bytes(1_000_000)
        assert await echo(body, timeout=PATIENCE_SECONDS) == body
    return methods.contexts[-1]


async def test_tls(secured: Any, serve: Serve, methods: Methods, certify: Certify) -> None:
    _, port = await serve(tls=secured())
    context = await seen(port, methods, Tls(certify("authority", "authority")[0]))
    assert context.auth_context() == {}
    assert context.peer_identities() is None


async def test_certificates_of_clients(secured: Any, serve: Serve, methods: Methods, certify: Certify) -> None:
    _, port = await serve(tls=secured(asks=True))
    context = await seen(port, methods, Tls(certify("authority", "authority")[0], *certify("client")))
    assert context.auth_context()["x509_common_name"] == [b"client"]
    assert context.auth_context()["transport_security_type"] == [b"ssl"]
    assert context.peer_identity_key() == "x509_subject_alternative_name"
    assert context.peer_identities() == [b"localhost", b"127.0.0.1"]


@pytest.mark.parametrize("protocols", [[], ["http/1.1"]])
async def test_who_does_not_say_h2(protocols: list[str], secured: Any, serve: Serve, certify: Certify) -> None:
    """RFC 9113, 3.2: over TLS both have to agree on it."""
    _, port = await serve(tls=secured())
    mine = ssl.create_default_context(cafile=str(certify("authority", "authority")[0]))
    if protocols:
        mine.set_alpn_protocols(protocols)
    reader, writer = await asyncio.open_connection("127.0.0.1", port, ssl=mine)
    writer.write(frames.PREFACE + frames.settings())
    try:
        assert await reader.read() == b""
    except ConnectionError:
        pass
    finally:
        writer.transport.abort()


async def test_ciphers_that_are_unfit_for_http2(secured: Any, serve: Serve, certify: Certify) -> None:
    """RFC 9113, 9.2.2: a client that has nothing better is not served."""
    _, port = await serve(tls=secured())
    for cipher, fits in (("ECDHE-ECDSA-AES128-GCM-SHA256", True), ("ECDHE-ECDSA-AES128-SHA256", False)):
        mine = ssl.create_default_context(cafile=str(certify("authority", "authority")[0]))
        mine.maximum_version = ssl.TLSVersion.TLSv1_2
        mine.set_ciphers(cipher)
        mine.set_alpn_protocols(["h2"])
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", port, ssl=mine)
        except (ssl.SSLError, ConnectionError):
            assert not fits
        else:
            assert fits
            assert await reader.readexactly(4) == frames.settings([(0, 0)] * 4)[:4]
            writer.transport.abort()


@pytest.mark.parametrize("said", [b"", b"\x16\x03\x01\x00\x05", b"GET / HTTP/1.1\r\n\r\n"])
async def test_who_only_knocks_where_tls_is_spoken(
    said: bytes, secured: Any, serve: Serve, methods: Methods, certify: Certify, caplog: pytest.LogCaptureFixture
) -> None:
    """Nothing of it stands in the log."""
    _, port = await serve(tls=secured())
    for _ in range(3):
        with socket.create_connection(("127.0.0.1", port)) as raw:
            raw.sendall(said)
    await seen(port, methods, Tls(certify("authority", "authority")[0]))
    assert not caplog.records


# --- the end


@pytest.mark.parametrize("turns", range(5))
async def test_who_knocks_when_the_server_ends(turns: int, serve: Serve) -> None:
    """However far it has come, nothing of it is left afterwards: the loop may end now."""
    server, port = await serve()
    with socket.create_connection(("127.0.0.1", port)) as raw:
        for _ in range(turns):
            await asyncio.sleep(0)
        await server.stop(None)
        assert not server.connections
        raw.setblocking(False)
        with suppress(ConnectionResetError):
            while raw.recv(4096):  # BlockingIOError, if it is still open
                pass


async def test_last_words_are_taken_before_the_server_has_ended(connect: Connect, serve: Serve) -> None:
    server, port = await serve()
    peer = await connect(port=port)
    peer.send(call(1, "Hold"))
    assert await peer.alive()
    await server.stop(None)
    assert not server.connections
    assert (await peer.next(frames.GOAWAY))[3][4:8] == bytes(4)


async def test_who_takes_no_last_words_is_not_waited_for_long(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    """More waits for it than the system keeps, so that its connection could not close by itself."""
    monkeypatch.setattr(wire, "LINGER_SECONDS", 0.1)
    server, port = await serve()
    with socket.create_connection(("127.0.0.1", port)) as raw:
        wide = frames.settings([(frames.INITIAL_WINDOW_SIZE, frames.MOST_WINDOW)])
        raw.sendall(frames.PREFACE + wide + frames.window_update(0, frames.MOST_WINDOW - frames.FIRST_WINDOW))
        raw.sendall(call(1, "Repeat", b"1000000 32"))
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not any(one._paused for one in server.connections):  # noqa: ASYNC110  no event says so
                await asyncio.sleep(0)
            await server.stop(None)
    assert not server.connections


async def test_calls_under_way_come_to_their_end(connect: Connect, serve: Serve, methods: Methods) -> None:
    """6.8: first a GOAWAY that refuses nothing, then, when the client has heard it, the one that counts."""
    server, port = await serve()
    peer = await connect(port=port)
    peer.send(call(1, "Hold"))
    assert await peer.alive()
    stopping = asyncio.create_task(server.stop(PATIENCE_SECONDS))
    peer.acknowledges = False
    _, _, _, first = await peer.next(frames.GOAWAY)
    assert first[:8] == frames.LAST_STREAM.to_bytes(4, "big") + bytes(4)
    asked = await peer.next(frames.PING)
    peer.send(call(3))  # on its way when the server had already begun to go
    assert (await peer.next(frames.DATA))[2:] == (3, message())
    peer.send(frames.ping_ack(asked[3]))
    _, _, _, last = await peer.next(frames.GOAWAY)
    assert last[:8] == (3).to_bytes(4, "big") + bytes(4)
    peer.send(call(5))
    assert await peer.reset() == (5, frames.REFUSED_STREAM)
    methods.go.set()
    assert (await peer.next(frames.DATA))[2] == 1
    await peer.closed()
    await stopping


async def test_calls_that_take_too_long(connect: Connect, serve: Serve, methods: Methods) -> None:
    server, port = await serve()
    peer = await connect(port=port)
    peer.send(call(1, "Hold"), frames.headers(3, request("Chat")))
    assert await peer.alive()
    await server.stop(0.05)
    said = {
        number: fields["grpc-status"] for number, fields, last in [await peer.headers(), await peer.headers()] if last
    }
    assert said == {1: "14", 3: "14"}
    assert await methods.ends.get() == "cancelled"
    await peer.closed()


async def test_calls_under_way_come_to_their_end_with_tls(
    secured: Any, serve: Serve, methods: Methods, certify: Certify, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And whoever takes no last words does not hold it up."""
    for module in (connection, wire):
        monkeypatch.setattr(module, "LINGER_SECONDS", 0.1)
    server, port = await serve(tls=secured())
    authority = certify("authority", "authority")[0]
    mine = ssl.create_default_context(cafile=str(authority))
    mine.set_alpn_protocols(["h2"])
    _, deaf = await asyncio.open_connection("127.0.0.1", port, ssl=mine)
    cast("asyncio.Transport", deaf.transport).pause_reading()
    async with grpc.aio.secure_channel(f"127.0.0.1:{port}", Tls(authority).credentials()) as channel:
        hold: Any = channel.unary_unary(f"/{SERVICE}/Hold")
        held = hold(b"held", timeout=PATIENCE_SECONDS)
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not methods.contexts:  # noqa: ASYNC110
                await asyncio.sleep(0)
            stopping = asyncio.create_task(server.stop(PATIENCE_SECONDS))
            methods.go.set()
            assert await held == b"held"
            await stopping
    assert not server.connections
    deaf.transport.abort()


async def test_no_new_connections(serve: Serve) -> None:
    server, port = await serve()
    await server.stop(None)
    with pytest.raises(ConnectionError):
        await asyncio.open_connection("127.0.0.1", port)


async def test_idle_connections_do_not_hold_it_up(connect: Connect, serve: Serve) -> None:
    server, port = await serve()
    peer = await connect(port=port)
    stopping = asyncio.create_task(server.stop(PATIENCE_SECONDS))
    await peer.closed()
    await stopping
    assert not server.connections


async def test_clients_of_grpc_go_elsewhere(serve: Serve, methods: Methods) -> None:
    """A call that runs ends well, and the next goes to another server without an error."""
    server, port = await serve()
    other = Server(shared_port=False)
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        echo: Any = channel.unary_unary(f"/{SERVICE}/Echo")
        hold: Any = channel.unary_unary(f"/{SERVICE}/Hold")
        held = hold(b"held", timeout=PATIENCE_SECONDS)
        async with asyncio.timeout(PATIENCE_SECONDS):
            while all(context.path != f"/{SERVICE}/Hold" for context in methods.contexts):
                await echo(b"x")
            stopping = asyncio.create_task(server.stop(PATIENCE_SECONDS))
            methods.go.set()
            assert await held == b"held"
            await stopping
            other.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, methods.handlers()),))
            other.add_insecure_port(f"127.0.0.1:{port}")
            await other.start()
            assert await echo(b"again", wait_for_ready=True) == b"again"
    await other.stop(None)


async def test_a_socket_that_is_half_closed(connect: Connect) -> None:
    peer = await connect()
    peer.send(call(1, "Hold"))
    peer.finish()
    await peer.closed()


async def test_a_client_that_says_goodbye(connect: Connect, methods: Methods) -> None:
    """It makes no new calls; those it has made are answered, and then we part."""
    peer = await connect()
    peer.send(call(1, "Hold"), frames.goaway(0, frames.NO_ERROR))
    assert await peer.alive()
    methods.go.set()
    assert (await peer.next(frames.DATA))[3] == message()
    await peer.closed()


async def test_it_says_at_once_what_it_has(serve: Serve) -> None:
    """Our settings do not wait for the client's."""
    _, port = await serve()
    with socket.create_connection(("127.0.0.1", port)) as raw:
        raw.setblocking(False)
        async with asyncio.timeout(PATIENCE_SECONDS):
            first = await asyncio.get_running_loop().sock_recv(raw, 9)
    assert first[3] == frames.SETTINGS
