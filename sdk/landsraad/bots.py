"""Bots by name, and the seeds that local play derives for them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING, cast

from landsraad_engine.registry import Registry

if TYPE_CHECKING:
    from landsraad_engine.play.bot import Bot

#: name -> a Bot class, or a function (game id) -> Bot class
BOTS = Registry("landsraad.bots", {"random": "landsraad_engine.play.bot:RandomBot"})


def bot_class(name: str, game_id: str) -> type[Bot]:
    """Return the class of a bot.

    Raises:
        LookupError: The bot does not play this game.
    """
    found = BOTS.load(name)
    bot = cast("type[Bot]", found) if isinstance(found, type) else cast("Callable[[str], type[Bot]]", found)(game_id)
    if bot.game not in ("", game_id):
        raise LookupError(f"{name} plays {bot.game}, not {game_id}")
    return bot


def make_bot(name: str, game_id: str, seed: int) -> Bot:
    """Make a bot for one seat."""
    return bot_class(name, game_id)(seed)


def derive_seed(seed: int, *words: object) -> int:
    """Derive a seed for one purpose, the same on every machine and in every process."""
    text = "|".join(map(str, (seed, *words)))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")


def rng(seed: int, *words: object) -> Random:
    """Return random numbers for one purpose."""
    return Random(derive_seed(seed, *words))
