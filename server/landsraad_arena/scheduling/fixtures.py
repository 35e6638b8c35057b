"""Fixtures: line-ups at a place of the schedule, and the counts by which line-ups are balanced."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from random import Random

import networkx as nx


class ImpossibleSchedule(ValueError):
    """A schedule that cannot be made: its message says why."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A version that has entered a league, and the account that it belongs to."""

    version: str
    account: str


@dataclass(frozen=True, slots=True)
class LineupSeat:
    """A seat of a line-up."""

    version: str
    faction: str
    #: the seat was free, and a version of the reference panel fills it
    panel: bool = False


@dataclass(frozen=True, slots=True)
class LeagueFixture:
    """A line-up at a place of the schedule."""

    place: int
    seats: tuple[LineupSeat, ...]

    def entered(self) -> list[str]:
        """Return the versions that are not there for the panel."""
        return [seat.version for seat in self.seats if not seat.panel]


@dataclass(frozen=True, slots=True)
class TableRules:
    """The tables of a league.

    Args:
        seats: Seats at each table.
        factions: The factions or sides; each is at a table once at most.
        panel: Versions that fill free seats.

    """

    seats: int
    factions: tuple[str, ...]
    panel: tuple[str, ...]

    def __post_init__(self) -> None:
        """Refuse tables that cannot be filled.

        Raises:
            ImpossibleSchedule: There are fewer than two seats, too few factions, or no panel.
        """
        if self.seats < 2:
            raise ImpossibleSchedule(f"a table has two seats or more, not {self.seats}")
        if len(set(self.factions)) < self.seats:
            raise ImpossibleSchedule(f"{self.seats} seats need as many factions; there are {len(set(self.factions))}")
        if not self.panel:
            raise ImpossibleSchedule("free seats need a panel of at least one version")

    def fill(self, versions: Sequence[str], rng: Random) -> list[tuple[str, bool]]:
        """Return versions for all seats, and if they are of the panel; it repeats a version only if it must."""
        found = [(version, False) for version in versions]
        while len(found) < self.seats:
            panel = rng.sample(self.panel, len(self.panel))
            found += [(version, True) for version in panel[: self.seats - len(found)]]
        return found


def check_entrants(entrants: Sequence[Entrant], rules: TableRules) -> None:
    """Check that versions differ from each other and from the panel.

    Raises:
        ImpossibleSchedule: They do not.
    """
    counts = Counter([*(entrant.version for entrant in entrants), *set(rules.panel)])
    twice = sorted(version for version, count in counts.items() if count > 1)
    if twice:
        raise ImpossibleSchedule(f"entered twice, or entered and in the panel: {', '.join(twice)}")


@dataclass(slots=True)
class LineupCounts:
    """Counts of what versions have played: the memory of schedules that are made match by match."""

    games: Counter[str] = field(default_factory=Counter)
    seats: Counter[tuple[str, int]] = field(default_factory=Counter)
    factions: Counter[tuple[str, str]] = field(default_factory=Counter)
    meetings: Counter[frozenset[str]] = field(default_factory=Counter)
    #: matches in which the panel had a seat
    with_panel: Counter[str] = field(default_factory=Counter)

    def add(self, fixture: LeagueFixture) -> None:
        """Count a fixture."""
        for number, seat in enumerate(fixture.seats):
            if not seat.panel:
                self.games[seat.version] += 1
                self.seats[seat.version, number] += 1
                self.factions[seat.version, seat.faction] += 1
                self.with_panel[seat.version] += any(other.panel for other in fixture.seats)
        self.meetings.update(map(frozenset, combinations(fixture.entered(), 2)))

    def met(self, a: str, b: str) -> int:
        """Return how often two versions have met."""
        return self.meetings[frozenset((a, b))]

    def seat(self, place: int, versions: Sequence[str], rules: TableRules, rng: Random) -> LeagueFixture:
        """Seat versions at a table where they have sat least, with the factions that they have played least."""
        filled = rules.fill(versions, rng)
        seats = _assign([[self.seats[v, n] * (not panel) for n in range(rules.seats)] for v, panel in filled], rng)
        factions = _assign([[self.factions[v, f] * (not panel) for f in rules.factions] for v, panel in filled], rng)
        found: list[LineupSeat | None] = [None] * rules.seats
        for (version, panel), seat, faction in zip(filled, seats, factions, strict=True):
            found[seat] = LineupSeat(version, rules.factions[faction], panel)
        return LeagueFixture(place, tuple(seat for seat in found if seat))


def _assign(counts: Sequence[Sequence[int]], rng: Random) -> list[int]:
    """Return a different column for each row, with the least sum of squared counts after it."""
    graph = nx.Graph()
    rows, columns = rng.sample(range(len(counts)), len(counts)), rng.sample(range(len(counts[0])), len(counts[0]))
    for row in rows:
        least = min(counts[row])
        graph.add_weighted_edges_from(
            (("row", row), ("column", column), -((counts[row][column] - least) ** 2)) for column in columns
        )
    pairs = nx.max_weight_matching(graph, maxcardinality=True)
    chosen = dict(tuple(sorted(pair, reverse=True)) for pair in pairs)
    return [chosen["row", row][1] for row in range(len(counts))]


def withdraw(fixtures: Iterable[LeagueFixture], version: str, rules: TableRules, seed: int) -> list[LeagueFixture]:
    """Return fixtures that have not begun, with the panel in the seat of a version that has left.

    The others keep their seats, factions and numbers of games, so the bounds of the round hold for them.
    """
    rng = Random(seed)
    found = []
    for fixture in fixtures:
        others = {seat.version for seat in fixture.seats}
        free = [name for name in rules.panel if name not in others] or rules.panel
        seats = tuple(
            replace(seat, version=rng.choice(free), panel=True) if seat.version == version and not seat.panel else seat
            for seat in fixture.seats
        )
        found.append(replace(fixture, seats=seats))
    return found


def accounts_of(entrants: Collection[Entrant]) -> Mapping[str, str]:
    """Return the account of each version."""
    return {entrant.version: entrant.account for entrant in entrants}
