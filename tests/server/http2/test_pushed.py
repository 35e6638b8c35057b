"""Streams of the service on our own transport: what is heard of them, and what is not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import grpc
import pytest

from landsraad_http2 import frames
from landsraad_server.api.session_streams import PushedSession
from landsraad_server.store.resp import noop
from landsraad_server.streams.outbox import Outbox
from landsraad_testkit.http2_peer import call, message, request

if TYPE_CHECKING:
    from tests.server.http2.conftest import Connect, Serve

pytestmark = pytest.mark.asyncio


class Listener:
    """Hears everything but one word."""

    def __init__(self) -> None:
        self.heard: list[bytes] = []
        self.settles = 0

    def on_message(self, frame: bytes) -> None:
        self.heard.append(frame)
        if frame == b"unheard-of":
            raise ValueError

    async def settled(self) -> None:
        self.settles += 1

    async def serve(self, _requests: object, context: Any) -> None:
        try:
            await PushedSession(Outbox(noop, noop), context, self).over()
        except ValueError:
            await context.abort(grpc.StatusCode.INVALID_ARGUMENT)


@pytest.mark.parametrize("waits", [False, True])
async def test_what_comes_with_what_is_not_taken(waits: bool, serve: Serve, connect: Connect) -> None:
    """A stream that ends by what a client has said takes nothing that was said behind it."""
    server, port = await serve()
    listener = Listener()
    handler: Any = grpc.stream_stream_rpc_method_handler(listener.serve)
    server.add_registered_method_handlers("test.PushedSession", {"Listen": handler})
    peer = await connect(port=port)
    opening = frames.headers(1, request(**{":path": "/test.PushedSession/Listen"}))
    said = frames.data(1, message(b"well") + message(b"unheard-of") + message(b"behind"), last=True)
    if waits:  # it has come before anybody listens
        peer.send(opening, said)
    else:
        peer.send(opening, call(3))
        await peer.next(frames.DATA)
        peer.send(said)
    while not (frame := await peer.next(frames.HEADERS))[1] & frames.END_STREAM or frame[2] != 1:
        pass
    assert dict(peer.fields(frame[3]))["grpc-status"] == "3"
    assert listener.heard == [b"well", b"unheard-of"]
    assert not listener.settles
