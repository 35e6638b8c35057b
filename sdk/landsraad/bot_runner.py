"""Letting bots play: `run` for a script, `play_seat` for programs that have a client already."""

from __future__ import annotations

import asyncio
import secrets
import sys
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from landsraad.async_client import HOUSE, OPEN, SERVER, AsyncClient
from landsraad.async_seat import AsyncSeat
from landsraad.bot_threads import run_in_bot_thread
from landsraad.bots import BOTS, bot_class, derive_seed, make_bot
from landsraad.errors import (
    ConnectionLost,
    IllegalAct,
    LandsraadError,
    MatchOver,
    RefusedByService,
    SeatLost,
    Stale,
    UnknownBot,
    UnknownGame,
)
from landsraad.models import ClockRules, Result
from landsraad.seat_log import SeatDecision, installed
from landsraad.transport import Tls, Transport
from landsraad_engine.kernel.grammar import Act, Options
from landsraad_engine.play.bot import Bot, Decision

#: Who plays a seat: a bot of the house, a bot's class, or the name of a bot that is installed here.
Opponent = str | type[Bot]
#: So long an interrupted program goes on trying to give up its seats.
_GIVE_UP_SECONDS: Final = 3.0
#: After that one wants to know what is waited for.
_SOON_SECONDS: Final = 1.0


class RemoteDecision(Decision):
    """The question as a bot gets it over the wire: with its clock, and a service to ask."""

    __slots__ = ("_loop", "_seat", "clock")

    def __init__(self, turn: SeatDecision, seat: AsyncSeat) -> None:
        super().__init__(turn.seat, turn.options, turn.why, turn.window)
        self.clock = turn.clock
        self._seat = seat
        self._loop = asyncio.get_running_loop()

    def explain(self, act: Act) -> RefusedByService | None:
        """Why the service would not take an act; None if it would. It costs a call."""
        return asyncio.run_coroutine_threadsafe(self._seat.explain(act), self._loop).result()


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A match that a bot has played to its end."""

    match: str
    seat: int
    result: Result

    @property
    def won(self) -> bool:
        return self.seat in self.result.winners


async def play_seat(seat: AsyncSeat, bot: Bot, *, forgive: bool = False) -> None:
    """Let a bot play a seat until the match is over. It decides in a thread, so that others go on meanwhile.

    An illegal act is raised, since it is a mistake of the bot's; with ``forgive`` a legal one is drawn in its place.
    """
    talkative = type(bot).interject is not Bot.interject
    async for turn in _turns_and_plays(seat, bot, forgive) if talkative else seat:
        act = await run_in_bot_thread(bot.decide, turn.view, RemoteDecision(turn, seat))
        try:
            try:
                await seat.answer(act, turn)
            except IllegalAct:
                if not forgive:
                    raise
                await seat.answer(turn.sample(bot.rng), turn)
        except (Stale, MatchOver):
            continue  # somebody else was faster, or time was up; the next turn says what is asked now
    result = seat.result
    if result is not None:
        await run_in_bot_thread(bot.ended, seat.view, (result.ending or result.kind, result.winners))


async def _turns_and_plays(seat: AsyncSeat, bot: Bot, forgive: bool) -> AsyncIterator[SeatDecision]:
    """The turns of a seat, with its out-of-turn plays offered to the bot whenever something has happened."""
    async for update in seat.updates():
        offered = seat.plays
        if offered.choices:
            act: Any = await run_in_bot_thread(bot.interject, update.view, offered)
            if act is not None and await _played(seat, act, offered, forgive):
                continue
        if update.turn is not None:  # also after a play that came to nothing: nobody would put the question again
            yield update.turn


async def _played(seat: AsyncSeat, act: Act, offered: Options, forgive: bool) -> bool:
    """Whether a play was made. One that was offered a moment ago may not be possible any more: no mistake, that."""
    try:
        await seat.play(act)
    except (Stale, MatchOver):
        return False
    except IllegalAct:
        if not forgive and seat.plays is offered:
            raise
        return False
    return True


def run(
    bot: type[Bot],
    server: str = SERVER,
    matches: int = 1,
    *,
    game: str = "",
    seats: int | None = None,
    options: Mapping[str, Any] | None = None,
    opponents: Opponent | Sequence[Opponent] = HOUSE,
    clock: ClockRules | None = None,
    at_once: int = 1,
    seed: int | None = None,
    quiet: bool = False,
    token: str = "",
    tls: Tls | bool | None = None,
    plaintext: bool = False,
    patience: float = 30.0,
    transport: Transport | None = None,
) -> list[PlayedMatch]:
    """Play matches with a bot, and say how they went.

    The bot changes its seat from match to match. ``opponents`` play the others: bots of the house, or bots that run
    here, given by class or name; one for all seats or one for each. ``seats``: as many as the game has, if not given.
    ``seed``: of the chance of all bots that run here; drawn if not given: whoever knows it knows what they do unseen.
    What concerns the connection is as in `AsyncClient`. Whatever ends it early, the seats that are played here are
    given up, so that nobody waits for them.
    """
    if at_once < 1:  # each match would wait for a place that there is not
        raise ValueError(f"{at_once} matches at once: at least one")
    if not (game or bot.game):
        raise UnknownGame(f"{bot.__name__} does not say what it plays: game = ... in the class, or run(..., game=...)")
    how: Any = {"token": token, "tls": tls, "plaintext": plaintext, "patience": patience, "transport": transport}

    async def play_all() -> list[PlayedMatch]:
        async with AsyncClient(server, **how) as client:
            if not quiet:
                await _reach(client)
            drawn = secrets.randbits(63) if seed is None else seed
            series = _Series(client, bot, game or bot.game, seats, opponents, drawn)
            turnstile = asyncio.Semaphore(at_once)

            async def play(number: int) -> PlayedMatch:
                async with turnstile:
                    played = await series.play(number, options, clock)
                if not quiet:
                    print(f"{number + 1:>4}/{matches}  {'won ' if played.won else 'lost'}  {played.result}", flush=True)
                return played

            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(play(number)) for number in range(matches)]
            return [task.result() for task in tasks]

    try:
        return asyncio.run(play_all())
    except ExceptionGroup as group:
        raise first_of(group) from None


async def _reach(client: AsyncClient) -> None:
    """Say what is waited for, if the service does not answer soon."""
    asking = asyncio.ensure_future(client.games())
    try:
        if not (await asyncio.wait({asking}, timeout=_SOON_SECONDS))[0]:
            print(f"waiting for the service at {client.server} ...", file=sys.stderr, flush=True)
        await asking
    finally:
        asking.cancel()


def first_of(error: Exception) -> Exception:
    """What has failed first: the others were only cancelled."""
    while isinstance(error, ExceptionGroup):
        error = error.exceptions[0]
    return error


class _Series:
    """Matches of one bot against the same opponents."""

    def __init__(
        self,
        client: AsyncClient,
        bot: type[Bot],
        game: str,
        seats: int | None,
        opponents: Opponent | Sequence[Opponent],
        seed: int,
    ) -> None:
        self._client = client
        self._bot = bot
        self._game = game
        self._seats = max(installed(game).seats) if seats is None else seats
        others = self._seats - 1
        self._opponents = [opponents] * others if isinstance(opponents, str | type) else list(opponents)
        if len(self._opponents) != others:
            raise ValueError(f"{len(self._opponents)} opponents for {others} other seats")
        for who in self._opponents:  # before there is a match in which somebody waits for a bot that there is not
            if isinstance(who, str) and not _of_the_house(who):
                _check_bot(who, self._game)
        self._seed = seed

    async def play(self, number: int, options: Mapping[str, Any] | None, clock: ClockRules | None) -> PlayedMatch:
        own = number % self._seats
        players: list[Opponent] = list(self._opponents)
        players.insert(own, self._bot)
        fills = [who if isinstance(who, str) and _of_the_house(who) else OPEN for who in players]
        local = [at for at, fill in enumerate(fills) if fill == OPEN]
        bots = {at: self._made(players[at], number, at) for at in local}  # before anybody could wait for one that fails
        match = await self._client.create_match(self._game, fills, options, clock=clock)
        seats = await self._joined(match.name, players, local)
        async with asyncio.TaskGroup() as group:
            for at, seat in seats.items():
                group.create_task(self._play_one(seat, bots[at]))
        result = seats[own].result
        assert result is not None
        return PlayedMatch(match.name, own, result)

    async def _joined(self, match: str, players: Sequence[Opponent], local: Iterable[int]) -> dict[int, AsyncSeat]:
        """The seats that are played here. If not all of them can be had, nobody shall wait in that match."""
        try:
            return {at: await self._client.join(match, at, player=_name(players[at])) for at in local}
        except BaseException:
            with suppress(LandsraadError, TimeoutError):
                async with asyncio.timeout(_GIVE_UP_SECONDS):
                    await self._client.abort(match)
            raise

    async def _play_one(self, seat: AsyncSeat, bot: Bot) -> None:
        """A bot that fails, or is interrupted, resigns, so that the others are not kept waiting."""
        try:
            await play_seat(seat, bot)
        except (ConnectionLost, SeatLost):  # there is nobody to be told, or somebody else plays it
            raise
        except Exception:
            with suppress(LandsraadError):  # what the bot has raised is what matters
                await seat.resign()
            raise
        except asyncio.CancelledError:
            with suppress(LandsraadError, TimeoutError):
                async with asyncio.timeout(_GIVE_UP_SECONDS):
                    await seat.resign()
            raise

    def _made(self, who: Opponent, number: int, at: int) -> Bot:
        seed = derive_seed(self._seed, number, at)
        return make_bot(who, self._game, seed) if isinstance(who, str) else who(seed)


def _of_the_house(name: str) -> bool:
    return name.partition(":")[0] == HOUSE


def _check_bot(name: str, game: str) -> None:
    """UnknownBot, if none of that name plays the game here."""
    if name not in BOTS.targets():
        raise UnknownBot(f"no bot {name!r} is installed here; there is: {', '.join(BOTS.targets())}")
    try:
        bot_class(name, game)
    except LookupError as error:
        raise UnknownBot(str(error)) from None


def _name(who: Opponent) -> str:
    return who if isinstance(who, str) else who.__name__
