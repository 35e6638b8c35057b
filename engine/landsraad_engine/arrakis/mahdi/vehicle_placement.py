"""Vehicles as the automaton places them: those of a round, and those that an action or card brings."""

from collections.abc import Iterator
from typing import Final

from landsraad_engine.arrakis.acts import ChooseTarget, ChooseTargets, PlaceVehicle, targets_choice
from landsraad_engine.arrakis.board import AreaSet
from landsraad_engine.arrakis.mahdi.automaton import AUTOMATON, decide, humans
from landsraad_engine.arrakis.mahdi.combat_power import power_at
from landsraad_engine.arrakis.mahdi.distances import flown, sectors_touching, standing_sietches
from landsraad_engine.arrakis.mahdi.numbers import NEIGHBOURS
from landsraad_engine.arrakis.mahdi.priorities import best
from landsraad_engine.arrakis.mahdi.targets import harvesting_card, sectors_named, target_area, target_card
from landsraad_engine.arrakis.sides import ATREIDES, CARRYALL, HARKONNEN, HARVESTER, ORNITHOPTER, VEHICLES
from landsraad_engine.arrakis.terms import AreaId
from landsraad_engine.arrakis.vehicles import active_row, harvester_areas, put_vehicle
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.arrakis.zones import AIR_ZONES
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.frames import END, Call, Flow, Frame, goto, rule, step
from landsraad_engine.kernel.grammar import Subset

#: The effects by which the humans say where harvesters go.
HARVEST_IN: Final = "harvest_in"
HARVEST_SECTOR: Final = "harvest_sector"

# ---- Harvesters ----


@rule("WFA-Y.22", "WFA-Y.23")
def harvester_places(g: ArrakisState, sector: str) -> Iterator[AreaSet]:
    """Yield the areas for harvesters in a Sector of the cards, in the order in which they are filled."""
    board, survey = g.board, g.survey()
    free = harvester_areas(g) & board.union(board.sector[each] for each in sectors_named(sector))
    atreides = survey.atreides | survey.sietches
    calm = free & ~survey.taken() & ~board.around(atreides)
    deep = board.of_terrain["deep_desert"]
    yield calm & deep
    yield calm & ~deep
    yield free & ~calm & deep
    yield free & ~calm & ~deep


@rule("WFA-Y.24", "WFA-Y.25")
def next_sectors(g: ArrakisState, tried: tuple[str, ...]) -> list[str]:
    """Return the Sectors beside the Harvesting Sector that have room: not the one on the Target card."""
    cards = g.content.tactical_card
    harvesting, target = cards[harvesting_card(g)].sector, cards[target_card(g)].sector
    near = (sector for sector in NEIGHBOURS[harvesting] if sector != target and sector not in tried)
    return [sector for sector in near if any(harvester_places(g, sector))]


def place_some(f: "PlaceHarvesters", g: ArrakisState, seat: int, act: ChooseTargets) -> Flow:
    """Place harvesters where the humans have said, or where there is no choice."""
    for area in act.targets:
        put_vehicle(g, HARVESTER, area)
    f.number -= len(act.targets)
    return goto("place")


def go_on_in(f: "PlaceHarvesters", g: ArrakisState, seat: int, act: ChooseTarget) -> Flow:
    """Go on in another Sector."""
    f.sector = act.target
    f.tried = (*f.tried, act.target)
    return goto("place")


class PlaceHarvesters(Frame):
    """So many harvesters are placed in the Harvesting Sector, and the rest in a Sector beside it."""

    number: int
    sector: str = ""
    tried: tuple[str, ...] = ()

    @step("WFA-Y.22")
    def begin(f, g: ArrakisState) -> Flow:
        f.number = min(f.number, g.get("vehicles")[HARVESTER])
        f.sector = g.content.tactical_card[harvesting_card(g)].sector
        return None

    @step("WFA-Y.22", "WFA-Y.23")
    def place(f, g: ArrakisState) -> Flow:
        if not f.number:
            return END
        areas = next((g.board.names(areas) for areas in harvester_places(g, f.sector) if areas), ())
        if not areas:
            return None
        if len(areas) <= f.number:
            return place_some(f, g, AUTOMATON, ChooseTargets(HARVEST_IN, areas))
        choice = targets_choice(HARVEST_IN, Subset(tuple(sorted(areas)), f.number, f.number))
        return Ask.any_of(humans(g), choice, why="WFA-Y.22")

    place.answer(place_some)

    @step("WFA-Y.24", "WFA-Y.25")
    def elsewhere(f, g: ArrakisState) -> Flow:
        sectors = next_sectors(g, f.tried)
        if not sectors:
            return END
        return decide(f, g, [ChooseTarget(HARVEST_SECTOR, sector) for sector in sectors], go_on_in, "WFA-Y.24")

    elsewhere.answer(go_on_in)


# ---- Carryalls and Ornithopters ----


@rule("WFA-Y.27", "WFA-Y.33")
def unoccupied(g: ArrakisState) -> list[str]:
    """Return the Air Zones without a vehicle."""
    return [zone for zone in AIR_ZONES if not any(g.vehicle(zone))]


@rule("WFA-Y.26", "WFA-Y.27")
def carryall_zones(g: ArrakisState, left: int) -> list[str]:
    """Return the zones for the next carryall: those that protect the most harvesters."""
    harvesters = g.survey().harvesters
    return best(unoccupied(g), lambda zone: (g.board.zone[zone] & harvesters).bit_count())


@rule("WFA-Y.28", "WFA-Y.29", "WFA-Y.63", "WFA-Y.66")
def strike_sectors(g: ArrakisState) -> Iterator[AreaId]:
    """Yield the areas of legions exactly two areas from a Sietch that they could attack."""
    sietches = [area for area in standing_sietches(g) if not g.board.bit[area] & g.survey().worms]
    for area, legion in g.areas_of(HARKONNEN):
        if not legion.size:
            continue
        power = power_at(g, HARKONNEN, area)
        if any(flown(g, area, sietch) == 2 and power > power_at(g, ATREIDES, sietch) for sietch in sietches):
            yield area


@rule("WFA-Y.28", "WFA-Y.29", "WFA-Y.30", "WFA-Y.31", "WFA-Y.32", "WFA-Y.33")
def ornithopter_zones(g: ArrakisState, left: int) -> list[str]:
    """Return the zones for the next ornithopter: those of the first group with any that is not occupied."""
    free = unoccupied(g)
    serving = {zone for area in strike_sectors(g) for zone in g.board.zones_of[area]}
    target = target_area(g)
    around = {near for sector in g.board.sectors_of[target] for near in sectors_touching(g.board)[sector]}
    sectors = {zone.id: zone.sectors for zone in g.content.air_zone.values()}
    rings = {sector.id: sector.ring for sector in g.content.sector.values()}
    near = [zone for zone in free if not around.isdisjoint(sectors[zone])]
    groups = (
        [zone for zone in free if zone in serving],
        [zone for zone in free if zone in g.board.zones_of[target]],
        [zone for zone in near if all(rings[sector] == "central" for sector in sectors[zone])],
        near,
        free,
    )
    zones = next((group for group in groups if group), [])
    # With enough of them for all zones of a group there is nothing to choose.
    return zones[:1] if len(zones) <= left else zones


def place_one(f: "PlaceFliers", g: ArrakisState, seat: int, act: PlaceVehicle) -> Flow:
    """Place a flying vehicle."""
    put_vehicle(g, VEHICLES.index(act.vehicle), act.place)
    f.number -= 1
    return goto("place")


class PlaceFliers(Frame):
    """So many carryalls or ornithopters are placed, one after the other."""

    vehicle: str
    number: int

    @step("WFA-Y.26", "WFA-Y.28")
    def begin(f, g: ArrakisState) -> Flow:
        f.number = min(f.number, g.get("vehicles")[VEHICLES.index(f.vehicle)])
        return None

    @step("WFA-Y.26", "WFA-Y.27", "WFA-Y.28", "WFA-Y.30", "WFA-Y.31", "WFA-Y.33")
    def place(f, g: ArrakisState) -> Flow:
        if not f.number:
            return END
        zones = (carryall_zones if f.vehicle == VEHICLES[CARRYALL] else ornithopter_zones)(g, f.number)
        if not zones:
            return END
        return decide(f, g, [PlaceVehicle(f.vehicle, zone, "") for zone in zones], place_one, "WFA-Y.27")

    place.answer(place_one)


# ---- All kinds ----


class PlaceByKind(Frame):
    """Vehicles are placed kind by kind, from off the board, as far as there are any: (kind, number) pairs."""

    kinds: tuple[tuple[str, int], ...]

    @step("WFA-Y.21", "WFA-Y.86", "WFA-Y.99")
    def next_kind(f, g: ArrakisState) -> Flow:
        if not f.kinds:
            return END
        (kind, number), *rest = f.kinds
        f.kinds = tuple(rest)
        if kind == VEHICLES[HARVESTER]:
            return Call(PlaceHarvesters(number=number), "next_kind")
        return Call(PlaceFliers(vehicle=kind, number=number), "next_kind")


@rule("WFA-Y.21")
def vehicles_of_the_round(g: ArrakisState) -> PlaceByKind:
    """Place all vehicles of the active row: harvesters, then carryalls, then ornithopters."""
    row = active_row(g)
    numbers = {HARVESTER: row.harvesters, CARRYALL: row.carryalls, ORNITHOPTER: row.ornithopters}
    return PlaceByKind(kinds=tuple((VEHICLES[kind], number) for kind, number in numbers.items()))


FRAMES = (PlaceHarvesters, PlaceFliers, PlaceByKind)
