"""The planning cards of the Corrino Ally, as the automaton plays them."""

from collections.abc import Callable
from typing import Final

from landsraad_engine.arrakis.cards.corrino_ally import HUNTED, MERCILESS, SHADDAM, with_sardaukar
from landsraad_engine.arrakis.cards.lasting import discardable_row, lay_effect
from landsraad_engine.arrakis.cards.places import free, here, legions, settlements
from landsraad_engine.arrakis.hands import GiveUpCards, holding
from landsraad_engine.arrakis.mahdi.bene_gesserit import gain_token
from landsraad_engine.arrakis.mahdi.card_carrying import CarryLegion, carryings
from landsraad_engine.arrakis.mahdi.card_joining import joining
from landsraad_engine.arrakis.mahdi.card_parts import (
    always,
    attack,
    attack_or_move,
    bring,
    draw,
    draw_and_play,
    enters,
    move,
    not_entered,
    swap,
    vehicles,
    when,
)
from landsraad_engine.arrakis.mahdi.card_targets import (
    LoseHouseDie,
    ReturnPrescience,
    SpiesByAutomaton,
    StrikeClosest,
    areas_with_tokens,
    by_distance,
    hidden_sietches,
    house_dice,
    leaders_in,
)
from landsraad_engine.arrakis.mahdi.card_texts import card
from landsraad_engine.arrakis.mahdi.distances import beside
from landsraad_engine.arrakis.sides import ATREIDES, ELITE, HARKONNEN, SPECIAL
from landsraad_engine.arrakis.terms import AreaId
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.kernel.frames import Frame, rule

ARAMSHAM: Final = "captain_aramsham"

# ---- Shaddam ----


def out_of_the_tank(leader: str) -> Callable[[ArrakisState], bool]:
    """Return the condition that a leader is in play and in no tank."""
    return lambda g: g.in_play(leader) and not g.in_tank(leader)


for _version, _part in (
    ("a", bring(settlements, (4, 0, 0), named=(SHADDAM,))),
    ("b", bring(legions, (0, 0, 2), named=(SHADDAM,))),
    ("c", joining(SHADDAM, unit=SPECIAL, moves=True, then_attacks=True)),
):
    _rage = f"rage_overcame_shaddam_iv_{_version}"
    card(_rage, "WFA-Y.126", enters(SHADDAM), draw_and_play(), when=not_entered(SHADDAM))
    card(_rage, "WFA-Y.126", _part, when=out_of_the_tank(SHADDAM))

# ---- Hands, tokens, dice, cards ----


def humans_hold_cards(g: ArrakisState) -> bool:
    """Return whether the humans have a planning card."""
    return bool(holding(g, g.seats_of(ATREIDES)))


def humans_discard(cards: int) -> Callable[[ArrakisState], Frame]:
    """Return what has the humans discard so many cards of their choice."""
    return lambda g: GiveUpCards(seats=g.seats_of(ATREIDES), count=cards)


card("manipulation_of_others", "WFA-Y.127", when(humans_hold_cards, humans_discard(2)), draw(2))

card("breeding_program", "WFA-Y.128", when(always, gain_token), draw_and_play())

card("hope_clouds_observation", "WFA-Y.131", when(discardable_row, lambda _: ReturnPrescience()))

card("reports_of_traitors", "WFA-Y.132", when(house_dice, lambda _: LoseHouseDie()))

card(
    "spies_all_over_arrakis",
    "WFA-Y.134",
    when(lambda g: hidden_sietches(g) or areas_with_tokens(g), lambda _: SpiesByAutomaton()),
    draw(2),
)

# ---- Legions on the march ----

card("troop_carriers", "WFA-Y.129", when(carryings, lambda _: CarryLegion()))


@rule("WFA-Y.130", "WFA-Y.170")
def beside_sardaukar(g: ArrakisState) -> tuple[AreaId, ...]:
    """The areas next to the legion that has moved, or if none has, to any with a Sardaukar."""
    own = g.board.names(here(with_sardaukar)(g, HARKONNEN))
    return g.board.names(g.board.union(beside(g, area) for area in own))


card(
    "shigawire",
    "WFA-Y.130",
    move(unit=SPECIAL),
    when(lambda g: leaders_in(g, beside_sardaukar(g)), lambda g: StrikeClosest(areas=beside_sardaukar(g))),
)

card("sardaukar_pogrom", "WFA-Y.133", move(3, unit=SPECIAL))

card("sardaukars_manner", "WFA-Y.133", attack_or_move(unit=SPECIAL, surprise=True))

card(MERCILESS, "WFA-Y.133", attack(unit=SPECIAL, effects=(MERCILESS,)))

card("full_control_of_the_air", "WFA-Y.133", vehicles(("ornithopter", 2)), move())


def hunt_paul(g: ArrakisState) -> None:
    """In the next Atreides turn Paul stays off the board, or where he is."""
    lay_effect(g, HUNTED)


card(HUNTED, "WFA-Y.133", move(), when(always, hunt_paul))

card(
    "moving_the_battle_group",
    "WFA-Y.135",
    bring(free("mountain"), (0, 2, 0), generic=1, order=by_distance),
)

card("sardaukar_disguised", "WFA-Y.135", swap(2, ELITE, SPECIAL), move(2, unit=SPECIAL))

card("i_decide_what_best_serves_his_majesty", "WFA-Y.135", joining(ARAMSHAM, unit=SPECIAL, moves=True))
