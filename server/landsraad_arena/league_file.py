"""The file of a league: game, seats, clock, schedule, faults, rating and entries, as TOML. It is frozen once open."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta

from landsraad import games
from landsraad_engine.errors import BadOption, EngineError

Count = Annotated[int, Meta(ge=1, le=1_000_000)]
Seconds = Annotated[float, Meta(gt=0, le=86_400)]
Name = Annotated[str, Meta(min_length=1, max_length=64)]
_LEAGUE: Final = re.compile(r"[a-z][a-z0-9-]{2,31}")
_AT: Final = re.compile(r"^(?P<words>.*?)(?: - at `\$\.?(?P<field>.*)`)?$", re.DOTALL)


class BadLeagueFile(EngineError):
    """A file of a league that cannot be used.

    Args:
        field: The field, as `schedule.games`; empty if the file is no TOML at all.
        words: The reason.

    """

    def __init__(self, field: str, words: str) -> None:
        super().__init__(f"{field}: {words}" if field else words)
        self.field = field


class LeagueSchedule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The kind of schedule: rounds of so many games for each version, Swiss rounds, or continuous play."""

    kind: Literal["rounds", "swiss", "flowing"] = "rounds"
    games: Count = 20


class LeagueClock(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Thinking time: of one decision, for all of a match, and added after each decision."""

    decision_seconds: Seconds = 10.0
    bank_seconds: Seconds = 600.0
    increment_seconds: Annotated[float, Meta(ge=0, le=3600)] = 0.5


class FaultPolicy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Faults that spoil a match, and spoiled matches that suspend a version."""

    timeouts: Count = 3
    refusals: Count = 20
    spoiled: Count = 3
    among: Count = 50


class LeagueRating(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The anchor, a version of the panel that has 1500 points."""

    anchor: Name = "greedy"


class LeagueEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A version that takes part from the beginning; `bot` is the name of an installed bot or the place of its class."""

    version: Name
    bot: Name
    account: Name = "local"
    at_once: Annotated[int, Meta(ge=1, le=8)] = 1


class LeagueSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A league."""

    name: str
    game: str
    seats: int
    factions: tuple[Name, ...] = ()
    seed: Annotated[int, Meta(ge=0)] = 0
    options: dict[str, Any] = {}
    panel: tuple[Name, ...] = ("random", "greedy")
    schedule: LeagueSchedule = LeagueSchedule()
    clock: LeagueClock = LeagueClock()
    faults: FaultPolicy = FaultPolicy()
    rating: LeagueRating = LeagueRating()
    entries: tuple[LeagueEntry, ...] = ()


def read_league_file(path: Path) -> LeagueSpec:
    """Return the league that a file describes.

    Raises:
        BadLeagueFile: The file cannot be read, or a field cannot be used.
    """
    try:
        return parse_league(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise BadLeagueFile("", f"{path} cannot be read: {getattr(error, 'strerror', None) or error}") from None


def parse_league(text: str) -> LeagueSpec:
    """Return the league that a text describes.

    Raises:
        BadLeagueFile: A field cannot be used.
    """
    try:
        spec = msgspec.convert(tomllib.loads(text), LeagueSpec)
    except tomllib.TOMLDecodeError as error:
        raise BadLeagueFile("", f"this is not TOML: {error}") from None
    except msgspec.ValidationError as error:
        found = _AT.match(str(error))
        assert found
        raise BadLeagueFile(found["field"] or "", found["words"]) from None
    _check_game(spec)
    _check_versions(spec)
    return spec


def _check_game(spec: LeagueSpec) -> None:
    """Check name, game, seats and options."""
    if not _LEAGUE.fullmatch(spec.name):
        raise BadLeagueFile("name", "write 3 to 32 lower-case letters, digits and hyphens, a letter first")
    if spec.game not in games.known():
        raise BadLeagueFile("game", f"{spec.game!r} is none of {', '.join(games.known())}")
    game = games.load(spec.game)
    if spec.seats not in game.seats:
        raise BadLeagueFile("seats", f"{spec.game} has {', '.join(map(str, game.seats))} seats, not {spec.seats}")
    try:
        game.parse_options(spec.options, spec.seats)
    except BadOption as error:
        raise BadLeagueFile(f"options.{error.field}", error.problem) from None


def _check_versions(spec: LeagueSpec) -> None:
    """Check panel, anchor and entries."""
    if not spec.panel or len(set(spec.panel)) < len(spec.panel):
        raise BadLeagueFile("panel", "name at least one version, and none twice")
    if spec.rating.anchor not in spec.panel:
        raise BadLeagueFile("rating.anchor", f"{spec.rating.anchor} is not in the panel ({', '.join(spec.panel)})")
    if spec.factions and len(set(spec.factions)) < max(spec.seats, len(spec.factions)):
        raise BadLeagueFile("factions", f"name {spec.seats} or more, and none twice")
    known = set(spec.panel)
    for number, entry in enumerate(spec.entries):
        if entry.version in known:
            raise BadLeagueFile(f"entries[{number}].version", f"{entry.version} is entered twice or is in the panel")
        known.add(entry.version)
    if spec.faults.spoiled > spec.faults.among:
        raise BadLeagueFile("faults.spoiled", f"no more than {spec.faults.among}, the matches that are looked at")
