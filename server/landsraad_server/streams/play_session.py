"""The stream of a player, who may play any number of seats on it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Final, Protocol, cast

from google.protobuf.timestamp_pb2 import Timestamp

from landsraad.v1 import common_pb2, play_pb2
from landsraad.wire.frames import item
from landsraad_server.accounts.authentication import match_id
from landsraad_server.limits import MOST_IN_FLIGHT, MOST_ITEMS, MOST_SEATS
from landsraad_server.matches.credentials import SeatProof
from landsraad_server.matches.hosted_match import HostedMatch
from landsraad_server.matches.match_hosts import MatchHosts
from landsraad_server.matches.requests import ActInput, OrdersInput
from landsraad_server.refusals import SOON_MS, Denied, bad_field
from landsraad_server.store.account_store import TOKEN_PREFIX
from landsraad_server.streams.log_stream import LogStream
from landsraad_server.streams.network_delay import Network
from landsraad_server.streams.seat_stream import MOST_ORDERS, SeatStream
from landsraad_server.streams.session import AT_ONCE, Session


class SeatAuthorizer(Protocol):
    """Who says whether a client may play a seat."""

    async def seat(self, match: str, seat: int, bearer: str) -> SeatProof:
        """By what it may; Denied if it may not."""


class PlaySession(Session):
    """Takes acts, orders and subscriptions; what it refuses it answers in the stream, which goes on."""

    __slots__ = (
        "_bearer",
        "_doorway",
        "_gate",
        "_leaving",
        "_network",
        "_opening",
    )

    def __init__(self, hall: MatchHosts, gate: SeatAuthorizer, bearer: str, *, address: str = "") -> None:
        super().__init__(hall, address=address)
        self._gate = gate
        self._bearer = bearer
        self._network = Network(hall.now, self.outbox.put)
        #: subscriptions whose credential is being looked at, and what was sent for them meanwhile
        self._opening: dict[int, list[play_pb2.ClientItem]] = {}
        #: those that end once their inputs are answered, and what was sent behind their Unsubscribe
        self._leaving: dict[int, list[play_pb2.ClientItem]] = {}
        self._doorway = asyncio.Semaphore(AT_ONCE)

    def on_message(self, frame: play_pb2.ClientFrame) -> None:
        """Take a frame."""
        if len(frame.items) > MOST_ITEMS:
            self.refuse(0, Denied("TOO_LARGE", f"a frame has {MOST_ITEMS} items at most"))
            return
        for given in frame.items:
            self._take(given)

    def _take(self, given: play_pb2.ClientItem) -> None:
        """Take an item, or let it wait for what was sent in front of it."""
        kind = given.WhichOneof("item")
        if kind is None:
            self.refuse(given.subscription, bad_field("item", "nothing that this version knows"))
        elif given.subscription in self._leaving and kind not in ("ping", "pong"):
            self._put_off(self._leaving[given.subscription], given)
        elif given.subscription in self._opening and kind not in ("subscribe", "ping", "pong"):
            self._put_off(self._opening[given.subscription], given)
        else:
            _TAKERS[kind](self, given)

    def _put_off(self, waiting: list[play_pb2.ClientItem], given: play_pb2.ClientItem) -> None:
        """Whoever comes back subscribes and sends again what was not answered, without waiting in between."""
        if len(waiting) < MOST_IN_FLIGHT:
            waiting.append(given)
        else:
            self.refuse(given.subscription, _too_much_in_flight(), _seq(given))

    # -------------------------------------------------------------------------------------------------------- inputs

    def _submit(self, given: play_pb2.ClientItem) -> None:
        submit = given.submit
        stream = self._seat(given, submit.seq)
        if stream is not None:
            meant = submit.WhichOneof("meant_for")
            decision = submit.decision_id if meant == "decision_id" else None
            during = submit.during if meant == "during" else None
            answered, network = stream.answered, self._network.ms
            given_act = ActInput(stream.number, submit.seq, submit.act, decision, during, answered, network_ms=network)
            stream.host.put(given_act)

    def _orders(self, given: play_pb2.ClientItem) -> None:
        orders = given.standing_orders
        stream = self._seat(given, orders.seq)
        if stream is not None and not stream.orders_again():
            refusal = Denied("RATE_LIMITED", f"{MOST_ORDERS} orders while nothing happens", retry_ms=SOON_MS)
            stream.answered(None, orders.seq, refusal)
        elif stream is not None:
            stream.host.put(OrdersInput(stream.number, orders.seq, tuple(orders.orders), stream.answered))

    def _seat(self, given: play_pb2.ClientItem, seq: int) -> SeatStream | None:
        """The seat that an input is for, if it may take another."""
        stream = cast("SeatStream | None", self.streams.get(given.subscription))
        if stream is None:
            self.refuse(given.subscription, self._not_open(given.subscription), seq)
            return None
        if stream.in_flight >= MOST_IN_FLIGHT:
            self.refuse(given.subscription, _too_much_in_flight(), seq)
            return None
        stream.in_flight += 1
        self.hall.figures.in_flight += 1
        return stream

    def _not_open(self, subscription: int) -> Denied:
        if self.draining:
            return Denied("DRAINING", "this worker is about to stop: send the same to another", retry_ms=SOON_MS)
        return bad_field("subscription", f"{subscription} is not open on this stream")

    def _pong(self, given: play_pb2.ClientItem) -> None:
        self._network.heard(given.pong.token)

    def _ping(self, given: play_pb2.ClientItem) -> None:
        self.flush()  # so that a pong says: this is all up to now
        now = Timestamp()
        now.FromMilliseconds(self.hall.now())
        self.outbox.put(item(0, "pong", play_pb2.Pong(token=given.ping.token, time=now).SerializeToString()))

    # -------------------------------------------------------------------------------------------------- subscriptions

    def _subscribe(self, given: play_pb2.ClientItem) -> None:
        subscription = given.subscription
        if not subscription:
            self.refuse(0, bad_field("subscription", "from 1"))
        elif subscription in self.streams or subscription in self._opening:
            self.refuse(subscription, bad_field("subscription", "it is open already"))
        elif len(self.streams) + len(self._opening) >= MOST_SEATS:
            self.refuse(subscription, Denied("QUOTA", f"a stream plays {MOST_SEATS} seats at most"))
        else:
            self._opening[subscription] = []
            self.spawn(self._open(subscription, given.subscribe))

    async def _open(self, subscription: int, wanted: play_pb2.Subscribe) -> None:
        try:
            match = match_id(wanted.match)
            bearer = wanted.credential or self._bearer
            claim = await self._gate.seat(wanted.match, wanted.seat, bearer)
            cursor = getattr(wanted, "from") if wanted.HasField("from") else None
            async with self._doorway:
                await self.outbox.room()
                host = self.hall.host(match)  # not sooner: nobody keeps the hall from letting go of it meanwhile
                stream = SeatStream(
                    self, subscription, host, wanted.seat, claim, network=self._network, offers=wanted.plays
                )
                stream.opened_with = bearer if bearer.startswith(TOKEN_PREFIX) else ""
                await stream.enter(partial(self._begin, stream, cursor))
        except Exception as error:  # noqa: BLE001  an answer, or a fault that is logged
            for given in (None, *self._opening.pop(subscription, ())):
                self.refuse(subscription, error, 0 if given is None else _seq(given))
        else:
            for given in self._opening.pop(subscription, ()):
                self._take(given)
            stream.opened()
        finally:
            self._opening.pop(subscription, None)

    def _begin(self, stream: SeatStream, cursor: common_pb2.Cursor | None, position: HostedMatch) -> None:
        if stream.subscription in self._opening:
            self.streams[stream.subscription] = stream
            self.hall.figures.seats += 1
            try:
                stream.begin(position, cursor)
            except Exception:  # then it is refused, and can be asked for again
                if self.streams.pop(stream.subscription, None) is not None:
                    self.hall.figures.seats -= 1
                raise

    def _unsubscribe(self, given: play_pb2.ClientItem) -> None:
        stream = cast("SeatStream | None", self.streams.get(given.subscription))
        if stream is None:
            self.refuse(given.subscription, bad_field("subscription", "it is not open on this stream"))
            return
        if stream.in_flight:
            self._leaving[given.subscription] = []
        stream.close(play_pb2.CLOSED_REASON_UNSUBSCRIBED)

    def left(self, stream: LogStream) -> None:
        """A seat is played here no longer."""
        assert isinstance(stream, SeatStream)
        self.hall.figures.seats -= 1
        stream.leave()
        for given in self._leaving.pop(stream.subscription, ()):
            self._take(given)

    # --------------------------------------------------------------------------------------------------------- ending

    async def settled(self) -> None:
        """Return when all that the client has sent so far is answered."""
        answered = False
        while self._tasks or not answered:
            # One that opens a seat leads to another, which reads what its client has missed.
            await asyncio.gather(*self._tasks, return_exceptions=True)
            waiting = {stream.host.match for stream in self.streams.values()}
            await asyncio.gather(*(self.hall.read(match, lambda _: None) for match in waiting), return_exceptions=True)
            answered = True  # and what has waited for that may open a seat

    def end(self) -> None:
        """See Session."""
        self._opening.clear()
        self._leaving.clear()
        super().end()


#: What takes an item, by its kind.
_TAKERS: Final[dict[str, Callable[[PlaySession, play_pb2.ClientItem], None]]] = {
    "submit": PlaySession._submit,
    "standing_orders": PlaySession._orders,
    "subscribe": PlaySession._subscribe,
    "unsubscribe": PlaySession._unsubscribe,
    "ping": PlaySession._ping,
    "pong": PlaySession._pong,
}


def _too_much_in_flight() -> Denied:
    return Denied("OVERLOADED", f"{MOST_IN_FLIGHT} inputs of this seat wait already", retry_ms=50)


def _seq(given: play_pb2.ClientItem) -> int:
    """The number of an input; 0 for anything else."""
    return given.submit.seq or given.standing_orders.seq
