"""The seats that one process plays for the house, and the choice of their bots."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import Final

import msgspec

from landsraad.async_client import AsyncClient
from landsraad.async_seat import AsyncSeat
from landsraad.bot_runner import play_seat
from landsraad.bots import BOTS, derive_seed, is_installed, make_bot
from landsraad.errors import ConnectionLost, LandsraadError, SeatLost
from landsraad.models import Ticket
from landsraad_bots.house_runner.cpu_budget import CpuBudget
from landsraad_bots.players import Budgeted
from landsraad_engine.play.bot import Bot

_log = logging.getLogger(__name__)

#: Bots for seats without a named one: the first of these that is installed and plays the game.
DEFAULT_BOTS: Final = ("greedy", "random")
#: Seconds to retry a lost connection. The service restarts its workers and its store, but not this process.
_PATIENCE: Final = 600.0


class SeatRequest(msgspec.Struct, frozen=True):
    """A request to play a seat: one line of JSON on standard input. The credential is a secret."""

    server: str
    match: str
    seat: int
    credential: str
    game: str
    bot: str = ""
    hint: str = ""


def bot_for(request: SeatRequest) -> Bot:
    """Return the bot that the match asks for, or a default one.

    The seed is derived from the seat's credential: a client that could guess it could predict the bot's hidden choices.
    """
    seed = derive_seed(0, request.credential)
    if is_installed(request.bot):
        try:
            return make_bot(request.bot, request.game, seed)
        except LookupError as error:
            _log.warning("%s, seat %d, gets another bot: %s", request.match, request.seat, error)
    return default_bot(request.game, seed)


def default_bot(game: str, seed: int) -> Bot:
    """Return the default bot of a game. Raise LookupError if none plays it."""
    known = BOTS.targets()
    for name in DEFAULT_BOTS:
        if name in known:
            with suppress(LookupError):
                return make_bot(name, game, seed)
    raise LookupError(f"no bot here plays {game}")


class HouseSeats:
    """Plays all requested seats. Seats at the same worker share a client, and with it streams."""

    def __init__(self, budget: CpuBudget | None = None) -> None:
        self._budget = budget
        self._clients: dict[tuple[str, str], AsyncClient] = {}
        self._playing: dict[tuple[str, str, int], asyncio.Task[None]] = {}

    def take(self, line: bytes) -> None:
        """Start to play a seat. A second request for a seat brings a new credential and replaces the first."""
        request = msgspec.json.decode(line, type=SeatRequest)
        where = request.server, request.match, request.seat
        before = self._playing.pop(where, None)
        if before is not None:
            before.cancel()
        task = self._playing[where] = asyncio.get_running_loop().create_task(self._play(request))
        task.add_done_callback(lambda ended: self._forget(where, ended))

    def _forget(self, where: tuple[str, str, int], ended: asyncio.Task[None]) -> None:
        if self._playing.get(where) is ended:
            del self._playing[where]

    async def _play(self, request: SeatRequest) -> None:
        """Play one seat. A failure here must not affect the other seats."""
        ticket = Ticket(request.match, request.seat, request.credential)
        seat = self._client(request.server, request.hint).seat(ticket, hint=request.hint)
        try:
            bot = bot_for(request)
            if self._budget is not None and isinstance(bot, Budgeted):
                bot.share_budget(self._budget)
            await play_seat(seat, bot, replace_illegal=True)
        except SeatLost:
            pass  # the seat has a new credential, and another request brings it
        except ConnectionLost as error:
            _log.warning("%s, seat %d, is left: %s", request.match, request.seat, error)
        except (LandsraadError, LookupError) as error:
            _log.warning("%s, seat %d, cannot be played: %s", request.match, request.seat, error)
            await self._give_up(seat)
        except Exception:  # noqa: BLE001  a bot may be third-party code
            _log.exception("%s, seat %d: its bot has failed", request.match, request.seat)
            await self._give_up(seat)
        finally:
            await seat.close()

    def _client(self, server: str, hint: str) -> AsyncClient:
        if (server, hint) not in self._clients:
            self._clients[server, hint] = AsyncClient(server, retry_timeout=_PATIENCE)
        return self._clients[server, hint]

    async def _give_up(self, seat: AsyncSeat) -> None:
        """Resign, so that the other seats do not wait for a broken bot."""
        try:
            await seat.resign()
        except LandsraadError as error:
            _log.warning("%s cannot be given up: %s", seat.ticket.match, error)

    async def close(self) -> None:
        """Stop playing and close all clients."""
        for task in self._playing.values():
            task.cancel()
        await asyncio.gather(*self._playing.values(), return_exceptions=True)
        await asyncio.gather(*(client.close() for client in self._clients.values()))
