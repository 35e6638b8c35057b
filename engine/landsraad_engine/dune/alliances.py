"""Alliances: who is in them, how they begin and end.

The members of an alliance each have the others in their mark ``ally``; alliance abilities ask for nothing else, so they
hold from the moment an alliance exists.
"""

from itertools import combinations
from typing import Final

from landsraad_engine.dune.board import part_of
from landsraad_engine.dune.control import NEEDED
from landsraad_engine.dune.words import ALLY, PRIMARY, DuneState
from landsraad_engine.dune.zones import BOARD
from landsraad_engine.kernel.frames import rule
from landsraad_engine.kernel.memo import MemoKind

_PARTNERS: Final = MemoKind("possible partners")


@rule("DUNE-2A.5", "DUNE-2A.6")
def largest_agreed(g: DuneState) -> int:
    """Return how many factions an alliance may join by the options of the match."""
    return 3 if g.options["three_way_alliances"] else 2


@rule("DUNE-R.128")
def largest(g: DuneState) -> int:
    """Return how many factions an alliance may join here: 1 if none can be formed."""
    players = len(g.factions())
    return max(size for size in range(1, largest_agreed(g) + 1) if (players, size) in NEEDED)


@rule("DUNE-2A.5", "DUNE-2A.6", "DUNE-2A.8", "DUNE-2A.11")
def possible_partners(g: DuneState, faction: str, joined: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """The sets of partners with whom a faction may form a new alliance in this Nexus.

    ``joined`` are those who have joined one in it already. An alliance that stands binds: it can be enlarged, with all
    its members, but nobody can be taken out of it.
    """
    memo = g.topics[BOARD]
    known: tuple[tuple[str, ...], ...] | None = memo.get((_PARTNERS, faction, joined))
    if known is None:
        known = memo[_PARTNERS, faction, joined] = _partners(g, faction, joined)
    return known


def _partners(g: DuneState, faction: str, joined: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    if faction in joined:
        return ()
    own = g.allies(faction)
    free = [other for other in g.after(faction) if other not in joined]
    found = []
    for size in range(max(1, len(own) + 1), largest(g)):
        for partners in combinations(free, size):
            members = {faction, *partners}
            if all(members.issuperset(g.allies(member)) for member in members):
                found.append(tuple(sorted(partners)))
    return tuple(found)


@rule("DUNE-2A.9", "DUNE-0.13", "DUNE-5.24")
def form(g: DuneState, members: tuple[str, ...], primary: str | None) -> None:
    """These factions are allies from now on, with the Primary that they have agreed on, if any."""
    for member in members:
        g.set_mark(ALLY[member], tuple(sorted(set(members) - {member})))
        g.set_mark(f"agreed_primary/{member}", primary)


@rule("DUNE-2A.12")
def leave(g: DuneState, faction: str) -> None:
    """A faction leaves its alliance; if more than one member remains, these stay allies."""
    for member in (faction, *g.allies(faction)):
        others = tuple(ally for ally in g.allies(member) if ally != faction) if member != faction else ()
        g.set_mark(ALLY[member], others or None)
        if not others or g.table.get(f"agreed_primary/{member}") == faction:
            g.set_mark(f"agreed_primary/{member}", None)


@rule("DUNE-5.22")
def end_primaries(g: DuneState) -> None:
    """Take a Primary away where no ally stands beside them any more."""
    for cell in [cell for cell, mark in PRIMARY.items() if mark in g.table]:
        primary = g.table[PRIMARY[cell]]
        here = g.occupants(part_of(cell, g.storm))
        if primary not in here or not any(ally in here for ally in g.allies(primary)):
            g.set_mark(PRIMARY[cell], None)
