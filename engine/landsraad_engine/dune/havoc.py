"""Destruction of everything in a territory, by a worm, Family Atomics or an explosion."""

from landsraad_engine.dune.board import SPICE, cells_of, territory_of
from landsraad_engine.dune.words import BANK, BATTLE_OF, FOUGHT, DuneState


def kill_tokens(g: DuneState, territory: str, spared: tuple[str, ...] = ()) -> None:
    """Send all tokens in a territory to the Tanks, in every sector of it, except those of the factions spared."""
    for faction in g.occupants(cells_of[territory]):
        if faction not in spared:
            g.kill_all(faction, cells_of[territory])


def kill_leaders(g: DuneState, territory: str) -> None:
    """Send the leaders who stand in a territory since a battle there to the Tanks."""
    for faction in g.factions():
        for leader in g.table.get(FOUGHT[faction], ()):
            if territory_of[g.table[BATTLE_OF[leader]]] == territory:
                g.kill_leader(FOUGHT[faction], leader)


def destroy_spice(g: DuneState, territory: str) -> None:
    """Return the spice lying in a territory to the bank."""
    if territory in SPICE:
        blow = f"blow/{SPICE[territory][0]}"
        g.transfer(blow, BANK, g.table.get(blow, 0))
