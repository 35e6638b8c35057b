"""Queries and changes of a league: entries, fixtures, results, exclusions and what is rated.

Each function takes the connection of `Database.read` or `Database.write`. The changes note themselves in the audit.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, Table, func, insert, select, update

from landsraad_arena.rating.intervals import RatedVersion
from landsraad_arena.rating.model import RatedResult
from landsraad_arena.scheduling.fixtures import LeagueFixture
from landsraad_engine.errors import EngineError

from .tables import audit, bots, entries, exclusions, fixtures, leagues, matches, rating_runs, ratings, seats, versions


class UnknownRecord(EngineError):
    """There is no such league, version, fixture or match."""


class WrongResult(EngineError):
    """A result that contradicts its fixture, or another result of it."""


@dataclass(frozen=True, slots=True)
class SeatResult:
    """The result of a seat."""

    share: float
    fault: str | None = None
    timeouts: int = 0
    refusals: int = 0


@dataclass(frozen=True, slots=True)
class LeagueResult:
    """The verified result of a match.

    Args:
        outcome: `decided`, `spoiled` or `void`.
        cause: The reason of the outcome.
        ending: The ending by the rules of the game.
        certificate_digest: The digest of the certificate; results count only with one.
        started_at: Time in milliseconds.
        ended_at: The same.
        seats: Results in the order of the seats. In a spoiled match the offender's has a fault.
        turns: Turns that were played.
        decisions: Decisions that were made.

    """

    outcome: str
    cause: str
    ending: str
    certificate_digest: str
    started_at: int
    ended_at: int
    seats: tuple[SeatResult, ...] = field(default=())
    turns: int = 0
    decisions: int = 0


def _insert(connection: Connection, table: Table, **values: Any) -> int:
    """Insert a row and return its id."""
    key = connection.execute(insert(table).values(**values)).inserted_primary_key
    assert key is not None
    return int(key[0])


def _note(connection: Connection, at: int, who: str, what: str) -> None:
    """Add a line to the audit."""
    connection.execute(insert(audit).values(at=at, who=who, what=what))


def open_league(
    connection: Connection, name: str, spec_toml: str, engine_build: str, content_digest: str, now: int
) -> int:
    """Open a league and return its id. Its file is frozen from here on."""
    _note(connection, now, "operator", f"open league {name}")
    return _insert(
        connection,
        leagues,
        name=name,
        spec_toml=spec_toml,
        engine_build=engine_build,
        content_digest=content_digest,
        state="open",
        opened_at=now,
    )


def declare_version(connection: Connection, bot: str, owner: str, kind: str, digest: str, source: str, now: int) -> int:
    """Declare the next version of a bot, registering the bot with its first one. Returns the version's id.

    Raises:
        WrongResult: The bot belongs to another owner.
    """
    row = connection.execute(select(bots.c.id, bots.c.owner).where(bots.c.name == bot)).one_or_none()
    if row is not None and row.owner != owner:
        raise WrongResult(f"the bot {bot} belongs to {row.owner}")
    bot_id = row.id if row is not None else _insert(connection, bots, owner=owner, name=bot)
    last = connection.execute(select(func.max(versions.c.n)).where(versions.c.bot == bot_id)).scalar()
    number = (last or 0) + 1
    _note(connection, now, owner, f"declare version {number} of {bot}")
    return _insert(connection, versions, bot=bot_id, n=number, kind=kind, digest=digest, source=source, declared_at=now)


def enter_league(connection: Connection, league: int, version: int, at_once: int, now: int) -> None:
    """Enter a version in a league."""
    connection.execute(insert(entries).values(league=league, version=version, at_once=at_once, since=now))


def add_fixtures(
    connection: Connection, league: int, number: int, made: Iterable[LeagueFixture], ids: dict[str, int]
) -> None:
    """Add the fixtures of a round.

    Args:
        connection: The connection.
        league: The league.
        number: The number of the round.
        made: The fixtures.
        ids: The id of each version in their line-ups.

    Raises:
        UnknownRecord: A version has no id.
    """
    rows = []
    for fixture in made:
        unknown = [seat.version for seat in fixture.seats if seat.version not in ids]
        if unknown:
            raise UnknownRecord(f"there is no version {unknown[0]}")
        lineup = json.dumps([[ids[seat.version], seat.faction, seat.panel] for seat in fixture.seats])
        place = fixture.place
        rows.append(
            {
                "league": league,
                "round": number,
                "lineup": lineup,
                "place_in_schedule": place,
                "board": f"{league}/{place}",
                "state": "waiting",
                "why": "",
            }
        )
    if rows:
        connection.execute(insert(fixtures), rows)


def take_result(connection: Connection, league: int, place: int, result: LeagueResult) -> int:
    """Store the result of the next attempt at a fixture, which closes it. Returns the id of the match.

    The same certificate again changes nothing: an arena that was killed may tell a result twice.

    Raises:
        UnknownRecord: There is no such fixture.
        WrongResult: Another result has closed the fixture, or the seats are not those of the line-up.
    """
    fixture = connection.execute(
        select(fixtures).where(fixtures.c.league == league, fixtures.c.place_in_schedule == place)
    ).one_or_none()
    if fixture is None:
        raise UnknownRecord(f"league {league} has no fixture {place}")
    known = connection.execute(
        select(matches.c.id, matches.c.certificate_digest).where(matches.c.fixture == fixture.id)
    ).one_or_none()
    if known is not None:
        if known.certificate_digest == result.certificate_digest:
            return int(known.id)
        raise WrongResult(f"the fixture {place} is closed by another result")
    lineup = json.loads(fixture.lineup)
    if len(lineup) != len(result.seats):
        raise WrongResult(f"the fixture {place} has {len(lineup)} seats, the result {len(result.seats)}")
    if result.outcome == "spoiled" and sum(seat.fault is not None for seat in result.seats) != 1:
        raise WrongResult("a spoiled match has one offender: the seat that was at fault first")
    match = _insert(
        connection,
        matches,
        fixture=fixture.id,
        attempt=1,
        started_at=result.started_at,
        ended_at=result.ended_at,
        ending=result.ending,
        outcome=result.outcome,
        cause=result.cause,
        turns=result.turns,
        decisions=result.decisions,
        certificate_digest=result.certificate_digest,
    )
    connection.execute(
        insert(seats),
        [
            {
                "match": match,
                "seat": number,
                "version": version,
                "faction": faction,
                "share": seat.share,
                "fault": seat.fault,
                "timeouts": seat.timeouts,
                "refusals": seat.refusals,
            }
            for number, ((version, faction, _), seat) in enumerate(zip(lineup, result.seats, strict=True))
        ],
    )
    connection.execute(update(fixtures).where(fixtures.c.id == fixture.id).values(state="closed"))
    return match


def exclude(connection: Connection, match: int, reason: str, by: str, now: int) -> int:
    """Take a match out of the rating, for a reason that stays on record."""
    if connection.execute(select(matches.c.id).where(matches.c.id == match)).one_or_none() is None:
        raise UnknownRecord(f"there is no match {match}")
    _note(connection, now, by, f"exclude match {match}: {reason}")
    return _insert(connection, exclusions, match=match, reason=reason, by=by, at=now)


def closed_prefix(connection: Connection, league: int) -> int:
    """Return how many places of the schedule are closed without a gap: standings use no more."""
    rows = connection.execute(
        select(fixtures.c.place_in_schedule, fixtures.c.state)
        .where(fixtures.c.league == league)
        .order_by(fixtures.c.place_in_schedule)
    )
    closed = 0
    for number, state in rows:
        if number != closed or state != "closed":
            break
        closed += 1
    return closed


def rated_results(connection: Connection, league: int, upto: int) -> list[RatedResult]:
    """Return what is rated of the places before `upto`: neither void nor excluded, in the order of the schedule."""
    excluded = select(exclusions.c.match)
    rows = connection.execute(
        select(matches.c.id, matches.c.outcome, fixtures.c.board, seats, bots.c.name, versions.c.n)
        .join(fixtures, matches.c.fixture == fixtures.c.id)
        .join(seats, seats.c.match == matches.c.id)
        .join(versions, seats.c.version == versions.c.id)
        .join(bots, versions.c.bot == bots.c.id)
        .where(fixtures.c.league == league, fixtures.c.place_in_schedule < upto)
        .where(matches.c.outcome != "void", matches.c.id.not_in(excluded))
        .order_by(fixtures.c.place_in_schedule, seats.c.seat)
    ).all()
    by_match: dict[int, list[Any]] = {}
    for row in rows:
        by_match.setdefault(row.id, []).append(row)
    return [
        RatedResult(
            tuple(f"{row.name}#{row.n}" for row in table),
            tuple(row.faction for row in table),
            tuple(row.share for row in table),
            table[0].board,
            next((row.seat for row in table if row.fault is not None), None) if table[0].outcome == "spoiled" else None,
        )
        for table in by_match.values()
    ]


def digest_of(results: Sequence[RatedResult]) -> str:
    """Return the digest of results: it names the standings that follow from them."""
    rows = [[each.versions, each.factions, each.shares, each.board, each.offender] for each in results]
    return hashlib.sha256(json.dumps(rows, ensure_ascii=True).encode()).hexdigest()


def save_ratings(
    connection: Connection,
    league: int,
    upto: int,
    data_digest: str,
    code: str,
    rows: Sequence[RatedVersion],
    now: int,
) -> int:
    """Store the standings of one moment. Returns the id of the rating run."""
    run = _insert(
        connection, rating_runs, league=league, upto_place=upto, data_digest=data_digest, code=code, made_at=now
    )
    named = connection.execute(select(versions.c.id, versions.c.n, bots.c.name).join(bots))
    ids = {f"{row.name}#{row.n}": row.id for row in named}
    kept = []
    for row in rows:
        for faction, rating in [("", row.rating), *sorted(row.by_faction.items())]:
            low, high = row.ranks if row.ranks and not faction else (None, None)
            kept.append(
                {
                    "run": run,
                    "version": ids[row.version],
                    "faction": faction,
                    "value": rating.value,
                    "se": rating.error,
                    "low": rating.low,
                    "high": rating.high,
                    "rank_low": low,
                    "rank_high": high,
                    "games": row.games,
                }
            )
    connection.execute(insert(ratings), kept)
    return run
