"""End-to-end checks of a deployment, from the view of a client."""

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

#: The match of the checks: two seats, over in seconds.
_GAME: Final = "arrakis"
_SHORT: Final = {"round_limit": 5}
#: Seconds within which a bot of the service has to begin.
_HOUSE_SECONDS: Final = 10.0
#: A larger difference of clocks makes deadlines in logs and TLS certificates unreliable.
_SKEW_SECONDS: Final = 2.0
#: Answers before the stream is cut, seconds for a match, and milliseconds of an answer that count as slow.
_HALF: Final = 60
_MATCH_SECONDS: Final = 60.0
_SLOW_MS: Final = 250.0
#: The advice after any check that fails for lack of an account.
_TOKEN: Final = "Give the token of your account with --token or LANDSRAAD_TOKEN."  # noqa: S105


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The result of one check."""

    check: str
    ok: bool
    found: str
    advice: str = ""


class CheckFailed(Exception):
    """A check has failed."""


def _require(held: bool, otherwise: str) -> None:
    if not held:
        raise CheckFailed(otherwise)


class ServiceCheck:
    """The checks, in an order in which each needs those before it."""

    def __init__(self, client: AsyncClient, transport: GrpcTransport) -> None:
        self._client = client
        self._transport = transport
        self._seats: list[AsyncSeat] = []
        self._left = 0
        #: the seconds of each answer, and the seconds by which the clock of the service is ahead
        self._seconds: list[float] = []
        self._skew = 0.0

    async def run(self) -> AsyncIterator[CheckResult]:
        """Run the checks. If one fails without which the others make no sense, stop."""
        checks: tuple[tuple[str, Callable[[], Awaitable[str]], str, bool], ...] = (
            ("reach", self._reach, "Check the address. Is the service running? Does it speak TLS (--ca)?", True),
            ("health", self._health, "It may be draining, or have lost its store. See its log.", False),
            ("version", self._version, "Install the SDK in the version of the service.", False),
            (
                "catalog",
                self._catalog,
                "The service has other rules or values than you. Views and answers may differ.",
                False,
            ),
            ("match", self._play, "See the log of the service. `landsraad watch` shows the match.", True),
            ("resume", self._resume, "A proxy in between may cut streams short or buffer them.", True),
            (
                "exactly once",
                self._repeat,
                "A repeated act has counted twice. Report this bug with the log of the service.",
                True,
            ),
            ("refusals", self._refusal, "Details of errors are lost. Does a proxy strip trailing metadata?", False),
            ("latency", self._latency, "The service is far away, or its machine is busy. See its metrics.", False),
            ("clock", self._clock, "Synchronise the clocks of both machines (NTP).", False),
            ("replay", self._replay, "The certificate does not match the log. Report this bug.", False),
            ("house", self._house, "The service has no bots. Was it started with --no-house?", False),
        )
        for name, check, advice, needed in checks:
            try:
                yield CheckResult(name, True, await check())
            except (CheckFailed, LandsraadError, TimeoutError, CallFailed) as wrong:
                found = str(wrong) or "timed out"
                yield CheckResult(name, False, found, _TOKEN if isinstance(wrong, NotAllowed) else advice)
                if needed:
                    return

    # ---------------------------------------------------------------------------------------------- is it the right one

    async def _reach(self) -> str:
        began = time.perf_counter()
        offered = await self._client.games()
        return f"{self._client.server} in {1000 * (time.perf_counter() - began):.0f} ms, {len(offered)} games"

    async def _health(self) -> str:
        _require(await self._transport.healthy(), "the service reports that it is not serving")
        return "serving"

    async def _version(self) -> str:
        request = catalog_service_pb2.ListGamesRequest()
        there = (await self._client.call("Catalog/ListGames", request, catalog_service_pb2.ListGamesResponse)).version
        _require(there == __version__, f"the service has {there}, you have {__version__}")
        return there

    async def _catalog(self) -> str:
        offered = [game.id for game in await self._client.games()]
        for name in set(offered) & set(games.known()):
            here = games.load(name)
            own = here.content_digest(here.parse_options({}, here.default_seats))
            there = (await self._client.game(name)).content_digest
            _require(there == own, f"{name}: the service has values {there[:12]}, you have {own[:12]}")
        return ", ".join(offered)

    # --------------------------------------------------------------------------------------------- does a match go well

    async def _play(self) -> str:
        """Answer some decisions of both seats of a match, and time each answer."""
        asked = datetime.now(UTC)
        match = await self._client.create_match(_GAME, 2, _SHORT, title="landsraad doctor", unlisted=True)
        if match.created is not None:
            self._skew = (match.created - asked).total_seconds()
        self._seats = [await self._client.join(match.name) for _ in range(2)]
        answers = await self._answers(_HALF)
        _require(answers == _HALF, f"the match ended after {answers} answers")
        return f"{match.name}, {answers} answers"

    async def _resume(self) -> str:
        """Lose the stream, resume on another one, and play to the end."""
        await self._client.reconnect()
        answers = await self._answers()
        results = {str(seat.result) for seat in self._seats}
        _require(len(results) == 1, f"the seats have different results: {', '.join(results)}")
        return f"{answers} more answers on another stream, {results.pop()}"

    async def _answers(self, most: int = 1_000_000) -> int:
        """Let both seats answer at random, up to so many times; return the number of answers."""
        self._left = most
        tasks = [asyncio.create_task(self._answer(seat)) for seat in self._seats]
        async with asyncio.timeout(_MATCH_SECONDS):
            try:
                await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
                if self._left:  # the match is over for the other seat, too
                    await asyncio.gather(*tasks)
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)
        return most - self._left

    async def _answer(self, seat: AsyncSeat) -> None:
        rng = Random(seat.number)
        while self._left and (decision := await seat.next_decision()) is not None:
            began = time.perf_counter()
            try:
                await seat.answer(decision.sample(rng), decision)
            except Stale:
                continue  # the answer that was under way at the end of the first half has counted
            self._seconds.append(time.perf_counter() - began)
            self._left -= 1

    async def _repeat(self) -> str:
        """Send the last input of a seat again."""
        ticket = self._seats[0].ticket
        where: dict[str, Any] = {"match": ticket.match, "seat": ticket.seat}
        decision = await self._client.call(
            "Play/GetDecision", play_service_pb2.GetDecisionRequest(**where), play_pb2.Decision, token=ticket.credential
        )
        again = play_service_pb2.SubmitRequest(**where, seq=decision.last_seq)
        answer = await self._client.call("Play/Submit", again, play_service_pb2.SubmitResponse, token=ticket.credential)
        _require(answer.ack.repeated, "a repeated input was accepted as a new one")
        return f"input {decision.last_seq} sent twice, accepted once"

    async def _refusal(self) -> str:
        """Request something impossible."""
        try:
            await self._client.join(self._seats[0].ticket.match)
        except RefusedByService as refused:
            return f"typed: {refused.reason}"
        raise CheckFailed("a taken seat was given to another player")

    async def _latency(self) -> str:
        found = sorted(1000 * seconds for seconds in self._seconds)
        middle, high = statistics.median(found), found[int(0.99 * len(found))]
        said = f"an answer takes {middle:.1f} ms, one in a hundred {high:.1f} ms or more"
        _require(middle < _SLOW_MS, said)
        return said

    async def _clock(self) -> str:
        said = f"the clock of the service is {abs(self._skew):.1f} s {'ahead' if self._skew > 0 else 'behind'}"
        _require(abs(self._skew) <= _SKEW_SECONDS, said)
        return said

    async def _replay(self) -> str:
        certificate = await self._client.certificate(self._seats[0].ticket.match)
        differences = verify(games.load(_GAME), certificate)
        _require(not differences, "; ".join(differences))
        return f"{len(certificate['journal'])} inputs played again, with the same result"

    async def _house(self) -> str:
        """Wait for a bot of the service to take its seat."""
        match = await self._client.create_match(_GAME, ["open", "house"], title="landsraad doctor", unlisted=True)
        began = time.perf_counter()
        async with await self._client.join(match.name, 0) as seat:
            try:
                async with asyncio.timeout(_HOUSE_SECONDS):
                    async for update in seat.updates():
                        if update.presences.get(1) == "here":
                            return f"a bot came after {time.perf_counter() - began:.1f} s"
            finally:
                await seat.resign()
        raise CheckFailed("the match ended without a bot")
