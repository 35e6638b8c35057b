"""Schedules of random leagues keep their bounds; the same seed makes the same schedule."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from random import Random

import pytest

from landsraad_arena.scheduling.coloring import color_equitably
from landsraad_arena.scheduling.fixtures import (
    Entrant,
    ImpossibleSchedule,
    LeagueFixture,
    LineupCounts,
    TableRules,
    withdraw,
)
from landsraad_arena.scheduling.flowing import WaitingEntrant, next_fixture
from landsraad_arena.scheduling.rounds import make_round, most_meetings
from landsraad_arena.scheduling.swiss import make_swiss_round

PANEL = ("random", "greedy", "house", "searcher@0.1s")
FACTIONS = ("Atreides", "Bene Gesserit", "Emperor", "Fremen", "Harkonnen", "Spacing Guild")


def random_league(seed: int) -> tuple[list[Entrant], TableRules, Random]:
    """Two to sixty versions of some accounts, two to six seats, as many factions or more."""
    rng = Random(seed)
    versions, seats = rng.randint(2, 60), rng.randint(2, 6)
    accounts = versions if rng.random() < 0.5 else rng.randint(2, versions)
    entrants = [Entrant(f"v{n}", f"account{rng.randrange(accounts)}") for n in range(versions)]
    return entrants, TableRules(seats, FACTIONS[: rng.randint(seats, 6)], PANEL), rng


def assert_tables(fixtures: Iterable[LeagueFixture], entrants: Sequence[Entrant], rules: TableRules) -> None:
    """Each table is full, with different factions, and no account sits twice."""
    account = {entrant.version: entrant.account for entrant in entrants}
    for fixture in fixtures:
        assert len(fixture.seats) == rules.seats
        assert len({seat.faction for seat in fixture.seats}) == rules.seats
        assert {seat.faction for seat in fixture.seats} <= set(rules.factions)
        accounts = [account[version] for version in fixture.entered()]
        assert len(set(accounts)) == len(accounts)
        assert all(seat.version in rules.panel for seat in fixture.seats if seat.panel)


def assert_even(counts: Sequence[int]) -> None:
    assert max(counts) - min(counts) <= 1, counts


def assert_bounds(
    fixtures: Sequence[LeagueFixture], present: Sequence[Entrant], entered: Sequence[Entrant], rules: TableRules
) -> None:
    """The bounds of a round, for those who were present throughout."""
    assert_tables(fixtures, entered, rules)
    counts = LineupCounts()
    for fixture in fixtures:
        counts.add(fixture)
    if not present:
        return
    assert_even([counts.games[each.version] for each in present])
    for each in present:
        assert_even([counts.seats[each.version, seat] for seat in range(rules.seats)])
        assert_even([counts.factions[each.version, faction] for faction in rules.factions])
    pairs = [(a, b) for a, b in combinations(present, 2) if a.account != b.account]
    met = [counts.met(a.version, b.version) for a, b in pairs]
    if met and rules.seats == 2:
        assert_even(met)
    elif met and len(present) == len(entered):
        assert max(met) <= most_meetings(sum(met), len(met))


def check_round(seed: int) -> None:
    entrants, rules, rng = random_league(seed)
    fixtures = make_round(entrants, rules, rng.randint(1, 20), seed, first=7)
    assert [fixture.place for fixture in fixtures] == [*range(7, 7 + len(fixtures))]
    assert_bounds(fixtures, entrants, entrants, rules)
    begun = rng.randrange(len(fixtures))
    leaving = rng.choice(entrants)
    left = fixtures[:begun] + withdraw(fixtures[begun:], leaving.version, rules, seed)
    assert all(leaving.version not in fixture.entered() for fixture in left[begun:])
    assert_bounds(left, [each for each in entrants if each != leaving], entrants, rules)


def check_swiss(seed: int) -> None:
    entrants, rules, rng = random_league(seed)
    counts = LineupCounts()
    ratings = {entrant.version: rng.gauss(1500, 200) for entrant in entrants}
    for number in range(3):
        fixtures = make_swiss_round(entrants, ratings, counts, rules, seed * 10 + number)
        assert_tables(fixtures, entrants, rules)
        assert Counter(v for fixture in fixtures for v in fixture.entered()) == Counter(ratings.keys())
        for fixture in fixtures:
            counts.add(fixture)
    for entrant in entrants:
        seats = [counts.seats[entrant.version, seat] for seat in range(rules.seats)]
        assert max(seats) <= 2


def check_flow(seed: int) -> None:
    """Everybody plays, new versions a quarter against the panel, seats nearly by turns."""
    entrants, rules, rng = random_league(seed)
    entrants = entrants[:12]
    counts, waited = LineupCounts(), {entrant.version: rng.random() for entrant in entrants}
    ratings = {entrant.version: rng.gauss(1500, 200) for entrant in entrants}
    for place in range(16 * len(entrants)):
        waiting = [
            WaitingEntrant(
                each, ratings[each.version], 400 / (1 + counts.games[each.version]) ** 0.5, waited[each.version]
            )
            for each in entrants
        ]
        fixture = next_fixture(waiting, counts, rules, place, seed)
        assert fixture is not None
        assert_tables([fixture], entrants, rules)
        counts.add(fixture)
        played = fixture.entered()
        waited = {version: 0.0 if version in played else minutes + 1 for version, minutes in waited.items()}
    for each in entrants:
        games = counts.games[each.version]
        assert games >= 8
        assert 4 * counts.with_panel[each.version] >= min(games, 40) - 4
        seats = [counts.seats[each.version, seat] for seat in range(rules.seats)]
        assert max(seats) - min(seats) <= max(2, games // 4)


@pytest.mark.parametrize("seed", range(25))
def test_rounds_keep_their_bounds(seed: int) -> None:
    check_round(seed)


@pytest.mark.parametrize("seed", range(4))
def test_swiss_rounds_keep_their_bounds(seed: int) -> None:
    check_swiss(seed)


@pytest.mark.parametrize("seed", range(2))
def test_continuous_play_reaches_everybody(seed: int) -> None:
    check_flow(seed)


@pytest.mark.long
@pytest.mark.parametrize("hundred", [0, *(pytest.param(n, marks=pytest.mark.exhaustive) for n in range(1, 10))])
def test_a_thousand_leagues_keep_their_bounds(hundred: int) -> None:
    for seed in range(100 * hundred, 100 * (hundred + 1)):
        check_round(seed)
        if seed % 10 == 0:
            check_swiss(seed)
            check_flow(seed)


def test_colors_are_equitable() -> None:
    rng = Random(4)
    edges = [(version, table) for table in range(60) for version in rng.sample(range(11), 5)]
    for colors in (5, 6, 7):
        found = color_equitably(edges, colors, rng)
        for version in range(11):
            counts = Counter(color for (v, _), color in zip(edges, found, strict=True) if v == version)
            assert_even([counts[color] for color in range(colors)])
        for table in range(60):
            mine = [color for (_, t), color in zip(edges, found, strict=True) if t == table]
            assert len(set(mine)) == len(mine)


def test_the_seed_makes_the_round() -> None:
    entrants = [Entrant(f"v{n}", f"a{n}") for n in range(9)]
    rules = TableRules(4, FACTIONS, PANEL)
    made = make_round(entrants, rules, 8, 5)
    assert made == make_round(entrants[::-1], rules, 8, 5)
    assert made != make_round(entrants, rules, 8, 6)


def test_swiss_pairs_meet_the_nearest() -> None:
    entrants = [Entrant(f"v{n}", f"a{n}") for n in range(6)]
    ratings = {f"v{n}": 1500 + 40.0 * n + 400 * (n // 2) for n in range(6)}
    rules = TableRules(2, ("Atreides", "Harkonnen"), PANEL)
    counts = LineupCounts()
    first = make_swiss_round(entrants, ratings, counts, rules, 1)
    assert {frozenset(f.entered()) for f in first} == {frozenset(p) for p in (("v0", "v1"), ("v2", "v3"), ("v4", "v5"))}


def test_swiss_opponents_change() -> None:
    """Equal ratings: in three rounds of four versions all meet once."""
    entrants = [Entrant(f"v{n}", f"a{n}") for n in range(4)]
    rules = TableRules(2, ("Atreides", "Harkonnen"), PANEL)
    counts = LineupCounts()
    for number in range(3):
        for fixture in make_swiss_round(
            entrants, dict.fromkeys(("v0", "v1", "v2", "v3"), 1500.0), counts, rules, number
        ):
            counts.add(fixture)
    assert sorted(counts.meetings.values()) == [1] * 6


def test_the_longest_waiting_and_least_known_is_next() -> None:
    rules = TableRules(2, ("Atreides", "Harkonnen"), PANEL)
    counts = LineupCounts()
    counts.games["known"] = 40  # no longer new
    known, new = Entrant("known", "a"), Entrant("new", "b")
    waiting = [WaitingEntrant(known, 1500, 20, 10), WaitingEntrant(new, 1500, 150, 2)]
    fixture = next_fixture(waiting, counts, rules, 0, 1)
    assert fixture is not None
    assert fixture.entered() == ["new"]  # its first match is against the panel
    counts.add(fixture)
    fixture = next_fixture(waiting, counts, rules, 1, 1)
    assert fixture is not None
    assert set(fixture.entered()) == {"known", "new"}
    assert next_fixture([], counts, rules, 2, 1) is None


def test_impossible_schedules_are_refused() -> None:
    rules = TableRules(2, ("Atreides", "Harkonnen"), PANEL)
    with pytest.raises(ImpossibleSchedule, match="two seats or more"):
        TableRules(1, FACTIONS, PANEL)
    with pytest.raises(ImpossibleSchedule, match="need as many factions"):
        TableRules(4, FACTIONS[:3], PANEL)
    with pytest.raises(ImpossibleSchedule, match="a panel"):
        TableRules(2, FACTIONS, ())
    with pytest.raises(ImpossibleSchedule, match="in the panel: greedy"):
        make_round([Entrant("greedy", "a"), Entrant("b", "b")], rules, 2, 1)
    with pytest.raises(ImpossibleSchedule, match="0 entrants"):
        make_round([], rules, 2, 1)
    with pytest.raises(ImpossibleSchedule, match="no rating: b"):
        make_swiss_round([Entrant("a", "a"), Entrant("b", "b")], {"a": 1500}, LineupCounts(), rules, 1)
