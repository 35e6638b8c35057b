"""The feed of a match as one seat sees it: a subscription on a stream that many seats share."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from contextvars import Context
from typing import Any

from landsraad import AsyncClient
from landsraad.errors import LandsraadError, error_from_refusal, is_retryable
from landsraad.play_stream import PlayStream
from landsraad.seat_log import LogGap
from landsraad.v1 import log_pb2, play_pb2, play_service_pb2
from landsraad.wire.frames import client_item
from landsraad_web.cursors import Cursor
from landsraad_web.feeds import LogFeed

#: Ends of a subscription after which the seat is not subscribed again: another program has it, or the right is gone.
_FINAL = {
    play_pb2.CLOSED_REASON_REPLACED: "replaced",
    play_pb2.CLOSED_REASON_REVOKED: "revoked",
    play_pb2.CLOSED_REASON_UNSUBSCRIBED: "unsubscribed",
}


class SeatFeed(LogFeed):
    """The log of a seat, with its clock and its out-of-turn plays.

    Args:
        client: The client of the service.
        match: The name of the match.
        seat: The number of the seat.
        token: The token of the account that holds the seat.
    """

    def __init__(self, client: AsyncClient, match: str, seat: int, token: str) -> None:
        super().__init__()
        self._client = client
        self._match = match
        self._seat = seat
        self._token = token
        self._connection: PlayStream | None = None
        self._number = 0
        self._opening: asyncio.Task[None] | None = None

    def start(self, cursor: Cursor | None) -> None:
        self.cursor = cursor
        self._opening = asyncio.get_running_loop().create_task(self._open(), context=Context())

    async def _open(self) -> None:
        try:
            self._connection = await self._client.connection(self._match)
        except LandsraadError as error:
            self.fail(error)
        else:
            self._number = self._connection.add(self)

    async def stop(self) -> None:
        for task in (self._opening, self._taking):
            if task is not None:
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
        if self._connection is not None:
            self._connection.remove(self._number)
            self._connection = None

    async def fetch_snapshot(self) -> None:
        request = play_service_pb2.GetObservationRequest(match=self._match, seat=self._seat)
        with suppress(LandsraadError):  # then the snapshot before has to do
            self.take_snapshot(
                await self._client.call("Play/GetObservation", request, log_pb2.Observation, token=self._token)
            )

    # ------------------------------------------------------------------------------------------------- as a subscriber

    def opening_items(self, number: int) -> Iterable[bytes]:
        """Return the subscription, from the feed's cursor on."""
        start: dict[str, Any] = {} if self.cursor is None else {"from": self.cursor.message()}
        subscribe = play_pb2.Subscribe(match=self._match, seat=self._seat, credential=self._token, plays=True, **start)
        yield client_item(play_pb2.ClientItem(subscription=number, subscribe=subscribe))

    def receive(self, item: play_pb2.ServerItem) -> None:
        """Take one item."""
        try:
            match item.WhichOneof("item"):
                case "refusal":
                    self._refused(error_from_refusal(item.refusal))
                case "closed":
                    self._closed(item.closed.reason)
                case _:
                    self.apply(item)
        except LogGap:
            self._renew()

    def end_frame(self) -> None:
        """Do nothing: readers are woken by each item, and run once the frame has been handled."""

    def fail(self, error: LandsraadError) -> None:
        """End the feed: the service cannot be reached."""
        self._connection = None
        self.end("failed", error)

    def _refused(self, error: LandsraadError) -> None:
        if is_retryable(error):  # type: ignore[arg-type]
            asyncio.get_running_loop().call_later(getattr(error, "retry_after", None) or 0.5, self._renew)
        elif self._connection is None or not self._connection.follow(error):
            self._drop()
            self.fail(error)

    def _closed(self, reason: play_pb2.ClosedReason.ValueType) -> None:
        if reason == play_pb2.CLOSED_REASON_OVER:
            self._drop()
            self.end("over")
        elif reason == play_pb2.CLOSED_REASON_SLOW:
            self._renew()
        elif reason in _FINAL:
            self._drop()
            self.end(_FINAL[reason])
        elif self._connection is not None:
            self._connection.restart()

    def _renew(self) -> None:
        """Subscribe again, under another number: late items of the old one are ignored."""
        if self._connection is not None:
            self._connection.remove(self._number)
            self._number = self._connection.add(self)

    def _drop(self) -> None:
        if self._connection is not None:
            self._connection.forget(self._number)
            self._connection = None
