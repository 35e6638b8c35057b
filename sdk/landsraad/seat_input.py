"""The inputs of a seat on their way out: written as bytes when they are made, and sent as often as it takes."""

from __future__ import annotations

from typing import Any, Protocol

from landsraad.v1 import act_pb2, play_pb2, play_service_pb2
from landsraad.wire.frames import client_item, submit_item


class InputOut(Protocol):
    """An input that is to be sent. It keeps its number: the service takes each number once."""

    seq: int

    def item(self, subscription: int) -> bytes:
        """Return a client's frame that holds it, for a stream."""

    def call(self, match: str, seat: int) -> tuple[str, Any, Any]:
        """Return method, request and answer of the call that sends it without a stream."""


class ActOut:
    """An answer to a question, or an out-of-turn play.

    Args:
        act: the bytes of the act.
        decision: the question that it answers.
        during: the public step during which it is played.
    """

    __slots__ = ("act", "decision", "during", "seq")

    def __init__(self, act: bytes, *, decision: int | None = None, during: int | None = None) -> None:
        self.act = act
        self.decision = decision
        self.during = during
        self.seq = 0

    def item(self, subscription: int) -> bytes:
        """See `InputOut`."""
        return submit_item(subscription, self.seq, self.act, decision=self.decision, during=self.during)

    def call(self, match: str, seat: int) -> tuple[str, Any, Any]:
        """See `InputOut`."""
        request = play_service_pb2.SubmitRequest(
            match=match, seat=seat, seq=self.seq, act=act_pb2.Act.FromString(self.act)
        )
        if self.decision is not None:
            request.decision_id = self.decision
        elif self.during is not None:
            request.during = self.during
        return "Play/Submit", request, play_service_pb2.SubmitResponse


class OrdersOut:
    """Standing orders."""

    __slots__ = ("orders", "seq")

    def __init__(self, orders: tuple[str, ...]) -> None:
        self.orders = orders
        self.seq = 0

    def item(self, subscription: int) -> bytes:
        """See `InputOut`."""
        orders = play_pb2.OrdersItem(seq=self.seq, orders=self.orders)
        return client_item(play_pb2.ClientItem(subscription=subscription, standing_orders=orders))

    def call(self, match: str, seat: int) -> tuple[str, Any, Any]:
        """See `InputOut`."""
        request = play_service_pb2.SetStandingOrdersRequest(match=match, seat=seat, seq=self.seq, orders=self.orders)
        return "Play/SetStandingOrders", request, play_service_pb2.SetStandingOrdersResponse
