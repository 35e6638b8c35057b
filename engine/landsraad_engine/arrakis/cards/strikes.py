"""Blows that planning cards deal without a battle: at named leaders, at legions from afar, at vehicles."""

from landsraad_engine.arrakis.acts import Bombard, ChooseTarget, ChooseTargets, Done, target_choice, targets_choice
from landsraad_engine.arrakis.battle.casualties import Casualties
from landsraad_engine.arrakis.battle.roll import throw
from landsraad_engine.arrakis.cards.deck import CardPart
from landsraad_engine.arrakis.cards.places import Where
from landsraad_engine.arrakis.elective import elective
from landsraad_engine.arrakis.legions import TurnUpTokens
from landsraad_engine.arrakis.regeneration import ToTank
from landsraad_engine.arrakis.sides import ATREIDES, HARVESTER, OPPONENT, ORNITHOPTER
from landsraad_engine.arrakis.terms import AreaId
from landsraad_engine.arrakis.vehicles import RemoveHarvester, take_off
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.kernel.frames import END, Call, Flow, Frame, goto, rule, step
from landsraad_engine.kernel.grammar import Choice, OneOf, Subset

# ---- Named leaders ----


def strike_leader(where: Where) -> CardPart:
    """An enemy named leader in one of the places goes to the tank."""

    def deed(g: ArrakisState, seat: int) -> Frame | None:
        strike = StrikeAtLeader(seat=seat, areas=g.board.names(where(g, g.side(seat))))
        return strike if targets(strike, g) else None

    return deed


class StrikeAtLeader(Frame):
    """An enemy named leader in one of these areas goes to the regeneration tank."""

    seat: int
    areas: tuple[AreaId, ...]

    @step("WFA-C.7", "WFA-C.92", "WFA-A.12", "WFA-L.23")
    def choose(f, g: ArrakisState) -> Flow:
        leaders = targets(f, g)
        if not leaders:
            return END
        choice = target_choice("strike_down", leaders)
        return elective((f.seat,), choice, why="WFA-C.7")

    @choose.answer
    def chosen(f, g: ArrakisState, seat: int, act: ChooseTarget | Done) -> Flow:
        return ToTank(leaders=(act.target,)) if isinstance(act, ChooseTarget) else None


def targets(f: StrikeAtLeader, g: ArrakisState) -> tuple[str, ...]:
    """Those who stand there now: a claim or the Atomics may have taken one away, or another in his place."""
    enemies = g.leaders_on_board(OPPONENT[g.side(f.seat)])
    return tuple(each for each in enemies if g.whereabouts(each) in f.areas)


# ---- Legions ----


class SpecialAttack(Frame):
    """Dice against a legion, Hits and Specials being hits: no battle, so it reveals no Sietch and destroys none."""

    seat: int
    dice: int
    #: ways to do it: what it costs (an air zone's ornithopter, or ""), and the areas within reach so
    ways: tuple[tuple[str, tuple[AreaId, ...]], ...]
    area: AreaId = ""

    @step("WFA-C.6", "WFA-C.92", "WFA-A.12")
    def choose(f, g: ArrakisState) -> Flow:
        enemies = g.survey().legions(OPPONENT[g.side(f.seat)])
        choices = [
            Choice(Bombard, area=OneOf(areas), ornithopter=OneOf((zone,)))
            for zone, reach in f.ways
            if (areas := g.board.names(g.board.set_of(reach) & enemies)) and (not zone or g.vehicle(zone)[ORNITHOPTER])
        ]
        if not choices:
            return END
        return elective((f.seat,), *choices, why="WFA-C.6")

    @choose.answer
    def chosen(f, g: ArrakisState, seat: int, act: Bombard | Done) -> Flow:
        if isinstance(act, Done):
            return END
        f.area = act.area
        if act.ornithopter:
            take_off(g, act.ornithopter)
        return None

    @step("WFA-S.22")
    def turn_up_tokens(f, g: ArrakisState) -> Flow:
        return TurnUpTokens(area=f.area) if OPPONENT[g.side(f.seat)] == ATREIDES else None

    @step("WFA-C.6")
    def strike(f, g: ArrakisState) -> Flow:
        side = g.side(f.seat)
        rolled = throw(g, side, f.dice)
        enemy = OPPONENT[side]
        return Casualties(side=enemy, area=f.area, hits=rolled.hits + rolled.specials, seats=g.seats_of(enemy))


# ---- Vehicles ----


@rule("WFA-C.85")
def vehicles_in(g: ArrakisState, sector: str) -> tuple[str, ...]:
    """Vehicles of a sector: harvesters in its areas, and what flies in the air zones connected with it."""
    harvesters = g.board.names(g.survey().harvesters & g.board.sector[sector])
    zones = [zone.id for zone in g.content.air_zone.values() if sector in zone.sectors and any(g.vehicle(zone.id))]
    return tuple(sorted((*harvesters, *zones)))


class RemoveSomeVehicles(Frame):
    """So many vehicles out of one of these groups of places are taken off the board."""

    seat: int
    count: int
    groups: tuple[tuple[str, ...], ...]
    places: tuple[str, ...] = ()

    @step("WFA-C.7", "WFA-C.92", "WFA-A.12")
    def choose(f, g: ArrakisState) -> Flow:
        groups = [tuple(place for place in places if any(g.vehicle(place))) for places in f.groups]
        choices = [
            targets_choice("remove_vehicles", Subset(places, 1, min(f.count, len(places))))
            for places in groups
            if places
        ]
        if not f.count or not choices:
            return END
        return elective((f.seat,), *choices, why="WFA-C.7")

    @choose.answer
    def chosen(f, g: ArrakisState, seat: int, act: ChooseTargets | Done) -> Flow:
        f.places = act.targets if isinstance(act, ChooseTargets) else ()
        return None

    @step("WFA-M.36")
    def remove(f, g: ArrakisState) -> Flow:
        if not f.places:
            return END
        place, *rest = f.places
        f.places = tuple(rest)
        if g.vehicle(place)[HARVESTER]:
            return Call(RemoveHarvester(area=place), "remove")
        take_off(g, place)
        return goto("remove")


class Rockets(Frame):
    """Dice in one of these sectors: each Hit or Special removes a vehicle."""

    seat: int
    dice: int
    sectors: tuple[str, ...]
    sector: str = ""

    @step("WFA-C.70", "WFA-A.12")
    def aim(f, g: ArrakisState) -> Flow:
        choice = target_choice("aim_at", f.sectors)
        return elective((f.seat,), choice, why="WFA-C.70")

    @aim.answer
    def aimed(f, g: ArrakisState, seat: int, act: ChooseTarget | Done) -> Flow:
        if isinstance(act, Done):
            return END
        f.sector = act.target
        return None

    @step("WFA-C.70")
    def fire(f, g: ArrakisState) -> Flow:
        rolled = throw(g, g.side(f.seat), f.dice)
        hits = rolled.hits + rolled.specials
        return RemoveSomeVehicles(seat=f.seat, count=hits, groups=(vehicles_in(g, f.sector),))


FRAMES = (StrikeAtLeader, SpecialAttack, RemoveSomeVehicles, Rockets)
