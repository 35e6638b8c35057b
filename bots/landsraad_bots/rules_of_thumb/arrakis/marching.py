"""Rules of thumb for moving and attacking."""

from __future__ import annotations

from collections.abc import Iterator

from landsraad_bots.players import side_of
from landsraad_bots.rules_of_thumb.arrakis import map as land
from landsraad_bots.rules_of_thumb.priorities import Urgency
from landsraad_engine.arrakis.acts import Attack, MoveLegion
from landsraad_engine.arrakis.operations import vocabulary as rows
from landsraad_engine.arrakis.operations.conditions import areas_like
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN
from landsraad_engine.arrakis.words import ArrakisSeatView, Legion
from landsraad_engine.kernel.grammar import Act, Choice

#: Units that stay at home: where the enemy is near, and where not.
_GUARD, _WATCH = 3, 1
#: A column has as many units at least.
_COLUMN = 3


def think_of_moves(view: ArrakisSeatView, choice: Choice) -> Iterator[Act]:
    """A column with all its leaders that leaves a guard at home; for the Atreides also a single unit or token."""
    (source,) = choice.domain("source").values()
    legion = view.legion(side_of(view), source)
    at_home = bool(land.rank(view, side_of(view), source))
    stay = (_GUARD if land.pressed(view, source) else _WATCH) if at_home else 0
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
    """What goes when so many units stay behind, Regulars and tokens first."""
    tokens = legion.tokens[stay:]
    stay -= len(legion.tokens) - len(tokens)
    regular = min(stay, legion.units[0])
    elite = min(stay - regular, legion.units[1])
    units = (legion.units[0] - regular, legion.units[1] - elite, legion.units[2], legion.units[3])
    going = Legion(units, legion.named, tokens)
    return going if going.size else Legion()


def _scout(legion: Legion) -> Legion:
    """A single unit, with a generic leader if there is one, so that any action can move it."""
    leader = min(1, legion.units[3])
    if legion.tokens:
        return Legion((0, 0, 0, leader), (), legion.tokens[:1])
    kind = next((kind for kind in range(3) if legion.units[kind]), 0)
    return Legion((int(kind == 0), int(kind == 1), int(kind == 2), leader))


def move(view: ArrakisSeatView, act: MoveLegion) -> Urgency:
    part = Legion(act.units, act.leaders, act.tokens)
    return _advance(view, act, part) if side_of(view) == HARKONNEN else _errand(view, act, part)


def _advance(view: ArrakisSeatView, act: MoveLegion, part: Legion) -> Urgency:
    """The strongest column goes nearer to a Sietch, and is joined by others on its way."""
    sietches = land.settlements(view, ATREIDES)
    before, after = land.away(view, act.source, sietches), land.away(view, act.target, sietches)
    there = view.legion(HARKONNEN, act.target)
    if after >= before or after == 0 or part.size + there.size > view.content.limits.stacking:
        return None
    if part.size + there.size < _COLUMN and before > 2:
        return None
    return (5.0, -after, land.vigour(part) + land.vigour(there), before - after, not act.ornithopter)


def _errand(view: ArrakisSeatView, act: MoveLegion, part: Legion) -> Urgency:
    """Stations and harvesters at once; then where prescience wants somebody; then nearer to the next station."""
    survey = land.survey(view)
    bit = view.board.bit[act.target]
    there = view.legion(ATREIDES, act.target)
    if part.size + there.size > view.content.limits.stacking:
        return None
    left = view.legion(ATREIDES, act.source).size - part.size
    if land.rank(view, ATREIDES, act.source) and left < 1 and land.pressed(view, act.source):
        return None
    small = -float(part.size)
    if bit & survey.stations:
        return (9.0, small)
    if bit & survey.harvesters:
        return (8.0, small)
    if land.rank(view, ATREIDES, act.target) and not there.size and land.pressed(view, act.target):
        return (7.0, small)
    if _wanted(view, act.target) and not there.size and not _wanted(view, act.source):
        return (6.0, small)
    errands = (*view.board.names(survey.stations), *land.harvested(view))
    before, after = land.away(view, act.source, errands), land.away(view, act.target, errands)
    if after < before and not _wanted(view, act.source):
        return (5.0, -after, small)
    return None


def _wanted(view: ArrakisSeatView, area: str) -> bool:
    """Whether a revealed prescience card wants Atreides in areas of this kind."""
    demands = (
        row
        for card in view.table.get("prescience_row", ())
        for row in view.content.prescience_card[card].requires
        if isinstance(row, rows.UnitsInAreas) and row.side == ATREIDES and row.unit == "any"
    )
    return any(areas_like(row, view) & view.board.bit[area] for row in demands)


# --- attacks


def think_of_attacks(view: ArrakisSeatView, choice: Choice) -> Iterator[Act]:
    """With everybody."""
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
    return promise(view, act.source, act.target)


def promise(view: ArrakisSeatView, source: str, target: str) -> Urgency:
    """An attack by somebody stronger: settlements before legions, the weakest guard first."""
    mine = land.vigour(view.legion(side_of(view), source))
    defenders = view.legion(land.enemy(view), target)
    theirs = land.vigour(defenders)
    walls = land.rank(view, land.enemy(view), target)
    if walls:
        if defenders.size and mine < theirs + walls + 1:
            return None
        return (3.0, walls + 0.5 * (mine - theirs - walls))
    return (2.0, mine - theirs) if mine >= theirs + 3 else None
