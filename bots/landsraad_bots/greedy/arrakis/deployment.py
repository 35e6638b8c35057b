"""Scores for bringing figures to the board, where they guard most or are nearest to goals."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from landsraad_bots.greedy.arrakis import worth
from landsraad_bots.greedy.arrakis.goals import prospects
from landsraad_bots.greedy.arrakis.outlook import Outlook
from landsraad_bots.players import side_of
from landsraad_engine.arrakis import acts
from landsraad_engine.arrakis.operations import vocabulary as rows
from landsraad_engine.arrakis.words import ArrakisSeatView, Legion
from landsraad_engine.kernel.grammar import Act, Choice

#: The worth of a deployment token with its leader; a leader deployed alone forgoes the token.
TOKEN: Final = 9.0


def propose_deployments(view: ArrakisSeatView, choice: Choice) -> Iterator[Act]:
    """Propose all Regulars in one of the best settlements, or all but one, with the best leader."""
    outlook = Outlook.of(view)
    regulars: Any = choice.domain("regulars")
    leaders = choice.domain("leader").values()
    areas, number = regulars.slots, regulars.high
    leader = max(leaders, key=lambda each: _leader(view, each))
    ranked = sorted(areas, key=lambda area: -outlook.arrival_gain(area, Legion((number, 0, 0, 0))))[:3]
    for most in ranked:
        for other in ranked:
            shares = {most: number} if other == most else {most: number - 1, other: 1}
            act = acts.Deploy(tuple(shares.get(area, 0) for area in areas), leader, most if leader else "")
            if choice.fault(act) is None:
                yield act
    yield acts.Deploy((0,) * len(areas), "", "")


def deploy(view: ArrakisSeatView, act: acts.Deploy, choice: Choice, why: str) -> float:
    outlook = Outlook.of(view)
    regulars: Any = choice.domain("regulars")
    return _leader(view, act.leader) + sum(
        outlook.arrival_gain(area, Legion((number, 0, 0, 0)))
        for area, number in zip(regulars.slots, act.regulars, strict=True)
        if number
    )


def deploy_token(view: ArrakisSeatView, act: acts.DeployToken, choice: Choice, why: str) -> float:
    coming = Legion(tokens=tuple(view.table.get("drawn_token", ())))
    return Outlook.of(view).arrival_gain(act.area, coming) + _leader(view, act.leader, act.area)


def deploy_leader(view: ArrakisSeatView, act: acts.DeployLeader, choice: Choice, why: str) -> float:
    return _leader(view, act.leader, act.area)


def replace_naib(view: ArrakisSeatView, act: acts.ChooseTarget, choice: Choice, why: str) -> float:
    """Put a leader with the largest legion."""
    return 1.0 + 0.1 * view.size(side_of(view), act.target)


def _leader(view: ArrakisSeatView, leader: str, area: str = "") -> float:
    """Return the worth of a leader on the board, which is higher if a prescience card names it."""
    if not leader:
        return 0.0
    value = 1.2
    if not view.leader(leader).generic:
        value = worth.NAMED + sum(_named_by(view, row, leader, area) * prospect for row, prospect in prospects(view))
    return value + (0.02 * Outlook.of(view).legions[area].size if area in Outlook.of(view).legions else 0.0)


def _named_by(view: ArrakisSeatView, row: rows.Operation, leader: str, area: str) -> float:
    """Return the share of a prescience card's demand that a leader's arrival fulfils."""
    names = {leader, view.leader(leader).persona}
    match row:
        case rows.SendToTankRow() | rows.LeaderInRow():
            return 0.4 * (row.leader in names)
        case rows.LeadersTogetherRow():
            concerned = [row.leader, *row.others]
            if names.isdisjoint(concerned):
                return 0.0
            others = [view.whereabouts(view.bearer(each)) for each in concerned if each not in names]
            on_board = [place for place in others if place is not None and place in view.board.sectors_of]
            sectors = {sector for place in on_board for sector in view.board.sectors_of[place]}
            together = area in view.board.sectors_of and not sectors.isdisjoint(view.board.sectors_of[area])
            return 0.6 if together else 0.15
    return 0.0


def propose_forces(view: ArrakisSeatView, choice: Choice) -> Iterator[Act]:
    """Propose the largest forces that may come to each place."""
    side = side_of(view)
    every = sorted(choice.domain("units").values(), key=lambda units: -worth.units_worth(side, units))[:24]
    leaders = sorted(choice.domain("leaders").values(), key=lambda named: -len(named))[:3]
    for place in choice.domain("place").values():
        yield from _most(choice, place, every, leaders)


def _most(choice: Choice, place: str, every: list[Any], leaders: list[Any]) -> Iterator[Act]:
    for units in every:
        for named in leaders:
            act = acts.BringForces(place, units, named)
            if choice.fault(act) is None:
                yield act
                return


def bring_forces(view: ArrakisSeatView, act: acts.BringForces, choice: Choice, why: str) -> float:
    """Discount leaders that are on the board already, because they only change their place."""
    outlook = Outlook.of(view)
    moved = 0.6 * worth.NAMED * sum(view.on_board(leader) for leader in act.leaders)
    return outlook.arrival_gain(act.place, Legion(act.units, act.leaders)) - moved


def scatter(view: ArrakisSeatView, act: acts.ChooseTargets, choice: Choice, why: str) -> float:
    outlook = Outlook.of(view)
    return sum(outlook.arrival_gain(area, Legion((1, 0, 0, 0))) for area in act.targets)


def spread(view: ArrakisSeatView, act: acts.SpreadUnits, choice: Choice, why: str) -> float:
    regular, elite, _, _ = worth.UNITS[side_of(view)]
    return regular * sum(act.regulars) + elite * sum(act.elites)


def upgrade(view: ArrakisSeatView, act: acts.UpgradeUnits, choice: Choice, why: str) -> float:
    """Prefer legions in good positions."""
    outlook = Outlook.of(view)
    units: Any = choice.domain("units")
    value = 0.0
    for area, number in zip(units.slots, act.units, strict=True):
        if number:
            legion = outlook.legions[area]
            value += number * (0.8 + 0.05 * outlook.position_worth(area, outlook.force(legion)))
    return value
