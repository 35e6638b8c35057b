"""The race for the strongholds: the sides, the strongholds that each needs and holds, and the odds of who wins next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from landsraad_bots.players import side_of
from landsraad_engine.dune.board import SPECIAL, STRONGHOLDS, cells_of
from landsraad_engine.dune.control import NEEDED
from landsraad_engine.dune.pieces import EMPEROR, FREMEN, STRENGTH
from landsraad_engine.dune.words import RESERVES, Counts, DuneSeatView

#: The strength that the player credits to a leader that it does not see.
UNSEEN_LEADER: Final = 4
#: The chance that a faction whose turn is still to come attacks a certain stronghold of another side, if it is able.
_ATTACKS: Final = 0.16
#: The same, for strongholds of a side that wins unless it is stopped.
_STOPS: Final = 0.45
#: Reserves from which an attack on a garrison is to be expected.
_LANDING_PARTY: Final = 5.0

#: The chance of each faction to hold a stronghold as the turn ends.
Prospects = Mapping[str, float]


class TroopStrength(NamedTuple):
    """The strength of one faction in a territory."""

    faction: str
    tokens: int
    leader: int


def own_side(view: DuneSeatView) -> tuple[str, ...]:
    """Return the own faction and its allies."""
    me = side_of(view)
    return (me, *view.allies(me))


def sides(view: DuneSeatView) -> tuple[tuple[str, ...], ...]:
    """Return those who can only win together, the own side among them."""
    found: list[tuple[str, ...]] = []
    for faction in view.factions():
        if not any(faction in side for side in found):
            found.append((faction, *view.allies(faction)))
    return tuple(found)


def needed(view: DuneSeatView, side: Sequence[str]) -> int:
    """Return the number of strongholds with which a side wins; one more than there are if it cannot."""
    return NEEDED.get((len(view.factions()), len(side)), len(STRONGHOLDS) + 2)


def strongholds(view: DuneSeatView) -> tuple[str, ...]:
    """Return the territories that count."""
    wall = (SPECIAL.family_atomics_target,) if view.table.get("shield_wall_stronghold") else ()
    return STRONGHOLDS + wall


def held(view: DuneSeatView, side: Sequence[str]) -> int:
    """Return the number of strongholds that a side holds."""
    return sum(view.holder(place) in side for place in strongholds(view))


def dial_strength(faction: str, counts: Counts, opponent: str | None = None) -> int:
    """Return the highest dial of tokens: Sardaukar and Fedaykin count twice, Sardaukar against Fremen once."""
    double = faction == FREMEN or (faction == EMPEROR and opponent != FREMEN)
    return counts[0] + counts[1] * (2 if double else 1)


def best_leader(view: DuneSeatView, faction: str) -> int:
    """Return the strength of the best leader that a faction can send."""
    return max(
        (
            STRENGTH.get(leader, UNSEEN_LEADER)
            for leader in view.leaders(faction)
            if leader not in STRENGTH or view.may_fight(leader)
        ),
        default=0,
    )


def force(view: DuneSeatView, faction: str, territory: str) -> TroopStrength:
    """Return the strength of a faction in a territory."""
    tokens = dial_strength(faction, view.tokens_at(faction, territory))
    return TroopStrength(faction, tokens, best_leader(view, faction))


def battle_chance(mine: TroopStrength, theirs: TroopStrength) -> float:
    """Return the chance of the first to win a battle: the share of its square, with leaders at three quarters.

    A leader counts less than its strength, because weapons kill leaders.
    """
    own = mine.tokens + 0.75 * mine.leader
    other = 0.85 * theirs.tokens + 0.75 * theirs.leader
    return own**3 / (own**3 + other**3) if own else 0.0


def to_move(view: DuneSeatView) -> tuple[str, ...]:
    """Return the other factions whose movement turn is still to come; all of them outside the Movement Round."""
    moved = view.table.get("moved", ())
    return tuple(faction for faction in view.factions() if faction != view.side and faction not in moved)


def attackers(view: DuneSeatView, side: Sequence[str]) -> int:
    """Return the number of factions that could still attack a side in this turn."""
    known = view.memo.get(("attackers", side))
    if known is None:
        known = view.memo["attackers", side] = sum(
            faction not in side and sum(view.table.get(RESERVES[faction], (0, 0, 0))) >= 3 for faction in to_move(view)
        )
    return int(known)


def prospects(view: DuneSeatView, territory: str, own: int) -> Prospects:
    """Return the chances of holding a stronghold with so much own strength in it, before anybody else moves."""
    me = side_of(view)
    known: Prospects | None = view.memo.get(("prospects", territory, own))
    if known is not None:
        return known
    others = [force(view, f, territory) for f in view.present(cells_of[territory]) if f != me]
    there = [*others, TroopStrength(me, own, best_leader(view, me))] if own else others
    there.sort(key=lambda each: -each.tokens)
    found: dict[str, float]
    match there:
        case []:
            found = {}
        case [single]:
            found = {single.faction: 1.0}
        case [first, second, *_]:
            if view.allied(first.faction, second.faction):
                found = {first.faction: 1.0}
            else:
                chance = battle_chance(first, second)
                found = {first.faction: chance, second.faction: 1.0 - chance}
    view.memo["prospects", territory, own] = found
    return found


def victory(view: DuneSeatView, side: tuple[str, ...], strengths: Mapping[str, int]) -> float:
    """Return the chance that a side wins as this turn ends, with the own strength in each stronghold as given."""
    goal = needed(view, side)
    chances = []
    possible = 0
    for territory in strongholds(view):
        found = prospects(view, territory, strengths.get(territory, 0))
        chance = sum(found.get(faction, 0.0) for faction in side)
        if chance:
            possible += 1
            chances.append((territory, chance))
    if possible < goal:
        return 0.0
    foes = attackers(view, side)
    exact = [1.0] + [0.0] * possible
    for territory, chance in chances:
        kept = chance * _withstands(view, territory, side, strengths, foes)
        for number in range(possible, 0, -1):
            exact[number] = exact[number] * (1 - kept) + exact[number - 1] * kept
        exact[0] *= 1 - kept
    return sum(exact[goal:])


def _withstands(
    view: DuneSeatView, territory: str, side: tuple[str, ...], strengths: Mapping[str, int], foes: int
) -> float:
    """Return the chance that a stronghold withstands those who move later and have to stop its holder."""
    if not foes:
        return 1.0
    me = side_of(view)
    garrison = max(
        strengths.get(territory, 0) if f == me else dial_strength(f, view.tokens_at(f, territory)) for f in side
    )
    falls = _LANDING_PARTY / (_LANDING_PARTY + garrison + 1)
    return float((1 - _STOPS * falls) ** min(foes, 2))


def exposure(view: DuneSeatView, garrison: int) -> float:
    """Return the chance to lose a quiet stronghold to those who still move in this turn, by its garrison."""
    falls = _LANDING_PARTY / (_LANDING_PARTY + garrison + 1)
    return 1 - float((1 - _ATTACKS * falls) ** attackers(view, own_side(view)))
