"""Rules of thumb for moves and attacks."""

from __future__ import annotations

from collections.abc import Iterator

from landsraad_bots.players import side_of
from landsraad_bots.rules_of_thumb.arrakis import features
from landsraad_bots.rules_of_thumb.priorities import Urgency
from landsraad_engine.arrakis.acts import Attack, MoveLegion
from landsraad_engine.arrakis.operations import vocabulary as rows
from landsraad_engine.arrakis.operations.conditions import areas_like
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN
from landsraad_engine.arrakis.words import ArrakisSeatView, Legion
from landsraad_engine.kernel.grammar import Act, Choice

#: Units that stay in a settlement: with and without an enemy near.
_GUARD, _WATCH = 3, 1
#: The least units of a column.
_COLUMN = 3


def propose_moves(view: ArrakisSeatView, choice: Choice) -> Iterator[Act]:
    """Propose a column with all leaders that leaves a guard; for the Atreides also a single unit or token."""
    (source,) = choice.domain("source").values()
    legion = view.legion(side_of(view), source)
    at_home = bool(features.rank(view, side_of(view), source))
    stay = (_GUARD if features.threat_to(view, source) else _WATCH) if at_home else 0
    parts = [detached(legion, stay)]
    if side_of(view) == ATREIDES:
        parts.append(_scout(legion))
        if not at_home:
            parts.append(legion)
    zones = tuple(choice.domain("ornithopter").values())
    for target in choice.domain("target").values():
        flight = len(zones) > 1 and target not in view.board.neighbours(source)
        for part in dict.fromkeys(each for each in parts if each.size):
            yield MoveLegion(
                source, target, part.units, tuple(sorted(part.named)), tuple(sorted(part.tokens)),
                zones[1] if flight else "",
            )  # fmt: skip


def detached(legion: Legion, stay: int) -> Legion:
    """Return the part of a legion that leaves when ``stay`` units stay behind, tokens and Regulars first."""
    tokens = legion.tokens[stay:]
    stay -= len(legion.tokens) - len(tokens)
    regular = min(stay, legion.units[0])
    elite = min(stay - regular, legion.units[1])
    units = (legion.units[0] - regular, legion.units[1] - elite, legion.units[2], legion.units[3])
    going = Legion(units, legion.named, tokens)
    return going if going.size else Legion()


def _scout(legion: Legion) -> Legion:
    """Return a single unit, with a generic leader if possible, so that any action can move it."""
    leader = min(1, legion.units[3])
    if legion.tokens:
        return Legion((0, 0, 0, leader), (), legion.tokens[:1])
    kind = next((kind for kind in range(3) if legion.units[kind]), 0)
    return Legion((int(kind == 0), int(kind == 1), int(kind == 2), leader))


def move(view: ArrakisSeatView, act: MoveLegion) -> Urgency:
    part = Legion(act.units, act.leaders, act.tokens)
    return _advance(view, act, part) if side_of(view) == HARKONNEN else _errand(view, act, part)


def _advance(view: ArrakisSeatView, act: MoveLegion, part: Legion) -> Urgency:
    """Advance the strongest column towards a Sietch, and let others join it."""
    sietches = features.settlements(view, ATREIDES)
    before, after = features.distance_to(view, act.source, sietches), features.distance_to(view, act.target, sietches)
    there = view.legion(HARKONNEN, act.target)
    if after >= before or after == 0 or part.size + there.size > view.content.limits.stacking:
        return None
    if part.size + there.size < _COLUMN and before > 2:
        return None
    return (
        5.0,
        -after,
        features.fighting_value(part) + features.fighting_value(there),
        before - after,
        not act.ornithopter,
    )


def _errand(view: ArrakisSeatView, act: MoveLegion, part: Legion) -> Urgency:
    """Take stations and harvesters in reach, then areas that prescience wants, then approach the next station."""
    survey = features.survey(view)
    bit = view.board.bit[act.target]
    there = view.legion(ATREIDES, act.target)
    if part.size + there.size > view.content.limits.stacking:
        return None
    left = view.legion(ATREIDES, act.source).size - part.size
    if features.rank(view, ATREIDES, act.source) and left < 1 and features.threat_to(view, act.source):
        return None
    small = -float(part.size)
    if bit & survey.stations:
        return (9.0, small)
    if bit & survey.harvesters:
        return (8.0, small)
    if features.rank(view, ATREIDES, act.target) and not there.size and features.threat_to(view, act.target):
        return (7.0, small)
    if _wanted(view, act.target) and not there.size and not _wanted(view, act.source):
        return (6.0, small)
    errands = (*view.board.names(survey.stations), *features.unguarded_harvesters(view))
    before, after = features.distance_to(view, act.source, errands), features.distance_to(view, act.target, errands)
    if after < before and not _wanted(view, act.source):
        return (5.0, -after, small)
    return None


def _wanted(view: ArrakisSeatView, area: str) -> bool:
    """Return True if a revealed prescience card wants Atreides in areas of this kind."""
    demands = (
        row
        for card in view.table.get("prescience_row", ())
        for row in view.content.prescience_card[card].requires
        if isinstance(row, rows.UnitsInAreasRow) and row.side == ATREIDES and row.unit == "any"
    )
    return any(areas_like(row, view) & view.board.bit[area] for row in demands)


# --- attacks


def propose_attacks(view: ArrakisSeatView, choice: Choice) -> Iterator[Act]:
    """Propose attacks with the whole legion."""
    (source,) = choice.domain("source").values()
    legion = view.legion(side_of(view), source)
    zones = tuple(choice.domain("ornithopter").values())
    for target in choice.domain("target").values():
        flight = len(zones) > 1 and target not in view.board.neighbours(source)
        yield Attack(
            source, target, legion.units, tuple(sorted(legion.named)), tuple(sorted(legion.tokens)),
            zones[1] if flight else "",
        )  # fmt: skip


def attack(view: ArrakisSeatView, act: Attack) -> Urgency:
    return attack_urgency(view, act.source, act.target)


def attack_urgency(view: ArrakisSeatView, source: str, target: str) -> Urgency:
    """Attack only weaker enemies: settlements before legions, the weakest guard first."""
    mine = features.fighting_value(view.legion(side_of(view), source))
    defenders = view.legion(features.enemy(view), target)
    theirs = features.fighting_value(defenders)
    walls = features.rank(view, features.enemy(view), target)
    if walls:
        if defenders.size and mine < theirs + walls + 1:
            return None
        return (3.0, walls + 0.5 * (mine - theirs - walls))
    return (2.0, mine - theirs) if mine >= theirs + 3 else None
