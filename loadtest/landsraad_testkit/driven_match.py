"""Driven match: all seats on one stream, played act by act, with time controlled by the test."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from random import Random
from typing import Any

from landsraad import games
from landsraad.models import Ticket
from landsraad.v1 import act_pb2, ask_pb2, log_pb2, play_pb2
from landsraad.wire.codec import Codec, codec_for
from landsraad_server.matches import match_changes
from landsraad_server.matches.credentials import SeatSecret
from landsraad_server.matches.hosted_match import HostedMatch
from landsraad_server.matches.records import Terms
from landsraad_server.process.worker import Worker
from landsraad_testkit.hand_clock import HandClock
from landsraad_testkit.raw_stream import RawStream


async def planted(worker: Worker, match: str, terms: Terms) -> list[Ticket]:
    """Create a match with these exact terms, including its secret, and start it; return the tickets of its seats."""
    secrets = [SeatSecret() for _ in terms.seats]
    for plan, secret in zip(terms.seats, secrets, strict=True):
        plan.key = secret.key
    await worker.hosts.create(HostedMatch(match, terms), match_changes.begin)
    return [Ticket(f"matches/{match}", seat, secret.credential(match, seat)) for seat, secret in enumerate(secrets)]


async def pass_time(worker: Worker, clock: HandClock, ms: int) -> None:
    """Advance the clock, and let the worker do everything that falls due."""
    clock.advance(ms)
    worker.hosts.store.clocks.flush()
    await worker.clock_poller.tick()


class DrivenMatch:
    """Plays all seats of a match and keeps what each was sent."""

    def __init__(self, stream: RawStream, tickets: Sequence[Ticket]) -> None:
        self.stream = stream
        self.tickets = tickets
        #: by seat: the last clock, all entries, acks and refusals
        self.clocks: dict[int, play_pb2.Clock] = {}
        self.logs: dict[int, list[log_pb2.Entry]] = defaultdict(list)
        self.questions: dict[int, tuple[int, ask_pb2.Question]] = {}
        self.acks: dict[int, list[play_pb2.Ack]] = defaultdict(list)
        self.refusals: dict[int, list[Any]] = defaultdict(list)
        self.match: Any = None
        self.closed: dict[int, play_pb2.Closed] = {}
        self._seqs: dict[int, int] = defaultdict(int)
        self._read = 0

    async def sit_down(self) -> None:
        """Subscribe to all seats from the first entry on."""
        for ticket in self.tickets:
            await self.stream.subscribe(ticket, ticket.seat + 1, start=(0, 1))
            match = await self.stream.next("match", ticket.seat + 1)
            await self.stream.next("clock" if match.HasField("clock") else "entries", ticket.seat + 1)
        await self.sync()

    async def sync(self) -> None:
        """Process everything that the service has sent so far."""
        await self.stream.ping()
        for item in self.stream.received[self._read :]:
            seat = item.subscription - 1
            match item.WhichOneof("item"):
                case "clock":
                    self.clocks[seat] = item.clock
                case "entries":
                    for entry in item.entries.entries:
                        self._take(seat, entry)
                case "ack":
                    self.acks[seat].append(item.ack)
                case "refusal":
                    self.refusals[seat].append(item.refusal)
                case "match":
                    self.match = item.match
                case "closed":
                    self.closed[seat] = item.closed
        self._read = len(self.stream.received)

    def _take(self, seat: int, entry: log_pb2.Entry) -> None:
        self.logs[seat].append(entry)
        match entry.WhichOneof("body"):
            case "question":
                self.questions[seat] = (len(self.logs[seat]), entry.question)
            case "answer" | "withdrawn":
                self.questions.pop(seat, None)

    def asked(self) -> list[int]:
        """Return the seats with an open question."""
        return sorted(self.questions)

    async def answer(self, seat: int, act: act_pb2.Act | None = None) -> play_pb2.Ack:
        """Answer a seat's question, with the default of its clock if no act is given."""
        decision, _ = self.questions[seat]
        self._seqs[seat] += 1
        await self.stream.submit(act or self.clocks[seat].default, self._seqs[seat], seat + 1, decision=decision)
        await self.stream.next("ack", seat + 1)
        await self.sync()
        return self.acks[seat][-1]

    async def order(self, seat: int, *orders: str) -> None:
        """Set standing orders."""
        self._seqs[seat] += 1
        given = play_pb2.OrdersItem(seq=self._seqs[seat], orders=orders)
        await self.stream.send(play_pb2.ClientItem(subscription=seat + 1, standing_orders=given))
        await self.stream.next("ack", seat + 1)
        await self.sync()

    async def play(self, answers: int = 1000, seed: int = 3) -> None:
        """Answer open questions at random, so many times or to the end."""
        rng = Random(seed)
        codec = self.codec
        for _ in range(answers):
            if not self.questions:
                return
            seat = self.asked()[0]
            options = codec.read_options(self.questions[seat][1].options)
            await self.answer(seat, codec.act(options.sample(rng)))

    @property
    def codec(self) -> Codec:
        """Return the codec of the match's game."""
        return codec_for(games.load(self.match.game.removeprefix("games/")))

    def rule(self) -> str:
        """Return the rule of the present step as all seats were told it; empty once the match is over."""
        return next((entry.step.rule for entry in reversed(self.logs[0]) if entry.HasField("step")), "")
