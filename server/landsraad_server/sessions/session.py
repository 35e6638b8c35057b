"""One client's stream, whatever carries it: `on_message` takes its frames, `outbox` has what is to be written."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Coroutine
from typing import Any, Protocol

from google.protobuf.timestamp_pb2 import Timestamp

from landsraad.v1 import play_pb2
from landsraad.wire.frames import item
from landsraad_server.hosting.hall import Hall
from landsraad_server.hosting.position import Position
from landsraad_server.hosting.records import Presence, Stage
from landsraad_server.hosting.requests import ActInput, Call, OrdersInput
from landsraad_server.limits import MOST_IN_FLIGHT, MOST_ITEMS, MOST_SEATS
from landsraad_server.refusals import Denied, bad_field, foreseen, on_wire
from landsraad_server.sessions.outbox import Outbox
from landsraad_server.sessions.seats import SeatStream


class Gate(Protocol):
    """Who says whether a client may play a seat."""

    async def seat(self, match: str, seat: int, credential: str) -> None:
        """Denied if it may not."""


class Session:
    """See above. A transport makes one for each stream, calls `on_message`, writes what `outbox.take` gives until that
    is empty, and calls `end` when the client has gone.
    """

    def __init__(self, hall: Hall, gate: Gate, *, address: str = "") -> None:
        self.hall = hall
        self.seats: dict[int, SeatStream] = {}
        self.outbox = Outbox(self._full, self._drained)
        self._gate = gate
        self._address = address
        self._opening: set[int] = set()  # subscriptions whose credential is being looked at
        self._tasks: set[asyncio.Task[None]] = set()

    # ------------------------------------------------------------------------------------------------ from the client

    def on_message(self, frame: play_pb2.ClientFrame) -> None:
        """Take a frame; what is refused is answered in the stream."""
        if len(frame.items) > MOST_ITEMS:
            self.refuse(0, Denied("TOO_LARGE", f"a frame has {MOST_ITEMS} items at most"))
            return
        for given in frame.items:
            subscription = given.subscription
            kind = given.WhichOneof("item")
            if kind == "submit" or kind == "standing_orders":
                stream = self.seats.get(subscription)
                if stream is None:
                    self._unknown(given, kind)
                elif stream.in_flight >= MOST_IN_FLIGHT:
                    error = Denied("OVERLOADED", f"{MOST_IN_FLIGHT} inputs of this seat wait already", retry_ms=50)
                    self.refuse(subscription, error, getattr(given, kind).seq)
                else:
                    stream.in_flight += 1
                    stream.host.put(_input_of(stream, given, kind))
            elif kind == "ping":
                self._pong(given.ping.token)
            elif kind == "subscribe":
                self._subscribe(subscription, given.subscribe)
            elif kind == "unsubscribe":
                stream = self.seats.get(subscription)
                if stream is None:
                    self._unknown(given, kind)
                else:
                    stream.close(play_pb2.CLOSED_REASON_UNSUBSCRIBED)
            else:
                self.refuse(subscription, bad_field("item", "nothing that this version knows"))

    def _unknown(self, given: play_pb2.ClientItem, kind: str) -> None:
        error = bad_field("subscription", f"{given.subscription} is not open on this stream")
        self.refuse(given.subscription, error, getattr(getattr(given, kind), "seq", 0))

    def _pong(self, token: int) -> None:
        now = Timestamp()
        now.FromMilliseconds(self.hall.now())
        self.outbox.put(0, item(0, "pong", play_pb2.Pong(token=token, time=now).SerializeToString()))

    # -------------------------------------------------------------------------------------------------- subscriptions

    def _subscribe(self, subscription: int, wanted: play_pb2.Subscribe) -> None:
        if not subscription:
            self.refuse(0, bad_field("subscription", "from 1"))
        elif subscription in self.seats or subscription in self._opening:
            self.refuse(subscription, bad_field("subscription", "it is open already"))
        elif len(self.seats) + len(self._opening) >= MOST_SEATS:
            self.refuse(subscription, Denied("QUOTA", f"a stream plays {MOST_SEATS} seats at most"))
        else:
            self._opening.add(subscription)
            self.spawn(self._open(subscription, wanted))

    async def _open(self, subscription: int, wanted: play_pb2.Subscribe) -> None:
        try:
            match = wanted.match.removeprefix("matches/")
            await self._gate.seat(wanted.match, wanted.seat, wanted.credential)
            host = self.hall.host(match)
            token = secrets.token_hex(4)
            stream = SeatStream(self, subscription, host, wanted.seat, token, offers=wanted.plays)
            cursor = getattr(wanted, "from") if wanted.HasField("from") else None

            def take_seat(position: Position, now: int) -> None:
                if not position.over:
                    state = position.seat(wanted.seat)
                    state.stream, state.away_at = token, 0
                    if state.presence is not Presence.RESIGNED:
                        state.presence = Presence.HERE

            def begin(position: Position) -> None:
                if subscription in self._opening:
                    self.seats[subscription] = stream
                    stream.begin(position, cursor)

            call = Call(take_seat, begin)
            host.put(call)
            await call.future
        except Exception as error:  # noqa: BLE001  an answer, or a fault that is logged
            self.refuse(subscription, error)
        finally:
            self._opening.discard(subscription)

    def plays(self, stream: SeatStream) -> bool:
        """Whether a seat is still played on this stream."""
        return self.seats.get(stream.subscription) is stream

    def close_seat(self, stream: SeatStream, reason: play_pb2.ClosedReason) -> None:
        """End a subscription."""
        if self.seats.pop(stream.subscription, None) is stream:
            stream.farewell(reason)
            self._leave(stream)

    def _leave(self, stream: SeatStream) -> None:
        stream.host.unlisten(stream)

        def leave(position: Position, now: int) -> None:
            state = position.seats[stream.seat]
            if state.stream == stream.token and position.stage is not Stage.OVER:
                state = position.seat(stream.seat)
                state.stream, state.away_at = "", now
                if state.presence is not Presence.RESIGNED:
                    state.presence = Presence.AWAY

        call = Call(leave)
        call.future.add_done_callback(_noticed)
        stream.host.put(call)

    # --------------------------------------------------------------------------------------------------- to the client

    def refuse(self, subscription: int, error: Exception, seq: int = 0, position: Position | None = None) -> None:
        """Say in the stream why something is not done."""
        if not foreseen(error):
            self.hall.fault("stream", "", error)
        codec = None if position is None or position.live is None else position.live.codec
        refusal = on_wire(error, codec, seq)
        self.outbox.put(subscription, item(subscription, "refusal", refusal.SerializeToString()))

    def hint(self, reason: play_pb2.ClosedReason) -> str:
        """Where to connect after a subscription has ended."""
        return "" if reason == play_pb2.CLOSED_REASON_DRAINING else self._address

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something that waits, for as long as the stream lasts."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _full(self) -> None:
        for stream in tuple(self.seats.values()):
            stream.cut()
        if self.outbox.full:  # it does not even read what it has asked for
            self.close(play_pb2.CLOSED_REASON_SLOW)

    def _drained(self) -> None:
        for stream in self.seats.values():
            stream.drained()

    def close(self, reason: play_pb2.ClosedReason) -> None:
        """End all subscriptions, and the stream as soon as that is written."""
        for stream in tuple(self.seats.values()):
            self.close_seat(stream, reason)
        self._opening.clear()
        self.outbox.close()

    async def settled(self) -> None:
        """Return when all inputs so far have their answers."""
        matches = {stream.host.match for stream in self.seats.values() if stream.in_flight}
        await asyncio.gather(*(self.hall.ask(match) for match in matches), return_exceptions=True)

    def end(self) -> None:
        """The client has gone."""
        seats, self.seats = self.seats, {}
        for stream in seats.values():
            self._leave(stream)
        self._opening.clear()
        for task in self._tasks:
            task.cancel()
        self.outbox.close()


def _input_of(stream: SeatStream, given: play_pb2.ClientItem, kind: str) -> ActInput | OrdersInput:
    if kind == "standing_orders":
        orders = given.standing_orders
        return OrdersInput(stream.seat, orders.seq, tuple(orders.orders), stream.answered)
    submit = given.submit
    meant = submit.WhichOneof("meant_for")
    return ActInput(
        stream.seat,
        submit.seq,
        submit.act,
        submit.decision_id if meant == "decision_id" else None,
        submit.during if meant == "during" else None,
        stream.answered,
    )


def _noticed(future: asyncio.Future[Any]) -> None:
    """Nobody waits for it: if it fails, the seat's clock says so in time."""
    if not future.cancelled():
        future.exception()
