"""Observed page: a position on a service, whose tested seat and spectators use the page."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from itertools import count
from typing import Any, Final

import msgspec
from google.protobuf.json_format import MessageToDict

from landsraad.errors import LandsraadError
from landsraad.v1 import act_pb2, play_pb2
from landsraad.wire.frames import client_item
from landsraad_engine.kernel import execution
from landsraad_engine.play.match import Match
from landsraad_engine.play.match_core import Input
from landsraad_testkit import HandClock
from landsraad_testkit.leaks.byte_capture import PATIENCE_SECONDS
from landsraad_testkit.leaks.observed_world import ObservedWorld, WorkerConnection
from landsraad_testkit.leaks.page_visitor import THE_END, EventCapture, PageAnswer, PageVisitor, entries_among, kind_of
from landsraad_web.application import WebPage

#: The service answers a ping under this number of a subscription.
_PONGS: Final = 0
_BARRIER: Final = "barrier"


class PongListener:
    """Listener for the answers to pings on a stream of the page."""

    def __init__(self) -> None:
        self._came = asyncio.Event()

    async def wait(self) -> None:
        """Return once an answer has come."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            await self._came.wait()

    def opening_items(self, _number: int) -> Iterable[bytes]:
        """Return nothing; see `Subscriber`."""
        return ()

    def receive(self, item: play_pb2.ServerItem) -> None:
        """Take an answer; see `Subscriber`."""
        if item.HasField("pong"):
            self._came.set()

    def end_frame(self) -> None:
        """Do nothing; see `Subscriber`."""

    def fail(self, error: LandsraadError) -> None:
        """Do nothing: the test runs into its timeout; see `Subscriber`."""


class ObservedPage(ObservedWorld):
    """A position of which the tested seat and the spectators know what the page sends them.

    The other seats are on gRPC streams. If they are on the same worker, their acts come through the same page.
    """

    def __init__(
        self,
        page: WebPage,
        here: WorkerConnection,
        there: WorkerConnection,
        clock: HandClock,
        match: Match,
        name: str,
        seat: int,
    ) -> None:
        super().__init__(here, there, clock, match, name, seat)
        self._page = page
        self._through_page = here is there
        self._hidden = here.worker.own_address.encode()
        self._stranger = PageVisitor(page)
        self._visitors: dict[int, PageVisitor] = {}
        self._barriers = count(1)
        self._events: EventCapture | None = None

    async def _bring_tested(self) -> None:
        self._visitors.clear()
        self._events = self._visitor(self.seat).follow(f"{self._address}/events?seat={self.seat}", self._hidden)
        self.tested_stream = self._events
        await self._events.until(lambda event: kind_of(event) == b"clock")

    def _visitor(self, seat: int) -> PageVisitor:
        """Return a browser whose session has the credential of a seat."""
        if seat not in self._visitors:
            token = self._credentials[seat]
            given = self._page.sessions.create(token, f"accounts/{seat}", f"seat {seat}", "127.0.0.1", guest=False)
            self._visitors[seat] = PageVisitor(self._page, given)
        return self._visitors[seat]

    @property
    def _address(self) -> str:
        return f"/api/matches/{self._name}"

    async def sync(self) -> None:
        """Return when the tested seat has received everything that has happened so far."""
        await self._hear_all()
        name, events = f"matches/{self._name}", self._tested_events()
        # The answer to a ping comes behind all that the service has sent to the page's stream; an event of our own
        # then passes through the feed behind all that the page has made of it.
        stream, pongs = await self._page.streams.connection(name), PongListener()
        stream._subscribers[_PONGS] = pongs
        stream.send(client_item(play_pb2.ClientItem(ping=play_pb2.Ping(token=1 << 40))))
        await pongs.wait()
        stream.forget(_PONGS)
        barrier = next(self._barriers)
        self._page.feeds.announce(name, self.seat, self._credentials[self.seat], _BARRIER, barrier)
        wanted = f"event: {_BARRIER}\ndata: {barrier}".encode()
        heard = await events.until(lambda event: event in (wanted, THE_END))
        if heard == wanted:  # the stream of a match that is over has ended
            events.forget(heard)

    def _tested_events(self) -> EventCapture:
        assert self._events is not None
        return self._events

    async def _hear_away(self, others: set[int]) -> None:
        def gone(event: bytes) -> bool:
            if kind_of(event) == b"presence":
                told = msgspec.json.decode(event.partition(b"data: ")[2])
                if told.get("presence") == "PRESENCE_AWAY":
                    others.discard(told.get("seat", 0))
            return not others

        await self._tested_events().until(gone)

    async def hand_over(self, other: int) -> None:
        """Hand another seat over to the house, whose bot has a credential of its own."""
        await super().hand_over(other)
        self._visitors.pop(other, None)

    async def watch(self, start: int) -> None:
        """Add a spectator, from an entry on, or from a snapshot if `start` is 0."""
        where = f"?from=0.{start - 1}" if start else ""
        stream = self._stranger.follow(f"{self._address}/events{where}", self._hidden)
        self.watching += [stream.log, stream.state]
        await stream.until(lambda event: kind_of(event) == b"match")

    def close(self) -> None:
        """Close all streams."""
        super().close()
        if self._events is not None:
            self._events.cut()

    @staticmethod
    def entries_in(items: list[bytes]) -> list[bytes]:
        """Return the log entries and snapshots among events."""
        return list(entries_among(items))

    # -------------------------------------------------------------------------------------------------------- acting

    async def give(self, given: Input, *, by_call: bool) -> None:
        """Send a legal input and wait for its acknowledgement."""
        if given.seat != self.seat and not self._through_page:
            await super().give(given, by_call=by_call)
            return
        act = self.codec.act(execution.from_plain(self.match.game, given.act))
        self._seqs[given.seat] += 1
        answer = await self._post(given.seat, "acts", {"seq": self._seqs[given.seat], "act": _form(act)})
        if b'"ack"' not in answer.body:
            raise RuntimeError(f"{given} was refused: {answer}")
        if given.seat == self.seat:
            self.replies.append(self._masked(answer))

    async def send_refused_act(self, act: act_pb2.Act, decision: int | None, during: int | None) -> None:
        """Send an act of the tested seat that has to be refused."""
        form: dict[str, Any] = {"seq": self._seqs[self.seat] + 1, "act": _form(act)}
        form |= {} if decision is None else {"decision": decision}
        form |= {} if during is None else {"during": during}
        self.replies.append(self._masked(await self._post(self.seat, "acts", form)))

    async def _post(self, seat: int, what: str, form: dict[str, Any]) -> PageAnswer:
        return await self._visitor(seat).post(f"{self._address}/seats/{seat}/{what}", form)

    def _masked(self, answer: PageAnswer) -> bytes:
        return repr(answer).encode().replace(self._hidden, b"-" * len(self._hidden))

    # -------------------------------------------------------------------------------------------------------- asking

    async def explained(self, act: act_pb2.Act) -> Any:
        """Return the page's explanation of an act that is not sent."""
        return self._masked(await self._post(self.seat, "explain", {"act": _form(act)}))

    async def answers(self) -> dict[str, Any]:
        """Return the answers to everything that the seat, or any visitor, can ask at any time."""
        other = (self.seat + 1) % self.match.seats
        replay, own = f"/api/replays/{self._name}", self._visitor(self.seat)
        found: dict[str, Any] = {}
        for who, visitor in (("the seat", own), ("a stranger", self._stranger)):
            queries = {
                "match": self._address,
                "replay of the seat": f"{replay}/log?seat={self.seat}",
                "replay of another seat": f"{replay}/log?seat={other}",
                "replay of spectators": f"{replay}/log",
                "certificate": f"{replay}/certificate",
                "study": f"{replay}/values",
                "study of another seat": f"{replay}/advice?seat={other}&at=1",
                "events of another seat": f"{self._address}/events?seat={other}",
                "session": "/api/session",
                "no page": f"{self._address}/seats/{other}",
            }
            for what, address in queries.items():
                found[f"{what}, for {who}"] = self._masked(await visitor.get(address))
            for what in ("matches", "replays"):
                found[f"{what}, for {who}"] = self._own_row(await visitor.get(f"/api/{what}"))
        shown = msgspec.json.decode((await own.get(self._address)).body)
        found["catalog"] = self._masked(await own.get(shown["catalog"]))
        acting = await own.post(f"{self._address}/seats/{other}/acts", {"seq": 1, "act": {"generic": {"name": "Pass"}}})
        found["act of another seat"] = self._masked(acting)
        ordering = await own.post(f"{self._address}/seats/{other}/orders", {"seq": 1, "orders": []})
        found["orders of another seat"] = self._masked(ordering)
        return found

    def _own_row(self, answer: PageAnswer) -> Any:
        """Return this match's row of a list. The rows of earlier matches may differ: their worlds have parted."""
        rows = [row for row in msgspec.json.decode(answer.body)["matches"] if row["name"] == f"matches/{self._name}"]
        return (answer.status, self._masked(PageAnswer(answer.status, (), msgspec.json.encode(rows))))


def _form(act: act_pb2.Act) -> dict[str, Any]:
    form: dict[str, Any] = MessageToDict(act)
    return form
