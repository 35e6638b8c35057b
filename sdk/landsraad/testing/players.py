"""Seats that play at random, as company for a seat under test."""

import asyncio
from collections.abc import Sequence
from random import Random

from landsraad.async_client import AsyncClient
from landsraad.async_seat import AsyncSeat


async def seated(client: AsyncClient, seats: int, game: str) -> list[AsyncSeat]:
    """Create a match and take all its seats."""
    match = await client.create_match(game, seats)
    return [await client.join(match.name) for _ in range(seats)]


async def play(seat: AsyncSeat, seed: int = 0) -> int:
    """Play a seat to the end of its match; return the number of its answers."""
    rng = Random(seed)
    answers = 0
    async for decision in seat:
        await seat.answer(decision.sample(rng))
        answers += 1
    return answers


async def play_all(seats: Sequence[AsyncSeat]) -> list[int]:
    """Play all seats of a match to its end; return the number of answers of each."""
    return await asyncio.gather(*(play(seat, seat.number) for seat in seats))
