"""Phase 1, Vehicle Placement, and everything else about vehicles: placing them, and harvesters that are lost."""

from landsraad_engine.arrakis.acts import Done, PlaceVehicle, PlaceVehicles
from landsraad_engine.arrakis.board import AreaSet
from landsraad_engine.arrakis.chronicle import count
from landsraad_engine.arrakis.components import SpiceRow
from landsraad_engine.arrakis.elective import elective
from landsraad_engine.arrakis.hooks import Timing
from landsraad_engine.arrakis.sides import (
    CARRYALL,
    DASHBOARD,
    DICE,
    DIE,
    HARKONNEN,
    HARVESTER,
    LOCKED,
    ORNITHOPTER,
    POOL,
    VEHICLES,
    one,
)
from landsraad_engine.arrakis.terms import AreaId
from landsraad_engine.arrakis.words import ArrakisState, Words
from landsraad_engine.arrakis.zones import AIR_ZONES, IMPERIUM, VEHICLE, box
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.frames import END, Flow, Frame, goto, rule, step
from landsraad_engine.kernel.grammar import Choice, OneOf, Subset


@rule("WFA-V.1")
def active_row(g: Words) -> SpiceRow:
    """The row of The Spice Must Flow next to the lowest Imperium marker."""
    return g.content.spice_row[str(min(g.table[key] for key in IMPERIUM.values()))]


@rule("WFA-V.7", "WFA-V.10")
def harvester_areas(g: Words) -> AreaSet:
    """Return where a harvester may be placed: deserts free for the Harkonnen that have none."""
    survey = g.survey()
    return g.board.desert & ~survey.barred(HARKONNEN) & ~survey.harvesters


class VehiclePlacement(Frame):
    """Phase 1 of the round."""

    @step("WFA-V.2", "WFA-V.3", "WFA-V.4", "WFA-G.75")
    def lock_dice(f, g: ArrakisState) -> Flow:
        """Dice on the slots of the active row and above sit out the round."""
        due = active_row(g).locked_dice
        dashboard = DASHBOARD[HARKONNEN]
        locked = min(due, sum(g.get(box(dashboard, POOL))))
        g.shift(box(dashboard, POOL), box(dashboard, LOCKED), one(DICE, DIE, locked))
        return None

    @step("WFA-V.5", "WFA-V.6", "WFA-V.9", "WFA-G.42", "WFA-G.60")
    def place(f, g: ArrakisState) -> Flow:
        row = active_row(g)
        supply = g.get("vehicles")
        areas = g.board.names(harvester_areas(g))
        due = zip((row.harvesters, row.ornithopters, row.carryalls), supply, strict=True)
        harvesters, ornithopters, carryalls = (min(number, there) for number, there in due)
        choice = Choice(
            PlaceVehicles,
            harvesters=_some(tuple(sorted(areas)), harvesters),
            ornithopters=_some(AIR_ZONES, ornithopters),
            carryalls=_some(AIR_ZONES, carryalls),
        )
        return Ask.any_of(g.seats_leading("house_harkonnen"), choice, why="WFA-V.5")

    @place.answer
    def placed(f, g: ArrakisState, seat: int, act: PlaceVehicles) -> Flow:
        for area in act.harvesters:
            put_vehicle(g, HARVESTER, area)
        for zone in act.ornithopters:
            put_vehicle(g, ORNITHOPTER, zone)
        for zone in act.carryalls:
            put_vehicle(g, CARRYALL, zone)
        return None


def _some(places: tuple[str, ...], number: int) -> Subset:
    number = min(number, len(places))
    return Subset(places, number, number)


@rule("WFA-V.8")
def put_vehicle(g: ArrakisState, vehicle: int, place: str, source: str = "vehicles") -> None:
    """Place a vehicle; what was in the same air zone is removed."""
    take_off(g, place)
    g.shift(source, VEHICLE[place], one(VEHICLES, vehicle))


def take_off(g: ArrakisState, place: str) -> None:
    """Take the vehicle off an area or air zone, if there is one."""
    g.shift(VEHICLE[place], "vehicles", g.vehicle(place))


class PlaceSomeVehicles(Frame):
    """An action places vehicles one after the other. ``kinds``: what each may be; "any" is any kind.

    They may come from anywhere on the board as well, as all that is placed; between two of them an ornithopter may
    already be used.
    """

    kinds: tuple[str, ...]
    seats: tuple[int, ...]

    @step("WFA-A.21", "WFA-A.23", "WFA-A.29", "WFA-F.10")
    def one_vehicle(f, g: ArrakisState) -> Flow:
        if not f.kinds:
            return END
        kinds = VEHICLES if f.kinds[0] == "any" else (f.kinds[0],)
        choices = [choice for kind in kinds for choice in placements(g, kind)]
        return elective(f.seats, *choices, why="WFA-A.23")

    @one_vehicle.answer
    def placed(f, g: ArrakisState, seat: int, act: PlaceVehicle | Done) -> Flow:
        f.kinds = f.kinds[1:]
        if isinstance(act, PlaceVehicle):
            source = VEHICLE[act.source] if act.source else "vehicles"
            put_vehicle(g, VEHICLES.index(act.vehicle), act.place, source)
        return goto("one_vehicle")


@rule("WFA-A.29")
def placements(g: ArrakisState, kind: str) -> list[Choice]:
    """The ways to place one vehicle of a kind: from off the board, or from where it is."""
    vehicle = VEHICLES.index(kind)
    if vehicle == HARVESTER:
        on_board = g.board.names(g.survey().harvesters)
        places = g.board.names(harvester_areas(g))
    else:
        on_board = g.zones_with(vehicle)
        places = AIR_ZONES
    sources = (*(("",) if g.get("vehicles")[vehicle] else ()), *on_board)
    if not sources or not places:
        return []
    if vehicle == HARVESTER:
        return [Choice(PlaceVehicle, vehicle=OneOf((kind,)), place=OneOf(places), source=OneOf(sources))]
    # A flying vehicle does not take its own place: that would change nothing.
    rest = [(source, tuple(zone for zone in places if zone != source)) for source in sources]
    return [
        Choice(PlaceVehicle, vehicle=OneOf((kind,)), place=OneOf(zones), source=OneOf((source,)))
        for source, zones in rest
    ]


class RemoveHarvester(Frame):
    """A harvester is lost to a legion or a worm."""

    area: AreaId

    @step("WFA-M.33", "WFA-M.35")
    def remove(f, g: ArrakisState) -> Flow:
        if not g.vehicle(f.area)[HARVESTER]:
            return END
        take_off(g, f.area)
        count(g, "harvester_removed")
        return None

    @step("WFA-M.36")
    def noticed(f, g: ArrakisState) -> Flow:
        return g.at(Timing.HARVESTER_REMOVED, f.area)


FRAMES = (VehiclePlacement, PlaceSomeVehicles, RemoveHarvester)
