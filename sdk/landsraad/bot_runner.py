"""Bots that play on a service: `run` for scripts, `play_seat` for programs with a client of their own."""

from __future__ import annotations

import asyncio
import secrets
import sys
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final, Self

from landsraad.async_client import SERVER, AsyncClient
from landsraad.async_seat import AsyncSeat
from landsraad.bot_failures import (
    FAILURES,
    FailureRecord,
    SeatedBot,
    describe_replay,
    positions_of,
    reference_of,
    save_failures,
)
from landsraad.bot_threads import run_in_bot_thread
from landsraad.bots import bot_class, derive_seed, make_bot, player_name
from landsraad.errors import (
    ConnectionLost,
    IllegalAct,
    LandsraadError,
    MatchOver,
    RefusedByService,
    SeatLost,
    Stale,
    UnknownGame,
)
from landsraad.models import HOUSE, OPEN, Clock, ClockRules, Result
from landsraad.seat_log import SeatDecision, installed_game
from landsraad.transport import Tls, Transport
from landsraad_engine.errors import EngineError, describe_place
from landsraad_engine.kernel.game import Game
from landsraad_engine.kernel.grammar import Act, Options
from landsraad_engine.play.bot import Bot, Decision
from landsraad_engine.play.messages import TalkMessage
from landsraad_engine.play.self_play import listens

#: A player of a seat: a bot of the service by its name, a bot by its name here (see `bot_class`), or a class.
Opponent = str | type[Bot]
#: Seconds that an interrupted program spends on giving up its seats.
_GIVE_UP_SECONDS: Final = 3.0
#: Seconds of waiting after which the user wants to know what for.
_SILENT_SECONDS: Final = 1.0
#: Seconds of waiting for the end of a match in which a bot has failed. Only then its replay is published.
_SAVE_SECONDS: Final = 10.0


class RemoteDecision(Decision):
    """A decision as a bot gets it over the wire, with the seat's clock and a way to ask the service about an act."""

    __slots__ = ("_loop", "_seat")

    clock: Clock | None

    def __init__(self, decision: SeatDecision, seat: AsyncSeat) -> None:
        super().__init__(
            decision.seat,
            decision.options,
            decision.why,
            decision.window,
            decision.clock,
            worlds=decision._worlds,
        )
        self._seat = seat
        self._loop = asyncio.get_running_loop()

    def explain(self, act: Act) -> RefusedByService | None:
        """Ask the service whether an act would be legal. Each question costs a call.

        Args:
            act: The act to check.

        Returns:
            The refusal that the act would meet; None if it is legal.
        """
        try:
            return asyncio.run_coroutine_threadsafe(self._seat.explain(act), self._loop).result()
        except IllegalAct as foreign:  # an act of another game, or a malformed one, is never sent
            return foreign


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A match that a bot has played to its end."""

    match: str
    seat: int
    result: Result
    #: the number of decisions for which the bot's time ran out, so that the service took the default act
    timeouts: int = 0
    #: the replay, if a bot that plays here has run out of time; see `landsraad replay --bot`
    replay: Path | None = None

    @property
    def won(self) -> bool:
        """True if the bot has won."""
        return self.seat in self.result.winners


async def play_seat(seat: AsyncSeat, bot: Bot, *, replace_illegal: bool = False) -> None:
    """Let a bot play a seat until the match is over. The bot runs in a thread, so that other seats go on meanwhile.

    Args:
        seat: The seat.
        bot: The bot.
        replace_illegal: Replace an illegal act of the bot by a random legal one. By default, `IllegalAct` is raised.

    Raises:
        IllegalAct: The bot has chosen an illegal act.
        SeatLost: Another client plays the seat now, or its credential was revoked.
        ConnectionLost: The service cannot be reached.

    Example:
        ::

            from landsraad import AsyncClient, Bot, play_seat

            class Random(Bot):
                def decide(self, view, ask):
                    return ask.sample(self.rng)

            async with AsyncClient("localhost:7447") as client:
                match = await client.create_match("arrakis", ["open", "house"], {"round_limit": 1})
                await play_seat(await client.join(match.name), Random(seed=7))
    """
    await _play_seat(seat, bot, replace_illegal, _SeatNotes())


class _SeatNotes:
    """Notes of the last decision of a seat, and of the failures of its bot.

    Args:
        timed_out: Called with each timeout as soon as it is known.
    """

    def __init__(self, timed_out: Callable[[FailureRecord], None] | None = None) -> None:
        #: the number and the rule of the last decision that was put to the bot
        self.last = (0, "")
        #: the failures, each with the number of its decision
        self.failures: list[tuple[int, FailureRecord]] = []
        self._timed_out = timed_out
        self._timeouts = 0

    def note_timeouts(self, seat: AsyncSeat) -> None:
        """Note that the time ran out for the last decision, if the seat's count has grown."""
        if seat.timeouts > self._timeouts:
            self._timeouts = seat.timeouts
            failure = self.note("timeout", seat.number, "the service took the default act")
            if self._timed_out is not None:
                self._timed_out(failure)

    def note(self, kind: str, seat: int, message: str) -> FailureRecord:
        """Note a failure at the last decision."""
        number, why = self.last
        failure = FailureRecord(kind, seat, why, -1, message)
        self.failures.append((number, failure))
        return failure


async def _play_seat(seat: AsyncSeat, bot: Bot, replace_illegal: bool, notes: _SeatNotes) -> None:
    """See `play_seat`. Keep notes of decisions and timeouts."""
    async with _Hearing(seat, bot) as hearing:
        await _play_decisions(seat, bot, replace_illegal, notes, hearing)


class _Hearing:
    """The messages of others for a bot that hears them, handed over between decisions."""

    def __init__(self, seat: AsyncSeat, bot: Bot) -> None:
        self._seat = seat
        self._bot = bot
        self._new: deque[TalkMessage] = deque()
        self._listening: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        if type(self._bot).heard is not Bot.heard:
            self._listening = asyncio.get_running_loop().create_task(self._listen())
        return self

    async def __aexit__(self, *exception: object) -> None:
        if self._listening is not None:
            self._listening.cancel()
            await asyncio.gather(self._listening, return_exceptions=True)

    async def hand_over(self) -> None:
        """Tell the bot what it has not heard yet."""
        while self._new:
            await run_in_bot_thread(self._bot.heard, self._new.popleft())

    async def _listen(self) -> None:
        with suppress(LandsraadError):  # the match goes on without talk: an older service has none
            async for message in self._seat.messages():
                if message.seat != self._seat.number:
                    self._new.append(message)


async def _play_decisions(
    seat: AsyncSeat, bot: Bot, replace_illegal: bool, notes: _SeatNotes, hearing: _Hearing
) -> None:
    if listens(bot):
        seat.follow_from_first()
    follows = listens(bot) or type(bot).interject is not Bot.interject
    async for decision in _decisions_and_plays(seat, bot, replace_illegal) if follows else seat:
        notes.note_timeouts(seat)
        notes.last = (decision.number, decision.why)
        await hearing.hand_over()
        act = decision.options.only()  # then there is nothing to decide, here as in local play
        if act is None:
            act = await run_in_bot_thread(bot.decide, decision.view, RemoteDecision(decision, seat))
        try:
            try:
                await seat.answer(act, decision)
            except IllegalAct:
                if not replace_illegal:
                    raise
                await seat.answer(decision.sample(bot.rng), decision)
        except (Stale, MatchOver):
            continue  # another client was faster, or time was up; the next decision tells what is open now
    notes.note_timeouts(seat)
    await hearing.hand_over()
    result = seat.result
    if result is not None:
        await run_in_bot_thread(bot.ended, seat.view, (result.ending or result.kind, result.winners))


async def _decisions_and_plays(seat: AsyncSeat, bot: Bot, replace_illegal: bool) -> AsyncIterator[SeatDecision]:
    """Yield the decisions of a seat. After each update, tell the bot what is new and offer the out-of-turn plays."""
    interjects = type(bot).interject is not Bot.interject
    async for update in seat.updates():
        if update.entries:  # the default does nothing
            await run_in_bot_thread(bot.told, update.view, tuple(one.entry for one in update.entries))
        offered = seat.plays
        if interjects and offered.choices:
            act: Any = await run_in_bot_thread(bot.interject, update.view, offered)
            if act is not None and await _played(seat, act, offered, replace_illegal):
                continue
        if update.decision is not None:  # even after a play that failed: the decision is not put again
            yield update.decision


async def _played(seat: AsyncSeat, act: Act, offered: Options, replace_illegal: bool) -> bool:
    """Make a play; False if it did not take place. A play may become impossible after it was offered: that is no
    mistake.
    """
    try:
        await seat.play(act)
    except (Stale, MatchOver):
        return False
    except IllegalAct:
        if not replace_illegal and seat.plays is offered:
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
    concurrency: int = 1,
    seed: int | None = None,
    quiet: bool = False,
    token: str = "",
    tls: Tls | bool | None = None,
    plaintext: bool = False,
    retry_timeout: float = 30.0,
    transport: Transport | None = None,
    failures: Path | str | None = FAILURES,
) -> list[PlayedMatch]:
    """Play matches with a bot, and return how they went.

    The bot takes another seat in each match. If anything ends the program early, the seats that are played here resign,
    so that the other players need not wait for them. The first time that a bot runs out of time, a line on standard
    error says so.

    Args:
        bot: The class of the bot.
        server: The address of the service, as "host:port".
        matches: The number of matches.
        game: The id of the game; by default, `bot.game`.
        seats: The number of seats; by default, as many as the game allows.
        options: Options of the game by their names.
        opponents: The players of the other seats: "house" or "house:NAME" for bots of the service, the name of a bot
            that is installed here, "file.py:Class", "module:Class", or a class. One for all seats, or a sequence with
            one for each.
        clock: Time limits.
        concurrency: The number of matches to play at the same time.
        seed: The seed of all bots that run here; by default, a random one. It makes the bots predictable, so keep it
            secret.
        quiet: Print nothing.
        token: The token of your account. A service with open accounts needs none.
        tls: As in `Client`.
        plaintext: As in `Client`.
        retry_timeout: As in `Client`.
        transport: As in `Client`.
        failures: The folder for replays of matches in which a bot that runs here fails or runs out of time; None saves
            none. `landsraad replay FILE --bot file.py:Class --at N` puts the decision to the bot again.

    Returns:
        The matches in their order.

    Raises:
        UnknownGame: The bot names no game, or the game is not installed here.
        UnknownBot: An opponent is neither a bot of the service nor found here.
        ValueError: `concurrency` is less than 1, or the number of opponents does not fit.
        IllegalAct: The bot has chosen an illegal act. A note tells match, seat, question and the saved replay. Any
            exception of a bot gets the same note.
        RefusedByService: The service refuses something else.
        ConnectionLost: The service cannot be reached.

    Example:
        ::

            from landsraad import Bot, run

            class Random(Bot):
                game = "arrakis"

                def decide(self, view, ask):
                    return ask.sample(self.rng)

            played = run(Random, "localhost:7447", options={"round_limit": 1}, opponents="random")
            print(played[0].won, played[0].result)
    """
    if concurrency < 1:  # no match could ever start
        raise ValueError(f"concurrency is {concurrency}; it has to be at least 1")
    if not (game or bot.game):
        raise UnknownGame(f"{bot.__name__} names no game; set `game` in the class, or call run(..., game=...)")
    how: Any = {
        "token": token,
        "tls": tls,
        "plaintext": plaintext,
        "retry_timeout": retry_timeout,
        "transport": transport,
    }

    async def play_all() -> list[PlayedMatch]:
        async with AsyncClient(server, **how) as client:
            if not quiet:
                await _wait_for_service(client)
            drawn = secrets.randbits(63) if seed is None else seed
            folder = None if failures is None else Path(failures)
            series = _Series(client, bot, game or bot.game, seats, opponents, drawn, quiet, folder)
            slots = asyncio.Semaphore(concurrency)

            async def play(number: int) -> PlayedMatch:
                async with slots:
                    played = await series.play(number, options, clock)
                if not quiet:
                    late = f", {played.timeouts} timeouts" if played.timeouts else ""
                    outcome = "won " if played.won else "lost"
                    print(f"{number + 1:>4}/{matches}  {outcome}  {played.result}{late}", flush=True)
                return played

            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(play(number)) for number in range(matches)]
            return [task.result() for task in tasks]

    try:
        return asyncio.run(play_all())
    except ExceptionGroup as group:
        raise first_error(group) from None


async def _wait_for_service(client: AsyncClient) -> None:
    """Wait for the service, and say so if it does not answer soon."""
    asking = asyncio.ensure_future(client.games())
    try:
        if not (await asyncio.wait({asking}, timeout=_SILENT_SECONDS))[0]:
            print(f"waiting for the service at {client.server} ...", file=sys.stderr, flush=True)
        await asking
    finally:
        asking.cancel()


def first_error(error: Exception) -> Exception:
    """Return the first error of a group. The other tasks were only cancelled because of it."""
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
        quiet: bool,
        failures: Path | None,
    ) -> None:
        self._client = client
        self._warned = self._quiet = quiet
        self._failures = failures
        self._bot = bot
        self._game = game
        self._seats = installed_game(game).default_seats if seats is None else seats
        others = self._seats - 1
        self._opponents = [opponents] * others if isinstance(opponents, str | type) else list(opponents)
        if len(self._opponents) != others:
            raise ValueError(
                f"{len(self._opponents)} opponents for {others} other seats; name one, or one for each seat"
            )
        # Check before a match is created: its other players would wait for a bot that does not exist.
        for opponent in self._opponents:
            if isinstance(opponent, str) and not _is_house_bot(opponent):
                bot_class(opponent, self._game)
        self._seed = seed

    async def play(self, number: int, options: Mapping[str, Any] | None, clock: ClockRules | None) -> PlayedMatch:
        own = number % self._seats
        players: list[Opponent] = list(self._opponents)
        players.insert(own, self._bot)
        fills = [who if isinstance(who, str) and _is_house_bot(who) else OPEN for who in players]
        local = [at for at, fill in enumerate(fills) if fill == OPEN]
        bots = {
            at: self._make_bot(players[at], number, at) for at in local
        }  # a constructor may fail, and no match should wait for it
        match = await self._client.create_match(self._game, fills, options, clock=clock)
        seats = await self._join_all(match.name, players, local)
        notes = {at: _SeatNotes(partial(self._warn_of_timeout, match.name, bots[at])) for at in local}
        try:
            async with asyncio.TaskGroup() as group:
                for at, seat in seats.items():
                    group.create_task(self._play_one(seat, bots[at], notes[at]))
        except ExceptionGroup as failed:
            await self._save(match.name, bots, players, number, notes, first_error(failed))
            raise
        result = seats[own].result
        assert result is not None
        replay = await self._save(match.name, bots, players, number, notes)
        return PlayedMatch(match.name, own, result, seats[own].timeouts, replay)

    async def _save(
        self,
        match: str,
        bots: Mapping[int, Bot],
        players: Sequence[Opponent],
        number: int,
        notes: Mapping[int, _SeatNotes],
        error: Exception | None = None,
    ) -> Path | None:
        """Save the replay of a match in which a bot has failed; return the file. Tell so in a note to the error."""
        noted = [one for each in notes.values() for one in each.failures]
        if not noted:
            return None
        # An exception has ended the match; timeouts have not.
        last = max((one for _, one in noted), key=lambda one: one.kind != "timeout")
        where = describe_place(match, last.seat, last.why).strip()
        if self._failures is None:
            if error is not None:
                error.add_note(f"The bot has failed {where}.")
            return None
        seated = [
            SeatedBot(self._reference(players[at]), derive_seed(self._seed, number, at))
            if at in bots
            else SeatedBot("", 0)
            for at in range(self._seats)
        ]
        file = self._failures / f"{match.rpartition('/')[2]}.json.gz"
        try:
            async with asyncio.timeout(_SAVE_SECONDS):
                async for _ in self._client.watch(match):
                    pass  # the certificate is published at the end
                certificate = await self._client.certificate(match)
            found = await run_in_bot_thread(_save_noted, installed_game(self._game), certificate, seated, noted, file)
        except (LandsraadError, EngineError, OSError, TimeoutError) as unsaved:
            told = f"Its replay could not be saved: {str(unsaved) or 'the match goes on'}"
            file_or_none = None
        else:
            told = describe_replay(file, seated[last.seat].bot, found[[one for _, one in noted].index(last)])
            file_or_none = file
        if error is not None:
            error.add_note(f"The bot has failed {where}. {told}")
        elif not self._quiet:
            print(f"{len(noted)} timeouts, the first {where}. {told}", file=sys.stderr, flush=True)
        return file_or_none

    def _reference(self, who: Opponent) -> str:
        return who if isinstance(who, str) else reference_of(who)

    async def _join_all(self, match: str, players: Sequence[Opponent], local: Iterable[int]) -> dict[int, AsyncSeat]:
        """Take the seats that are played here. If one of them fails, abort the match, so that no other player waits in
        it.
        """
        try:
            return {at: await self._client.join(match, at, player=_player_name(players[at])) for at in local}
        except BaseException:
            with suppress(LandsraadError, TimeoutError):
                async with asyncio.timeout(_GIVE_UP_SECONDS):
                    await self._client.abort(match)
            raise

    async def _play_one(self, seat: AsyncSeat, bot: Bot, notes: _SeatNotes) -> None:
        """Play a seat. A bot that fails or is interrupted resigns, so that the others need not wait."""
        try:
            await _play_seat(seat, bot, False, notes)
        except (ConnectionLost, SeatLost):  # resigning is impossible, or would resign another client's seat
            raise
        except Exception as error:
            if isinstance(error, IllegalAct) or not isinstance(error, LandsraadError):
                kind = "illegal act" if isinstance(error, IllegalAct) else "exception"
                notes.note(kind, seat.number, f"{type(error).__name__}: {error}")
            with suppress(LandsraadError):  # the bot's own error matters more
                await seat.resign()
            raise
        except asyncio.CancelledError:
            with suppress(LandsraadError, TimeoutError):
                async with asyncio.timeout(_GIVE_UP_SECONDS):
                    await seat.resign()
            raise

    def _warn_of_timeout(self, match: str, bot: Bot, failure: FailureRecord) -> None:
        """Say once that a bot is too slow: its results mean little while the service decides for it."""
        if not self._warned:
            self._warned = True
            print(
                f"{type(bot).__name__} has run out of time{describe_place(match, failure.seat, failure.why)}: "
                "the service takes default acts in its place. `timeouts` of each match counts them.",
                file=sys.stderr,
                flush=True,
            )

    def _make_bot(self, who: Opponent, number: int, at: int) -> Bot:
        seed = derive_seed(self._seed, number, at)
        return make_bot(who, self._game, seed) if isinstance(who, str) else who(seed)


def _save_noted(
    game: Game,
    certificate: Mapping[str, Any],
    bots: Sequence[SeatedBot],
    noted: Sequence[tuple[int, FailureRecord]],
    file: Path,
) -> list[FailureRecord]:
    """Save failures with their positions, and return them."""
    positions = positions_of(game, certificate, {(one.seat, decision) for decision, one in noted})
    found = [replace(one, at=positions.get((one.seat, decision), -1)) for decision, one in noted]
    save_failures(certificate, bots, found, file)
    return found


def _is_house_bot(name: str) -> bool:
    return name.partition(":")[0] == HOUSE


def _player_name(who: Opponent) -> str:
    return player_name(who if isinstance(who, str) else who.__name__)
