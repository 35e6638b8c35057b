"""Flow control (RFC 9113, 5.2 and 6.9): windows of one byte, of none, that shrink; and what waits meanwhile."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from landsraad_http2 import frames
from landsraad_http2.frames import DATA, END_STREAM, HEADERS, INITIAL_WINDOW_SIZE, WINDOW_UPDATE
from landsraad_testkit.http2_peer import Methods, Peer, call, message, request

if TYPE_CHECKING:
    from tests.server.http2.conftest import Connect

pytestmark = pytest.mark.asyncio


async def answer(peer: Peer, step: int = 0, number: int = 1) -> bytes:
    """All data of a stream to its end. After each frame the client lets the server send `step` bytes more."""
    body = b""
    while True:
        kind, flags, at, payload = await peer.next(DATA, HEADERS)
        if at == number:
            if kind == DATA:
                body += payload
                if step:
                    peer.send(frames.window_update(number, step))
            if flags & END_STREAM:
                return body


async def widened(peer: Peer) -> int:
    """By how much the client may send more on stream 1."""
    while (frame := await peer.next(WINDOW_UPDATE))[2] != 1:
        pass
    return frames.number(frame[3])


async def test_one_byte_at_a_time(connect: Connect) -> None:
    """Theirs: the answer comes in frames of one byte, whole and in order, and its trailers after it."""
    peer = await connect((INITIAL_WINDOW_SIZE, 1))
    body = Random(1).randbytes(500)
    peer.send(call(1, "Echo", body))
    assert await answer(peer, 1) == message(body)


async def test_one_byte_at_a_time_of_ours(connect: Connect) -> None:
    """Ours: a client that sends no more than it may gets through."""
    peer = await connect(stream_window=1)
    peer.send(frames.headers(1, request("Count")))
    body = message(bytes(50))
    for at, byte in enumerate(body):
        peer.send(frames.data(1, bytes((byte,)), last=at == len(body) - 1))
        if at < len(body) - 1:
            assert await widened(peer) == 1
    assert await answer(peer) == message(b"1 50")


async def test_no_window_at_all(connect: Connect) -> None:
    peer = await connect((INITIAL_WINDOW_SIZE, 0))
    peer.send(call(1))
    assert (await peer.headers())[0] == 1
    assert await peer.alive()  # and nothing has come
    peer.send(frames.settings([(INITIAL_WINDOW_SIZE, 3)]))
    assert (await peer.next(DATA))[3] == message()[:3]
    peer.send(frames.window_update(1, 100))
    assert await answer(peer) == message()[3:]


async def test_a_window_below_nothing(connect: Connect) -> None:
    """6.9.2: new settings may take away what was used already; that has to be given back first."""
    peer = await connect((INITIAL_WINDOW_SIZE, 10))
    peer.send(call(1, "Echo", bytes(40)))
    assert len((await peer.next(DATA))[3]) == 10
    peer.send(frames.settings([(INITIAL_WINDOW_SIZE, 0)]), frames.window_update(1, 10))  # 0 - 10 + 10
    assert await peer.alive()
    peer.send(frames.window_update(1, 1))
    assert len((await peer.next(DATA))[3]) == 1
    peer.send(frames.window_update(1, 100))
    assert len(await answer(peer)) == 34


async def test_the_window_of_the_connection(connect: Connect) -> None:
    """Streams that wait for it get it in turn, and none is forgotten."""
    peer = await connect((INITIAL_WINDOW_SIZE, frames.MOST_WINDOW))
    numbers = range(1, 21, 2)
    peer.send(*(call(number, "Repeat", b"9000 3") for number in numbers))
    got = dict.fromkeys(numbers, 0)
    ended: set[int] = set()
    unacknowledged = 0
    while len(ended) < len(numbers):
        kind, flags, number, payload = await peer.next(DATA, HEADERS)
        if kind == DATA:
            got[number] += len(payload)
            unacknowledged += len(payload)
        if flags & END_STREAM:
            ended.add(number)
        if unacknowledged == frames.FIRST_WINDOW:
            peer.send(frames.window_update(0, unacknowledged))
            unacknowledged = 0
        assert unacknowledged < frames.FIRST_WINDOW
    assert set(got.values()) == {3 * 9005}


async def test_large_frames(connect: Connect) -> None:
    """A client that takes large frames gets a message in one."""
    peer = await connect((INITIAL_WINDOW_SIZE, 1 << 20), (frames.MAX_FRAME_SIZE, 1 << 20))
    peer.send(frames.window_update(0, 1 << 20), call(1, "Repeat", b"100000 1"))
    assert len((await peer.next(DATA))[3]) == 100_005


async def test_a_client_that_sends_more_than_it_may(connect: Connect, methods: Methods) -> None:
    """Nobody reads; the window of the stream is that of one frame."""
    peer = await connect(stream_window=16_384)
    peer.send(frames.headers(1, request("Deaf")), *[frames.data(1, message(bytes(995)))] * 17)
    assert await peer.reset() == (1, frames.FLOW_CONTROL_ERROR)
    assert await peer.alive()


async def test_a_client_that_sends_more_than_the_connection_may(connect: Connect) -> None:
    peer = await connect(connection_window=65_535)
    peer.send(*(frames.headers(number, request("Deaf")) for number in (1, 3)))
    peer.send(*[frames.data(1, message(bytes(995)))] * 40, *[frames.data(3, message(bytes(995)))] * 30)
    assert await peer.error() == frames.FLOW_CONTROL_ERROR


async def test_what_is_not_read_is_not_sent(connect: Connect, methods: Methods) -> None:
    """The window is given back when somebody reads, and not before."""
    peer = await connect(stream_window=1000)
    peer.send(frames.headers(1, request("Deaf")), frames.data(1, message(bytes(995))))
    assert await peer.alive()
    methods.go.set()
    assert await widened(peer) == 1000
    peer.send(frames.data(1, message(bytes(995)), last=True))
    assert await answer(peer) == message(b"2 1990")


async def test_what_nobody_wants_any_more_is_given_back(connect: Connect) -> None:
    """Data of calls that were refused or reset count for the connection all the same."""
    peer = await connect(connection_window=65_535)
    for number in range(1, 41, 2):
        peer.send(frames.headers(number, request("Missing")), frames.data(number, message(bytes(9000))))
        assert (await peer.headers())[1]["grpc-status"] == "12"
    assert await peer.alive()


async def test_pushed_messages_wait_too(connect: Connect) -> None:
    """`send` never waits, and keeps what cannot go."""
    peer = await connect((INITIAL_WINDOW_SIZE, 7))
    peer.send(frames.headers(1, request("Push")))
    peer.send(*(frames.data(1, message(bytes(100))) for _ in range(9)), frames.data(1, message(b""), last=True))
    assert await answer(peer, 7) == message(bytes(100)) * 9 + message(b"")


async def test_a_client_that_cancels_what_waits(connect: Connect, methods: Methods) -> None:
    peer = await connect((INITIAL_WINDOW_SIZE, 0))
    peer.send(call(1, "Repeat", b"60000 100"))
    assert (await peer.headers())[0] == 1
    peer.send(frames.rst_stream(1, frames.CANCEL), frames.settings([(INITIAL_WINDOW_SIZE, 100)]), call(3))
    assert await answer(peer, number=3) == message()
