"""The demo: a service of its own, bots that play over gRPC, and a spectator's stream that is drawn."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from landsraad import games
from landsraad.async_client import AsyncClient
from landsraad.bot_runner import first_error, play_seat
from landsraad.bots import derive_seed, make_bot, player_name
from landsraad.models import MatchInfo
from landsraad.replay_files import save_certificate
from landsraad.seat_log import Update
from landsraad_cli.local.own_service import started_service
from landsraad_cli.terminal.stage import Screen
from landsraad_engine.kernel.grammar import Act
from landsraad_engine.play.bot import Bot, Decision
from landsraad_engine.play.match import verify

#: Seconds of all pauses of a match, and of the first one. They get shorter as the match goes on.
_ALL_PAUSES: Final = 50.0
_FIRST_PAUSE: Final = 0.08


class Pace:
    """Pauses between decisions, so that a person can follow. They get shorter as the match goes on."""

    def __init__(self, fast: bool) -> None:
        self._left = 0.0 if fast else _ALL_PAUSES

    def pause(self) -> None:
        """Sleep for a moment. The threads of the bots call this."""
        seconds = _FIRST_PAUSE * self._left / _ALL_PAUSES
        self._left -= seconds
        time.sleep(seconds)


def paced(bot: Bot, pace: Pace) -> Bot:
    """Let a bot pause before each decision. It stays the same object, with all its other methods."""
    decide = bot.decide

    def decide_later(view: Any, ask: Decision) -> Act:
        pace.pause()
        return decide(view, ask)

    bot.decide = decide_later  # type: ignore[method-assign]
    return bot


@dataclass(frozen=True, slots=True)
class DemoResult:
    """The result of a demo."""

    match: MatchInfo
    #: the numbers of inputs of all players and of entries of the spectators' log
    inputs: int
    entries: int
    replay: Path
    #: the differences between the match and a second run from its replay
    differences: Sequence[str]


async def run_demo(
    game: str, bots: Sequence[str], options: Mapping[str, Any], *, seed: int, fast: bool, stage: Screen, folder: Path
) -> DemoResult:
    """Play a whole match and draw it as it goes.

    Args:
        game: The id of the game.
        bots: The name of a bot for each seat.
        options: Options of the match.
        seed: The seed of the bots.
        fast: Play without pauses.
        stage: The screen to draw on.
        folder: The folder for the replay.

    Returns:
        The result, compared with a second run from its certificate.
    """
    async with started_service("--no-house") as ready, AsyncClient(ready["address"]) as client:
        match = await client.create_match(game, len(bots), options, title="demo")
        if "http" in ready:
            stage.console.print(f"Watch it in a browser: {ready['http']}/{match.name}", soft_wrap=True)
        seats = [await client.join(match.name, number, player=player_name(name)) for number, name in enumerate(bots)]
        pace = Pace(fast)
        players = [make_bot(name, game, derive_seed(seed, "demo", number)) for number, name in enumerate(bots)]
        try:
            async with asyncio.TaskGroup() as group:
                watching = group.create_task(_watch(client, match.name, stage))
                for seat, player in zip(seats, players, strict=True):
                    group.create_task(play_seat(seat, paced(player, pace)))
        except ExceptionGroup as failed:
            raise first_error(failed) from None
        last, entries = watching.result()
        certificate = await client.certificate(match.name)
    replay = folder / f"{match.name.rpartition('/')[2]}.json.gz"
    save_certificate(certificate, replay)
    return DemoResult(last.match, len(certificate["journal"]), entries, replay, verify(games.load(game), certificate))


async def _watch(client: AsyncClient, match: str, stage: Screen) -> tuple[Update, int]:
    """Draw the spectators' view; return the last update and the number of entries."""
    entries, last = 0, None
    async for update in client.watch(match):
        entries += len(update.entries)
        stage.show([one.entry for one in update.entries], update.view, update.step)
        last = update
    assert last is not None
    return last, entries
