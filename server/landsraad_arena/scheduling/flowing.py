"""Continuous play: next is the version whose rating is least known and who has waited longest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from random import Random
from typing import Final

from .fixtures import Entrant, LeagueFixture, LineupCounts, TableRules, accounts_of, check_entrants

#: A quarter of the first forty matches of a version has the panel at the table, so that all pools hang together.
_NEW_GAMES, _PANEL_EVERY = 40, 4
#: Rating points that weigh as much as one earlier meeting.
_POINTS_OF_A_MEETING: Final = 200.0


@dataclass(frozen=True, slots=True)
class WaitingEntrant:
    """An entrant that attends and has room for a match.

    Args:
        entrant: The version and its account.
        rating: Its rating in points.
        error: The standard error of the rating.
        minutes: The time that it has waited.

    """

    entrant: Entrant
    rating: float
    error: float
    minutes: float


def next_fixture(
    waiting: Sequence[WaitingEntrant], counts: LineupCounts, rules: TableRules, place: int, seed: int
) -> LeagueFixture | None:
    """Return the next fixture, None while nobody waits.

    Args:
        waiting: The versions that could play now.
        counts: What has been played so far; the caller adds the fixture when it is fixed.
        rules: The tables.
        place: The place of the fixture.
        seed: The seed.

    Raises:
        ImpossibleSchedule: A version waits twice.
    """
    check_entrants([each.entrant for each in waiting], rules)
    if not waiting:
        return None
    rng = Random(f"{seed}/{place}")
    by_version = {each.entrant.version: each for each in waiting}
    accounts = accounts_of([each.entrant for each in waiting])
    next_one = min(by_version.values(), key=lambda each: (-each.error * each.minutes, each.entrant.version))
    version = next_one.entrant.version
    table = [version]
    while len(table) < rules.seats - any(is_due_to_panel(each, counts) for each in table):
        other = _opponent(table, by_version, accounts, counts, rules.seats)
        if other is None:
            break
        table.append(other)
    return counts.seat(place, table, rules, rng)


def is_due_to_panel(version: str, counts: LineupCounts) -> bool:
    """Return if the next match of a new version has the panel at its table."""
    played = counts.games[version]
    return played < _NEW_GAMES and counts.with_panel[version] * _PANEL_EVERY <= played


def _opponent(
    table: Sequence[str],
    waiting: Mapping[str, WaitingEntrant],
    accounts: Mapping[str, str],
    counts: LineupCounts,
    seats: int,
) -> str | None:
    """Return the nearest and least known opponent for those at a table."""
    used = {accounts[version] for version in table}
    is_last_seat = len(table) == seats - 1
    able = [
        version
        for version in sorted(waiting)
        if accounts[version] not in used and not (is_last_seat and is_due_to_panel(version, counts))
    ]

    def distance(version: str) -> float:
        """Return the distance to those at the table, by rating and by earlier meetings."""
        return sum(
            ((waiting[version].rating - waiting[other].rating) / _POINTS_OF_A_MEETING) ** 2
            + counts.met(version, other) / sqrt(1 + min(counts.games[version], counts.games[other]))
            for other in table
        )

    return min(able, key=distance, default=None)
