"""Shai-Hulud: what a worm does where it appears."""

from landsraad_engine.dune import havoc
from landsraad_engine.dune.announcements import WormAppeared
from landsraad_engine.dune.board import cells_of, terrain
from landsraad_engine.dune.hooks import Permit, Timing
from landsraad_engine.dune.words import DuneState
from landsraad_engine.kernel.frames import Flow, Frame, rule, step

#: With this worm the Shield Wall becomes a stronghold for victory, if the match has that option.
WORM_OF_THE_WALL = 6


@rule("DUNE-V.10", "DUNE-V.11")
def count_worm(g: DuneState) -> None:
    """Another worm has appeared, drawn or called."""
    worms = g.table.get("worms", 0) + 1
    g.set_mark("worms", worms)
    if worms >= WORM_OF_THE_WALL and g.options["shield_wall_stronghold"]:
        g.set_mark("shield_wall_stronghold", True)


class WormAttack(Frame):
    """A worm appears in a territory, devours what it finds on sand, and leaves."""

    territory: str

    @step("DUNE-2.8")
    def appear(f, g: DuneState) -> Flow:
        g.announce(WormAppeared(f.territory))
        return g.at(Timing.WORM_ATTACKS, f.territory)

    @step("DUNE-2.9", "DUNE-FRE.12", "DUNE-R.49")
    def devour(f, g: DuneState) -> Flow:
        if terrain[f.territory] == "sand":
            here = g.occupants(cells_of[f.territory])
            spared = tuple(x for x in here if not g.allowed(Permit.DEVOURED, x, f.territory, default=True))
            havoc.kill_tokens(g, f.territory, spared)
            havoc.destroy_spice(g, f.territory)
        return None

    @step("DUNE-BG.17")
    def those_left(f, g: DuneState) -> Flow:
        return g.at(Timing.TOKENS_GONE, *cells_of[f.territory])

    @step("DUNE-FRE.4")
    def leave(f, g: DuneState) -> Flow:
        return g.at(Timing.WORM_LEAVES, f.territory)


FRAMES = (WormAttack,)
