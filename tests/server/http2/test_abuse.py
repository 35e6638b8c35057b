"""What costs a client little and a server much: each of it ends the connection, and none of it memory or time."""

from __future__ import annotations

import asyncio
import gzip
import socket
from collections.abc import Iterable
from contextlib import suppress
from struct import pack
from typing import TYPE_CHECKING, Any

import grpc
import pytest

from landsraad_http2 import frames
from landsraad_http2.frames import (
    CONTINUATION,
    END_HEADERS,
    ENHANCE_YOUR_CALM,
    HEADERS,
    PADDED,
    PING,
    PRIORITY,
    frame,
)
from landsraad_http2.headers import literal
from landsraad_http2.limits import CONNECTION_BYTES
from landsraad_http2.server import Server
from landsraad_testkit.http2_peer import NO_TABLE, Methods, Peer, call, message, request
from landsraad_testkit.raw_stream import PATIENCE_SECONDS

if TYPE_CHECKING:
    from tests.server.http2.conftest import Connect, Serve

pytestmark = pytest.mark.asyncio


def setting(windows: Iterable[int]) -> bytes:
    """One frame of settings that lets the window be of these sizes, one after the other."""
    return frames.settings((frames.INITIAL_WINDOW_SIZE, size) for size in windows)


OPEN = frames.headers(1, request("Chat"))
#: A byte for each: `accept-charset` of the static table.
MANY = request() + b"\x8f" * 300
FLOODS: dict[str, bytes] = {
    "settings": frames.settings() * 1000,
    "acknowledgements": frames.SETTINGS_ACK * 1000,
    "windows that go through many streams": b"".join(frames.headers(number, request()) for number in range(1, 6400, 2))
    + b"".join(setting([size]) for size in range(300)),
    "answers to no ping": frames.ping_ack(bytes(8)) * 10_000,
    "farewells": OPEN + frames.goaway(0, 0) * 10_000,
    "requests that are not gRPC": b"".join(
        frames.headers(number, request(content_type="text/html"), last=True) for number in range(1, 20_000, 2)
    ),
    "pings": frames.ping(bytes(8)) * 10_000,
    "empty data": OPEN + frames.data(1, b"") * 10_000,
    "padding": OPEN + frame(frames.DATA, PADDED, 1, b"\x03" + bytes(3)) * 10_000,
    "priorities": frame(PRIORITY, 0, 1, bytes(5)) * 20_000,
    "frames of no kind": frame(99, 0, 0) * 10_000,
    "data after the end": call(1) + frames.data(1, b"x") * 30_000,
    "one byte at a time": frames.headers(1, request("Count"))
    + frames.data(1, frames.message_prefix(100_000))
    + frames.data(1, b"x") * 20_000,
    "windows that grow by nothing much": OPEN + frames.window_update(1, 1) * 20_000,
    "windows of what is over": call(1) + frames.window_update(1, 1_000) * 20_000,
    "methods that are not there": b"".join(call(number, "Missing") for number in range(1, 6_000, 2)),
    "new headers again and again": b"".join(
        frames.headers(number, request("Missing", x=f"{number:014000}"), last=True) for number in range(1, 400, 2)
    ),
    "messages that cannot be read": b"".join(
        frames.headers(number, request("Count")) + frames.data(number, b"\x07" * 5) for number in range(1, 6_000, 2)
    ),
    "bad requests": b"".join(frames.headers(number, request(te="x")) for number in range(1, 20_000, 2)),
    "empty continuations": frame(HEADERS, 0, 1, request()) + frame(CONTINUATION, 0, 1) * 100,
    "blocks of many headers": b"".join(frames.headers(number, MANY) for number in range(1, 600, 2)),
    "headers after the end": frames.headers(1, request("Missing")) + frames.headers(1, request()) * 10_000,
    "an endless block": frame(HEADERS, 0, 1, request()) + frame(CONTINUATION, 0, 1, bytes(16_000)) * 32,
    "blocks that are too long": b"".join(
        frame(HEADERS, 0, number, request())
        + frame(CONTINUATION, 0, number, bytes(16_000)) * 2
        + frame(CONTINUATION, END_HEADERS, number, bytes(16_000))
        for number in range(1, 200, 2)
    ),
}


@pytest.mark.parametrize("flood", FLOODS)
async def test_floods(flood: str, connect: Connect) -> None:
    peer = await connect()
    peer.send(FLOODS[flood])
    assert await peer.error() == ENHANCE_YOUR_CALM


async def test_settings_that_change_again_and_again(connect: Connect) -> None:
    """Thousands in one frame count for more than one; and streams are gone through once for all of them."""
    peer = await connect(abuse_budget=1_000)
    peer.send(setting(range(2_700)))
    assert await peer.alive()
    peer.send(setting(range(2_700)) * 6)
    assert await peer.error() == ENHANCE_YOUR_CALM


async def test_rapid_reset(connect: Connect, methods: Methods) -> None:
    """CVE-2023-44487: calls that are begun and cancelled at once, without end."""
    peer = await connect()
    calls = (call(number, "Hold") + frames.rst_stream(number, frames.CANCEL) for number in range(1, 20_000, 2))
    peer.send(*calls)
    assert await peer.error() == ENHANCE_YOUR_CALM


#: What makes us reset a stream (6.9, 5.1, 6.9.1, 8.1, 6.3), though the client has said all that it had to say.
MADE_TO_RESET = {
    "a window that does not grow": lambda number: frames.window_update(number, 0),
    "a window that overflows": lambda number: frames.window_update(number, frames.MOST_WINDOW),
    "data after the last": lambda number: frames.data(number, b""),
    "headers after the last": lambda number: frames.headers(number, NO_TABLE),
    "half a priority": lambda number: frame(PRIORITY, 0, number, bytes(4)),
}


@pytest.mark.parametrize("fault", MADE_TO_RESET)
async def test_made_to_reset(fault: str, connect: Connect, methods: Methods) -> None:
    """CVE-2025-8671: calls that are begun, and of which the client makes us end each, without end."""
    peer = await connect()
    peer.send(*(call(number, "Hold") + MADE_TO_RESET[fault](number) for number in range(1, 12_000, 2)))
    assert await peer.error() == ENHANCE_YOUR_CALM


async def test_thousands_of_calls_may_be_cancelled(connect: Connect, methods: Methods) -> None:
    """Whoever ends a crowd of streams in one moment has done nothing wrong."""
    peer = await connect(streams=2_000)
    numbers = range(1, 4001, 2)
    peer.send(*(call(number, "Hold") for number in numbers))
    assert await peer.alive()
    peer.send(*(frames.rst_stream(number, frames.CANCEL) for number in numbers))
    assert await peer.alive()
    assert {await methods.ends.get() for _ in numbers} == {"cancelled"}


async def test_pings_without_a_call(connect: Connect) -> None:
    """As gRPC does it: a few are forgiven, and the client is told in the words that it knows."""
    peer = await connect(ping_seconds=3600.0, ping_strikes=2)
    for _ in range(3):
        assert await peer.alive()
    peer.send(frames.ping(bytes(8)))
    _, _, _, payload = await peer.next(frames.GOAWAY)
    assert payload[4:] == ENHANCE_YOUR_CALM.to_bytes(4, "big") + b"too_many_pings"


async def test_pings_beside_calls(connect: Connect) -> None:
    """Clients measure their windows with pings whenever something comes: that is no trouble."""
    peer = await connect(ping_seconds=3600.0, ping_strikes=0, abuse_budget=100)
    for number in range(1, 100, 2):
        peer.send(call(number))
        await peer.next(frames.DATA)
        assert await peer.alive()


async def test_pings_now_and_then(connect: Connect) -> None:
    peer = await connect(ping_seconds=0.0, ping_strikes=0)
    for _ in range(10):
        assert await peer.alive()


async def test_a_client_that_has_gone(connect: Connect, methods: Methods) -> None:
    """It is asked whether it is there; if it says nothing, its calls are cancelled."""
    peer = await connect(beat_seconds=0.02, keepalive_seconds=0.04, answer_seconds=0.04)
    peer.acknowledges = False
    peer.send(call(1, "Hold"))
    assert (await peer.next(PING))[1] == 0
    await peer.closed()
    assert await methods.ends.get() == "cancelled"


async def test_a_client_that_is_silent(connect: Connect, methods: Methods) -> None:
    peer = await connect(beat_seconds=0.02, keepalive_seconds=0.02, answer_seconds=0.06)
    peer.send(call(1, "Hold"))
    for _ in range(5):
        await peer.next(PING)  # and it answers
    methods.go.set()
    assert await methods.ends.get() == "done"


async def test_a_client_that_says_nothing_at_all(connect: Connect) -> None:
    peer = await connect(greet=False, beat_seconds=0.02)
    assert await peer.error() is None


#: What makes a block too long: whether it is read to its end, or at all, it is the end of that call only.
TOO_LONG = {
    "some": literal(b"x-long", b"y" * 9000) * 2,
    "twice as much": literal(b"x-long", b"y" * 30_000) * 2,
    "much": literal(b"x-long", b"y" * 1000) * 200,
    "much that was to be in a table": (b"\x40" + literal(b"x-long", b"y" * 1000)[1:]) * 200,
    "much in few bytes": b"\x8f" * 3000,
}


@pytest.mark.parametrize("case", TOO_LONG)
async def test_headers_that_are_too_long(case: str, connect: Connect) -> None:
    """A client's other calls go on, those that it has begun and those that it begins."""
    peer = await connect()
    peer.send(frames.headers(1, request("Chat")))
    peer.send(frames.headers(3, request() + TOO_LONG[case]) + frames.data(3, message(), last=True), call(5))
    number, fields, last = await peer.headers()
    assert (number, fields["grpc-status"], last) == (3, "8", True)
    assert (await peer.next(frames.DATA))[2] == 5
    peer.send(frames.data(1, message()))
    assert (await peer.next(frames.DATA))[2] == 1


@pytest.mark.parametrize("case", ["much", "much in few bytes"])
async def test_last_headers_that_are_too_long(case: str, connect: Connect) -> None:
    """Of a call that goes on, and of one that we have ended."""
    peer = await connect()
    long = NO_TABLE + TOO_LONG[case]
    peer.send(frames.headers(1, request("Chat")) + frames.headers(1, long, last=True))
    assert await peer.reset() == (1, ENHANCE_YOUR_CALM)
    peer.send(frames.headers(3, request("Missing")))
    assert await peer.reset() == (3, frames.NO_ERROR)
    peer.send(frames.headers(3, long, last=True), call(5))
    assert (await peer.next(frames.DATA))[2] == 5


@pytest.mark.parametrize("case", ["much", "much that was to be in a table"])
async def test_the_table_of_a_client_that_says_too_much(case: str, connect: Connect) -> None:
    """Who had one gives it up with the first bytes of the block that is not read, and whoever keeps it cannot go on: we
    would not know what is in it.
    """
    for gives_up in (True, False):
        peer = await connect(greet=False)
        peer.acknowledges = False
        peer.send_preface()
        indexed = request()[1:] + b"\x40" + literal(b"x-indexed", b"1")[1:]
        peer.send(frames.headers(1, indexed), frames.data(1, message(), last=True))
        assert (await peer.next(frames.DATA))[2] == 1
        if gives_up:
            peer.send(frames.SETTINGS_ACK)
        peer.send(frames.headers(3, (request() if gives_up else request()[1:]) + TOO_LONG[case], last=True), call(5))
        if gives_up:
            assert (await peer.next(frames.DATA))[2] == 5
        else:
            assert await peer.error() == ENHANCE_YOUR_CALM


async def test_answers_that_nobody_takes(connect: Connect, serve: Serve) -> None:
    """Many calls with large answers: what waits is bounded, and others do not wait with them."""
    server, port = await serve()
    greedy = await connect((frames.INITIAL_WINDOW_SIZE, frames.MOST_WINDOW), port=port)
    greedy.send(frames.window_update(0, frames.MOST_WINDOW - 65_535))
    greedy.send(*(call(number, "Repeat", b"60000 1000") for number in range(1, 41, 2)))
    other = await connect(port=port)
    for number in range(1, 41, 2):
        other.send(call(number))
        assert (await other.next(frames.DATA))[3] == message()
    (connection,) = (one for one in server.connections if len(one.streams) == 20)
    assert connection.transport.get_write_buffer_size() < 1 << 20


async def test_who_asks_and_asks_and_takes_no_answer(serve: Serve) -> None:
    """Headers are under no window. What of them the system does not take any more is bounded all the same."""
    server, port = await serve()
    loop = asyncio.get_running_loop()
    with socket.socket() as raw:
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 14)
        raw.setblocking(False)
        await loop.sock_connect(raw, ("127.0.0.1", port))
        await loop.sock_sendall(raw, frames.PREFACE + frames.settings())
        most = 0
        async with asyncio.timeout(PATIENCE_SECONDS):
            with suppress(ConnectionError):
                for number in range(1, 1 << 20, 2):
                    await loop.sock_sendall(raw, call(number, "Refuse", b"x" * 8000))
                    for one in server.connections:
                        most = max(most, one.transport.get_write_buffer_size())
        assert 1 << 20 < most < 10 << 20
        while server.connections or server.contexts:  # noqa: ASYNC110
            await asyncio.sleep(0)


async def test_answers_that_wait_are_counted_together(connect: Connect) -> None:
    """Each stream may have something waiting, but not all of them much: who goes too far is refused, others are not."""
    peer = await connect((frames.INITIAL_WINDOW_SIZE, 0), most_queued_bytes=15_000)
    peer.send(call(1, "Echo", bytes(10_000)), call(3, "Echo", bytes(10_000)))
    while (said := await peer.headers())[0] != 3 or not said[2]:
        pass
    assert said[1]["grpc-status"] == "8"
    peer.send(frames.rst_stream(1, frames.CANCEL), call(5, "Echo", bytes(10_000)))
    assert (await peer.headers())[1].get("grpc-status") is None
    peer.send(frames.window_update(5, 20_000))
    while not (await peer.next(frames.DATA, HEADERS))[1] & frames.END_STREAM:
        pass


async def test_metadata_is_counted_together(connect: Connect) -> None:
    """Headers that are kept for a stream that does nothing: a client pays for them, and so would we."""
    peer = await connect(metadata_bytes=20_000)
    block = request("Chat") + literal(b"x", b"y" * 9000)
    peer.send(*(frames.headers(number, block) for number in (1, 3, 5)))
    number, fields, last = await peer.headers()
    assert (number, fields["grpc-status"], last) == (5, "8", True)
    peer.send(frames.rst_stream(1, frames.CANCEL), frames.headers(7, block), frames.data(7, message(), last=True))
    assert (await peer.next(frames.DATA))[2] == 7


async def test_metadata_is_counted_as_what_becomes_of_it(connect: Connect, serve: Serve) -> None:
    """A client that has not agreed to have no table may name a header of 4,000 values with one byte."""
    server, port = await serve()
    peer = await connect(port=port, greet=False)
    peer.acknowledges = False
    peer.send_preface()
    plain = request("Chat")[1:]
    peer.send(frames.headers(1, plain + b"\x40" + literal(b"x-bin", b"," * 3990)[1:]))
    peer.send(*(frames.headers(number, plain + b"\xbe") for number in range(3, 100, 2)))
    ends = {number: fields["grpc-status"] for number, fields, _ in [await peer.headers() for _ in range(50)]}
    assert ends == dict.fromkeys(range(1, 100, 2), "8")
    assert not any(connection.streams for connection in server.connections)


async def test_headers_unfold_once(connect: Connect) -> None:
    """A client with a table may name each of its entries, but not one again and again."""
    peer = await connect(greet=False)
    peer.acknowledges = False
    peer.send_preface()
    plain = request("Chat")[1:]
    peer.send(frames.headers(1, plain + b"\x40" + literal(b"x-long", b"y" * 3900)[1:]))
    peer.send(frames.headers(3, plain + b"\xbe") + frames.data(3, message()))
    assert (await peer.next(frames.DATA))[2] == 3
    peer.send(frames.headers(5, plain + b"\xbe" * 2))
    assert await peer.error() == ENHANCE_YOUR_CALM


async def nothing_kept(server: Server) -> None:
    """Return when nothing is kept any more, though nobody says so."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while server.kept.bytes > CONNECTION_BYTES * len(server.connections):  # noqa: ASYNC110
            await asyncio.sleep(0)


@pytest.mark.parametrize("how", ["messages that never end", "messages that nobody reads", "answers that nobody takes"])
async def test_what_many_connections_make_us_keep(how: str, connect: Connect, serve: Serve) -> None:
    """Each of them is within its bounds. Whoever comes last is served, and the largest holder makes room for it."""
    server, port = await serve(kept_bytes=90_000)
    said = {
        "messages that never end": frames.headers(1, request("Count")) + frames.data(1, message(bytes(15_000))[:-1]),
        "messages that nobody reads": frames.headers(1, request("Deaf")) + frames.data(1, message(b"") * 250),
        "answers that nobody takes": call(1, "Repeat", b"15000 1"),
    }[how]
    peers = []
    for _ in range(3):
        peers.append(peer := await connect((frames.INITIAL_WINDOW_SIZE, 0), port=port))
        peer.send(said)
        assert await peer.alive()
    assert server.kept.bytes > 50_000
    last = await connect(port=port)
    last.send(frames.headers(1, request("Count")) + frames.data(1, message(bytes(8_000))[:-1]))
    assert await last.alive()
    resets = [asyncio.create_task(peer.reset()) for peer in peers]
    done, waiting = await asyncio.wait(resets, return_when=asyncio.FIRST_COMPLETED, timeout=PATIENCE_SECONDS)
    assert {one.result() for one in done} == {(1, ENHANCE_YOUR_CALM)}
    assert waiting
    assert server.counters.evicted_streams == len(done)
    last.send(frames.data(1, b"\0", last=True))
    assert (await last.next(frames.DATA))[3] == message(b"1 8000")
    for one in waiting:
        one.cancel()
    for peer in peers:
        peer.cut()
    await nothing_kept(server)


async def test_the_largest_streams_go_first(connect: Connect, serve: Serve, methods: Methods) -> None:
    """Behind a proxy all have one address, and one connection perhaps: there the streams are told apart."""
    server, port = await serve(kept_bytes=108_000, ping_seconds=0.0)
    peer = await connect(port=port)
    small = range(1, 21, 2)
    peer.send(*(call(number, "Hold") for number in small))
    large = request("Hold") + literal(b"x", b"y" * 9_000)
    for number in range(21, 35, 2):
        peer.send(frames.headers(number, large) + frames.data(number, message()), frames.ping(bytes(8)))
        await peer.next(PING)
    peer.send(frames.headers(35, large) + frames.data(35, message()))
    number, code = await peer.reset()
    assert (number > 20, code) == (True, ENHANCE_YOUR_CALM)
    assert await peer.alive()
    assert server.kept.bytes <= 108_000
    (connection,) = server.connections
    assert set(small) <= connection.streams.keys()
    methods.go.set()


async def test_health_is_always_answered(connect: Connect, serve: Serve) -> None:
    """Even in the turn in which far too much is kept, and before any of it is given up."""
    server, port = await serve(kept_bytes=40_000)
    methods: Any = {"Check": grpc.unary_unary_rpc_method_handler(echo)}
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("grpc.health.v1.Health", methods),))
    peer = await connect(port=port)
    block = request("Chat") + literal(b"x", b"y" * 9_000)
    asked = request().replace(literal(b":path", b"/test.Test/Echo"), literal(b":path", b"/grpc.health.v1.Health/Check"))
    peer.send(
        *(frames.headers(number, block) for number in range(1, 10, 2)),
        frames.headers(11, asked) + frames.data(11, message(b"up?"), last=True),
        frames.headers(13, block),
    )
    assert (await peer.next(frames.DATA))[2:] == (11, message(b"up?"))
    assert server.counters.refused_streams


async def echo(request: bytes, context: object) -> bytes:
    return request


async def test_budgets_survive_a_reconnect(connect: Connect, serve: Serve) -> None:
    """Budgets belong to the address: a reconnect does not refill them, and other addresses are not affected."""
    _, port = await serve(abuse_budget=2_000, address_abuse_budget=4_000)
    pings = frames.ping(bytes(8)) * 2_000
    flood = frame(PRIORITY, 0, 1, bytes(5)) * 900
    for _ in range(3):
        peer = await connect(port=port)
        peer.send(flood)
        await peer.alive()
        peer.cut()
    peer = await connect(port=port)
    peer.send(flood)
    assert await peer.error() == ENHANCE_YOUR_CALM
    elsewhere = await connect(port=port, source="127.0.0.9")
    elsewhere.send(flood)
    assert await elsewhere.alive()
    elsewhere.send(pings)
    assert await elsewhere.error() == ENHANCE_YOUR_CALM


async def test_connections_of_a_proxy_are_apart(connect: Connect, serve: Serve) -> None:
    _, port = await serve(abuse_budget=2_000, address_abuse_budget=4_000, proxies=("127.0.0.0/8",))
    flood = frame(PRIORITY, 0, 1, bytes(5)) * 900
    for _ in range(5):
        peer = await connect(port=port)
        peer.send(flood)
        assert await peer.alive()
        peer.cut()


async def test_no_more_streams_than_are_allowed(connect: Connect, serve: Serve) -> None:
    """Those above are refused: their calls can be made again, and elsewhere."""
    server, port = await serve(streams=10)
    peer = await connect(port=port)
    peer.send(*(frames.headers(number, request("Chat")) for number in range(1, 41, 2)))
    assert await peer.reset() == (21, frames.REFUSED_STREAM)
    assert await peer.alive()
    assert server.counters.refused_streams == 10
    peer.cut()
    await nothing_kept(server)
    other = await connect(port=port)
    other.send(call(1))
    assert (await other.next(frames.DATA))[3] == message()


async def test_bombs_are_counted_together(connect: Connect) -> None:
    """What a client packs into a few bytes costs us a thousand times as much, whether it can be used or not."""
    peer = await connect(message_bytes=100_000, unpacked_bytes=250_000)
    bombs = [gzip.compress(bytes(size)) for size in (100_000, 200_000, 90_000, 1)]
    for number, bomb in zip((1, 3, 5, 7), bombs, strict=True):
        block = request("Count", grpc_encoding="gzip")
        peer.send(frames.headers(number, block), frames.data(number, pack(">BI", 1, len(bomb)) + bomb, last=True))
    ends = {
        number: fields.get("grpc-status") for number, fields, last in [await peer.headers() for _ in range(6)] if last
    }
    assert ends == {1: "0", 3: "8", 5: "0", 7: "8"}


async def test_questions_that_are_never_finished(connect: Connect) -> None:
    """A call that asks one thing has no end of its own before it is answered, and one of many none before its first."""
    peer = await connect(beat_seconds=0.02, request_seconds=0.03)
    peer.send(frames.headers(1, request("Chat")) + frames.data(1, message()))
    peer.send(frames.headers(3, request()) + frames.data(3, message()[:7]), frames.headers(5, request("Chat")))
    assert {await peer.reset(), await peer.reset()} == {(3, frames.CANCEL), (5, frames.CANCEL)}
    peer.send(frames.data(1, message()))
    assert (await peer.next(frames.DATA))[2] == 1  # whoever talks is not hurried


async def test_answers_that_are_never_taken(connect: Connect, serve: Serve) -> None:
    server, port = await serve(beat_seconds=0.02, patience_seconds=0.03)
    peer = await connect((frames.INITIAL_WINDOW_SIZE, 3), port=port)
    peer.send(call(1))
    assert await peer.reset() == (1, frames.CANCEL)
    assert await peer.alive()
    assert not any(connection.streams for connection in server.connections)


async def test_a_client_that_greets_and_says_no_more(connect: Connect) -> None:
    peer = await connect(greet=False, beat_seconds=0.02)
    peer.acknowledges = False
    peer.send(frames.PREFACE)
    assert await peer.error() is None


async def test_nothing_is_said_after_the_end(
    connect: Connect, methods: Methods, caplog: pytest.LogCaptureFixture
) -> None:
    """What comes in one piece with a client's farewell begins nothing, and nothing is written to what is closed."""
    peer = await connect()
    peer.send(frames.goaway(0, 0) + call(1, "Hold") + frames.data(9, b"x"))
    await peer.closed()
    assert not methods.contexts
    assert not caplog.records


async def test_unary_calls_take_one_message(connect: Connect) -> None:
    """A stream of requests to a method that wants one is not collected."""
    peer = await connect()
    peer.send(frames.headers(1, request()), frames.data(1, message() * 2))
    number, fields, last = await peer.headers()
    assert (number, fields["grpc-status"], last) == (1, "12", True)
    assert await peer.reset() == (1, frames.NO_ERROR)


async def test_messages_that_never_end(connect: Connect) -> None:
    """Each may be large, but not all of a connection at the same time."""
    peer = await connect(message_bytes=20_000, unfinished_bytes=50_000)
    begun = frames.message_prefix(19_000) + bytes(15_000)
    peer.send(*(frames.headers(number, request("Count")) + frames.data(number, begun) for number in (1, 3, 5, 7)))
    number, fields, _ = await peer.headers()
    assert (number, fields["grpc-status"]) == (7, "8")
    rest = frames.data(1, bytes(4000), last=True)
    peer.send(rest)
    assert (await peer.headers())[0] == 1


async def test_nothing_is_left_of_them(connect: Connect, serve: Serve, methods: Methods) -> None:
    server, port = await serve()
    for _ in range(5):
        peer: Peer = await connect(port=port)
        peer.send(call(1, "Hold"), frames.headers(3, request("Chat")))
        assert await peer.alive()
        peer.cut()
        assert await methods.ends.get() == "cancelled"
    other = await connect(port=port)
    async with asyncio.timeout(5):
        while len(server.connections) > 1 or server.contexts:
            await other.alive()  # a turn of everything
