"""Carryalls of the automaton: which harvesters they save from sandworms."""

from collections.abc import Mapping, Sequence

from landsraad_engine.arrakis.acts import Done, RescueHarvester
from landsraad_engine.arrakis.mahdi.automaton import decide
from landsraad_engine.arrakis.sides import CARRYALL, HARVESTER
from landsraad_engine.arrakis.terms import AreaId
from landsraad_engine.arrakis.vehicles import take_off
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.arrakis.worms import UnderWorms, WormTakesHarvester
from landsraad_engine.kernel.frames import END, Flow, rule, step


def most_saved(zones_of: Mapping[AreaId, Sequence[str]], zones: frozenset[str]) -> int:
    """Return how many of these harvesters can be saved, each by a carryall of its own."""
    if not zones_of:
        return 0
    first, *rest = zones_of
    others = {area: zones_of[area] for area in rest}
    saved = most_saved(others, zones)
    with_it = [1 + most_saved(others, zones - {zone}) for zone in zones_of[first] if zone in zones]
    return max((saved, *with_it))


@rule("WFA-Y.147", "WFA-Y.148")
def carryalls_for(f: WormTakesHarvester, g: ArrakisState) -> tuple[str, ...]:
    """Return the zones whose carryall may be given up: for a Desert none that a Deep Desert still needs."""
    if not f.rescue:
        return ()
    zones = tuple(zone for zone in g.board.zones_of[f.area] if g.vehicle(zone)[CARRYALL])
    deep = g.board.of_terrain["deep_desert"]
    if g.board.bit[f.area] & deep:
        return zones
    waiting = next((frame.areas for frame in reversed(g.stack) if isinstance(frame, UnderWorms)), ())
    threatened = {
        area: g.board.zones_of[area]
        for area in waiting
        if area != f.area and g.board.bit[area] & deep and g.vehicle(area)[HARVESTER]
    }
    there = frozenset(zone for zones in threatened.values() for zone in zones if g.vehicle(zone)[CARRYALL])
    saved = most_saved(threatened, there)
    return tuple(zone for zone in zones if most_saved(threatened, there - {zone}) == saved)


def rescue(f: WormTakesHarvester, g: ArrakisState, seat: int, act: RescueHarvester | Done) -> Flow:
    """Give up a carryall in place of the harvester."""
    assert isinstance(act, RescueHarvester)
    take_off(g, act.carryall)
    return END


@step("WFA-Y.147", "WFA-Y.148")
def carryall(f: WormTakesHarvester, g: ArrakisState) -> Flow:
    """Use a carryall whenever one may be given up."""
    if not g.vehicle(f.area)[HARVESTER]:
        return END
    zones = carryalls_for(f, g)
    return decide(f, g, [RescueHarvester(zone) for zone in zones], rescue, "WFA-Y.148") if zones else None


carryall.answer(rescue)
