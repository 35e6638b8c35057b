"""Play session: the stream of a player, with any number of seats on it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Final, Protocol, cast

from google.protobuf.timestamp_pb2 import Timestamp

from landsraad.v1 import common_pb2, play_pb2
from landsraad.wire.frames import item
from landsraad.wire.seat_semantics import check_subscription, meant_for, not_open
from landsraad_server.accounts.authentication import match_id
from landsraad_server.matches.credentials import SeatProof
from landsraad_server.matches.hosted_match import HostedMatch
from landsraad_server.matches.match_hosts import MatchHosts
from landsraad_server.matches.requests import ActInput, OrdersInput
from landsraad_server.refusals import SOON_MS, Denied, bad_field
from landsraad_server.request_limits import MOST_IN_FLIGHT, MOST_ITEMS, MOST_SEATS
from landsraad_server.store.account_store import TOKEN_PREFIX
from landsraad_server.streams.log_stream import LogStream
from landsraad_server.streams.network_delay import NetworkDelay
from landsraad_server.streams.seat_stream import MOST_ORDERS, SeatStream
from landsraad_server.streams.session import SNAPSHOTS_AT_ONCE, Session


class SeatAuthorizer(Protocol):
    """The part of authentication that a session needs."""

    async def seat(self, match: str, seat: int, bearer: str) -> SeatProof:
        """Return the proof that the bearer may play a seat; raise `Denied` if it may not."""


class PlaySession(Session):
    """A session that takes acts, standing orders and subscriptions. Refusals are sent in the stream, which goes on."""

    __slots__ = (
        "_authorizer",
        "_bearer",
        "_closing",
        "_network",
        "_opening",
        "_opening_slots",
    )

    def __init__(self, hosts: MatchHosts, authorizer: SeatAuthorizer, bearer: str, *, address: str = "") -> None:
        super().__init__(hosts, address=address)
        self._authorizer = authorizer
        self._bearer = bearer
        self._network = NetworkDelay(hosts.now, self.outbox.put)
        #: subscriptions whose credential is being checked, with the items that the client has sent for them meanwhile
        self._opening: dict[int, list[play_pb2.ClientItem]] = {}
        #: subscriptions that end once their inputs are answered, with the items that came after their Unsubscribe
        self._closing: dict[int, list[play_pb2.ClientItem]] = {}
        self._opening_slots = asyncio.Semaphore(SNAPSHOTS_AT_ONCE)

    def on_message(self, frame: play_pb2.ClientFrame) -> None:
        """Take a frame of the client."""
        if len(frame.items) > MOST_ITEMS:
            self.refuse(0, Denied("TOO_LARGE", f"a frame has {MOST_ITEMS} items at most"))
            return
        for sent in frame.items:
            self._handle(sent)

    def _handle(self, sent: play_pb2.ClientItem) -> None:
        """Handle an item, or postpone it if its subscription is being opened or closed."""
        kind = sent.WhichOneof("item")
        if kind is None:
            self.refuse(sent.subscription, bad_field("item", "nothing that this version knows"))
        elif sent.subscription in self._closing and kind not in ("ping", "pong"):
            self._postpone(self._closing[sent.subscription], sent)
        elif sent.subscription in self._opening and kind not in ("subscribe", "ping", "pong"):
            self._postpone(self._opening[sent.subscription], sent)
        else:
            _HANDLERS[kind](self, sent)

    def _postpone(self, waiting: list[play_pb2.ClientItem], sent: play_pb2.ClientItem) -> None:
        """Queue an item until its subscription is open or closed.

        A client that reconnects subscribes and repeats its unanswered inputs without waiting in between.
        """
        if len(waiting) < MOST_IN_FLIGHT:
            waiting.append(sent)
        else:
            self.refuse(sent.subscription, _too_much_in_flight(), _seq(sent))

    # -------------------------------------------------------------------------------------------------------- inputs

    def _submit(self, sent: play_pb2.ClientItem) -> None:
        submit = sent.submit
        stream = self._accepting_stream(sent, submit.seq)
        if stream is not None:
            decision, during = meant_for(submit)
            answered, network = stream.on_answered, self._network.ms
            act_input = ActInput(stream.number, submit.seq, submit.act, decision, during, answered, network_ms=network)
            stream.host.put(act_input)

    def _orders(self, sent: play_pb2.ClientItem) -> None:
        orders = sent.standing_orders
        stream = self._accepting_stream(sent, orders.seq)
        if stream is not None and not stream.count_orders():
            refusal = Denied("RATE_LIMITED", f"{MOST_ORDERS} orders while nothing happens", retry_ms=SOON_MS)
            stream.on_answered(None, orders.seq, refusal)
        elif stream is not None:
            stream.host.put(OrdersInput(stream.number, orders.seq, tuple(orders.orders), stream.on_answered))

    def _accepting_stream(self, sent: play_pb2.ClientItem, seq: int) -> SeatStream | None:
        """Return the stream for an input, and count the input; None if it was refused."""
        stream = cast("SeatStream | None", self.streams.get(sent.subscription))
        if stream is None:
            self.refuse(sent.subscription, self._not_open(sent.subscription), seq)
            return None
        if stream.in_flight >= MOST_IN_FLIGHT:
            self.refuse(sent.subscription, _too_much_in_flight(), seq)
            return None
        stream.in_flight += 1
        self.hosts.counters.in_flight += 1
        return stream

    def _not_open(self, subscription: int) -> Denied:
        if self.draining:
            text = "this worker is shutting down: send the same request to another"
            return Denied("DRAINING", text, retry_ms=SOON_MS)
        return not_open(subscription)

    def _pong(self, sent: play_pb2.ClientItem) -> None:
        self._network.on_pong(sent.pong.token)

    def _ping(self, sent: play_pb2.ClientItem) -> None:
        self.flush()  # Everything up to now is sent before the pong.
        now = Timestamp()
        now.FromMilliseconds(self.hosts.now())
        self.outbox.put(item(0, "pong", play_pb2.Pong(token=sent.ping.token, time=now).SerializeToString()))

    # -------------------------------------------------------------------------------------------------- subscriptions

    def _subscribe(self, sent: play_pb2.ClientItem) -> None:
        subscription = sent.subscription
        try:
            check_subscription(subscription, taken=subscription in self.streams or subscription in self._opening)
        except Denied as denied:
            self.refuse(subscription, denied)
            return
        if len(self.streams) + len(self._opening) >= MOST_SEATS:
            self.refuse(subscription, Denied("QUOTA", f"a stream plays {MOST_SEATS} seats at most"))
        else:
            self._opening[subscription] = []
            self.spawn(self._open(subscription, sent.subscribe))

    async def _open(self, subscription: int, wanted: play_pb2.Subscribe) -> None:
        try:
            match = match_id(wanted.match)
            bearer = wanted.credential or self._bearer
            proof = await self._authorizer.seat(wanted.match, wanted.seat, bearer)
            cursor = getattr(wanted, "from") if wanted.HasField("from") else None
            async with self._opening_slots:
                await self.outbox.wait_for_room()
                host = self.hosts.host(match)  # Not sooner: an idle host may be evicted while this waits.
                stream = SeatStream(
                    self, subscription, host, wanted.seat, proof, network=self._network, sends_plays=wanted.plays
                )
                stream.opened_with = bearer if bearer.startswith(TOKEN_PREFIX) else ""
                await stream.open(partial(self._begin, stream, cursor))
        except Exception as error:  # noqa: BLE001  sent as a refusal, and logged if it is a fault
            for sent in (None, *self._opening.pop(subscription, ())):
                self.refuse(subscription, error, 0 if sent is None else _seq(sent))
        else:
            for sent in self._opening.pop(subscription, ()):
                self._handle(sent)
            stream.on_opened()
        finally:
            self._opening.pop(subscription, None)

    def _begin(self, stream: SeatStream, cursor: common_pb2.Cursor | None, hosted: HostedMatch) -> None:
        if stream.subscription in self._opening:
            self.add_stream(stream)
            self.hosts.counters.seats += 1
            try:
                stream.begin(hosted, cursor)
            except Exception:  # The subscription is refused, and the client may try again.
                if self.drop_stream(stream):
                    self.hosts.counters.seats -= 1
                raise

    def _unsubscribe(self, sent: play_pb2.ClientItem) -> None:
        stream = cast("SeatStream | None", self.streams.get(sent.subscription))
        if stream is None:
            self.refuse(sent.subscription, not_open(sent.subscription))
            return
        if stream.in_flight:
            self._closing[sent.subscription] = []
        stream.close(play_pb2.CLOSED_REASON_UNSUBSCRIBED)

    def on_closed(self, stream: LogStream) -> None:
        """Leave the seat, and handle what was sent after its Unsubscribe."""
        assert isinstance(stream, SeatStream)
        self.hosts.counters.seats -= 1
        stream.leave_seat()
        for sent in self._closing.pop(stream.subscription, ()):
            self._handle(sent)

    # --------------------------------------------------------------------------------------------------------- ending

    async def settled(self) -> None:
        """Wait until everything that the client has sent so far is answered."""
        answered = False
        while self._tasks or not answered:
            # A task that opens a seat may start another, which reads what the client has missed.
            await asyncio.gather(*self._tasks, return_exceptions=True)
            waiting = {stream.host.match for stream in self.streams.values()}
            await asyncio.gather(*(self.hosts.read(match, lambda _: None) for match in waiting), return_exceptions=True)
            answered = True  # Items that were postponed until now may have started new tasks.

    def end(self) -> None:
        """Release everything: the client has gone. Call this once."""
        self._opening.clear()
        self._closing.clear()
        super().end()


#: The handlers of items, by kind.
_HANDLERS: Final[dict[str, Callable[[PlaySession, play_pb2.ClientItem], None]]] = {
    "submit": PlaySession._submit,
    "standing_orders": PlaySession._orders,
    "subscribe": PlaySession._subscribe,
    "unsubscribe": PlaySession._unsubscribe,
    "ping": PlaySession._ping,
    "pong": PlaySession._pong,
}


def _too_much_in_flight() -> Denied:
    return Denied("OVERLOADED", f"{MOST_IN_FLIGHT} inputs of this seat wait already", retry_ms=50)


def _seq(sent: play_pb2.ClientItem) -> int:
    """Return the sequence number of an input; 0 for any other item."""
    return sent.submit.seq or sent.standing_orders.seq
