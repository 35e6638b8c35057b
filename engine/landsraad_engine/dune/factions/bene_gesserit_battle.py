"""The Bene Gesserit in battle: the Voice."""

from landsraad_engine.dune.battle.fight import Fight, user_and_target
from landsraad_engine.dune.battle.voice import TheVoice
from landsraad_engine.dune.hooks import Timing
from landsraad_engine.dune.pieces import BENE_GESSERIT
from landsraad_engine.dune.words import DuneState
from landsraad_engine.kernel.frames import Frame, rule
from landsraad_engine.kernel.overrides import Source

source = Source("the voice", BENE_GESSERIT)


@source.at(Timing.THE_VOICE)
@rule("DUNE-BG.23", "DUNE-A.2", "DUNE-V.9")
def the_voice(g: DuneState, cells: tuple[str, ...], aggressor: str, defender: str) -> Frame | None:
    pair = user_and_target(g, BENE_GESSERIT, Fight(cells, aggressor, defender))
    return TheVoice(*pair) if pair else None
