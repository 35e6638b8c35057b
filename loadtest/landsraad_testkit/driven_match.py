"""A match whose seats are all played on one stream, act by act, in time that the test moves."""

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
    """A match as it is agreed to the last byte, its secret included; it begins at once."""
    secrets = [SeatSecret() for _ in terms.seats]
    for plan, secret in zip(terms.seats, secrets, strict=True):
        plan.key = secret.key
    await worker.hall.create(HostedMatch(match, terms), match_changes.begin)
    return [Ticket(f"matches/{match}", seat, secret.of(match, seat)) for seat, secret in enumerate(secrets)]


async def pass_time(worker: Worker, clock: HandClock, ms: int) -> None:
    """Let time go by, and the worker do all that is due by then."""
    clock.advance(ms)
    worker.hall.store.clocks.flush()
    await worker.timekeeper.turn()


class DrivenMatch:
    """What each seat was told so far, and its answers."""

    def __init__(self, line: RawStream, tickets: Sequence[Ticket]) -> None:
        self.line = line
        self.tickets = tickets
        #: by seat: the last clock, the entries, the acks and refusals
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
        """Subscribe all seats, from the first entry on."""
        for ticket in self.tickets:
            await self.line.subscribe(ticket, ticket.seat + 1, start=(0, 1))
            match = await self.line.next("match", ticket.seat + 1)
            await self.line.next("clock" if match.HasField("clock") else "entries", ticket.seat + 1)
        await self.sync()

    async def sync(self) -> None:
        """Take all that was told so far."""
        await self.line.ping()
        for item in self.line.told[self._read :]:
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
        self._read = len(self.line.told)

    def _take(self, seat: int, entry: log_pb2.Entry) -> None:
        self.logs[seat].append(entry)
        match entry.WhichOneof("body"):
            case "question":
                self.questions[seat] = (len(self.logs[seat]), entry.question)
            case "answer" | "withdrawn":
                self.questions.pop(seat, None)

    def asked(self) -> list[int]:
        """The seats that have a question open."""
        return sorted(self.questions)

    async def answer(self, seat: int, act: act_pb2.Act | None = None) -> play_pb2.Ack:
        """Answer a seat's question; if no act is given, by the default that its clock states."""
        decision, _ = self.questions[seat]
        self._seqs[seat] += 1
        await self.line.submit(act or self.clocks[seat].default, self._seqs[seat], seat + 1, decision=decision)
        await self.line.next("ack", seat + 1)
        await self.sync()
        return self.acks[seat][-1]

    async def order(self, seat: int, *orders: str) -> None:
        """Give standing orders."""
        self._seqs[seat] += 1
        given = play_pb2.OrdersItem(seq=self._seqs[seat], orders=orders)
        await self.line.send(play_pb2.ClientItem(subscription=seat + 1, standing_orders=given))
        await self.line.next("ack", seat + 1)
        await self.sync()

    async def play(self, answers: int = 1000, seed: int = 3) -> None:
        """Answer whoever is asked, at random: so often, or to the end."""
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
        """Between the game's acts and messages."""
        return codec_for(games.load(self.match.game.removeprefix("games/")))

    def rule(self) -> str:
        """The rule by which the match asks, as everybody was told it; empty once it is over."""
        return next((entry.step.rule for entry in reversed(self.logs[0]) if entry.HasField("step")), "")
