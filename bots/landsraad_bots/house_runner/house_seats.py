"""The seats that one process plays for the house, and with which bot."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import Final

import msgspec

from landsraad.async_client import AsyncClient
from landsraad.async_seat import AsyncSeat
from landsraad.bot_runner import play_seat
from landsraad.bots import BOTS, derive_seed, make_bot
from landsraad.errors import ConnectionLost, LandsraadError, SeatLost
from landsraad.models import Ticket
from landsraad_engine.play.bot import Bot

_log = logging.getLogger(__name__)

#: Who plays where the match names nobody: the first of these that is installed and knows the game.
USUAL: Final = ("greedy", "random")
#: The service that has started us is worth waiting for: it restarts its workers and its store, not us.
_PATIENCE: Final = 600.0


class Wanted(msgspec.Struct, frozen=True):
    """A line on standard input: a seat to play. Its credential is a secret."""

    server: str
    match: str
    seat: int
    credential: str
    game: str
    bot: str = ""
    hint: str = ""


def bot_for(wanted: Wanted) -> Bot:
    """The bot that the match asks for, or the game's usual one.

    Its chance follows from its credential, which is a secret: whoever knew it could work out what it does unseen.
    """
    seed = derive_seed(0, wanted.credential)
    if wanted.bot in BOTS.targets():
        try:
            return make_bot(wanted.bot, wanted.game, seed)
        except LookupError as error:
            _log.warning("%s, seat %d, gets another bot: %s", wanted.match, wanted.seat, error)
    return usual_bot(wanted.game, seed)


def usual_bot(game: str, seed: int) -> Bot:
    """Who plays a game where the match names nobody; LookupError if nobody does."""
    known = BOTS.targets()
    for name in USUAL:
        if name in known:
            with suppress(LookupError):
                return make_bot(name, game, seed)
    raise LookupError(f"no bot here plays {game}")


class HouseSeats:
    """Plays every seat that it is told of, all those that meet at one worker over as few streams as it allows."""

    def __init__(self) -> None:
        self._clients: dict[tuple[str, str], AsyncClient] = {}
        self._playing: dict[tuple[str, str, int], asyncio.Task[None]] = {}

    def hear(self, line: bytes) -> None:
        """Take a seat; one that is played already has got a new credential, and is taken up with that."""
        wanted = msgspec.json.decode(line, type=Wanted)
        where = wanted.server, wanted.match, wanted.seat
        before = self._playing.pop(where, None)
        if before is not None:
            before.cancel()
        task = self._playing[where] = asyncio.get_running_loop().create_task(self._play(wanted))
        task.add_done_callback(lambda ended: self._forget(where, ended))

    def _forget(self, where: tuple[str, str, int], ended: asyncio.Task[None]) -> None:
        if self._playing.get(where) is ended:
            del self._playing[where]

    async def _play(self, wanted: Wanted) -> None:
        """Play one seat. Whatever goes wrong with it, the others go on."""
        ticket = Ticket(wanted.match, wanted.seat, wanted.credential)
        seat = self._client(wanted.server, wanted.hint).seat(ticket, hint=wanted.hint)
        try:
            await play_seat(seat, bot_for(wanted), forgive=True)
        except SeatLost:
            """It has a new credential; the line that says so is here, or on its way."""
        except ConnectionLost as error:
            _log.warning("%s, seat %d, is left: %s", wanted.match, wanted.seat, error)
        except (LandsraadError, LookupError) as error:
            _log.warning("%s, seat %d, cannot be played: %s", wanted.match, wanted.seat, error)
            await self._give_up(seat)
        except Exception:  # noqa: BLE001  a bot may be anybody's code
            _log.exception("%s, seat %d: its bot has failed", wanted.match, wanted.seat)
            await self._give_up(seat)
        finally:
            await seat.close()

    def _client(self, server: str, hint: str) -> AsyncClient:
        if (server, hint) not in self._clients:
            self._clients[server, hint] = AsyncClient(server, patience=_PATIENCE)
        return self._clients[server, hint]

    async def _give_up(self, seat: AsyncSeat) -> None:
        """A broken bot must not keep the others waiting."""
        try:
            await seat.resign()
        except LandsraadError as error:
            _log.warning("%s cannot be given up: %s", seat.ticket.match, error)

    async def close(self) -> None:
        """Play no more."""
        for task in self._playing.values():
            task.cancel()
        await asyncio.gather(*self._playing.values(), return_exceptions=True)
        await asyncio.gather(*(client.close() for client in self._clients.values()))
