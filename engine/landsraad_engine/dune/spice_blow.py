"""2: Spice Blow Round."""

from landsraad_engine.dune.board import SPICE, sector_of
from landsraad_engine.dune.hooks import Timing
from landsraad_engine.dune.nexus import Nexus
from landsraad_engine.dune.pieces import SHAI_HULUD
from landsraad_engine.dune.words import BANK, DuneState
from landsraad_engine.dune.worms import WormAttack, count_worm
from landsraad_engine.kernel.frames import Call, Flow, Frame, goto, rule, step

DECK = "spice_deck"
DISCARDS = ("spice_discard/1", "spice_discard/2")


class SpiceBlowRound(Frame):
    """Cards are turned up for one discard pile until a territory appears, then for the other."""

    #: 0 and 1: the pile that cards go to now
    pile: int = 0
    #: worms turned up for this pile in this round
    worms: int = 0

    @step("DUNE-K.12")
    def before_a_card(f, g: DuneState) -> Flow:
        return g.at(Timing.BETWEEN_SPICE_CARDS)

    @step("DUNE-2.1", "DUNE-2.2", "DUNE-2.3")
    def turn_up(f, g: DuneState) -> Flow:
        card = g.draw(DECK, DISCARDS[f.pile])
        if card != SHAI_HULUD:
            blow(g, card)
            f.pile += 1
            f.worms = 0
            return goto("renew_deck")
        if g.turn == 1:
            return goto("set_worm_aside")
        f.worms += 1
        return Call(WormCard(f.pile, f.worms), "renew_deck")

    @step("DUNE-2.7", "DUNE-2A.2", "DUNE-R.52")
    def set_worm_aside(f, g: DuneState) -> Flow:
        g.move(DISCARDS[f.pile], "worms_aside", SHAI_HULUD)
        return None

    @step("DUNE-2.13", "DUNE-2.14", "DUNE-R.75", "DUNE-R.76")
    def renew_deck(f, g: DuneState) -> Flow:
        if not g.table.get(DECK):
            for discard in DISCARDS:
                g.gather(discard, DECK)
            g.shuffle(DECK)
        return None

    @step("DUNE-2.10", "DUNE-2.12")
    def next_card(f, g: DuneState) -> Flow:
        return goto("before_a_card") if f.pile < len(DISCARDS) else None

    @step("DUNE-K.12")
    def after_the_last(f, g: DuneState) -> Flow:
        return g.at(Timing.BETWEEN_SPICE_CARDS)

    @step("DUNE-2.7", "DUNE-R.52")
    def worms_return(f, g: DuneState) -> Flow:
        if g.table.get("worms_aside"):
            g.gather("worms_aside", DECK)
            g.shuffle(DECK)
        return None


@rule("DUNE-2.4", "DUNE-2.5", "DUNE-R.66")
def blow(g: DuneState, territory: str) -> None:
    """Spice appears on the territory's symbol, unless that lies under the storm; either way the card heads its pile."""
    cell, amount = SPICE[territory]
    if sector_of[cell] != g.storm:
        g.transfer(BANK, f"blow/{cell}", amount)


class WormCard(Frame):
    """A Shai-Hulud card: a Nexus, and after it the worm's attack."""

    pile: int
    #: which worm this is among those turned up for the pile in this round
    number: int

    @step("DUNE-2.8", "DUNE-R.47", "DUNE-R.48", "DUNE-R.99")
    def appear(f, g: DuneState) -> Flow:
        count_worm(g)
        if f.number > 1:
            return g.at(Timing.FURTHER_WORM)
        below = g.table[DISCARDS[f.pile]][:-1]
        if below:
            g.set_mark("worm_at", below[-1])
        return None

    @step("DUNE-2.6", "DUNE-2.11")
    def nexus(f, g: DuneState) -> Flow:
        return Nexus()

    @step("DUNE-2.8")
    def attack(f, g: DuneState) -> Flow:
        territory = g.table.get("worm_at")
        g.set_mark("worm_at", None)
        return WormAttack(territory) if territory else None


FRAMES = (SpiceBlowRound, WormCard)
