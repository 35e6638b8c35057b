"""One of the two services: everything that is sent to one seat and to spectators of a match on it."""

from __future__ import annotations

import asyncio
from typing import Any, NamedTuple

import grpc.aio

from landsraad.v1 import (
    act_pb2,
    common_pb2,
    matches_pb2,
    matches_service_pb2,
    play_pb2,
    play_service_pb2,
    replays_service_pb2,
    watch_service_pb2,
)
from landsraad.wire.codec import Codec, codec_for
from landsraad_engine.kernel import execution
from landsraad_engine.play.match import Input, Match
from landsraad_server.matches import match_changes
from landsraad_server.matches.credentials import SeatSecret
from landsraad_server.matches.hosted_match import HostedMatch
from landsraad_server.matches.match_host import MatchHost
from landsraad_server.matches.record_fanout import RecordFanout
from landsraad_server.process.worker import Worker
from landsraad_server.store import Head
from landsraad_testkit import HandClock
from landsraad_testkit.leaks.byte_capture import PATIENCE_SECONDS, StreamCapture, StreamSender, answer_to, watch
from landsraad_testkit.leaks.planting import Difference, plant, with_key_of


class Desk(NamedTuple):
    """A worker, and a connection to it."""

    worker: Worker
    channel: grpc.aio.Channel


class News:
    """A listener of one worker that waits for what others have done."""

    def __init__(self, host: MatchHost) -> None:
        self._host = host
        self._heard = asyncio.Event()

    async def reach(self, head: Head) -> None:
        """Return once the worker knows of this version."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while self._host.head.version < head.version:
                self._heard.clear()
                await self._heard.wait()

    def hear(self, position: HostedMatch, report: RecordFanout) -> None:
        """See Listener."""
        self._heard.set()

    def rewound(self, position: HostedMatch, epoch: int) -> None:
        """See Listener."""
        self._heard.set()

    def gone(self) -> None:
        """See Listener."""
        self._heard.set()

    def lost(self) -> None:
        """See Listener."""
        self._heard.set()


class ObservedWorld:
    """A position; one client plays the seat that is tested, another one all others, a third one watches.

    The others may be on another worker than the tested seat and the spectators.
    """

    def __init__(self, here: Desk, there: Desk, clock: HandClock, match: Match, name: str, seat: int) -> None:
        self.worker, self._channel = here
        self._there = there
        self.clock = clock
        self.match = match
        self.seat = seat
        self._name = name
        self.codec: Codec = codec_for(match.game)
        self._credentials: list[str] = []
        self._seqs: list[int] = []
        self._news = News(self.worker.hall.host(name))
        self.mine = StreamSender(self._channel, self.worker.own_address)
        self._others = StreamSender(there.channel, there.worker.own_address)
        self.watching: list[StreamCapture] = []
        #: what has come back from acts of the tested seat that were sent by calls
        self.replies: list[bytes] = []

    async def open(self, run: Match, differing: Difference) -> None:
        """Put the position of a run there, and connect all clients."""
        store = self.worker.hall.store
        secrets = [SeatSecret() for _ in range(self.match.seats)]
        keys = [secret.key for secret in secrets]
        position = await plant(store, self._name, run, self.seat, self.clock(), differing, keys)
        self._seqs = [state.seq for state in position.seats]
        self._credentials = [secret.of(self._name, number) for number, secret in enumerate(secrets)]
        await self.worker.hall.read(self._name, lambda loaded: self._take_over(loaded, run))
        await self._subscribe(self.mine, self.seat, 1)
        await self.bring_others()
        await self.watch(0)
        await self.heed()

    def _take_over(self, loaded: HostedMatch, run: Match) -> None:
        with_key_of(loaded, run)
        self.worker.hall.host(self._name).listen(self._news)

    async def heed(self) -> None:
        """Return when all that has happened so far has come to the tested seat."""
        await self._hear_all()
        await self.mine.heed()

    async def _hear_all(self) -> None:
        await self._news.reach(self._there.worker.hall.host(self._name).head)

    async def bring_others(self) -> None:
        """Connect all other seats."""
        self._others = StreamSender(self._there.channel, self._there.worker.own_address)
        for other in range(self.match.seats):
            if other != self.seat:
                await self._subscribe(self._others, other, 0)

    async def lose_others(self) -> None:
        """Their connection breaks; return when everybody knows."""
        self._others.cut()
        others = {other for other in range(self.match.seats) if other != self.seat}

        def gone(item: play_pb2.ServerItem) -> bool:
            if item.presence.presence == matches_pb2.PRESENCE_AWAY:
                others.discard(item.presence.seat)
            return not others

        await self.mine.until(gone)

    async def hand_over(self, other: int) -> None:
        """Another seat goes to the house, whose bot comes by a credential of its own."""
        secret = SeatSecret()

        def give(position: HostedMatch, now: int) -> None:
            match_changes.to_house(position, now, other)
            position.change_terms().seats[other].key = secret.key

        await self._there.worker.hall.change(self._name, give)
        await self._others.until(lambda item: item.HasField("closed") and item.subscription == other + 1)
        self._credentials[other] = secret.of(self._name, other)
        await self._subscribe(self._others, other, 0)

    async def _subscribe(self, voice: StreamSender, seat: int, start: int) -> None:
        wanted = play_pb2.Subscribe(
            match=f"matches/{self._name}", seat=seat, credential=self._credentials[seat], plays=True, **_from(start)
        )
        await voice.send(play_pb2.ClientItem(subscription=seat + 1, subscribe=wanted))
        await voice.until(lambda item: item.HasField("clock"))

    async def watch(self, start: int) -> None:
        """One more spectator, who comes now; 0: begins with a snapshot."""
        request = watch_service_pb2.WatchMatchRequest(match=f"matches/{self._name}", **_from(start))
        ear = watch(self._channel, self.worker.own_address, request)
        self.watching.append(ear)
        await ear.until(lambda item: item.HasField("match"))

    def close(self) -> None:
        """End all streams."""
        self.worker.hall.host(self._name).unlisten(self._news)
        for ear in (self.mine, self._others, *self.watching):
            ear.cut()

    # -------------------------------------------------------------------------------------------------------- acting

    async def give(self, given: Input, *, by_call: bool) -> None:
        """Send an input that the rules accept, and wait for its acknowledgement."""
        voice = self.mine if given.seat == self.seat else self._others
        self._seqs[given.seat] += 1
        seq = self._seqs[given.seat]
        act = self.codec.act(execution.from_plain(self.match.game, given.act))
        if by_call and given.seat == self.seat:
            request = play_service_pb2.SubmitRequest(match=f"matches/{self._name}", seat=given.seat, seq=seq, act=act)
            reply = await answer_to(self._channel, "Play/Submit", request, self._credentials[self.seat])
            if not isinstance(reply, bytes):
                raise RuntimeError(f"{given} was refused: {reply}")
            self.replies.append(reply)
            return
        submit = play_pb2.SubmitItem(seq=seq, act=act)
        await voice.send(play_pb2.ClientItem(subscription=given.seat + 1, submit=submit))
        said = await voice.until(lambda item: seq in (item.ack.seq, item.refusal.seq))
        if said.HasField("refusal"):
            raise RuntimeError(f"{given} was refused: {said.refusal.message}")

    async def order(self, given: Input) -> None:
        """Give standing orders for another seat than the tested one."""
        self._seqs[given.seat] += 1
        seq = self._seqs[given.seat]
        orders = play_pb2.OrdersItem(seq=seq, orders=given.act)
        await self._others.send(play_pb2.ClientItem(subscription=given.seat + 1, standing_orders=orders))
        await self._others.until(lambda item: item.ack.seq == seq)

    async def pass_time(self, ms: int) -> None:
        """Let time go by, and the workers do all that is due by then: each knows of the clocks that it has armed."""
        self.clock.advance(ms)
        for worker in (self.worker, self._there.worker):
            worker.hall.store.clocks.flush()
            await worker.timekeeper.turn()

    async def window_left(self) -> int:
        """For how long the open window stays open; 0 if none is held open."""
        await self._hear_all()
        position = self.worker.hall.host(self._name).position
        return 0 if position is None or not position.window_ends else position.window_ends - self.clock()

    async def try_in_vain(self, act: act_pb2.Act, decision: int | None, during: int | None) -> None:
        """Send an act that has to be refused to the seat."""
        seq = self._seqs[self.seat] + 1
        submit = play_pb2.SubmitItem(seq=seq, act=act)
        if decision is not None:
            submit.decision_id = decision
        if during is not None:
            submit.during = during
        await self.mine.send(play_pb2.ClientItem(subscription=self.seat + 1, submit=submit))
        await self.mine.until(lambda item: seq in (item.ack.seq, item.refusal.seq))

    # -------------------------------------------------------------------------------------------------------- asking

    async def explained(self, act: act_pb2.Act) -> Any:
        """What the service says of an act that is not sent."""
        request = play_service_pb2.ExplainRequest(match=f"matches/{self._name}", seat=self.seat, act=act)
        return await answer_to(self._channel, "Play/Explain", request, self._credentials[self.seat])

    async def answers(self) -> dict[str, Any]:
        """What the seat, and anybody, can ask for at any time."""
        name, seat, mine = f"matches/{self._name}", self.seat, self._credentials[self.seat]
        replay = f"replays/{self._name}"
        asked: dict[str, tuple[str, Any, str]] = {
            "observation": ("Play/GetObservation", play_service_pb2.GetObservationRequest(match=name, seat=seat), mine),
            "decision": ("Play/GetDecision", play_service_pb2.GetDecisionRequest(match=name, seat=seat), mine),
            "match": ("Matches/GetMatch", matches_service_pb2.GetMatchRequest(name=name), ""),
            "newest match": ("Matches/ListMatches", matches_service_pb2.ListMatchesRequest(page_size=1), ""),
            "replay": ("Replays/GetReplay", replays_service_pb2.GetReplayRequest(name=replay, seat=seat), mine),
            "replay of spectators": ("Replays/GetReplay", replays_service_pb2.GetReplayRequest(name=replay), ""),
            "replay of another seat": (
                "Replays/GetReplay",
                replays_service_pb2.GetReplayRequest(name=replay, seat=(seat + 1) % self.match.seats),
                mine,
            ),
            "certificate": (
                "Replays/GetCertificate",
                replays_service_pb2.GetCertificateRequest(name=replay),
                mine,
            ),
        }
        return {what: await answer_to(self._channel, *call) for what, call in asked.items()}


def _from(start: int) -> dict[str, Any]:
    """A cursor as an argument; none for 0. (`from` is a word of Python.)"""
    return {"from": common_pb2.Cursor(**{"from": start})} if start else {}
