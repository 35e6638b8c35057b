"""Rounds with bounds: equal games, seats and factions by turns, and opponents evenly.

With two seats the opponents come from the circle method; with more, greedily with exchanges. Seats and factions are
coloured afterwards, which never disturbs the opponents.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from math import ceil
from random import Random
from typing import Final

from .coloring import color_equitably
from .fixtures import Entrant, ImpossibleSchedule, LeagueFixture, LineupSeat, TableRules, accounts_of, check_entrants

#: Exchanges that are tried for each meeting above the bound.
_TRIES: Final = 400


def make_round(
    entrants: Sequence[Entrant], rules: TableRules, games: int, seed: int, first: int = 0
) -> list[LeagueFixture]:
    """Return the fixtures of a round; the same seed makes the same round.

    Args:
        entrants: The versions.
        rules: The tables.
        games: Matches of each version.
        seed: The seed.
        first: The place of the first fixture.

    Raises:
        ImpossibleSchedule: There is no entrant or no game, or a version has entered twice.
    """
    if not entrants or games < 1:
        raise ImpossibleSchedule(f"{len(entrants)} entrants with {games} games each")
    check_entrants(entrants, rules)
    rng = Random(seed)
    accounts = accounts_of(entrants)
    shuffled = rng.sample(sorted(accounts), len(accounts))
    tables = (
        _circle(shuffled, accounts, games) if rules.seats == 2 else _groups(shuffled, accounts, rules.seats, games, rng)
    )
    return _seat(tables, rules, rng, first)


def _seat(tables: Sequence[Sequence[str]], rules: TableRules, rng: Random, first: int) -> list[LeagueFixture]:
    """Give seats and factions to tables."""
    filled = [rules.fill(versions, rng) for versions in tables]
    # a seat of the panel is a vertex of its own: no bound counts it
    edges = [
        ((version, table, number) if panel else (version,), table)
        for table, row in enumerate(filled)
        for number, (version, panel) in enumerate(row)
    ]
    seats = iter(color_equitably(edges, rules.seats, rng))
    factions = iter(color_equitably(edges, len(rules.factions), rng))
    found = []
    for place, row in enumerate(filled, first):
        lineup = {next(seats): LineupSeat(version, rules.factions[next(factions)], panel) for version, panel in row}
        found.append(LeagueFixture(place, tuple(lineup[seat] for seat in range(rules.seats))))
    return found


def _circle(versions: Sequence[str], accounts: Mapping[str, str], games: int) -> list[list[str]]:
    """Return tables of two by the circle method; versions of one account play the panel on their day."""
    circle: list[str | None] = [*versions]
    if len(circle) % 2:
        circle.append(None)
    tables: list[list[str]] = []
    for _ in range(games):
        half = len(circle) // 2
        for a, b in zip(circle[:half], reversed(circle[half:]), strict=True):
            pair = [version for version in (a, b) if version is not None]
            together = len(pair) == 2 and accounts[pair[0]] != accounts[pair[1]]
            tables += [pair] if together else [[version] for version in pair]
        circle = [circle[0], circle[-1], *circle[1:-1]]
    return tables


def most_meetings(meetings: float, pairs: int) -> int:
    """Return the bound of meetings of a pair with more than two seats: twice the mean, rounded up, and two at least."""
    return max(2, ceil(2 * meetings / pairs)) if pairs else 0


def _groups(
    versions: Sequence[str], accounts: Mapping[str, str], seats: int, games: int, rng: Random
) -> list[list[str]]:
    """Return tables of more than two within the bound of meetings.

    Where accounts of unequal sizes make exchanges useless, tables are made anew with seats left free instead of
    meetings above the bound. That lowers the bound in turn, which ends at two at the latest.
    """
    pairs = sum(accounts[a] != accounts[b] for a, b in combinations(versions, 2))
    most = games
    while True:
        tables, meetings = _fill_tables(versions, accounts, seats, games, most, rng)
        bound = most_meetings(sum(meetings.values()), pairs)
        _exchange(tables, accounts, meetings, bound, rng)
        if max(meetings.values(), default=0) <= bound:
            return tables
        most = bound


def _fill_tables(
    versions: Sequence[str], accounts: Mapping[str, str], seats: int, games: int, most: int, rng: Random
) -> tuple[list[list[str]], Counter[frozenset[str]]]:
    """Fill tables greedily: next is the version with most games left, then the one met least.

    No pair meets more than `most` times. Returns the tables and the meetings.
    """
    left = dict.fromkeys(versions, games)
    meetings: Counter[frozenset[str]] = Counter()
    tables: list[list[str]] = []
    while any(left.values()):
        table: list[str] = []
        while len(table) < seats:
            met = {version: [meetings[frozenset((version, other))] for other in table] for version in versions}
            used = {accounts[version] for version in table}
            able = [v for v in versions if left[v] and accounts[v] not in used and max(met[v], default=0) < most]
            if not able:
                break
            table.append(min((-left[v], sum(count**2 for count in met[v]), rng.random(), v) for v in able)[-1])
        for version in table:
            left[version] -= 1
        meetings.update(map(frozenset, combinations(table, 2)))
        tables.append(table)
    return tables, meetings


def _exchange(
    tables: list[list[str]],
    accounts: Mapping[str, str],
    meetings: Counter[frozenset[str]],
    bound: int,
    rng: Random,
) -> None:
    """Exchange versions between tables until no pair meets more often than the bound, or no exchange helps."""
    over = [pair for pair, count in meetings.items() if count > bound]
    for _ in range(_TRIES * len(over)):
        if not over:
            return
        a, b = rng.choice(sorted(map(sorted, over)))
        here = rng.choice([table for table in tables if a in table and b in table])
        there = rng.choice(tables)
        other = rng.choice(there)
        if _may_swap(here, there, a, other, accounts):
            before = _crowding(here, there, meetings)
            _swap(here, there, a, other, meetings)
            if _crowding(here, there, meetings) > before:
                _swap(here, there, other, a, meetings)
            over = [pair for pair, count in meetings.items() if count > bound]


def _may_swap(here: list[str], there: list[str], a: str, other: str, accounts: Mapping[str, str]) -> bool:
    """Return if two versions can take each other's places."""
    if here is there or a in there or other in here:
        return False
    at_here = {accounts[version] for version in here if version != a}
    at_there = {accounts[version] for version in there if version != other}
    return accounts[other] not in at_here and accounts[a] not in at_there


def _crowding(here: list[str], there: list[str], meetings: Counter[frozenset[str]]) -> int:
    """Return the sum of cubed meetings of those who sit at two tables, with everyone."""
    concerned = {*here, *there}
    return sum(count**3 for pair, count in meetings.items() if pair & concerned)


def _swap(here: list[str], there: list[str], a: str, other: str, meetings: Counter[frozenset[str]]) -> None:
    """Let two versions take each other's places."""
    for table in (here, there):
        meetings.subtract(map(frozenset, combinations(table, 2)))
    here[here.index(a)], there[there.index(other)] = other, a
    for table in (here, there):
        meetings.update(map(frozenset, combinations(table, 2)))
