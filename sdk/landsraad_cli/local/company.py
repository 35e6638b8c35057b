"""Bots of this process as the company of a person who plays in the terminal."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

import typer

from landsraad.async_client import AsyncClient
from landsraad.async_seat import AsyncSeat
from landsraad.bot_runner import play_seat
from landsraad.bot_traceback import bot_traceback
from landsraad.bots import make_bot, player_name
from landsraad.errors import ConnectionLost, LandsraadError, SeatLost
from landsraad.portal import Portal
from landsraad_engine.play.bot import Bot


@contextmanager
def playing_bots(server: str, match: str, game: str, bot: str, seats: Sequence[int]) -> Iterator[None]:
    """Let a bot play seats of a match during the block, on an event loop in another thread.

    A bot that fails resigns, and the error is printed: the person's match goes on.

    Args:
        server: The address of the service.
        match: The name of the match, whose other seats are taken.
        game: The id of the game.
        bot: The bot, as `landsraad.bots.bot_class` takes it.
        seats: The numbers of its seats.
    """
    players = [make_bot(bot, game, secrets.randbits(63)) for _ in seats]
    portal = Portal()
    try:
        client = portal.run(_connected(server))
        try:
            taken = [portal.run(client.join(match, seat, player=player_name(bot))) for seat in seats]
            playing = portal.run(_started(taken, players))
            try:
                yield
            finally:
                portal.run(_cancelled(playing))
        finally:
            portal.run(client.close())
    finally:
        portal.close()


async def _connected(server: str) -> AsyncClient:
    """Make a client on the loop that it lives on."""
    return AsyncClient(server)


async def _started(seats: Sequence[AsyncSeat], bots: Sequence[Bot]) -> list[asyncio.Task[None]]:
    return [asyncio.create_task(_play(seat, bot)) for seat, bot in zip(seats, bots, strict=True)]


async def _cancelled(tasks: Sequence[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def _play(seat: AsyncSeat, bot: Bot) -> None:
    """Play a seat; if the bot fails, resign and print the error."""
    try:
        await play_seat(seat, bot)
    except (ConnectionLost, SeatLost):  # the person's own client reports the first; nobody takes the seat away
        return
    except Exception as error:  # noqa: BLE001  the bot's own code may raise anything
        typer.echo(f"The bot in seat {seat.number} has failed and resigns:\n{bot_traceback(error)}", err=True)
        with suppress(LandsraadError):
            await seat.resign()
