"""Setting up the game, numbered as in the books."""

from typing import Final

from landsraad_engine.arrakis.components import AtStart
from landsraad_engine.arrakis.content import OWN
from landsraad_engine.arrakis.futures.facts import cards_of
from landsraad_engine.arrakis.legions import put_shown
from landsraad_engine.arrakis.seating import MAHDI, seating
from landsraad_engine.arrakis.sides import (
    ATREIDES,
    DASHBOARD,
    DICE,
    DIE,
    FIGURES,
    HARKONNEN,
    LEADER,
    POOL,
    SIDES,
    TOKEN,
    one,
)
from landsraad_engine.arrakis.terms import SIDE_OF, SubFaction
from landsraad_engine.arrakis.unseen import faces_of, tokens_of
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.arrakis.zones import (
    ASIDE,
    CARD,
    CONES,
    DECK,
    DECKS,
    FIGURE,
    IMPERIUM,
    MARKER,
    OLD_MAN,
    READY,
    RESERVE,
    SIETCH,
    STARTING_SETS,
    STATION,
    SUPPLY,
    TOKENS,
    VILLAGE,
    box,
)
from landsraad_engine.kernel.frames import Flow, Frame, step

#: Cone of Silence tokens of each shared faction.
CONE_TOKENS: Final = 3


def _lay_out(g: ArrakisState, pile: str, faces: tuple[str, ...]) -> None:
    """Put pieces of the box on a pile and shuffle it."""
    g.place(pile, faces)
    g.shuffle(pile)


class Setup(Frame):
    """From the box to the first round."""

    @step("WFA-S.1")
    def seats(f, g: ArrakisState) -> Flow:
        g.set_mark("edition", g.content.edition)
        if g.setting.options["content"] != OWN:
            g.set_mark("content", g.setting.options["content"])
        if g.options.get("futures"):
            g.set_mark("futures", g.options["futures"])
        if g.options.get("old_man"):
            g.set_mark(OLD_MAN, RESERVE)
        for seat, place in enumerate(seating(g.options, g.setting.seats)):
            g.assign(seat, place.side)
            g.set_mark(f"powers/{seat}", place.powers or None)
        return None

    @step("WFA-S.17", "WFA-S.29")
    def figures(f, g: ArrakisState) -> Flow:
        """The figures of the box, which limit what can be on the board (15)."""
        for supply in g.content.supply.values():
            g.place(SUPPLY[supply.id], (supply.regular, supply.elite, supply.special, supply.leader))
        vehicles, worms = g.content.vehicles, g.content.worms
        g.place("vehicles", (vehicles.harvester, vehicles.ornithopter, vehicles.carryall))
        g.place("worms", (worms.sandworm, worms.wild_maker))
        return None

    @step("WFA-S.15", "WFA-S.30")
    def sietches(f, g: ArrakisState) -> Flow:
        """2: the Sietch tokens, face down."""
        _lay_out(g, "sietch_tokens", tuple(str(rank) for rank in g.content.sietch_tokens.ranks))
        for area in g.board.names(g.board.sietches):
            g.draw("sietch_tokens", SIETCH[area])
        return None

    @step("WFA-S.31")
    def starting_tokens(f, g: ArrakisState) -> Flow:
        """3: a starting deployment token and a Naib in every Sietch."""
        _lay_out(g, "starting_tokens", tokens_of(g.content, "atreides_starting"))
        for area in g.board.names(g.board.sietches):
            g.draw("starting_tokens", TOKENS[area])
            g.recruit(ATREIDES, area, one(FIGURES, LEADER))
        return None

    @step("WFA-S.20", "WFA-S.32")
    def bag(f, g: ArrakisState) -> Flow:
        """4: the standard deployment tokens in the Rebels Bag."""
        _lay_out(g, "bag", tokens_of(g.content, "atreides_standard"))
        return None

    @step("WFA-S.14", "WFA-S.33")
    def villages(f, g: ArrakisState) -> Flow:
        """5: the Harkonnen settlements."""
        for area, rank in g.board.rank.items():
            g.set_mark(VILLAGE[area], rank)
        return None

    @step("WFA-S.34")
    def garrisons(f, g: ArrakisState) -> Flow:
        """6: a token of each starting set in every Harkonnen settlement, exchanged for figures."""
        for name in STARTING_SETS:
            _lay_out(g, name, tokens_of(g.content, name))
        for area in g.board.rank:
            for name in STARTING_SETS:
                put_shown(g, HARKONNEN, area, g.draw(name, f"{name}_shown"))
        return None

    @step("WFA-S.35")
    def stations(f, g: ArrakisState) -> Flow:
        """7: the Ecological Testing Stations, face down for everybody."""
        _lay_out(g, "stations", faces_of(g.content.station_tokens))
        for area in g.board.names(g.board.stations):
            g.draw("stations", STATION[area])
        return None

    @step("WFA-S.36")
    def tracks(f, g: ArrakisState) -> Flow:
        """8: all four markers on 0."""
        g.set_mark("supremacy", 0)
        for key in MARKER.values():
            g.set_mark(key, 0)
        return None

    @step("WFA-S.37")
    def prescience(f, g: ArrakisState) -> Flow:
        """9: the prescience deck."""
        _lay_out(g, "prescience_deck", tuple(g.content.prescience_card))
        return None

    @step("WFA-S.38")
    def wormsigns(f, g: ArrakisState) -> Flow:
        """10: the pool of wormsigns."""
        _lay_out(g, "wormsigns", faces_of(g.content.wormsign_tokens))
        return None

    @step("WFA-S.39", "WFA-S.40", "WFA-G.10", "WFA-G.11", "WFA-G.12")
    def leaders(f, g: ArrakisState) -> Flow:
        """11: leaders in play from the start, their cards on the dashboards, their figures aside."""
        for leader in g.content.leader.values():
            if any(_at_start(g, leader.side, entry) for entry in leader.enters) and not leader.future:
                g.set_mark(FIGURE[leader.id], ASIDE)
                g.set_mark(CARD[leader.id], READY)
        return None

    @step("WFA-S.41")
    def imperium(f, g: ArrakisState) -> Flow:
        """12: the Imperium markers."""
        for key in IMPERIUM.values():
            g.set_mark(key, g.content.spice.start)
        return None

    @step("WFA-S.43")
    def planning_decks(f, g: ArrakisState) -> Flow:
        """13: the four planning decks."""
        for deck in DECKS:
            _lay_out(g, DECK[deck], cards_of(g, deck))
        return None

    @step("WFA-S.44")
    def objective(f, g: ArrakisState) -> Flow:
        """14: one secret objective; the others are put away unseen."""
        _lay_out(g, "objective_deck", tuple(g.content.objective))
        g.draw("objective_deck", "objectives")
        g.gather("objective_deck", "objectives_away")
        return None

    @step("WFA-S.47", "WFA-S.48", "WFA-D.1")
    def dice(f, g: ArrakisState) -> Flow:
        """15: the action dice."""
        numbers = {HARKONNEN: g.content.action_dice.harkonnen_dice, ATREIDES: g.content.action_dice.atreides_dice}
        for side in SIDES:
            g.place(box(DASHBOARD[side], POOL), one(DICE, DIE, numbers[side]))
        return None

    @step("WFA-S.45", "WFA-S.46", "WFA-G.15")
    def bene_gesserit(f, g: ArrakisState) -> Flow:
        """16: Bene Gesserit tokens, where the edition has them."""
        tokens = g.content.bene_gesserit
        g.place("bene_gesserit/reserve", one(DICE, TOKEN, tokens.tokens))
        g.grant_tokens(ATREIDES, tokens.atreides_start)
        for side in SIDES:
            if g.shared(side) and not g.options.get(MAHDI):
                g.set_mark(CONES[side], CONE_TOKENS)
        return None


def _at_start(g: ArrakisState, power: SubFaction, entry: object) -> bool:
    """Return whether an entry says "in play from the start" of a game with these seats."""
    return isinstance(entry, AtStart) and (not entry.shared_only or g.shared(SIDE_OF[power]))


FRAMES = (Setup,)
