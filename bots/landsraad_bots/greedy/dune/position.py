"""What a faction's tokens on the board are worth, where they stand and to whoever looks.

Every act that moves tokens is judged by the same sum: what the board would be worth after it, less what it is worth
now. All figures are in "tokens": 1 is about what a token in the hand is worth.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import log2
from typing import Final

from landsraad_bots.players import side_of
from landsraad_engine.dune.board import (
    SECTORS,
    STRONGHOLDS,
    cells_of,
    sector_of,
    storm_protected,
    terrain,
    territory_of,
)
from landsraad_engine.dune.control import NEEDED
from landsraad_engine.dune.pieces import EMPEROR, FREMEN, STRENGTH
from landsraad_engine.dune.words import Counts, DuneSeatView

#: Own tokens by cell.
Troops = Mapping[str, Counts]

STRONGHOLD: Final = 9.0
#: for the stronghold that would win
LAST_STRONGHOLD: Final = 12.0
#: tokens beyond the first in a stronghold make it harder to take, up to so many
GARRISON: Final = 7
ON_BOARD: Final = 0.55
IN_RESERVE: Final = 0.4
#: the storm's card shows 1 to 6
_STORM_REACH: Final = 6
#: of what a rival could dial, about so much is dialled
_DIALLED: Final = 0.7
_UNKNOWN_LEADER: Final = 4


def own_troops(view: DuneSeatView) -> dict[str, Counts]:
    """Where the own tokens stand."""
    return dict(view.on_board(side_of(view)))


def moved(troops: Troops, units: Iterable[tuple[str, Counts]], to: str) -> dict[str, Counts]:
    """The troops after some of them, by cell, have gone to another cell."""
    after = dict(troops)
    for cell, counts in units:
        after[cell] = _plus(after[cell], counts, -1)
        after[to] = _plus(after.get(to, (0, 0, 0)), counts, 1)
    return after


def landed(troops: Troops, to: str, tokens: int, elites: int) -> dict[str, Counts]:
    """The troops after some have come from the reserves."""
    after = dict(troops)
    after[to] = _plus(after.get(to, (0, 0, 0)), (tokens, elites, 0), 1)
    return after


def worth(view: DuneSeatView, troops: Troops) -> float:
    """What tokens that stand like this are worth."""
    me = side_of(view)
    cells: dict[str, list[str]] = {}
    for cell, counts in troops.items():
        if counts[0] or counts[1]:
            cells.setdefault(territory_of[cell], []).append(cell)
    total = 0.0
    held = float(sum(view.holder(place) in view.allies(me) for place in STRONGHOLDS))
    for territory, stood in cells.items():
        own = sum(strength(me, troops[cell]) for cell in stood)
        stays = chance(own, _leader(view, me), *_rivals(view, me, territory))
        total += own * (ON_BOARD * stays - (1 - stays))
        if terrain[territory] == "stronghold":
            held += stays
            total += stays * min(own, GARRISON) * 0.5
        for cell in stood:
            total += stays * harvest(view, cell, sum(troops[cell][:2]))
            total -= storm_risk(view, cell) * strength(me, troops[cell])
    needed = NEEDED.get((len(view.factions()), 1 + len(view.allies(me))), 3)
    return total + STRONGHOLD * held + LAST_STRONGHOLD * max(0.0, held - (needed - 1))


def strength(faction: str, counts: Counts) -> int:
    """What tokens may dial: elites count twice."""
    return counts[0] + counts[1] * (2 if faction in (FREMEN, EMPEROR) else 1)


def chance(own: float, leader: float, rival: float, rival_leader: float) -> float:
    """How likely it is to win a battle with these tokens and leaders; 1 if there is nobody to fight."""
    if not rival:
        return 1.0
    mine, theirs = own + leader, rival * _DIALLED + rival_leader
    return mine**2 / (mine**2 + theirs**2)


def harvest(view: DuneSeatView, cell: str, tokens: int) -> float:
    """What the spice in a cell is worth to so many tokens."""
    each = 3 if view.has_bonus(side_of(view), "harvesters") else 2
    lies: int = view.table.get(f"blow/{cell}", 0)
    return 0.8 * min(lies, each * tokens)


def storm_risk(view: DuneSeatView, cell: str) -> float:
    """How likely the next storm is to take what stands in a cell."""
    if not view.storm or storm_protected(territory_of[cell], bool(view.table.get("atomics"))):
        return 0.0
    ahead = (sector_of[cell] - view.storm) % SECTORS
    risk = max(0, _STORM_REACH + 1 - ahead) / _STORM_REACH if ahead else 0.0
    return risk / 2 if side_of(view) == FREMEN else risk


def purse(spice: float) -> float:
    """What so much spice is worth: the first is worth most."""
    return 5.0 * log2(1 + max(spice, 0.0) / 4)


def cost(view: DuneSeatView, spent: float) -> float:
    """What it costs to spend so much spice."""
    have = view.spice(side_of(view))
    return purse(have) - purse(have - spent)


def best_leader(view: DuneSeatView, faction: str) -> int:
    """Strength of the strongest leader that a faction can have in a battle, as far as one sees."""
    return max((STRENGTH.get(leader, _UNKNOWN_LEADER) for leader in view.leaders(faction)), default=0)


def _rivals(view: DuneSeatView, me: str, territory: str) -> tuple[float, float]:
    """Tokens and leader of the strongest other faction in a territory."""
    found = view.memo.get(("rivals", territory))
    if found is None:
        others = [f for f in view.present(cells_of[territory]) if f != me and f not in view.allies(me)]
        strongest = max(others, key=lambda f: strength(f, view.tokens_at(f, territory)), default=None)
        found = (0, 0)
        if strongest is not None:
            found = (strength(strongest, view.tokens_at(strongest, territory)), best_leader(view, strongest))
        view.memo["rivals", territory] = found
    return found


def _leader(view: DuneSeatView, me: str) -> int:
    found = view.memo.get("leader")
    if found is None:
        found = view.memo["leader"] = best_leader(view, me)
    return found


def _plus(counts: Counts, more: Counts, sign: int) -> Counts:
    return (counts[0] + sign * more[0], counts[1] + sign * more[1], counts[2] + sign * more[2])
