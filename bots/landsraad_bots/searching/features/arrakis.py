"""The features of War for Arrakis, in the eyes of one side. The value is the probability that this side wins."""

from __future__ import annotations

from typing import Final

from landsraad_bots.greedy.arrakis import worth
from landsraad_bots.greedy.arrakis.goals import guard_of, rank_of
from landsraad_bots.greedy.arrakis.odds import duel
from landsraad_bots.players import side_of
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN, OPPONENT, SIDES
from landsraad_engine.arrakis.terms import MARKERS
from landsraad_engine.arrakis.words import ArrakisSeatView, Survey
from landsraad_engine.arrakis.zones import IMPERIUM

#: The longest match in rounds, roughly.
_ROUNDS: Final = 10

NAMES: Final = (
    "constant",
    "Supremacy, as a share of what is needed",
    "Supremacy points left, inverse",
    *(f"steps missing of marker {marker}" for marker in MARKERS),
    "steps missing",
    "steps missing, inverse",
    "villages",
    "ranks of villages",
    "sietches",
    "ranks of sietches",
    *(f"units of {side}" for side in SIDES),
    *(f"named leaders of {side}" for side in SIDES),
    *(f"supply of {side}" for side in SIDES),
    *(f"best attack of {side} on a settlement" for side in SIDES),
    *(f"attacks of {side} on settlements" for side in SIDES),
    *(f"dice of {side}" for side in SIDES),
    "worms",
    "wormsigns",
    "harvesters",
    "stations",
    "spice",
    "lowest Imperium track",
    "Imperium tracks",
    "round",
    "my cards",
)


def row(view: ArrakisSeatView) -> list[float]:
    """Return the features in the order of `NAMES`."""
    survey, table = view.survey(), view.table
    left = worth.points_left(view)
    missing = worth.steps_missing(view)
    all_missing = sum(missing.values())
    villages = [rank_of(view, HARKONNEN, area) for area in view.board.names(survey.villages)]
    sietches = [rank_of(view, ATREIDES, area) for area in view.board.names(survey.sietches)]
    attacks = {side: _attacks(view, side, survey) for side in SIDES}
    tracks = [table[key] for key in IMPERIUM.values()]
    return [
        1.0,
        view.supremacy / view.content.supremacy.length,
        1 / (1 + left),
        *(missing[marker] / 10 for marker in MARKERS),
        all_missing / 20,
        1 / (1 + all_missing),
        len(villages) / 5,
        sum(villages) / 10,
        len(sietches) / 8,
        sum(sietches) / 16,
        *(_toughness(view, side, survey) / 30 for side in SIDES),
        *(len(view.leaders_on_board(side)) / 3 for side in SIDES),
        *(sum(view.supply(side)) / 20 for side in SIDES),
        *(max(attacks[side], default=0.0) for side in SIDES),
        *(sum(attacks[side]) / 5 for side in SIDES),
        *(_dice(view, side) / 6 for side in SIDES),
        survey.worms.bit_count() / 4,
        survey.wormsigns.bit_count() / 6,
        survey.harvesters.bit_count() / 4,
        survey.stations.bit_count() / 4,
        table.get("spice", 0) / 5,
        min(tracks, default=0) / 5,
        sum(tracks) / 15,
        view.round / _ROUNDS,
        len(view.hand(view.seat)) / 6 if view.seat is not None else 0.0,
    ]


def side(view: ArrakisSeatView) -> str:
    """Return the side whose probability to win is the value of a view."""
    return side_of(view)


def _toughness(view: ArrakisSeatView, side: str, survey: Survey) -> int:
    return sum(worth.force(view, view.legion(side, area)).toughness for area in view.board.names(survey.legions(side)))


def _dice(view: ArrakisSeatView, side: str) -> int:
    """Return the unused dice of a side."""
    boards = {view.dashboard(seat) for seat in range(len(view.sides) or 2) if view.table.get(f"side/{seat}") == side}
    return sum(sum(view.dice(each).values()) for each in boards)


def _attacks(view: ArrakisSeatView, side: str, survey: Survey) -> list[float]:
    """Return the worth of each attack on a settlement next door: its rank by the chance, as a share of four."""
    enemy = OPPONENT[side]
    board = view.board
    own = survey.legions(side)
    found = []
    for area in board.names(survey.settlements(enemy)):
        near = board.adjacent[area] & own
        if near:
            guard, rank = guard_of(view, enemy, area), rank_of(view, enemy, area)
            chances = (duel(worth.force(view, view.legion(side, at)), guard, rank).chance for at in board.names(near))
            found.append(max(chances) * rank / 4)
    return found
