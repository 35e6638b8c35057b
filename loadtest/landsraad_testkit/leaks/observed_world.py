"""Observed world: one of the two services, and everything it sends to one seat and to spectators of a match."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, NamedTuple

import grpc.aio

from landsraad.v1 import (
    act_pb2,
    matches_pb2,
    matches_service_pb2,
    play_pb2,
    play_service_pb2,
    replays_service_pb2,
    watch_service_pb2,
)
from landsraad.wire.codec import Codec, codec_for
from landsraad.wire.seat_semantics import cursor_at
from landsraad_engine.kernel import execution
from landsraad_engine.play.match import Match
from landsraad_engine.play.match_core import Input
from landsraad_server.matches import match_changes
from landsraad_server.matches.credentials import SeatSecret
from landsraad_server.matches.hosted_match import HostedMatch
from landsraad_server.matches.match_host import MatchHost
from landsraad_server.matches.record_fanout import RecordFanout
from landsraad_server.process.worker import Worker
from landsraad_server.store import Head
from landsraad_testkit import HandClock
from landsraad_testkit.leaks.byte_capture import PATIENCE_SECONDS, Capture, StreamSender, answer_to, entries_in, watch
from landsraad_testkit.leaks.planting import Difference, plant, with_key_of


class WorkerConnection(NamedTuple):
    """A worker and a channel to it."""

    worker: Worker
    channel: grpc.aio.Channel


class VersionListener:
    """Listener on one worker's host of the match, to wait for commits of other workers."""

    def __init__(self, host: MatchHost) -> None:
        self._host = host
        self._heard = asyncio.Event()

    async def reach(self, head: Head) -> None:
        """Return once the worker knows this version."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while self._host.head.version < head.version:
                self._heard.clear()
                await self._heard.wait()

    def on_record(self, hosted: HostedMatch, fanout: RecordFanout) -> None:
        """Note a commit; see `Listener`."""
        self._heard.set()

    def on_rewound(self, hosted: HostedMatch, epoch: int, stands: Sequence[int]) -> None:
        """Note a rewound log; see `Listener`."""
        self._heard.set()

    def on_archived(self) -> None:
        """Note that the match has left the store; see `Listener`."""
        self._heard.set()

    def on_failed(self) -> None:
        """Note that the store is lost; see `Listener`."""
        self._heard.set()


class ObservedWorld:
    """A position on a service, with one client for the tested seat, one for all other seats, and spectators.

    The other seats may be on another worker than the tested seat and the spectators.
    """

    def __init__(
        self, here: WorkerConnection, there: WorkerConnection, clock: HandClock, match: Match, name: str, seat: int
    ) -> None:
        self.worker, self._channel = here
        self._other_connection = there
        self.clock = clock
        self.match = match
        self.seat = seat
        self._name = name
        self.codec: Codec = codec_for(match.game)
        self._credentials: list[str] = []
        self._seqs: list[int] = []
        self._versions = VersionListener(self.worker.hosts.host(name))
        self._sender = StreamSender(self._channel, self.worker.own_address)
        #: everything that comes to the tested seat by itself
        self.tested_stream: Capture = self._sender
        self._others = StreamSender(there.channel, there.worker.own_address)
        self.watching: list[Capture] = []
        #: answers to acts of the tested seat that were sent by plain calls
        self.replies: list[bytes] = []

    async def open(self, run: Match, differing: Difference) -> None:
        """Store the position of a run and connect all clients."""
        store = self.worker.hosts.store
        secrets = [SeatSecret() for _ in range(self.match.seats)]
        keys = [secret.key for secret in secrets]
        hosted = await plant(store, self._name, run, self.seat, self.clock(), differing, keys)
        self._seqs = [state.seq for state in hosted.seats]
        self._credentials = [secret.credential(self._name, number) for number, secret in enumerate(secrets)]
        await self.worker.hosts.read(self._name, lambda loaded: self._take_over(loaded, run))
        await self._bring_tested()
        await self.bring_others()
        await self.watch(0)
        await self.sync()

    async def _bring_tested(self) -> None:
        """Connect the tested seat."""
        await self._subscribe(self._sender, self.seat, 1)

    def _take_over(self, loaded: HostedMatch, run: Match) -> None:
        with_key_of(loaded, run)
        self.worker.hosts.host(self._name).add_listener(self._versions)

    async def sync(self) -> None:
        """Return when the tested seat has received everything that has happened so far."""
        await self._hear_all()
        await self._sender.sync()

    async def _hear_all(self) -> None:
        await self._versions.reach(self._other_connection.worker.hosts.host(self._name).head)

    async def bring_others(self) -> None:
        """Connect all other seats."""
        self._others = StreamSender(self._other_connection.channel, self._other_connection.worker.own_address)
        for other in range(self.match.seats):
            if other != self.seat:
                await self._subscribe(self._others, other, 0)

    async def lose_others(self) -> None:
        """Break the connection of the other seats; return when the tested seat knows that they are away."""
        self._others.cut()
        await self._hear_away({other for other in range(self.match.seats) if other != self.seat})

    async def _hear_away(self, others: set[int]) -> None:
        """Return when the tested seat has been told that the others are away."""

        def gone(item: play_pb2.ServerItem) -> bool:
            if item.presence.presence == matches_pb2.PRESENCE_AWAY:
                others.discard(item.presence.seat)
            return not others

        await self._sender.until(gone)

    async def hand_over(self, other: int) -> None:
        """Hand another seat over to the house, whose bot has a credential of its own."""
        secret = SeatSecret()

        def give(hosted: HostedMatch, now: int) -> None:
            match_changes.give_to_house(hosted, now, other)
            hosted.changes.plan(other).key = secret.key

        await self._other_connection.worker.hosts.change(self._name, give)
        await self._others.until(lambda item: item.HasField("closed") and item.subscription == other + 1)
        self._credentials[other] = secret.credential(self._name, other)
        await self._subscribe(self._others, other, 0)

    async def _subscribe(self, stream: StreamSender, seat: int, start: int) -> None:
        wanted = play_pb2.Subscribe(
            match=f"matches/{self._name}", seat=seat, credential=self._credentials[seat], plays=True, **_from(start)
        )
        await stream.send(play_pb2.ClientItem(subscription=seat + 1, subscribe=wanted))
        await stream.until(lambda item: item.HasField("clock"))

    async def watch(self, start: int) -> None:
        """Add a spectator, from an entry on, or from a snapshot if `start` is 0."""
        request = watch_service_pb2.WatchMatchRequest(match=f"matches/{self._name}", **_from(start))
        stream = watch(self._channel, self.worker.own_address, request)
        self.watching.append(stream)
        await stream.until(lambda item: item.HasField("match"))

    def close(self) -> None:
        """Close all streams."""
        self.worker.hosts.host(self._name).remove_listener(self._versions)
        for stream in (self._sender, self._others, *self.watching):
            stream.cut()

    @staticmethod
    def entries_in(items: list[bytes]) -> list[bytes]:
        """Return the log entries and snapshots in what was received, however they are bundled."""
        return entries_in(items)

    # -------------------------------------------------------------------------------------------------------- acting

    async def give(self, given: Input, *, by_call: bool) -> None:
        """Send a legal input and wait for its acknowledgement."""
        stream = self._sender if given.seat == self.seat else self._others
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
        await stream.send(play_pb2.ClientItem(subscription=given.seat + 1, submit=submit))
        answer = await stream.until(lambda item: seq in (item.ack.seq, item.refusal.seq))
        if answer.HasField("refusal"):
            raise RuntimeError(f"{given} was refused: {answer.refusal.message}")

    async def order(self, given: Input) -> None:
        """Give standing orders for another seat than the tested one."""
        self._seqs[given.seat] += 1
        seq = self._seqs[given.seat]
        orders = play_pb2.OrdersItem(seq=seq, orders=given.act)
        await self._others.send(play_pb2.ClientItem(subscription=given.seat + 1, standing_orders=orders))
        await self._others.until(lambda item: item.ack.seq == seq)

    async def pass_time(self, ms: int) -> None:
        """Advance the clock and let both workers do what falls due: each polls the clocks that it has armed."""
        self.clock.advance(ms)
        for worker in (self.worker, self._other_connection.worker):
            worker.hosts.store.clocks.flush()
            await worker.clock_poller.tick()

    async def window_left(self) -> int:
        """Return the ms for which the open window stays open; 0 if there is none."""
        await self._hear_all()
        hosted = self.worker.hosts.host(self._name).hosted
        return 0 if hosted is None or not hosted.window_ends else hosted.window_ends - self.clock()

    async def send_refused_act(self, act: act_pb2.Act, decision: int | None, during: int | None) -> None:
        """Send an act of the tested seat that has to be refused."""
        seq = self._seqs[self.seat] + 1
        submit = play_pb2.SubmitItem(seq=seq, act=act)
        if decision is not None:
            submit.decision_id = decision
        if during is not None:
            submit.during = during
        await self._sender.send(play_pb2.ClientItem(subscription=self.seat + 1, submit=submit))
        await self._sender.until(lambda item: seq in (item.ack.seq, item.refusal.seq))

    # -------------------------------------------------------------------------------------------------------- asking

    async def explained(self, act: act_pb2.Act) -> Any:
        """Return the service's explanation of an act that is not sent."""
        request = play_service_pb2.ExplainRequest(match=f"matches/{self._name}", seat=self.seat, act=act)
        return await answer_to(self._channel, "Play/Explain", request, self._credentials[self.seat])

    async def answers(self) -> dict[str, Any]:
        """Return the answers to everything that the seat, or any client, can ask at any time."""
        name, seat, credential = f"matches/{self._name}", self.seat, self._credentials[self.seat]
        replay = f"replays/{self._name}"
        queries: dict[str, tuple[str, Any, str]] = {
            "observation": (
                "Play/GetObservation",
                play_service_pb2.GetObservationRequest(match=name, seat=seat),
                credential,
            ),
            "decision": ("Play/GetDecision", play_service_pb2.GetDecisionRequest(match=name, seat=seat), credential),
            "match": ("Matches/GetMatch", matches_service_pb2.GetMatchRequest(name=name), ""),
            "newest match": ("Matches/ListMatches", matches_service_pb2.ListMatchesRequest(page_size=1), ""),
            "replay": ("Replays/GetReplay", replays_service_pb2.GetReplayRequest(name=replay, seat=seat), credential),
            "replay of spectators": ("Replays/GetReplay", replays_service_pb2.GetReplayRequest(name=replay), ""),
            "replay of another seat": (
                "Replays/GetReplay",
                replays_service_pb2.GetReplayRequest(name=replay, seat=(seat + 1) % self.match.seats),
                credential,
            ),
            "certificate": (
                "Replays/GetCertificate",
                replays_service_pb2.GetCertificateRequest(name=replay),
                credential,
            ),
        }
        return {what: await answer_to(self._channel, *call) for what, call in queries.items()}


def _from(start: int) -> dict[str, Any]:
    """Return a cursor as a keyword argument, as `from` is a keyword of Python; none for 0."""
    return {"from": cursor_at(0, start)} if start else {}
