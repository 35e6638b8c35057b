"""Bots by name or by the place of their code, and the seeds that local play derives for them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from inspect import signature
from random import Random
from typing import TYPE_CHECKING, Final, cast

from landsraad.errors import BadBotOptions, UnknownBot
from landsraad_engine.registry import Registry

if TYPE_CHECKING:
    from landsraad_engine.play.bot import Bot

    _BotsByGame = Callable[..., type[Bot]]

#: The longest name of a player.
_MOST_CHARACTERS: Final = 40

#: Between the name of a bot and its options.
_OPTIONS: Final = "@"

#: name -> a Bot class, or a function (game id) or (game id, options) -> Bot class
BOTS = Registry("landsraad.bots", {"random": "landsraad_engine.play.bot:RandomBot"})


def is_installed(name: str) -> bool:
    """Return True if a name, with or without options, is that of an installed bot. Imports nothing."""
    return name.partition(_OPTIONS)[0] in BOTS


def has_options(name: str) -> bool:
    """Return True if a name of an installed bot has options after an `@`."""
    return _OPTIONS in name and is_installed(name)


def bot_class(name: str, game_id: str) -> type[Bot]:
    """Return the class of a bot.

    Resolve the names that users type on their own machine only: a reference runs the code that it names. A service
    compares the names that clients send with `BOTS.targets()` first.

    Args:
        name: The name of an installed bot, `file.py:Class` or `module:Class`. Bots with options take them after an
            `@`: `searcher@0.3s,k=8`.
        game_id: The game that the bot is to play.

    Returns:
        The class.

    Raises:
        UnknownBot: There is no such bot, or it does not play this game.
        BadBotOptions: The bot does not take these options.
        NotABot: The reference names something else.
        BotNotImported: The code that the reference names raises an error when it is imported.
    """
    installed_name, at, options = name.partition(_OPTIONS)
    if installed_name in BOTS:
        bot = _installed(installed_name, game_id, options if at else None)
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


def _installed(name: str, game_id: str, options: str | None) -> type[Bot]:
    """Return the class of an installed bot; `options` are None if the name has none."""
    found = BOTS.load(name)
    takes_options = not isinstance(found, type) and len(signature(cast("_BotsByGame", found)).parameters) > 1
    if options is not None and not takes_options:
        raise BadBotOptions(f"{name} takes no options; leave out {_OPTIONS}{options}")
    try:
        if isinstance(found, type):
            return cast("type[Bot]", found)
        return cast("_BotsByGame", found)(game_id, *([] if options is None else [options]))
    except UnknownBot:
        raise
    except LookupError as error:
        raise UnknownBot(str(error)) from None


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
