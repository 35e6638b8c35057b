"""Bonus markers: who holds which, from the Storm Round to the end of the turn."""

from typing import Final

from landsraad_engine.dune.board import SPECIAL
from landsraad_engine.dune.words import DuneState
from landsraad_engine.kernel.frames import rule

#: bonus -> the strongholds each of which gives one marker of it
STRONGHOLDS_OF: Final = {
    "ornithopters": SPECIAL.ornithopter_cities,
    "harvesters": SPECIAL.harvester_and_carryall_cities,
    "carryalls": SPECIAL.harvester_and_carryall_cities,
    "smugglers": (SPECIAL.smuggler_stronghold,),
}


@rule("DUNE-1.16", "DUNE-1.17")
def hand_out(g: DuneState) -> None:
    """Give every bonus to whoever holds its stronghold; who holds two of them gets two markers."""
    for bonus, strongholds in STRONGHOLDS_OF.items():
        holders = sorted(holder for holder in map(g.holder, strongholds) if holder is not None)
        g.set_mark(f"bonus/{bonus}", tuple(holders) or None)


@rule("DUNE-8.11")
def take_back(g: DuneState) -> None:
    """Take a bonus away from all who hold it."""
    for bonus in STRONGHOLDS_OF:
        g.set_mark(f"bonus/{bonus}", None)
