"""The evaluation of a position: the worth of a faction's tokens on the board.

Every act that moves tokens is scored by the same difference: the worth of the position after it, minus the present
worth. The unit is "tokens": 1 is about the worth of a token in the hand.
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
#: extra worth of the stronghold that would win
LAST_STRONGHOLD: Final = 12.0
#: tokens in a stronghold that count as its garrison
GARRISON: Final = 7
ON_BOARD: Final = 0.55
IN_RESERVE: Final = 0.4
#: the storm's card shows 1 to 6
_STORM_REACH: Final = 6
#: the share of its possible dial that a rival dials on average
_DIALLED: Final = 0.7
_UNKNOWN_LEADER: Final = 4


def own_troops(view: DuneSeatView) -> dict[str, Counts]:
    """Return the own tokens by cell."""
    return dict(view.on_board(side_of(view)))


def moved(troops: Troops, units: Iterable[tuple[str, Counts]], to: str) -> dict[str, Counts]:
    """Return the troops after a move of some of them, by cell, to another cell."""
    after = dict(troops)
    for cell, counts in units:
        after[cell] = _add(after[cell], counts, -1)
        after[to] = _add(after.get(to, (0, 0, 0)), counts, 1)
    return after


def landed(troops: Troops, to: str, tokens: int, elites: int) -> dict[str, Counts]:
    """Return the troops after a shipment from the reserves."""
    after = dict(troops)
    after[to] = _add(after.get(to, (0, 0, 0)), (tokens, elites, 0), 1)
    return after


def worth(view: DuneSeatView, troops: Troops) -> float:
    """Return the worth of own tokens in these cells."""
    me = side_of(view)
    cells: dict[str, list[str]] = {}
    for cell, counts in troops.items():
        if counts[0] or counts[1]:
            cells.setdefault(territory_of[cell], []).append(cell)
    total = 0.0
    held = float(sum(view.holder(place) in view.allies(me) for place in STRONGHOLDS))
    for territory, stood in cells.items():
        own = sum(strength(me, troops[cell]) for cell in stood)
        stays = stays_in(view, territory, own)
        total += own * (ON_BOARD * stays - (1 - stays))
        if terrain[territory] == "stronghold":
            held += stays
            total += stays * min(own, GARRISON) * 0.5
        for cell in stood:
            total += stays * harvest(view, cell, sum(troops[cell][:2]))
            total -= storm_risk(view, cell) * strength(me, troops[cell])
    needed = NEEDED.get((len(view.factions()), 1 + len(view.allies(me))), 3)
    return total + STRONGHOLD * held + LAST_STRONGHOLD * max(0.0, held - (needed - 1))


def stays_in(view: DuneSeatView, territory: str, own: float) -> float:
    """Return the chance that own tokens of this strength hold their ground in a territory."""
    me = side_of(view)
    return chance(own, _leader(view, me), *_rivals(view, me, territory))


def strength(faction: str, counts: Counts) -> int:
    """Return the highest dial of tokens, where elites count twice."""
    return counts[0] + counts[1] * (2 if faction in (FREMEN, EMPEROR) else 1)


def chance(own: float, leader: float, rival: float, rival_leader: float) -> float:
    """Return the chance to win a battle with these tokens and leaders; 1 without a rival."""
    if not rival:
        return 1.0
    mine, theirs = own + leader, rival * _DIALLED + rival_leader
    return mine**2 / (mine**2 + theirs**2)


def harvest(view: DuneSeatView, cell: str, tokens: int) -> float:
    """Return the worth of the spice that tokens can collect in a cell."""
    each = 3 if view.has_bonus(side_of(view), "harvesters") else 2
    lies: int = view.table.get(f"blow/{cell}", 0)
    return 0.8 * min(lies, each * tokens)


def storm_risk(view: DuneSeatView, cell: str) -> float:
    """Return the chance that the next storm hits a cell (halved for the Fremen)."""
    if not view.storm or storm_protected(territory_of[cell], bool(view.table.get("atomics"))):
        return 0.0
    ahead = (sector_of[cell] - view.storm) % SECTORS
    risk = max(0, _STORM_REACH + 1 - ahead) / _STORM_REACH if ahead else 0.0
    return risk / 2 if side_of(view) == FREMEN else risk


def spice_worth(spice: float) -> float:
    """Return the worth of an amount of spice: logarithmic, because the first spice is worth most."""
    return 5.0 * log2(1 + max(spice, 0.0) / 4)


def spice_cost(view: DuneSeatView, spent: float) -> float:
    """Return the worth lost by spending spice."""
    have = view.spice(side_of(view))
    return spice_worth(have) - spice_worth(have - spent)


def best_leader(view: DuneSeatView, faction: str) -> int:
    """Return the strength of a faction's best leader, as far as the view shows its leaders."""
    return max((STRENGTH.get(leader, _UNKNOWN_LEADER) for leader in view.leaders(faction)), default=0)


def _rivals(view: DuneSeatView, me: str, territory: str) -> tuple[float, float]:
    """Return the strength and best leader of the strongest rival in a territory."""
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


def _add(counts: Counts, more: Counts, sign: int) -> Counts:
    return (counts[0] + sign * more[0], counts[1] + sign * more[1], counts[2] + sign * more[2])
