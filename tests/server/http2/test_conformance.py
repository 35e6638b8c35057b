"""RFC 9113, case by case: what a client sends, and which error comes back. In the manner of h2spec, with its numbers.

An error of the connection is a GOAWAY with its code and the end of the connection; an error of a stream is a RST_STREAM
with its code, and other streams go on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from landsraad_http2 import frames
from landsraad_http2.frames import (
    COMPRESSION_ERROR,
    CONTINUATION,
    DATA,
    END_HEADERS,
    END_STREAM,
    ENHANCE_YOUR_CALM,
    FLOW_CONTROL_ERROR,
    FRAME_SIZE_ERROR,
    HEADERS,
    MOST_WINDOW,
    PADDED,
    PING,
    PREFACE,
    PRIORITY,
    PROTOCOL_ERROR,
    PUSH_PROMISE,
    RST_STREAM,
    SETTINGS,
    STREAM_CLOSED,
    WINDOW_UPDATE,
    WITH_PRIORITY,
    frame,
)
from landsraad_http2.headers import literal
from landsraad_testkit.http2_peer import NO_TABLE, call, message, request

if TYPE_CHECKING:
    from tests.server.http2.conftest import Connect

    from landsraad_testkit.http2_peer import Peer

pytestmark = pytest.mark.asyncio

BLOCK = request("Chat")
#: Stream 1, open in both directions.
OPEN = frames.headers(1, BLOCK)
#: Stream 1, on which the client has said its last; it is answered late.
HALF = call(1, "Hold")
#: Stream 1, cancelled by the client.
CANCELLED = OPEN + frames.rst_stream(1, frames.CANCEL)
TRAILERS = NO_TABLE + literal(b"a", b"b")
NUMBER = (1).to_bytes(4, "big")


def setting(name: int, value: int) -> bytes:
    return frames.settings([(name, value)])


CONNECTION: dict[str, tuple[bytes, int]] = {
    "4.2 a frame larger than we allow": (OPEN + frames.data(1, bytes(16_385)), FRAME_SIZE_ERROR),
    "4.3 a block that cannot be read": (frames.headers(1, b"\xff\xff\xff\xff\xff\xff"), COMPRESSION_ERROR),
    "4.3 a block that refers to our lack of a table": (frames.headers(1, NO_TABLE + b"\xbe"), COMPRESSION_ERROR),
    "4.3 a block that changes its table on and on": (frames.headers(1, NO_TABLE * 2 + BLOCK), COMPRESSION_ERROR),
    "4.3 a table that is larger than we allow": (frames.headers(1, b"\x3f\xe2\x1f" + BLOCK), COMPRESSION_ERROR),
    "4.3 a table that changes after the first header": (frames.headers(1, BLOCK + NO_TABLE), COMPRESSION_ERROR),
    "RFC 7541, 5.1: a number without an end": (
        frames.headers(1, BLOCK + b"\xff" + b"\x80" * 9 + b"\1"),
        COMPRESSION_ERROR,
    ),
    "RFC 7541, 5.2: a string that is cut off": (frames.headers(1, BLOCK + b"\0\1a\5b"), COMPRESSION_ERROR),
    "RFC 7541, 5.2: the end of Huffman's code inside": (
        frames.headers(1, BLOCK + b"\0\1a\x84\xff\xff\xff\xff"),
        COMPRESSION_ERROR,
    ),
    "RFC 7541, 5.2: a byte of padding": (frames.headers(1, BLOCK + b"\0\1a\x82\x1f\xff"), COMPRESSION_ERROR),
    "RFC 7541, 5.2: padding of zeros": (frames.headers(1, BLOCK + b"\0\1a\x81\x18"), COMPRESSION_ERROR),
    "RFC 7541, 6.1: a header of index 0": (frames.headers(1, BLOCK + b"\x80"), COMPRESSION_ERROR),
    "4.3 a block with another frame inside": (
        frame(HEADERS, 0, 1, BLOCK[:9]) + frames.data(1, b""),
        PROTOCOL_ERROR,
    ),
    "4.3 a block with a frame of no kind inside": (frame(HEADERS, 0, 1, BLOCK[:9]) + frame(99, 0, 1), PROTOCOL_ERROR),
    "5.1 idle: data": (frames.data(1, b"x"), PROTOCOL_ERROR),
    "5.1 idle: reset": (frames.rst_stream(1, 0), PROTOCOL_ERROR),
    "5.1 idle: window": (frames.window_update(1, 1), PROTOCOL_ERROR),
    "5.1 idle: continuation": (frame(CONTINUATION, END_HEADERS, 1, BLOCK), PROTOCOL_ERROR),
    "5.1 closed: headers": (CANCELLED + frames.headers(1, BLOCK), PROTOCOL_ERROR),
    "5.1.1 a stream of an even number": (frames.headers(2, BLOCK), PROTOCOL_ERROR),
    "5.1.1 numbers that go down": (frames.headers(5, BLOCK) + frames.headers(3, BLOCK), PROTOCOL_ERROR),
    "6.1 data of no stream": (frames.data(0, b"x"), PROTOCOL_ERROR),
    "6.1 more padding than data": (OPEN + frame(DATA, PADDED, 1, b"\x05abcd"), PROTOCOL_ERROR),
    "6.1 padding without a length": (OPEN + frame(DATA, PADDED, 1), PROTOCOL_ERROR),
    "6.2 headers of no stream": (frames.headers(0, BLOCK), PROTOCOL_ERROR),
    "6.2 more padding than headers": (frame(HEADERS, PADDED | END_HEADERS, 1, b"\xff" + BLOCK), PROTOCOL_ERROR),
    "6.2 no room for the priority": (frame(HEADERS, WITH_PRIORITY | END_HEADERS, 1, b"abcd"), FRAME_SIZE_ERROR),
    "6.3 priority of no stream": (frame(PRIORITY, 0, 0, bytes(5)), PROTOCOL_ERROR),
    "6.3 a priority of another length before its stream": (frame(PRIORITY, 0, 1, bytes(4)), FRAME_SIZE_ERROR),
    "6.4 reset of no stream": (frames.rst_stream(0, 0), PROTOCOL_ERROR),
    "6.4 a reset of another length": (OPEN + frame(RST_STREAM, 0, 1, b"abc"), FRAME_SIZE_ERROR),
    "6.5 settings of a stream": (frame(SETTINGS, 0, 1), PROTOCOL_ERROR),
    "6.5 an acknowledgement with settings": (frame(SETTINGS, frames.ACK, 0, bytes(6)), FRAME_SIZE_ERROR),
    "6.5 half a setting": (frame(SETTINGS, 0, 0, bytes(5)), FRAME_SIZE_ERROR),
    "6.5.2 push is neither on nor off": (setting(frames.ENABLE_PUSH, 2), PROTOCOL_ERROR),
    "6.5.2 a window that is too large": (setting(frames.INITIAL_WINDOW_SIZE, MOST_WINDOW + 1), FLOW_CONTROL_ERROR),
    "6.5.2 frames that are too small": (setting(frames.MAX_FRAME_SIZE, 16_383), PROTOCOL_ERROR),
    "6.5.2 frames that are too large": (setting(frames.MAX_FRAME_SIZE, 1 << 24), PROTOCOL_ERROR),
    "6.6 a client that pushes": (OPEN + frame(PUSH_PROMISE, END_HEADERS, 1, NUMBER + BLOCK), PROTOCOL_ERROR),
    "6.7 a ping of a stream": (frame(PING, 0, 1, bytes(8)), PROTOCOL_ERROR),
    "6.7 a ping of another length": (frame(PING, 0, 0, bytes(7)), FRAME_SIZE_ERROR),
    "6.8 going away from a stream": (frame(frames.GOAWAY, 0, 1, bytes(8)), PROTOCOL_ERROR),
    "6.8 going away without a word": (frame(frames.GOAWAY, 0, 0, bytes(7)), FRAME_SIZE_ERROR),
    "6.9 a window of another length": (frame(WINDOW_UPDATE, 0, 0, b"abc"), FRAME_SIZE_ERROR),
    "6.9 a window that does not grow": (frames.window_update(0, 0), PROTOCOL_ERROR),
    "6.9.1 the connection's window overflows": (frames.window_update(0, MOST_WINDOW), FLOW_CONTROL_ERROR),
    "6.9.2 settings let a window overflow": (
        OPEN + frames.window_update(1, MOST_WINDOW - 65_535) + setting(frames.INITIAL_WINDOW_SIZE, 65_536),
        FLOW_CONTROL_ERROR,
    ),
    "6.10 a continuation of another stream": (
        frame(HEADERS, 0, 1, BLOCK[:9]) + frame(CONTINUATION, END_HEADERS, 3, BLOCK[9:]),
        PROTOCOL_ERROR,
    ),
    "6.10 a continuation of what is complete": (OPEN + frame(CONTINUATION, END_HEADERS, 1, BLOCK), PROTOCOL_ERROR),
    "6.10 a continuation of no stream": (
        frame(HEADERS, 0, 1, BLOCK[:9]) + frame(CONTINUATION, END_HEADERS, 0, BLOCK[9:]),
        PROTOCOL_ERROR,
    ),
    "10.5.1 headers that are too long by far": (frames.headers(1, BLOCK + literal(b"x", b"y" * 600_000)), -1),
}


@pytest.mark.parametrize("case", CONNECTION)
async def test_errors_of_the_connection(case: str, connect: Connect) -> None:
    sent, code = CONNECTION[case]
    peer = await connect()
    peer.send(sent)
    assert await peer.error() == (ENHANCE_YOUR_CALM if code < 0 else code)


STREAM: dict[str, tuple[bytes, int]] = {
    "5.1 half closed: data": (HALF + frames.data(1, message()), STREAM_CLOSED),
    "5.1 half closed: headers": (HALF + frames.headers(1, BLOCK, last=True), STREAM_CLOSED),
    "5.1 closed: data": (CANCELLED + frames.data(1, b"x"), STREAM_CLOSED),
    "6.3 a priority of another length": (OPEN + frame(PRIORITY, 0, 1, bytes(4)), FRAME_SIZE_ERROR),
    "6.9 a window that does not grow": (OPEN + frames.window_update(1, 0), PROTOCOL_ERROR),
    "6.9.1 its window overflows": (OPEN + frames.window_update(1, MOST_WINDOW), FLOW_CONTROL_ERROR),
    "8.1 a second block that is not the end": (OPEN + frames.headers(1, TRAILERS), PROTOCOL_ERROR),
    "8.1 pseudo headers at the end": (OPEN + frames.headers(1, BLOCK, last=True), PROTOCOL_ERROR),
    "8.1 what belongs to HTTP/1 at the end": (
        OPEN + frames.headers(1, NO_TABLE + literal(b"upgrade", b"x"), last=True),
        PROTOCOL_ERROR,
    ),
    "8.2.1 a new line at the end": (
        OPEN + frames.headers(1, NO_TABLE + literal(b"a", b"\n"), last=True),
        PROTOCOL_ERROR,
    ),
    "8.1.1 two lengths": (
        frames.headers(1, request(content_length="10") + literal(b"content-length", b"11")),
        PROTOCOL_ERROR,
    ),
    "8.1.1 less than was said": (call(1, content_length="11"), PROTOCOL_ERROR),
    "8.1.1 more than was said": (call(1, content_length="9"), PROTOCOL_ERROR),
    "8.2.1 capitals": (frames.headers(1, BLOCK + literal(b"X-Big", b"1")), PROTOCOL_ERROR),
    "8.2.1 no name": (frames.headers(1, BLOCK + literal(b"", b"1")), PROTOCOL_ERROR),
    "8.2.1 a space in a name": (frames.headers(1, BLOCK + literal(b"a b", b"1")), PROTOCOL_ERROR),
    "8.2.1 a colon in a name": (frames.headers(1, request("Echo", literal(b":a", b"1"))), PROTOCOL_ERROR),
    "8.2.1 a colon in the middle of a name": (frames.headers(1, BLOCK + literal(b"a:b", b"1")), PROTOCOL_ERROR),
    "8.2.1 a new line in a value": (frames.headers(1, BLOCK + literal(b"a", b"b\nc: d")), PROTOCOL_ERROR),
    "8.2.1 a zero in a value": (frames.headers(1, BLOCK + literal(b"a", b"b\0")), PROTOCOL_ERROR),
    "8.2.1 space around a value": (frames.headers(1, BLOCK + literal(b"a", b" b")), PROTOCOL_ERROR),
    "8.2.1 a tab behind a value": (frames.headers(1, BLOCK + literal(b"a", b"b\t")), PROTOCOL_ERROR),
    "8.2.2 connection": (frames.headers(1, request(connection="keep-alive")), PROTOCOL_ERROR),
    "8.2.2 transfer-encoding": (frames.headers(1, request(transfer_encoding="chunked")), PROTOCOL_ERROR),
    "8.2.2 te": (frames.headers(1, request(te="trailers, deflate")), PROTOCOL_ERROR),
    "8.3 one that answers have": (frames.headers(1, request("Echo", literal(b":status", b"200"))), PROTOCOL_ERROR),
    "8.3 one after the others": (frames.headers(1, request(**{":path": ""}) + literal(b":path", b"/")), PROTOCOL_ERROR),
    "8.3.1 an empty path": (
        frames.headers(1, request("Echo", literal(b":path", b""), **{":path": ""})),
        PROTOCOL_ERROR,
    ),
    "8.3.1 no method": (frames.headers(1, request(**{":method": ""})), PROTOCOL_ERROR),
    "8.3.1 no scheme": (frames.headers(1, request(**{":scheme": ""})), PROTOCOL_ERROR),
    "8.3.1 no path": (frames.headers(1, request(**{":path": ""})), PROTOCOL_ERROR),
    "8.3.1 two paths": (frames.headers(1, request("Echo", literal(b":path", b"/a"))), PROTOCOL_ERROR),
    "gRPC: metadata that is not base64": (frames.headers(1, request(x_bin="?")), PROTOCOL_ERROR),
}


@pytest.mark.parametrize("case", STREAM)
async def test_errors_of_a_stream(case: str, connect: Connect) -> None:
    sent, code = STREAM[case]
    peer = await connect()
    peer.send(sent)
    assert await peer.reset() == (1, code)
    await served(peer, 3)


async def served(peer: Any, number: int) -> None:
    """A whole call on a new stream."""
    peer.send(call(number))
    said = await peer.next(DATA)
    while said[2] != number:
        said = await peer.next(DATA)
    assert said[3] == message()


PAD = b"\x03" + BLOCK + bytes(3)

FINE: dict[str, bytes] = {
    "4.1 a frame of no kind": frame(99, 255, 0, b"what?") + frame(77, 0, 9),
    "4.1 flags that nobody knows": frame(PING, 0xF0, 0, bytes(8)),
    "RFC 7541, 5.2: Huffman's code": frames.headers(1, BLOCK + b"\0\1a\x81\x1f"),
    "4.3 a block in pieces": frame(HEADERS, 0, 1, BLOCK[:9])
    + frame(CONTINUATION, 0, 1)
    + frame(CONTINUATION, END_HEADERS, 1, BLOCK[9:]),
    "5.1 idle: priority": frame(PRIORITY, 0, 9, bytes(5)),
    "5.1 closed: window, reset and priority": CANCELLED
    + frames.window_update(1, 9)
    + frames.rst_stream(1, 0)
    + frame(PRIORITY, 0, 1, bytes(5)),
    "5.3 a stream that depends on itself": OPEN + frame(PRIORITY, 0, 1, NUMBER + b"\x01"),
    "6.1 padded data": OPEN + frame(DATA, PADDED, 1, b"\x03" + message() + bytes(3)),
    "6.1 nothing but padding": OPEN + frame(DATA, PADDED, 1, b"\x03" + bytes(3)),
    "6.2 padded headers": frame(HEADERS, PADDED | END_HEADERS, 1, PAD),
    "6.2 headers with a priority": frame(HEADERS, WITH_PRIORITY | END_HEADERS, 1, bytes(5) + BLOCK),
    "6.5.2 settings that nobody knows": frames.settings([(0xFE03, 1), (0xABCD, 2**32 - 1)]),
    "6.5 many settings, the last of which holds": frames.settings([(frames.MAX_FRAME_SIZE, 16_384)] * 20),
    "6.5.3 an acknowledgement that nobody has waited for": frames.SETTINGS_ACK,
    "6.7 an answer to no ping": frames.ping_ack(bytes(8)),
    "6.9 the reserved bit of a window": frame(WINDOW_UPDATE, 0, 0, b"\x80\0\0\x01"),
    "8.1 trailers": OPEN + frame(HEADERS, END_HEADERS | END_STREAM, 1, TRAILERS),
    "8.1.1 as much as was said": call(1, content_length="10"),
}


@pytest.mark.parametrize("case", FINE)
async def test_what_is_allowed(case: str, connect: Connect) -> None:
    peer = await connect()
    peer.send(FINE[case])
    await served(peer, 5)


async def test_settings_come_first(connect: Connect) -> None:
    """3.4: after the preface nothing else is allowed, an acknowledgement neither."""
    for first in (frames.ping(bytes(8)), frames.SETTINGS_ACK, OPEN, frames.data(1, b"")):
        peer = await connect(greet=False)
        peer.send(PREFACE, first)
        assert await peer.error() == PROTOCOL_ERROR


@pytest.mark.parametrize(
    "said", [b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", b"\x16\x03\x01\x02\x00", PREFACE[:20] + b"XXXX", b"\0" * 24]
)
async def test_who_does_not_speak_http2(said: bytes, connect: Connect) -> None:
    peer = await connect(greet=False)
    peer.send(said)
    assert await peer.error() is None


async def test_a_preface_byte_by_byte(connect: Connect) -> None:
    peer = await connect(greet=False)
    for byte in PREFACE + frames.settings() + call(1):
        peer.send(bytes((byte,)))
        await peer.drain()
    assert (await peer.next(DATA))[3] == message()


async def test_our_settings(connect: Connect) -> None:
    peer = await connect(greet=False)
    peer.send_preface()
    _, _, _, payload = await peer.next(SETTINGS)
    said = dict(frames.read_settings(payload))
    assert said[frames.HEADER_TABLE_SIZE] == 0
    assert said[frames.MAX_CONCURRENT_STREAMS] == 256
    assert said[frames.INITIAL_WINDOW_SIZE] == 1 << 20
    _, flags, _, _ = await peer.next(SETTINGS)
    assert flags == frames.ACK  # theirs


async def test_pings_are_answered(connect: Connect) -> None:
    peer = await connect()
    peer.send(frames.ping(b"12345678"))
    assert await peer.next(PING) == (PING, frames.ACK, 0, b"12345678")


async def test_too_many_streams(connect: Connect) -> None:
    """5.1.2: those above the number are refused, so that their calls can be made again elsewhere."""
    peer = await connect(streams=2)
    peer.send(*(frames.headers(number, BLOCK) for number in (1, 3, 5)))
    assert await peer.reset() == (5, frames.REFUSED_STREAM)
    peer.send(frames.rst_stream(1, frames.CANCEL))
    await served(peer, 7)


async def indexing(peer: Peer, number: int, block: bytes) -> None:
    """A call whose block is `block`, and which asks for a header that only the table has."""
    peer.send(frames.headers(number, block) + frames.data(number, message(), last=True))
    while (said := await peer.headers())[0] != number:
        pass
    assert said[1]["x-indexed"] == "1"


INDEXED = b"\x40" + literal(b"x-indexed", b"1")[1:]


@pytest.mark.parametrize("agrees", [1, 3, 5, 9])
async def test_a_table_of_theirs(agrees: int, connect: Connect) -> None:
    """Until a client has said that it has heard that we want no table it may use one (4.3.1, RFC 7541). That of Android
    goes on with it even then; but from the moment in which it says that it has none it has none.
    """
    peer = await connect(greet=False)
    peer.acknowledges = False
    peer.send_preface()
    silent = request("Tell")[1:]
    for number, header in ((1, INDEXED), (3, b"\xbe"), (5, b"\xbe"), (7, b"\xbe")):
        if number == agrees:
            peer.send(frames.SETTINGS_ACK)
        await indexing(peer, number, silent + header)
    if agrees == 9:
        peer.send(frames.SETTINGS_ACK)
    await indexing(peer, 9, NO_TABLE + silent + INDEXED)
    peer.send(frames.headers(11, silent + b"\xbe"))
    assert await peer.error() == COMPRESSION_ERROR


async def test_another_table_than_agreed(connect: Connect) -> None:
    """Nobody has to say that it has none, but whoever says something says that (4.3.1)."""
    peer = await connect()
    peer.send(frames.headers(1, b"\x3f\x45" + request()[1:]))  # 100 bytes
    assert await peer.error() == COMPRESSION_ERROR


async def test_who_has_never_used_a_table(connect: Connect) -> None:
    """Clients of .NET and Dart do not say that they have none, which they should (4.3.1). They are served as
    before, and so is whoever begins to use one that it should not have.
    """
    peer = await connect(greet=False)
    peer.acknowledges = False
    peer.send_preface()
    silent = request("Tell")[1:]
    for number in (1, 3, 5):
        peer.send(frames.headers(number, request("Echo")[1:]), frames.data(number, message(), last=True))
        assert (await peer.next(DATA))[2:] == (number, message())
        peer.send(frames.SETTINGS_ACK)
    for number, header in ((7, INDEXED), (9, b"\xbe"), (11, INDEXED), (13, b"\xbe\xbf")):
        await indexing(peer, number, silent + header)


async def test_a_table_of_ours(connect: Connect) -> None:
    """Whenever a client lets us have less of a table, our next block says that we have none (4.3.1)."""
    peer = await connect()
    for number, size in ((1, 4096), (3, 100), (5, 0)):
        peer.send(setting(frames.HEADER_TABLE_SIZE, size), call(number))
        while (block := (await peer.next(HEADERS))[3]).startswith(b"\x10"):  # trailers of the one before
            pass
        assert block.startswith(NO_TABLE)
