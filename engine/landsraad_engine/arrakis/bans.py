"""The Imperium: its markers on The Spice Must Flow, and the bans that its powers impose on the Harkonnen."""

from functools import cache

from landsraad_engine.arrakis.components import Ban
from landsraad_engine.arrakis.content import BoxContent
from landsraad_engine.arrakis.hooks import Permit, Query
from landsraad_engine.arrakis.legions import Settle
from landsraad_engine.arrakis.sides import HARKONNEN
from landsraad_engine.arrakis.words import ArrakisState, Words
from landsraad_engine.arrakis.zones import BAN, IMPERIUM
from landsraad_engine.kernel.frames import END, Call, Flow, Frame, rule, step
from landsraad_engine.kernel.overrides import Source

source = Source("imperium_bans")

# ---- Markers ----


@cache
def steps(content: BoxContent) -> tuple[int, int]:
    """The bottom and the top step of the board."""
    rows = sorted(map(int, content.spice_row))
    return rows[0], rows[-1]


@rule("WFA-P.3")
def shift_marker(g: ArrakisState, power: str, by: int) -> bool:
    """Move a power's marker so many steps, no further than the ends; whether it has moved."""
    bottom, top = steps(g.content)
    here = g.table[IMPERIUM[power]]
    there = max(bottom, min(top, here + by))
    g.set_mark(IMPERIUM[power], there)
    return bool(there != here)


@rule("WFA-P.10", "WFA-P.13")
def at_the_bottom(g: Words) -> tuple[str, ...]:
    """The powers whose markers are on the bottom step."""
    bottom, _ = steps(g.content)
    return tuple(power for power, key in IMPERIUM.items() if g.table[key] == bottom)


# ---- Bans ----


def lift_ban(g: ArrakisState, power: str) -> None:
    """A ban ends, if it was in force."""
    g.set_mark(BAN[power], None)


class ImposeBans(Frame):
    """Bans come into force; units beyond a smaller stacking limit go at once."""

    powers: tuple[str, ...]

    @step("WFA-P.9")
    def impose(f, g: ArrakisState) -> Flow:
        for power in f.powers:
            g.set_mark(BAN[power], True)
        return None

    @step("WFA-P.14", "WFA-S.28")
    def excess(f, g: ArrakisState) -> Flow:
        most = g.stacking(HARKONNEN)
        crowded = (area for area, legion in g.areas_of(HARKONNEN) if legion.size > most)
        area = next(crowded, None)
        return Call(Settle(side=HARKONNEN, area=area), "excess") if area else END


def in_force(g: ArrakisState, kind: str) -> Ban | None:
    """The ban of a kind, if it is in force."""
    return next((ban for ban in g.content.ban.values() if ban.kind == kind and g.banned(ban.id)), None)


@source.modifies(Query.STACKING_LIMIT)
@rule("WFA-P.14")
def fewer_units(g: ArrakisState, limit: int, side: str) -> int:
    """CHOAM: higher costs of maintenance."""
    ban = in_force(g, "stacking_limit") if side == HARKONNEN else None
    return min(limit, ban.limit) if ban else limit


@source.forbids(Permit.SCOUT)
@rule("WFA-P.15")
def no_scouting(g: ArrakisState) -> bool:
    """Spacing Guild: weather satellites at a prohibitive price."""
    return in_force(g, "no_scouting") is not None


@source.forbids(Permit.COMBAT_DISCARD)
@rule("WFA-P.16", "WFA-G.47")
def no_combat_discards(g: ArrakisState, side: str, battle: Frame) -> bool:
    """Landsraad: the forms must be obeyed."""
    return side == HARKONNEN and in_force(g, "no_combat_discards") is not None


@source.modifies(Query.HAND_LIMIT)
@rule("WFA-P.17", "WFA-G.47", "WFA-G.48")
def fewer_cards(g: ArrakisState, limit: int, seat: int) -> int:
    """Landsraad, where its ban is one on cards in hand."""
    ban = in_force(g, "hand_limit") if g.side(seat) == HARKONNEN else None
    if ban is None:
        return limit
    return min(limit, ban.limit if len(g.powers(seat)) > 1 else ban.limit_shared_faction)


FRAMES = (ImposeBans,)
