"""Raw stream of Play.Connect: items as received, without folding, resending or filtering."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from types import TracebackType
from typing import Any, Final, Self

import grpc.aio

from landsraad.models import Ticket
from landsraad.v1 import act_pb2, play_pb2, play_service_pb2_grpc
from landsraad.wire.seat_semantics import cursor_at

#: Timeout of everything that a test waits for.
PATIENCE_SECONDS: Final = 20.0
#: No two channels share a connection; a frame may hold snapshots of many seats.
OPTIONS: Final = (("grpc.use_local_subchannel_pool", 1), ("grpc.max_receive_message_length", 64 << 20))


class RawStream:
    """One stream on its own connection. Items are kept until they are asked for by kind."""

    def __init__(self, address: str, *, token: str = "") -> None:
        self._channel = grpc.aio.insecure_channel(address, options=OPTIONS)
        metadata = (("authorization", f"Bearer {token}"),) if token else ()
        self.call: Any = play_service_pb2_grpc.PlayStub(self._channel).Connect(metadata=metadata)
        #: everything received, in order
        self.received: list[play_pb2.ServerItem] = []
        self._waiting: list[play_pb2.ServerItem] = []

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.cut()

    async def cut(self) -> None:
        """Cancel the call and close the connection."""
        self.call.cancel()
        await self._channel.close()

    # -------------------------------------------------------------------------------------------------------- sending

    async def send(self, *items: play_pb2.ClientItem) -> None:
        """Send items in one frame."""
        await self.call.write(play_pb2.ClientFrame(items=items))

    async def subscribe(
        self,
        ticket: Ticket,
        number: int = 1,
        *,
        start: tuple[int, int] | tuple[int, int, bytes] | None = None,
        plays: bool = False,
    ) -> None:
        """Subscribe to a seat; `start` is the cursor, as epoch and number of the first entry, perhaps with a mark."""
        cursor = None if start is None else cursor_at(*start)
        wanted = play_pb2.Subscribe(
            match=ticket.match, seat=ticket.seat, credential=ticket.credential, plays=plays, **{"from": cursor}
        )
        await self.send(play_pb2.ClientItem(subscription=number, subscribe=wanted))

    async def submit(
        self, act: act_pb2.Act, seq: int, number: int = 1, *, decision: int | None = None, during: int | None = None
    ) -> None:
        """Send an act."""
        item = play_pb2.SubmitItem(seq=seq, act=act)
        if decision is not None:
            item.decision_id = decision
        if during is not None:
            item.during = during
        await self.send(play_pb2.ClientItem(subscription=number, submit=item))

    async def ping(self, token: int = 1) -> None:
        """Return when the service has processed everything sent before, since it answers in order."""
        await self.send(play_pb2.ClientItem(ping=play_pb2.Ping(token=token)))
        while (await self.next("pong")).token != token:
            pass

    # ------------------------------------------------------------------------------------------------------- listening

    async def next(self, kind: str, number: int | None = None) -> Any:
        """Return the next item of a kind, of any subscription or of one; others stay queued."""

        def fits(item: play_pb2.ServerItem) -> bool:
            return item.WhichOneof("item") == kind and number in (None, item.subscription)

        return getattr(await self.find(fits), kind)

    async def find(self, fits: Callable[[play_pb2.ServerItem], bool]) -> play_pb2.ServerItem:
        """Return the next item that fits; others stay queued."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while True:
                for at, item in enumerate(self._waiting):
                    if fits(item):
                        return self._waiting.pop(at)
                if not await self.read():
                    raise EOFError(f"the stream has ended: {self.kinds()}")

    async def ended(self) -> grpc.StatusCode:
        """Wait for the end of the stream and return its status code."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while await self.read():
                pass
            code: grpc.StatusCode = await self.call.code()
        return code

    async def read(self) -> bool:
        """Receive one frame; False at the end of the stream."""
        try:
            frame = await self.call.read()
        except grpc.aio.AioRpcError:
            return False
        if frame is grpc.aio.EOF:
            return False
        self.received += frame.items
        self._waiting += frame.items
        return True

    def kinds(self) -> list[str]:
        """Return the kinds of all items received."""
        return [str(item.WhichOneof("item")) for item in self.received]
