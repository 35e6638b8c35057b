"""One of the two services: everything that is sent to one seat and to spectators of a match on it."""

from __future__ import annotations

from typing import Any

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
from landsraad_engine import kernel
from landsraad_engine.match import Input, Match
from landsraad_server.leaks.listening import Ear, Voice, answer_to, watch
from landsraad_server.leaks.planting import Difference, plant, with_key_of
from landsraad_server.testing import HandClock
from landsraad_server.worker import Worker


class World:
    """A position on a worker; one client plays the seat that is tested, another one all others, a third one watches."""

    def __init__(
        self, worker: Worker, channel: grpc.aio.Channel, clock: HandClock, match: Match, name: str, seat: int
    ) -> None:
        self.worker = worker
        self.clock = clock
        self.match = match
        self.seat = seat
        self._name = name
        self.codec: Codec = codec_for(match.game)
        self._channel = channel
        self._credentials: list[str] = []
        self._seqs: list[int] = []
        self.mine = Voice(channel, worker.own_address)
        self._others = Voice(channel, worker.own_address)
        self.watching: list[Ear] = []
        #: what has come back from acts of the tested seat that were sent by calls
        self.replies: list[bytes] = []

    async def open(self, run: Match, differing: Difference) -> None:
        """Put the position of a run there, and connect all clients."""
        store = self.worker.hall.store
        position = await plant(store, self._name, run, self.seat, self.clock(), differing)
        self._seqs = [state.seq for state in position.seats]
        self._credentials = [await store.seats.issue(self._name, str(number)) for number in range(self.match.seats)]
        await self.worker.hall.read(self._name, lambda loaded: with_key_of(loaded, run))
        await self._subscribe(self.mine, self.seat, 1)
        await self.bring_others()
        await self.watch(0)
        await self.mine.heed()

    async def bring_others(self) -> None:
        """Connect all other seats."""
        self._others = Voice(self._channel, self.worker.own_address)
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

    async def _subscribe(self, voice: Voice, seat: int, start: int) -> None:
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
        for ear in (self.mine, self._others, *self.watching):
            ear.cut()

    # -------------------------------------------------------------------------------------------------------- acting

    async def give(self, given: Input, *, by_call: bool) -> None:
        """Send an input that the rules accept, and wait for its acknowledgement."""
        voice = self.mine if given.seat == self.seat else self._others
        self._seqs[given.seat] += 1
        seq = self._seqs[given.seat]
        act = self.codec.act(kernel.from_plain(self.match.game, given.act))
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
        """Let time go by, and the worker do all that is due by then."""
        self.clock.advance(ms)
        self.worker.hall.store.clocks.flush()
        await self.worker.timekeeper.turn()

    def window_left(self) -> int:
        """For how long the open window stays open; 0 if none is held open."""
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
