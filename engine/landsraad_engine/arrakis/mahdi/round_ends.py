"""Setup, the start of a round and its end, as far as the automaton makes them different."""

from landsraad_engine.arrakis.action_resolution import ORDER, ActionResolution, ActionTurn
from landsraad_engine.arrakis.acts import Done, MoveSietch
from landsraad_engine.arrakis.board import AreaSet
from landsraad_engine.arrakis.cards.fremen_ally import KitabAlIbar
from landsraad_engine.arrakis.dice import RollDice, roll_pool
from landsraad_engine.arrakis.hooks import Query
from landsraad_engine.arrakis.legions import TurnUpTokens
from landsraad_engine.arrakis.mahdi.garrisons import replenish
from landsraad_engine.arrakis.mahdi.numbers import PRESCIENCE_REVEALED, REINFORCED_FROM, SUPREMACY_PER_ROUND
from landsraad_engine.arrakis.mahdi.reinforcements_deck import add_from_deck, add_in_turns
from landsraad_engine.arrakis.mahdi.targets import (
    draw_tactical_cards,
    follow_sietch,
    replace_target,
    shuffle_tactical_cards,
)
from landsraad_engine.arrakis.mahdi.turn import AutomatonTurn
from landsraad_engine.arrakis.mahdi.vehicle_placement import vehicles_of_the_round
from landsraad_engine.arrakis.mahdi.zones import SPENT_RESULTS, TACTICAL_DECK
from landsraad_engine.arrakis.round import EndOfRound, Round
from landsraad_engine.arrakis.settlements import DestroySettlement
from landsraad_engine.arrakis.setup import Setup
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN, ORNITHOPTER
from landsraad_engine.arrakis.tracks import GainSupremacy
from landsraad_engine.arrakis.vehicles import VehiclePlacement
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.arrakis.zones import SOLO
from landsraad_engine.kernel.frames import Flow, goto, rule, step
from landsraad_engine.kernel.overrides import Source

source = Source("rounds of the automaton")

# ---- Setup ----


@step("WFA-S.1", "WFA-Y.1", "WFA-Y.2", "WFA-Y.3", "WFA-Y.10")
def seats(f: Setup, g: ArrakisState) -> Flow:
    """The automaton plays the side that nobody has."""
    Setup.STEPS["seats"].fn(f, g)
    g.set_mark(SOLO, HARKONNEN)
    return None


@step("WFA-S.34", "WFA-Y.7", "WFA-Y.8")
def garrisons(f: Setup, g: ArrakisState) -> Flow:
    """As for two players; then all tokens form the pool, and the Tactical cards a deck."""
    Setup.STEPS["garrisons"].fn(f, g)
    replenish(g)
    g.place(TACTICAL_DECK, tuple(g.content.tactical_card))
    g.shuffle(TACTICAL_DECK)
    return None


# ---- The start of a round ----


@step("WFA-Y.11", "WFA-Y.12", "WFA-Y.13", "WFA-Y.18", "WFA-Y.19", "WFA-Y.20")
def reveal_prescience(f: Round, g: ArrakisState) -> Flow:
    """Reveal fewer cards, then lay the Tactical cards open and add to the Reinforcements deck."""
    there = len(g.table.get("prescience_deck", ()))
    for _ in range(min(there, PRESCIENCE_REVEALED)):
        g.draw("prescience_deck", "prescience_row")
    draw_tactical_cards(g)
    for deck in REINFORCED_FROM:
        add_from_deck(g, deck)
    return None


@step("WFA-Y.21")
def place_vehicles(f: VehiclePlacement, g: ArrakisState) -> Flow:
    return vehicles_of_the_round(g)


# ---- Action Resolution ----


@step("WFA-Y.35", "WFA-D.1")
def roll_dice(f: RollDice, g: ArrakisState) -> Flow:
    """Only the humans roll now."""
    roll_pool(g, ATREIDES)
    return None


@step("WFA-Y.35", "WFA-Y.39")
def next_turn(f: ActionResolution, g: ArrakisState) -> Flow:
    """The sides alternate; the phase ends with the automaton's last die."""
    if not g.unused(HARKONNEN):
        return goto("over")
    f.turn += 1
    side = ORDER[f.turn % 2]
    return ActionTurn(side=side) if side == ATREIDES else AutomatonTurn(side=side)


@source.modifies(Query.TRAINING_AREAS)
@rule("WFA-Y.44", "WFA-Y.46")
def watched(g: ArrakisState, areas: AreaSet) -> AreaSet:
    """No token is turned up voluntarily in a Sector connected to an Air Zone with an ornithopter."""
    seen = g.board.union(g.board.zone[zone] for zone in g.zones_with(ORNITHOPTER))
    return areas & ~seen


def voluntary(f: TurnUpTokens, g: ArrakisState) -> bool:
    """Return whether the humans turn tokens up of their own accord: they name them."""
    return bool(f.tokens)


@step("WFA-Y.45", "WFA-Y.46", "WFA-S.24")
def turn_up(f: TurnUpTokens, g: ArrakisState) -> Flow:
    """For each token the Reinforcements deck gets a card, but under the Spacing Guild Ban."""
    TurnUpTokens.STEPS["turn_up"].fn(f, g)
    if not g.banned("spacing_guild"):
        add_in_turns(g, len(f.tokens))
    return None


def of_sietch(f: DestroySettlement, g: ArrakisState) -> bool:
    """Return whether it was a Sietch that has fallen."""
    return f.side == ATREIDES


@step("WFA-Y.15")
def fallen(f: DestroySettlement, g: ArrakisState) -> Flow:
    replace_target(g)
    return None


@step("WFA-Y.17", "WFA-C.81")
def move_sietch(f: KitabAlIbar, g: ArrakisState) -> Flow:
    return KitabAlIbar.STEPS["choose"].fn(f, g)


@move_sietch.answer
def moved_sietch(f: KitabAlIbar, g: ArrakisState, seat: int, act: MoveSietch | Done) -> Flow:
    """Note where the Sietch of a Tactical card is now."""
    handler = KitabAlIbar.STEPS["choose"].handler
    assert handler
    flow = handler(f, g, seat, act)
    if isinstance(act, MoveSietch):
        follow_sietch(g, act.source, act.target)
    return flow


# ---- The end of a round ----


@source.modifies(Query.LEADERS_EXCHANGED)
@rule("WFA-Y.155")
def never_exchanged(g: ArrakisState, most: int, side: str) -> int:
    """Its named leaders stay on the board."""
    return 0 if side == HARKONNEN else most


@step("WFA-Y.137", "WFA-Y.153", "WFA-Y.154", "WFA-R.14")
def dice_back(f: EndOfRound, g: ArrakisState) -> Flow:
    """After the usual steps Supremacy advances, and all Tactical cards make a new deck; Reinforcements stay."""
    EndOfRound.STEPS["dice_back"].fn(f, g)
    g.set_mark(SPENT_RESULTS, None)
    shuffle_tactical_cards(g)
    return GainSupremacy(points=SUPREMACY_PER_ROUND)
