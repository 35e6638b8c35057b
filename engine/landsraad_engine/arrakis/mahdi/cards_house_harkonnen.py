"""The planning cards of House Harkonnen, as the automaton plays them."""

from typing import Final

from landsraad_engine.arrakis.board import AreaSet
from landsraad_engine.arrakis.cards.house_harkonnen import ARTILLERY
from landsraad_engine.arrakis.cards.places import empty_deserts, legion_of, legions, named, settlements
from landsraad_engine.arrakis.cards.spreading import back_to_the_pool
from landsraad_engine.arrakis.leaders.entering import LeaveGame
from landsraad_engine.arrakis.leaders.house_harkonnen import HAWAT, SCHEMING
from landsraad_engine.arrakis.mahdi.card_joining import joining
from landsraad_engine.arrakis.mahdi.card_parts import (
    always,
    attack_or_move,
    bring,
    draw,
    draw_and_play,
    enters,
    move,
    not_entered,
    vehicles,
    when,
)
from landsraad_engine.arrakis.mahdi.card_scattering import ScatterUnits, can_scatter
from landsraad_engine.arrakis.mahdi.card_targets import (
    BombardByAutomaton,
    ClearClosestWormsigns,
    StrikeClosest,
    by_distance,
    leaders_in,
    within_range,
)
from landsraad_engine.arrakis.mahdi.card_texts import card
from landsraad_engine.arrakis.mahdi.card_zones import BESIDE, HOUSE, PLAYED
from landsraad_engine.arrakis.mahdi.distances import beside
from landsraad_engine.arrakis.mahdi.placing import placing_order
from landsraad_engine.arrakis.mahdi.reinforcements_deck import note_discard
from landsraad_engine.arrakis.sides import HARKONNEN
from landsraad_engine.arrakis.terms import AreaId
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.arrakis.zones import DISCARD, GONE
from landsraad_engine.kernel.frames import Frame, rule

FEYD: Final = "feyd_rautha"
RABBAN: Final = "beast_rabban"
CITIES: Final = ("arrakeen", "carthag")
POLE: Final = "north_pole"

# ---- Units ----


@rule("WFA-Y.110")
def a_unit_everywhere(g: ArrakisState) -> ScatterUnits:
    """A Regular in every Pyon Village, an Elite each in Carthag and Arrakeen."""
    cities = named(*CITIES)(g, HARKONNEN)
    villages = g.survey().villages & ~g.board.set_of(CITIES)
    places = placing_order(g, g.board.names(cities | villages))
    return ScatterUnits(places=places, count=sum(map(len, places)), elite=g.board.names(cities))


@rule("WFA-Y.113")
def patrols(g: ArrakisState) -> ScatterUnits:
    """A Regular each in the three closest empty Deserts."""
    return ScatterUnits(places=by_distance(g, g.board.names(empty_deserts(g, HARKONNEN))), count=3)


card("hard_times_and_oppression", "WFA-Y.110", when(can_scatter(a_unit_everywhere), a_unit_everywhere))

card("forced_recruitment", "WFA-Y.111", bring(named("arrakeen"), (0, 3, 0), leaders=1))

card("beloved_feyd_rautha", "WFA-Y.112", enters(FEYD), draw_and_play(), when=not_entered(FEYD))
card("beloved_feyd_rautha", "WFA-Y.112", bring(legion_of(FEYD), (0, 2, 0)))

card("harkonnen_patrols", "WFA-Y.113", when(can_scatter(patrols), patrols))

card("arsunt_legion", "WFA-Y.114", bring(named("arsunt"), (1, 1, 0), leaders=1), attack_or_move(sources=("arsunt",)))

card("barons_personal_guard", "WFA-Y.115", bring(named(*CITIES), (0, 2, 0), named=("baron_harkonnen",)), move())

card("evidence_of_rebellion", "WFA-Y.117", bring(settlements, (0, 2, 0)), draw(2))

card("carthag_the_former_capital", "WFA-Y.119", bring(named("carthag"), (3, 1, 0), leaders=1))

# ---- Wormsigns ----


@rule("WFA-Y.118", "WFA-Y.170")
def around_the_pole(g: ArrakisState) -> AreaSet:
    """The wormsigns next to the North Pole."""
    return g.survey().wormsigns & beside(g, POLE)


def clear_the_pole(g: ArrakisState) -> None:
    """Discard all of them."""
    back_to_the_pool(g, g.board.names(around_the_pole(g)))


card(
    "polar_cap_factories",
    "WFA-Y.118",
    bring(named(POLE), (2, 1, 0), generic=1),
    when(around_the_pole, clear_the_pole),
)

card(
    "spotter_control",
    "WFA-Y.121",
    when(lambda g: g.survey().wormsigns, lambda _: ClearClosestWormsigns(count=3)),
    draw(2),
)

# ---- Vehicles ----

card("workhorse_of_arrakis", "WFA-Y.120", vehicles(("harvester", 1), ("carryall", 1)), draw(2))

card("sandmasters", "WFA-Y.123", vehicles(("harvester", 3)), draw(1))

# ---- Blows ----

card("explosive_artillery", "WFA-Y.122", move(), when(within_range, lambda _: BombardByAutomaton(dice=ARTILLERY)))


@rule("WFA-Y.125")
def sectors_with_legions(g: ArrakisState) -> tuple[AreaId, ...]:
    """All areas of the Sectors with a Harkonnen legion."""
    return g.board.names(g.board.same_sectors(g.survey().harkonnen))


card(
    "hunter_seeker",
    "WFA-Y.125",
    when(lambda g: leaders_in(g, sectors_with_legions(g)), lambda g: StrikeClosest(areas=sectors_with_legions(g))),
)

# ---- Rabban ----


def rabban_is_gone(g: ArrakisState) -> bool:
    """Return whether Rabban has left the game."""
    return g.whereabouts(RABBAN) == GONE


MUDIR_NAHYA: Final = "mudir_nahya_the_demon_ruler"

card(MUDIR_NAHYA, "WFA-Y.124", bring(legions, (0, 2, 0), leaders=1), when=rabban_is_gone)
card(MUDIR_NAHYA, "WFA-Y.124", joining(RABBAN, units=(0, 1, 0)))

# ---- The plot against Hawat ----


@rule("WFA-Y.105", "WFA-Y.106", "WFA-Y.116")
def may_be_plotted(g: ArrakisState) -> bool:
    """Return whether no copy lies beside the board, and Hawat has not left the game."""
    return BESIDE not in g.table and g.whereabouts(HAWAT) != GONE


def lay_beside(g: ArrakisState) -> None:
    """Lay the first copy beside the board."""
    g.move(PLAYED[HOUSE], BESIDE, SCHEMING)


@rule("WFA-Y.105", "WFA-Y.106", "WFA-Y.116")
def plot_succeeds(g: ArrakisState) -> bool:
    """Return whether a copy lies beside the board, and Hawat is in play."""
    return BESIDE in g.table and g.in_play(HAWAT)


def remove_hawat(g: ArrakisState) -> Frame:
    """Discard the copy that lies beside the board: Hawat leaves the game."""
    g.move(BESIDE, DISCARD[HOUSE], SCHEMING)
    note_discard(g, SCHEMING)
    return LeaveGame(leader=HAWAT)


card(SCHEMING, "WFA-Y.105", when(always, lay_beside), when=may_be_plotted)
card(SCHEMING, "WFA-Y.106", when(always, remove_hawat), when=plot_succeeds)
