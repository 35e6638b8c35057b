"""Swiss rounds: one match for each version, against those of the nearest rating whom it has met least."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from random import Random
from typing import Final, TypeAlias

import networkx as nx

from .fixtures import Entrant, ImpossibleSchedule, LeagueFixture, LineupCounts, TableRules, accounts_of, check_entrants

_Cost: TypeAlias = Callable[[str, str], float]

#: Rating points that weigh as much as one earlier meeting.
_POINTS_OF_A_MEETING: Final = 200.0
#: Cost of a match against the panel where there is a choice, by earlier ones.
_PANEL: Final = 50.0
#: Stands for the panel among versions; no version has an empty name.
_PANEL_SEAT: Final = ""


def make_swiss_round(
    entrants: Sequence[Entrant],
    ratings: Mapping[str, float],
    counts: LineupCounts,
    rules: TableRules,
    seed: int,
    first: int = 0,
) -> list[LeagueFixture]:
    """Return the fixtures of a round.

    Args:
        entrants: The versions.
        ratings: The rating of each of them.
        counts: What has been played so far; the caller adds this round when it is fixed.
        rules: The tables.
        seed: The seed.
        first: The place of the first fixture.

    Raises:
        ImpossibleSchedule: There is no entrant, or one without a rating, or a version has entered twice.
    """
    check_entrants(entrants, rules)
    unrated = sorted(entrant.version for entrant in entrants if entrant.version not in ratings)
    if not entrants or unrated:
        raise ImpossibleSchedule(f"no rating: {', '.join(unrated)}" if unrated else "no entrant")
    rng = Random(seed)
    accounts = accounts_of(entrants)

    def cost(a: str, b: str) -> float:
        """Return how little two versions should meet."""
        return ((ratings[a] - ratings[b]) / _POINTS_OF_A_MEETING) ** 2 + counts.met(a, b) ** 2

    versions = sorted(accounts, key=lambda version: (-ratings[version], version))
    if rules.seats == 2:
        tables = _pairs(versions, accounts, cost, counts)
    else:
        tables = _tables(versions, accounts, cost, rules.seats, rng)
    return [counts.seat(place, table, rules, rng) for place, table in enumerate(tables, first)]


def _pairs(versions: Sequence[str], accounts: Mapping[str, str], cost: _Cost, counts: LineupCounts) -> list[list[str]]:
    """Return tables of two by minimum-cost matching; who finds no opponent plays the panel."""
    graph = nx.Graph()
    graph.add_nodes_from(versions)
    for a, b in combinations(versions, 2):
        if accounts[a] != accounts[b]:
            graph.add_edge(a, b, weight=-cost(a, b))
    if len(versions) % 2:  # one has the panel for its opponent: the one that had it least
        for version in versions:
            graph.add_edge(version, _PANEL_SEAT, weight=-_PANEL * counts.with_panel[version])
    pairs = nx.max_weight_matching(graph, maxcardinality=True)
    partner = {a: b for pair in pairs for a, b in (pair, pair[::-1])}
    found = []
    for version in versions:
        other = partner.get(version)
        if other is None or other == _PANEL_SEAT:
            found.append([version])
        elif versions.index(version) < versions.index(other):
            found.append([version, other])
    return found


def _tables(
    versions: Sequence[str], accounts: Mapping[str, str], cost: _Cost, seats: int, rng: Random
) -> list[list[str]]:
    """Return tables of more than two: neighbours by rating, with exchanges while these lower the cost."""
    rest = len(versions) % seats
    short = rng.randrange(len(versions) // seats + 1) * seats if rest else len(versions)
    starts = [*range(0, short, seats), *([short] if rest else []), *range(short + rest, len(versions), seats)]
    tables = [list(versions[a:b]) for a, b in zip(starts, [*starts[1:], len(versions)], strict=True)]

    def crowding(table: Sequence[str]) -> float:
        """Return the cost of a table; two versions of an account cost more than anything else."""
        return sum(cost(a, b) + 1e9 * (accounts[a] == accounts[b]) for a, b in combinations(table, 2))

    better = True
    while better:
        better = False
        for here, there in combinations(tables, 2):
            for m, n in ((m, n) for m in range(len(here)) for n in range(len(there))):
                before = crowding(here) + crowding(there)
                here[m], there[n] = there[n], here[m]
                if crowding(here) + crowding(there) < before - 1e-6:
                    better = True
                else:
                    here[m], there[n] = there[n], here[m]
    return [part for table in tables for part in _part_accounts(table, accounts)]


def _part_accounts(table: Sequence[str], accounts: Mapping[str, str]) -> list[list[str]]:
    """Part versions of one account that no exchange could part: the panel fills their tables."""
    parts: list[list[str]] = []
    for version in table:
        for part in parts:
            if all(accounts[version] != accounts[other] for other in part):
                part.append(version)
                break
        else:
            parts.append([version])
    return parts
