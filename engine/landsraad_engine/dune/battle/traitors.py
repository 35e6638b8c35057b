"""Traitors: the factions that may call one, and the leaders that can be called."""

from landsraad_engine.dune.battle.fight import Fight, leader_in_battle, revealed
from landsraad_engine.dune.hooks import Permit, Query
from landsraad_engine.dune.pieces import LOYAL_TO
from landsraad_engine.dune.words import TRAITORS, DuneState
from landsraad_engine.kernel.frames import rule
from landsraad_engine.kernel.zones import HIDDEN


@rule("DUNE-6.38", "DUNE-ATR.16")
def accused(g: DuneState, side: str) -> str | None:
    """The leader of a side who can be called a traitor, if its plan has one."""
    leader = leader_in_battle(revealed(g, side))
    return leader if leader is not None and g.allowed(Permit.CALL_TRAITOR, side, default=True) else None


@rule("DUNE-6.38", "DUNE-A.7")
def callers(g: DuneState, fight: Fight, side: str) -> tuple[str, ...]:
    """The factions that may call a traitor for a side, as far as everybody knows."""
    leader = accused(g, fight.opponent(side))
    if leader is None:
        return ()
    able: tuple[str, ...] = g.query(Query.TRAITOR_CALLERS, (side,), side)
    return tuple(faction for faction in able if _might_hold(g, faction, leader))


def _might_hold(g: DuneState, faction: str, leader: str) -> bool:
    """Return whether the traitor is, as far as everybody knows, in this faction's pay."""
    if LOYAL_TO[leader] == faction:
        return True
    return leader in g.table.get(TRAITORS[faction], ()) or HIDDEN in g.known_to_all(TRAITORS[faction])


@rule("DUNE-6.38", "DUNE-HAR.11", "DUNE-HAR.12")
def in_pay(g: DuneState, faction: str, leader: str) -> bool:
    """Return whether a leader on the other side is a traitor for this faction.

    Its own leader, which it can meet there only as a captive, always is.
    """
    return LOYAL_TO[leader] == faction or leader in g.table.get(TRAITORS[faction], ())
