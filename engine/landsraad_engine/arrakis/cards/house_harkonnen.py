"""The planning cards of House Harkonnen. Hawat's Scheming is a plot of its own: leaders/house_harkonnen.py."""

from landsraad_engine.arrakis.cards.deck import Deck
from landsraad_engine.arrakis.cards.deeds import (
    attack,
    bring,
    draw,
    enters,
    in_play,
    move,
    move_or_attack,
    place_vehicles,
    play_one,
)
from landsraad_engine.arrakis.cards.places import here, legions, named, settlements
from landsraad_engine.arrakis.cards.spreading import ClearWormsigns, SpreadOver, scatter
from landsraad_engine.arrakis.cards.strikes import SpecialAttack, strike_leader
from landsraad_engine.arrakis.reinforcements import ANY
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.arrakis.zones import GONE
from landsraad_engine.kernel.frames import Frame

deck = Deck("house_harkonnen", HARKONNEN)

#: Dice of Explosive Artillery.
ARTILLERY = 4


@deck.card("hard_times_and_oppression", "WFA-C.9")
def hard_times_and_oppression(g: ArrakisState, seat: int) -> Frame:
    """A Regular in every Pyon Village, an Elite each in Carthag and Arrakeen."""
    cities = named("arrakeen", "carthag")(g, HARKONNEN)
    villages = g.survey().villages & ~g.board.set_of(("arrakeen", "carthag"))
    return SpreadOver(seat=seat, areas=g.board.names(cities | villages), elite=g.board.names(cities))


deck.card("forced_recruitment", "WFA-C.10", bring(named("arrakeen"), elite=3, leaders=1))

deck.card("beloved_feyd_rautha", "WFA-C.11", bring(join="feyd_rautha", elite=2), when=in_play("feyd_rautha"))
deck.card("beloved_feyd_rautha", "WFA-C.11", enters("feyd_rautha"), play_one)

deck.card("harkonnen_patrols", "WFA-C.13", scatter(3))

deck.card(
    "arsunt_legion",
    "WFA-C.14",
    bring(named("arsunt"), regular=1, elite=1, leaders=1),
    move_or_attack(named("arsunt")),
)

deck.card(
    "barons_personal_guard",
    "WFA-C.15",
    bring(named("arrakeen", "carthag"), elite=2, named=("baron_harkonnen",)),
    move(),
)

deck.card("evidence_of_rebellion", "WFA-C.18", bring(settlements, elite=2), draw(2))


@deck.card("polar_cap_factories", "WFA-C.19", bring(named("north_pole"), regular=2, elite=1, leaders=1, generic=True))
def around_the_pole(g: ArrakisState, seat: int) -> Frame:
    """All wormsigns next to the North Pole are discarded."""
    areas = g.board.names(g.survey().wormsigns & g.board.adjacent["north_pole"])
    return ClearWormsigns(seat=seat, areas=areas, count=len(areas))


deck.card("carthag_the_former_capital", "WFA-C.20", bring(named("carthag"), regular=3, elite=1, leaders=1))

deck.card("workhorse_of_arrakis", "WFA-C.21", place_vehicles("harvester", "carryall"), draw(2))


def three_wormsigns(g: ArrakisState, seat: int) -> Frame:
    """Any three wormsigns are discarded."""
    return ClearWormsigns(seat=seat, areas=g.board.names(g.survey().wormsigns), count=3)


deck.card("spotter_control", "WFA-C.22", three_wormsigns, draw(2))


@deck.card("explosive_artillery", "WFA-C.23", move())
def fire_at_neighbours(g: ArrakisState, seat: int) -> Frame:
    """A special attack on an enemy legion next to an own one."""
    reach = g.board.names(g.board.around(legions(g, HARKONNEN)))
    return SpecialAttack(seat=seat, dice=ARTILLERY, ways=(("", reach),))


deck.card("sandmasters", "WFA-C.24", place_vehicles("harvester", "harvester", "harvester"), draw(1))


def rabban_is_gone(g: ArrakisState, seat: int) -> bool:
    return g.whereabouts("beast_rabban") == GONE


deck.card(
    "mudir_nahya_the_demon_ruler",
    "WFA-C.25",
    bring(join=ANY, elite=2, leaders=1),
    when=rabban_is_gone,
)
deck.card(
    "mudir_nahya_the_demon_ruler",
    "WFA-C.25",
    bring(join=ANY, elite=1, named=("beast_rabban",), noted=True),
    attack(here(legions), surprise=True),
)

deck.card(
    "hunter_seeker",
    "WFA-C.26",
    strike_leader(lambda g, side: g.board.same_sectors(legions(g, side)) & legions(g, ATREIDES)),
)
