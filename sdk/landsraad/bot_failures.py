"""Failures of bots: the saved replay in which the decision can be put to the bot again."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from landsraad.bot_traceback import bot_traceback
from landsraad.replay_files import save_certificate
from landsraad_engine.errors import BadJournal, BotFailed, EngineError, Refused
from landsraad_engine.kernel.game import Game
from landsraad_engine.play.bot import Bot
from landsraad_engine.play.match import Match, replaying

#: Folder of the replays of matches in which a bot has failed.
FAILURES: Final = Path("landsraad-failures")


@dataclass(frozen=True, slots=True)
class SeatedBot:
    """A bot as a replay file names it: enough to make it again with the same random numbers."""

    #: the name of an installed bot, `file.py:Class` or `module:Class`; empty for a player who was no bot of ours
    bot: str
    seed: int


@dataclass(frozen=True, slots=True)
class FailureRecord:
    """A failure of a bot: an illegal act, an exception or a timeout."""

    #: "illegal act" | "exception" | "timeout"
    kind: str
    seat: int
    #: the rule of the question; empty if none was open
    why: str
    #: the number of inputs before it, for `landsraad replay --at`; -1 if unknown
    at: int
    message: str


class BotFailure(EngineError):
    """A bot has failed in local play. The message tells how, where, and how to put the decision to it again.

    Attributes:
        failure: The failure.
        replay: The saved replay.

    """

    def __init__(self, message: str, failure: FailureRecord, replay: Path) -> None:
        super().__init__(message)
        self.failure = failure
        self.replay = replay


def saved_failure(error: Refused | BotFailed, match: Match, bots: Sequence[SeatedBot], path: Path) -> BotFailure:
    """Save a match that a bot has ended by a failure.

    Args:
        error: The error of `play_out`.
        match: The match, as it was left.
        bots: The bot of each seat.
        path: The file to write.

    Returns:
        The error to raise. It can be pickled, whatever the bot has raised.
    """
    seat = error.seat or 0
    at = len(match.journal)
    who = bots[seat].bot
    if isinstance(error, BotFailed):
        cause = error.__cause__ or error
        failure = FailureRecord("exception", seat, error.why, at, f"{type(cause).__name__}: {cause}")
        told = f"the bot {who!r} has failed: {error}\n{bot_traceback(cause)}"
    else:
        failure = FailureRecord("illegal act", seat, error.why, at, str(error))
        told = f"the bot {who!r} has chosen an illegal act: {error}"
    save_failures(match.certificate(), bots, [failure], path)
    return BotFailure(f"{told}\n{describe_replay(path, who, failure)}", failure, path)


def save_failures(
    certificate: Mapping[str, Any], bots: Sequence[SeatedBot], failures: Sequence[FailureRecord], path: Path
) -> None:
    """Write a replay with the bots and what went wrong."""
    seated = [asdict(bot) for bot in bots]
    save_certificate({**certificate, "bots": seated, "failures": [asdict(one) for one in failures]}, path)


def describe_replay(path: Path, bot: str, failure: FailureRecord) -> str:
    """Return the command that puts the decision to the bot again."""
    at = f" --at {failure.at}" if failure.at >= 0 else ""
    return (
        f"The match is saved. To put the decision again: landsraad replay {path} --bot {bot} --seat {failure.seat}{at}"
    )


def reference_of(bot: type[Bot]) -> str:
    """Return the reference by which a class can be loaded again: `file.py:Class`, or `module:Class` if installed."""
    module = sys.modules.get(bot.__module__)
    try:
        file = Path(inspect.getfile(bot))
    except (OSError, TypeError):
        return f"{bot.__module__}:{bot.__qualname__}"
    if module is not None and "site-packages" in file.parts:
        return f"{bot.__module__}:{bot.__qualname__}"
    here = Path.cwd()
    return f"{file.relative_to(here) if file.is_relative_to(here) else file}:{bot.__qualname__}"


def positions_of(
    game: Game, certificate: Mapping[str, Any], decisions: Collection[tuple[int, int]]
) -> dict[tuple[int, int], int]:
    """Return the number of inputs after which each decision, a seat and its number, was open for the last time."""
    found: dict[tuple[int, int], int] = {}
    with suppress(BadJournal):  # another build has played it
        for match, _ in replaying(game, certificate):
            for seat in match.waiting:
                decision = (seat, match.decision(seat))
                if decision in decisions:
                    found[decision] = len(match.journal)
    return found
