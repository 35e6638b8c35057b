"""The round: its start, its phases, its end."""

from landsraad_engine.arrakis import chronicle
from landsraad_engine.arrakis.action_resolution import ActionResolution
from landsraad_engine.arrakis.acts import DiscardDown, ExchangeLeaders
from landsraad_engine.arrakis.desert_hazards import DesertHazards
from landsraad_engine.arrakis.harvesting import SpiceHarvesting
from landsraad_engine.arrakis.hooks import Query, Timing
from landsraad_engine.arrakis.objectives import CheckObjective
from landsraad_engine.arrakis.prescience import END_OF_ROUND, ClaimMoment, UnclaimedCards
from landsraad_engine.arrakis.sides import (
    ATREIDES,
    DASHBOARD,
    DICE,
    DIE,
    FIGURES,
    HARKONNEN,
    LEADER,
    LOCKED,
    POOL,
    SIDES,
    TOKEN,
    USED,
    one,
)
from landsraad_engine.arrakis.teams import close_cones
from landsraad_engine.arrakis.vehicles import VehiclePlacement, take_off
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.arrakis.zones import AIR_ZONES, ASIDE, CARD, FIGURE, GONE, READY, SPENT, box
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.frames import END, Flow, Frame, rule, step
from landsraad_engine.kernel.grammar import Choice, Subset


class Round(Frame):
    """One round of the game."""

    @step("WFA-R.1")
    def begin(f, g: ArrakisState) -> Flow:
        close_cones(g)
        g.set_mark("round", g.round + 1)
        chronicle.new_round(g)
        return g.at(Timing.ROUND_BEGINS)

    @step("WFA-R.2", "WFA-G.21")
    def draw_cards(f, g: ArrakisState) -> Flow:
        for side in SIDES:
            for seat in g.seats_of(side):
                for deck in g.powers(seat) * g.content.limits.cards_drawn_per_deck:
                    g.draw_card(seat, deck)
        return g.at(Timing.CARDS_DRAWN)

    @step("WFA-R.3", "WFA-Q.14")
    def reveal_prescience(f, g: ArrakisState) -> Flow:
        there = len(g.table.get("prescience_deck", ()))
        for _ in range(min(there, g.content.limits.prescience_revealed)):
            g.draw("prescience_deck", "prescience_row")
        return None

    @step("WFA-R.1", "WFA-V.5")
    def vehicle_placement(f, g: ArrakisState) -> Flow:
        close_cones(g)
        return VehiclePlacement()

    @step("WFA-R.1")
    def action_resolution(f, g: ArrakisState) -> Flow:
        close_cones(g)
        return ActionResolution()

    @step("WFA-R.1")
    def desert_hazards(f, g: ArrakisState) -> Flow:
        close_cones(g)
        return DesertHazards()

    @step("WFA-R.1")
    def spice_harvesting(f, g: ArrakisState) -> Flow:
        close_cones(g)
        return SpiceHarvesting()

    @step("WFA-R.1")
    def end(f, g: ArrakisState) -> Flow:
        close_cones(g)
        return EndOfRound()


class EndOfRound(Frame):
    """The end of the round, in its order."""

    @step("WFA-R.4", "WFA-Q.6")
    def claims(f, g: ArrakisState) -> Flow:
        return ClaimMoment(phase=END_OF_ROUND)

    @step("WFA-R.4", "WFA-Q.22")
    def objective(f, g: ArrakisState) -> Flow:
        return CheckObjective()

    @step("WFA-R.7")
    def before_air_vehicles_leave(f, g: ArrakisState) -> Flow:
        return g.at(Timing.AIR_VEHICLES_LEAVE)

    @step("WFA-R.5")
    def air_vehicles_off(f, g: ArrakisState) -> Flow:
        for zone in AIR_ZONES:
            take_off(g, zone)
        return None

    @step("WFA-R.8")
    def harkonnen_exchange(f, g: ArrakisState) -> Flow:
        return LeaderExchange(side=HARKONNEN)

    @step("WFA-R.8")
    def atreides_exchange(f, g: ArrakisState) -> Flow:
        return LeaderExchange(side=ATREIDES)

    @step("WFA-L.34")
    def other_exchanges(f, g: ArrakisState) -> Flow:
        return g.at(Timing.END_OF_ROUND)

    @step("WFA-R.11")
    def restore_leader_cards(f, g: ArrakisState) -> Flow:
        for key in CARD.values():
            if g.table.get(key) == SPENT:
                g.set_mark(key, READY)
        return None

    @step("WFA-R.12", "WFA-P.17")
    def hand_limit(f, g: ArrakisState) -> Flow:
        options = {}
        for seat in range(g.setting.seats):
            excess = len(g.hand(seat)) - hand_limit(g, seat)
            if excess > 0:
                cards = tuple(sorted(g.discardable(seat)))
                number = min(excess, len(cards))
                options[seat] = (Choice(DiscardDown, cards=Subset(cards, number, number)),)
        return Ask.sealed(options, why="WFA-R.12", closed=True) if options else None

    @hand_limit.answer
    def discarded(f, g: ArrakisState, answers: dict[int, DiscardDown]) -> Flow:
        for seat, act in answers.items():
            for card in act.cards:
                g.discard(seat, card)
        return None

    @step("WFA-R.13")
    def unclaimed_cards(f, g: ArrakisState) -> Flow:
        return UnclaimedCards()

    @step("WFA-R.14", "WFA-D.11", "WFA-D.12")
    def dice_back(f, g: ArrakisState) -> Flow:
        """All dice go back to their owners; Bene Gesserit tokens that were laid are out of the game."""
        for side in SIDES:
            for dashboard in dict.fromkeys((DASHBOARD[side], *g.dashboards(side))):
                for name in (*g.content.dashboard[dashboard].boxes, LOCKED, USED):
                    dice, tokens = g.table.get(box(dashboard, name), (0, 0))
                    g.shift(box(dashboard, name), box(DASHBOARD[side], POOL), one(DICE, DIE, dice))
                    g.shift(box(dashboard, name), f"bene_gesserit/{GONE}", one(DICE, TOKEN, tokens))
        return None


@rule("WFA-R.12", "WFA-P.17", "WFA-G.24", "WFA-G.25")
def hand_limit(g: ArrakisState, seat: int) -> int:
    """Planning cards that a seat may keep at the end of a round; fewer if it shares its faction."""
    limits = g.content.limits
    number = limits.hand if len(g.powers(seat)) > 1 else limits.hand_shared_faction
    limit: int = g.query(Query.HAND_LIMIT, number, seat)
    return limit


def replace_leaders(f: "LeaderExchange", g: ArrakisState, seat: int, act: ExchangeLeaders) -> Flow:
    """All who leave the board are set aside; generic leaders come in the places of these."""
    for leader in f.leaving:
        area = g.table[FIGURE[leader]]
        g.set_mark(FIGURE[leader], ASIDE)
        if leader in act.leaders:
            g.recruit(f.side, area, one(FIGURES, LEADER))
    return None


class LeaderExchange(Frame):
    """A side may take named leaders off the board and put generic ones in their place."""

    side: str
    #: those who are taken off
    leaving: tuple[str, ...] = ()

    @step("WFA-R.8", "WFA-R.9", "WFA-R.10")
    def exchange(f, g: ArrakisState) -> Flow:
        named = tuple(sorted(g.leaders_on_board(f.side)))
        most = g.query(Query.LEADERS_EXCHANGED, len(named), f.side)
        if not named or not most:
            return END
        choice = Choice(ExchangeLeaders, leaders=Subset(named, 0, most))
        return Ask.any_of(g.seats_of(f.side), choice, why="WFA-R.8", default=ExchangeLeaders(()))

    @exchange.answer
    def chosen(f, g: ArrakisState, seat: int, act: ExchangeLeaders) -> Flow:
        f.leaving = act.leaders
        return None

    @step("WFA-R.8", "WFA-R.9")
    def replace(f, g: ArrakisState) -> Flow:
        """An owner whose generic leaders run short says in whose places they come."""
        generic = g.supply(f.side)[LEADER]
        areas = {g.table[FIGURE[leader]] for leader in f.leaving}
        if not generic or generic >= len(f.leaving) or len(areas) == 1:
            return replace_leaders(f, g, 0, ExchangeLeaders(f.leaving[:generic]))
        choice = Choice(ExchangeLeaders, leaders=Subset(f.leaving, generic, generic))
        return Ask.any_of(g.seats_of(f.side), choice, why="WFA-R.9")

    replace.answer(replace_leaders)


FRAMES = (Round, EndOfRound, LeaderExchange)
