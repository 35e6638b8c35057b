"""A match in front of you: a service of one's own, bots that play over gRPC, and a spectator's stream that is drawn."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from landsraad import games
from landsraad.async_client import AsyncClient
from landsraad.bot_runner import first_of, play_seat
from landsraad.bots import derive_seed, make_bot
from landsraad.models import MatchInfo
from landsraad.seat_log import Update
from landsraad_cli.local.own_service import own_service
from landsraad_cli.local.replay_files import keep
from landsraad_cli.terminal.stage import Screen
from landsraad_engine.kernel.grammar import Act
from landsraad_engine.play.bot import Bot, Decision
from landsraad_engine.play.match import verify

#: So long may the pauses of a whole match be, and the first of them, in seconds. They get shorter as it goes on.
_ALL_PAUSES: Final = 50.0
_FIRST_PAUSE: Final = 0.08


class Pace:
    """Pauses between decisions, so that one can follow: the longer a match has gone on, the shorter they are."""

    def __init__(self, fast: bool) -> None:
        self._left = 0.0 if fast else _ALL_PAUSES

    def pause(self) -> None:
        """Wait a moment; called in the threads of the bots."""
        seconds = _FIRST_PAUSE * self._left / _ALL_PAUSES
        self._left -= seconds
        time.sleep(seconds)


class Unhurried(Bot):
    """A bot that takes its time."""

    def __init__(self, bot: Bot, pace: Pace) -> None:
        super().__init__()
        self._bot = bot
        self._pace = pace

    def decide(self, view: Any, ask: Decision) -> Act:
        self._pace.pause()
        return self._bot.decide(view, ask)


@dataclass(frozen=True, slots=True)
class Shown:
    """What came of it."""

    match: MatchInfo
    #: inputs of all players, and entries of the spectators' log
    inputs: int
    entries: int
    replay: Path
    #: where playing it again from the replay gave something else
    differences: Sequence[str]


async def demonstrate(
    game: str, bots: Sequence[str], options: Mapping[str, Any], *, seed: int, fast: bool, stage: Screen, folder: Path
) -> Shown:
    """Play a whole match and draw it as it goes."""
    async with own_service("--no-house") as address, AsyncClient(address) as client:
        match = await client.create_match(game, len(bots), options, title="demo")
        seats = [await client.join(match.name, number, player=name) for number, name in enumerate(bots)]
        pace = Pace(fast)
        players = [make_bot(name, game, derive_seed(seed, "demo", number)) for number, name in enumerate(bots)]
        try:
            async with asyncio.TaskGroup() as group:
                watching = group.create_task(_watch(client, match.name, stage))
                for seat, player in zip(seats, players, strict=True):
                    group.create_task(play_seat(seat, Unhurried(player, pace)))
        except ExceptionGroup as failed:
            raise first_of(failed) from None
        last, entries = watching.result()
        certificate = await client.certificate(match.name)
    replay = folder / f"{match.name.rpartition('/')[2]}.json.gz"
    keep(certificate, replay)
    return Shown(last.match, len(certificate["journal"]), entries, replay, verify(games.load(game), certificate))


async def _watch(client: AsyncClient, match: str, stage: Screen) -> tuple[Update, int]:
    """Draw what the spectators are told; the last update, and how many entries there were."""
    entries, last = 0, None
    async for update in client.watch(match):
        entries += len(update.told)
        stage.show([told.entry for told in update.told], update.view, update.step)
        last = update
    assert last is not None
    return last, entries
