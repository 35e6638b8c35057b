"""Setting up the game, in the order of the book."""

from landsraad_engine.dune import bonuses
from landsraad_engine.dune.acts import KeepTraitor
from landsraad_engine.dune.board import SPICE, STORM_START, cells_of
from landsraad_engine.dune.hooks import Query, Timing
from landsraad_engine.dune.pieces import ELITES, FACTION, LEADERS, SHAI_HULUD, STORM_CARDS, TREACHERY, WORMS_IN_DECK
from landsraad_engine.dune.seating import ChooseFactions, TradeFactions, draw_factions, draw_positions
from landsraad_engine.dune.words import AT, HAND, LEADERS_AT, RESERVES, TRAITORS, DuneState
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.frames import Flow, Frame, rule, step
from landsraad_engine.kernel.grammar import Choice, OneOf

SPICE_CARDS = (*SPICE, *[SHAI_HULUD] * WORMS_IN_DECK)
TRAITORS_DEALT = 4


class Setup(Frame):
    """From the empty board to the first Storm Round."""

    @step("DUNE-S.3", "DUNE-S.4")
    def board(f, g: DuneState) -> Flow:
        g.set_mark("turn", 1)
        g.set_mark("storm", STORM_START)
        return None

    @step("DUNE-S.2", "DUNE-T.1", "DUNE-R.77", "DUNE-R.78")
    def decks(f, g: DuneState) -> Flow:
        for deck, cards in (("treachery_deck", TREACHERY), ("spice_deck", SPICE_CARDS), ("storm_deck", STORM_CARDS)):
            g.place(deck, cards)
            g.shuffle(deck)
        return None

    @step("DUNE-S.5")
    def factions(f, g: DuneState) -> Flow:
        if g.options["factions"] == "chosen":
            return ChooseFactions()
        draw_factions(g)
        return None

    @step("DUNE-S.6", "DUNE-S.7")
    def trade(f, g: DuneState) -> Flow:
        return TradeFactions()

    @step("DUNE-BG.30")
    def factions_known(f, g: DuneState) -> Flow:
        return g.at(Timing.FACTIONS_KNOWN)

    @step("DUNE-S.9")
    def positions(f, g: DuneState) -> Flow:
        draw_positions(g)
        return None

    @step("DUNE-S.1", "DUNE-S.8", "DUNE-S.10", "DUNE-S.13")
    def possessions(f, g: DuneState) -> Flow:
        """The possessions of factions that are not played stay in the box."""
        for faction in g.factions():
            g.place(LEADERS_AT[faction], LEADERS[faction])
            g.place(RESERVES[faction], (20 - ELITES[faction], ELITES[faction], 0), rule="DUNE-0.9")
            g.gain(faction, FACTION[faction]["spice"])
        return None

    @step("DUNE-S.15", "DUNE-S.17", "DUNE-S.19", "DUNE-S.20")
    def fixed_forces(f, g: DuneState) -> Flow:
        for faction in g.factions():
            for force in FACTION[faction]["forces"]:
                if len(force["territories"]) == 1:
                    (cell,) = cells_of[force["territories"][0]]
                    g.shift(RESERVES[faction], AT[faction][cell], (force["count"], 0, 0))
        # The cities' owners start with what they would get at the end of a Storm Round.
        bonuses.hand_out(g)
        return None

    @step("DUNE-S.16", "DUNE-S.18", "DUNE-BG.32")
    def free_forces(f, g: DuneState) -> Flow:
        return g.at(Timing.FORCES_PLACED)

    @step("DUNE-S.8", "DUNE-S.11")
    def traitor_deck(f, g: DuneState) -> Flow:
        g.place("traitor_deck", tuple(leader for faction in g.factions() for leader in LEADERS[faction]))
        g.shuffle("traitor_deck")
        return None

    @step("DUNE-HAR.13")
    def first_traitors(f, g: DuneState) -> Flow:
        return g.at(Timing.BEFORE_TRAITORS)

    @step("DUNE-S.11", "DUNE-HAR.15")
    def deal_traitors(f, g: DuneState) -> Flow:
        g.shuffle("traitor_deck")
        for faction in g.factions():
            if not g.table.get(TRAITORS[faction]):
                deal_four(g, faction)
        return None

    @step("DUNE-S.12")
    def traitors(f, g: DuneState) -> Flow:
        dealt = {faction: g.table.get(f"dealt/{faction}") for faction in g.factions()}
        options = {
            g.seat_of(faction): (Choice(KeepTraitor, leader=OneOf(leaders)),)
            for faction, leaders in dealt.items()
            if leaders
        }
        return Ask.sealed(options, why="DUNE-S.12", closed=True, secret=True)

    @traitors.answer
    def chosen(f, g: DuneState, answers: dict[int, KeepTraitor]) -> Flow:
        for seat, act in answers.items():
            faction = g.side(seat)
            g.move(f"dealt/{faction}", TRAITORS[faction], act.leader)
            return_traitors(g, faction)
        return None

    @step("DUNE-S.14")
    def treachery(f, g: DuneState) -> Flow:
        for faction in g.factions():
            for _ in range(g.query(Query.STARTING_TREACHERY, 1, faction)):
                g.draw_treachery(HAND[faction])
        return None


@rule("DUNE-S.11")
def deal_four(g: DuneState, faction: str) -> None:
    """Deal a faction its four traitor cards."""
    for _ in range(TRAITORS_DEALT):
        g.draw("traitor_deck", f"dealt/{faction}")


@rule("DUNE-S.12")
def return_traitors(g: DuneState, faction: str) -> None:
    """Put what is left of the cards dealt to a faction face down under the deck, in an order that tells nothing."""
    dealt = f"dealt/{faction}"
    while leaders := g.table.get(dealt, ()):
        g.move(dealt, "traitor_deck", leaders[g.pick("traitors", len(leaders))], to=0)


FRAMES = (Setup,)
