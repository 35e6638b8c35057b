"""Bots by name or by the place of their code, and the seeds that local play derives for them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING, Final, cast

from landsraad.errors import UnknownBot
from landsraad_engine.registry import Registry

if TYPE_CHECKING:
    from landsraad_engine.play.bot import Bot

    _BotsByGame = Callable[[str], type[Bot]]

#: The longest name of a player.
_MOST_CHARACTERS: Final = 40

#: name -> a Bot class, or a function (game id) -> Bot class
BOTS = Registry("landsraad.bots", {"random": "landsraad_engine.play.bot:RandomBot"})


def bot_class(name: str, game_id: str) -> type[Bot]:
    """Return the class of a bot.

    Resolve the names that users type on their own machine only: a reference runs the code that it names. A service
    compares the names that clients send with `BOTS.targets()` first.

    Args:
        name: The name of an installed bot, `file.py:Class` or `module:Class`.
        game_id: The game that the bot is to play.

    Returns:
        The class.

    Raises:
        UnknownBot: There is no such bot, or it does not play this game.
        NotABot: The reference names something else.
        BotNotImported: The code that the reference names raises an error when it is imported.
    """
    if name in BOTS:
        found = BOTS.load(name)
        try:
            bot = cast("type[Bot]", found) if isinstance(found, type) else cast("_BotsByGame", found)(game_id)
        except LookupError as error:
            raise UnknownBot(str(error)) from None
    else:
        from landsraad.bot_references import is_reference, load_reference  # noqa: PLC0415 - it loads the engine

        if not is_reference(name):
            installed = ", ".join(BOTS.targets())
            raise UnknownBot(
                f"no bot {name!r} is installed here; installed are: {installed}. "
                "You can also name a class: file.py:Class or module:Class"
            )
        bot = load_reference(name)
    if bot.game not in ("", game_id):
        raise UnknownBot(f"{name} plays {bot.game}, not {game_id}")
    return bot


def make_bot(name: str, game_id: str, seed: int) -> Bot:
    """Make a bot for one seat.

    Raises:
        UnknownBot: See `bot_class`.
    """
    return bot_class(name, game_id)(seed)


def player_name(bot: str) -> str:
    """Return the name under which a bot sits at a table: of a reference the class only, for paths may be long."""
    return bot.rpartition(":")[2][:_MOST_CHARACTERS]


def derive_seed(seed: int, *words: object) -> int:
    """Derive a seed for one purpose, the same on every machine and in every process."""
    text = "|".join(map(str, (seed, *words)))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")


def rng(seed: int, *words: object) -> Random:
    """Return random numbers for one purpose."""
    return Random(derive_seed(seed, *words))
