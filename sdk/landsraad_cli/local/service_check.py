"""Checking a deployment end to end, as a client: is it reached, is it the right one, does a match go well."""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from random import Random
from typing import Any, Final

from landsraad import games
from landsraad._version import __version__
from landsraad.async_client import AsyncClient
from landsraad.async_seat import AsyncSeat
from landsraad.errors import LandsraadError, NotAllowed, RefusedByService, Stale
from landsraad.transport import CallFailed, GrpcTransport
from landsraad.v1 import catalog_service_pb2, play_pb2, play_service_pb2
from landsraad_engine.play.match import verify

#: The match that is played: two seats, over in seconds.
_GAME: Final = "arrakis"
_SHORT: Final = {"round_limit": 5}
#: Seconds that a bot of the house may take to begin.
_HOUSE_SECONDS: Final = 10.0
#: A clock that is wrong by more makes deadlines in logs and certificates of TLS doubtful.
_SKEW_SECONDS: Final = 2.0
#: Answers before the stream is lost on purpose, seconds that a match may take, and what counts as slow.
_HALF: Final = 60
_MATCH_SECONDS: Final = 60.0
_SLOW_MS: Final = 250.0
#: The advice to whoever is not let in, whatever was tried.
_TOKEN: Final = "Give the token of an account there: --token, or LANDSRAAD_TOKEN."  # noqa: S105 - none itself


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What one check has found."""

    check: str
    ok: bool
    found: str
    advice: str = ""


class Wrong(Exception):
    """A check has found something that is not as it should be."""


def _expect(held: bool, otherwise: str) -> None:
    if not held:
        raise Wrong(otherwise)


class ServiceCheck:
    """The checks, in an order in which each needs those before it."""

    def __init__(self, client: AsyncClient, transport: GrpcTransport) -> None:
        self._client = client
        self._transport = transport
        self._seats: list[AsyncSeat] = []
        self._left = 0
        #: how long each answer took, and how far the service's clock is ahead
        self._seconds: list[float] = []
        self._skew = 0.0

    async def run(self) -> AsyncIterator[CheckResult]:
        """Make all checks; after one without which the others make no sense, no more."""
        checks: tuple[tuple[str, Callable[[], Awaitable[str]], str, bool], ...] = (
            ("reach", self._reach, "Is the address right, is it running, and does it speak TLS? See --ca.", True),
            ("health", self._health, "A service that drains or has lost its store says so; see its log.", False),
            ("version", self._version, "Install the SDK of the service's version.", False),
            ("catalog", self._catalog, "Other rules or values there than here: views and answers may differ.", False),
            ("match", self._play, "See the service's log; `landsraad watch` shows where the match stands.", True),
            ("resume", self._resume, "The streams of a proxy in between may be cut short or held back.", True),
            (
                "exactly once",
                self._repeat,
                "A repeated act must not count twice: tell us, with the service's log.",
                True,
            ),
            ("refusals", self._refusal, "Details of errors get lost: does a proxy strip trailing metadata?", False),
            ("latency", self._latency, "How far away is it, and is the machine busy? See its metrics.", False),
            ("clock", self._clock, "Let both machines take their time from the same source (NTP).", False),
            ("replay", self._replay, "Its certificate does not prove what it should: tell us.", False),
            ("house", self._house, "Bots of the house do not play: is the service run with --no-house?", False),
        )
        for name, check, advice, needed in checks:
            try:
                yield CheckResult(name, True, await check())
            except (Wrong, LandsraadError, TimeoutError, CallFailed) as wrong:
                found = str(wrong) or "it took too long"
                yield CheckResult(name, False, found, _TOKEN if isinstance(wrong, NotAllowed) else advice)
                if needed:
                    return

    # ---------------------------------------------------------------------------------------------- is it the right one

    async def _reach(self) -> str:
        began = time.perf_counter()
        offered = await self._client.games()
        return f"{self._client.server} in {1000 * (time.perf_counter() - began):.0f} ms, {len(offered)} games"

    async def _health(self) -> str:
        _expect(await self._transport.healthy(), "it says that it does not serve")
        return "serving"

    async def _version(self) -> str:
        request = catalog_service_pb2.ListGamesRequest()
        there = (await self._client.call("Catalog/ListGames", request, catalog_service_pb2.ListGamesResponse)).version
        _expect(there == __version__, f"{there} there, {__version__} here")
        return there

    async def _catalog(self) -> str:
        offered = [game.id for game in await self._client.games()]
        for name in set(offered) & set(games.known()):
            here = games.load(name)
            own = here.content_digest(here.parse_options({}, max(here.seats)))
            there = (await self._client.game(name)).content_digest
            _expect(there == own, f"{name}: values {there[:12]} there, {own[:12]} here")
        return ", ".join(offered)

    # --------------------------------------------------------------------------------------------- does a match go well

    async def _play(self) -> str:
        """Some answers of both seats of a match, each timed."""
        asked = datetime.now(UTC)
        match = await self._client.create_match(_GAME, 2, _SHORT, title="landsraad doctor", unlisted=True)
        if match.created is not None:
            self._skew = (match.created - asked).total_seconds()
        self._seats = [await self._client.join(match.name) for _ in range(2)]
        answers = await self._answers(_HALF)
        _expect(answers == _HALF, f"it ended after {answers} answers")
        return f"{match.name}, {answers} answers"

    async def _resume(self) -> str:
        """Lose the stream, go on where it was, and play to the end."""
        await self._client.reconnect()
        answers = await self._answers()
        results = {str(seat.result) for seat in self._seats}
        _expect(len(results) == 1, f"the seats disagree on how it ended: {', '.join(results)}")
        return f"{answers} more answers on another stream, {results.pop()}"

    async def _answers(self, most: int = 1_000_000) -> int:
        """Let both seats answer at random, so many times in all or up to the end; how often they did."""
        self._left = most
        tasks = [asyncio.create_task(self._answer(seat)) for seat in self._seats]
        async with asyncio.timeout(_MATCH_SECONDS):
            try:
                await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
                if self._left:  # it is over, for the other seat too
                    await asyncio.gather(*tasks)
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)
        return most - self._left

    async def _answer(self, seat: AsyncSeat) -> None:
        rng = Random(seat.number)
        while self._left and (turn := await seat.turn()) is not None:
            began = time.perf_counter()
            try:
                await seat.answer(turn.sample(rng), turn)
            except Stale:
                continue  # it was answered already, by what was under way when the first half was over
            self._seconds.append(time.perf_counter() - began)
            self._left -= 1

    async def _repeat(self) -> str:
        """Send the last input of a seat once more."""
        ticket = self._seats[0].ticket
        where: dict[str, Any] = {"match": ticket.match, "seat": ticket.seat}
        decision = await self._client.call(
            "Play/GetDecision", play_service_pb2.GetDecisionRequest(**where), play_pb2.Decision, token=ticket.credential
        )
        again = play_service_pb2.SubmitRequest(**where, seq=decision.last_seq)
        answer = await self._client.call("Play/Submit", again, play_service_pb2.SubmitResponse, token=ticket.credential)
        _expect(answer.ack.repeated, "a repeated input was taken as a new one")
        return f"input {decision.last_seq} sent twice, taken once"

    async def _refusal(self) -> str:
        """Ask for what cannot be."""
        try:
            await self._client.join(self._seats[0].ticket.match)
        except RefusedByService as refused:
            return f"typed: {refused.reason}"
        raise Wrong("a seat was given away twice")

    async def _latency(self) -> str:
        found = sorted(1000 * seconds for seconds in self._seconds)
        middle, high = statistics.median(found), found[int(0.99 * len(found))]
        said = f"an answer takes {middle:.1f} ms, one in a hundred {high:.1f} ms or more"
        _expect(middle < _SLOW_MS, said)
        return said

    async def _clock(self) -> str:
        said = f"the service is {abs(self._skew):.1f} s {'ahead' if self._skew > 0 else 'behind'}"
        _expect(abs(self._skew) <= _SKEW_SECONDS, said)
        return said

    async def _replay(self) -> str:
        certificate = await self._client.certificate(self._seats[0].ticket.match)
        differences = verify(games.load(_GAME), certificate)
        _expect(not differences, "; ".join(differences))
        return f"{len(certificate['journal'])} inputs played again, the same came out"

    async def _house(self) -> str:
        """A bot of the house takes its seat."""
        match = await self._client.create_match(_GAME, ["open", "house"], title="landsraad doctor", unlisted=True)
        began = time.perf_counter()
        async with await self._client.join(match.name, 0) as seat:
            try:
                async with asyncio.timeout(_HOUSE_SECONDS):
                    async for update in seat.updates():
                        if update.presences.get(1) == "here":
                            return f"a bot was there after {time.perf_counter() - began:.1f} s"
            finally:
                await seat.resign()
        raise Wrong("the match ended without a bot")
