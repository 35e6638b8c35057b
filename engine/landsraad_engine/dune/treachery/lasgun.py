"""The Lasgun: with a Shield in the same battle, whoever plays them, everything in the territory explodes."""

from landsraad_engine.dune.announcements import TerritoryExploded
from landsraad_engine.dune.battle.fight import InBattle, revealed
from landsraad_engine.dune.board import cells_of
from landsraad_engine.dune.havoc import destroy_spice, kill_leaders, kill_tokens
from landsraad_engine.dune.hooks import Instead, Timing
from landsraad_engine.dune.pieces import LASGUN, SHIELD
from landsraad_engine.dune.words import DuneState
from landsraad_engine.kernel.frames import Flow, Frame, rule, step
from landsraad_engine.kernel.overrides import Source

source = Source(LASGUN)


class Explosion(InBattle):
    """All tokens and leaders in the territory die, storm or not, and the spice there is lost. Nobody is paid."""

    @step("DUNE-T.10", "DUNE-R.53", "DUNE-R.54", "DUNE-R.55", "DUNE-R.56", "DUNE-BG.19")
    def explode(f, g: DuneState) -> Flow:
        territory = f.fight.territory
        fallen = tuple((faction, sum(g.tokens_at(faction, territory))) for faction in g.occupants(cells_of[territory]))
        g.announce(TerritoryExploded(territory))
        kill_tokens(g, territory)
        kill_leaders(g, territory)
        destroy_spice(g, territory)
        return g.at(Timing.TOKENS_FELL, *fallen)

    @step("DUNE-R.57")
    def others_die(f, g: DuneState) -> Flow:
        return g.at(Timing.EXPLOSION, *f.fight)

    @step("DUNE-BG.17")
    def tokens_gone(f, g: DuneState) -> Flow:
        return g.at(Timing.TOKENS_GONE, *cells_of[f.fight.territory])


@source.instead_of(Instead.RESOLUTION)
@rule("DUNE-T.9", "DUNE-T.10", "DUNE-T.11")
def explosion(g: DuneState, cells: tuple[str, ...], aggressor: str, defender: str) -> Frame | None:
    plans = (revealed(g, aggressor), revealed(g, defender))
    armed = any(plan.weapon == LASGUN for plan in plans)
    shielded = any(plan.defense == SHIELD for plan in plans)
    return Explosion(cells, aggressor, defender) if armed and shielded else None


FRAMES = (Explosion,)
