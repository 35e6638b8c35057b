"""Tleilaxu Ghola: one's own dead come back at any time, for nothing."""

from landsraad_engine.dune.acts import PlayGhola
from landsraad_engine.dune.announcements import CardPlayed
from landsraad_engine.dune.battle.prescience import word_breakers
from landsraad_engine.dune.pieces import GHOLA
from landsraad_engine.dune.revival import bring_back, from_the_tanks
from landsraad_engine.dune.words import DuneState
from landsraad_engine.kernel.frames import Flow, Frame, rule, step
from landsraad_engine.kernel.grammar import Choice
from landsraad_engine.kernel.plays import Play

MOST_TOKENS = 5


class Ghola(Frame):
    """The card is played: up to five tokens, or one leader, return to the reserves."""

    faction: str
    tokens: int
    elites: int
    leader: str | None

    @step("DUNE-T.13", "DUNE-T.24", "DUNE-T.26", "DUNE-T.27")
    def play(f, g: DuneState) -> Flow:
        g.announce(CardPlayed(f.faction, GHOLA))
        g.discard(f.faction, GHOLA)
        bring_back(g, f.faction, f.tokens, f.elites, f.leader)
        return None


@rule("DUNE-T.24", "DUNE-R.126")
def choices(g: DuneState, faction: str) -> list[Choice]:
    if GHOLA not in g.hand(faction):
        return []
    return from_the_tanks(g, faction, PlayGhola, MOST_TOKENS, "DUNE-T.24", word_breakers(g, faction))


def begin(faction: str, act: PlayGhola) -> Ghola:
    return Ghola(faction=faction, tokens=act.tokens, elites=act.elites, leader=act.leader)


PLAYS = (Play(PlayGhola, choices, begin, "ghola"),)

FRAMES = (Ghola,)
