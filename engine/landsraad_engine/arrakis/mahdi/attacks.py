"""Attacks of the automaton: on a Sietch, else on a legion."""

from typing import Any

from landsraad_engine.arrakis.acts import Attack
from landsraad_engine.arrakis.battle.battle import Battle
from landsraad_engine.arrakis.hooks import Permit
from landsraad_engine.arrakis.legions import note_flight
from landsraad_engine.arrakis.mahdi.automaton import AUTOMATON, decide
from landsraad_engine.arrakis.mahdi.combat_power import power_at, power_of
from landsraad_engine.arrakis.mahdi.distances import beside, reached_by_air
from landsraad_engine.arrakis.mahdi.priorities import best
from landsraad_engine.arrakis.mahdi.targets import target_area
from landsraad_engine.arrakis.mahdi.who import ByAutomaton, acting
from landsraad_engine.arrakis.mahdi.zones import TURN_FLIGHT
from landsraad_engine.arrakis.movement import ornithopters, take_ornithopter
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN
from landsraad_engine.arrakis.terms import AreaId
from landsraad_engine.arrakis.words import ArrakisState, Legion
from landsraad_engine.kernel.frames import END, Flow, rule, step


def _attack(area: AreaId, legion: Legion, target: AreaId, zone: str = "") -> Attack:
    return Attack(area, target, legion.units, legion.named, legion.tokens, zone)


@rule("WFA-Y.76")
def flights(g: ArrakisState, area: AreaId) -> tuple[str, ...]:
    """Return the zones whose ornithopter a legion could use now: none if one was used in this turn."""
    return () if TURN_FLIGHT in g.table else ornithopters(g, HARKONNEN, area)


# ---- What can be attacked ----


@rule("WFA-Y.61", "WFA-Y.62", "WFA-Y.63", "WFA-Y.65", "WFA-Y.66")
def sietch_options(f: ByAutomaton, g: ArrakisState) -> list[Attack]:
    """Return every attack on a Sietch that is open: next door, or two areas away by ornithopter."""
    survey = g.survey()
    open_areas = survey.sietches & ~survey.worms
    found = []
    for area, legion in acting(f, g, Permit.ATTACK).items():
        power = power_of(legion)
        near = beside(g, area) & open_areas
        zones = flights(g, area)
        far = reached_by_air(g, area) & open_areas & ~near if zones else 0
        for targets, ways in ((near, ("",)), (far, zones)):
            for target in g.board.names(targets):
                if power > power_at(g, ATREIDES, target):
                    found += [_attack(area, legion, target, zone) for zone in ways]
    return found


@rule("WFA-Y.67", "WFA-Y.68", "WFA-Y.66")
def legion_options(f: ByAutomaton, g: ArrakisState) -> list[Attack]:
    """Return every attack on a legion next door that is weaker."""
    survey = g.survey()
    open_areas = survey.atreides & ~survey.worms
    found = []
    for area, legion in acting(f, g, Permit.ATTACK).items():
        power = power_of(legion)
        near = g.board.names(beside(g, area) & open_areas)
        found += [_attack(area, legion, target) for target in near if power > power_at(g, ATREIDES, target)]
    return found


# ---- What is best ----


@rule("WFA-Y.64")
def sietch_worth(g: ArrakisState, act: Attack) -> tuple[Any, ...]:
    """Return the worth of an attack on a Sietch: its rank, the difference of power, on foot, the Target."""
    difference = power_at(g, HARKONNEN, act.source).over(power_at(g, ATREIDES, act.target))
    return g.rank(ATREIDES, act.target), difference, not act.ornithopter, act.target == target_area(g)


@rule("WFA-Y.69")
def legion_worth(g: ArrakisState, act: Attack) -> tuple[Any, ...]:
    """Return the worth of an attack on a legion: its power, and a named leader in it."""
    return power_at(g, ATREIDES, act.target), bool(g.named_at(ATREIDES, act.target))


@rule("WFA-Y.58", "WFA-Y.64", "WFA-Y.69")
def best_attacks(f: ByAutomaton, g: ArrakisState) -> list[Attack]:
    """Return the best attacks: those on a Sietch, if there is any, else those on a legion."""
    if on_sietches := sietch_options(f, g):
        return best(on_sietches, lambda act: sietch_worth(g, act))
    return best(legion_options(f, g), lambda act: legion_worth(g, act))


# ---- Attacking ----


def begin(f: "AttackByAutomaton", g: ArrakisState, seat: int, act: Attack) -> Flow:
    """Use up the ornithopter, if it takes one."""
    f.source, f.target = act.source, act.target
    if take_ornithopter(g, act.ornithopter):
        g.set_mark(TURN_FLIGHT, True)
        note_flight(g, act.source)
    return None


class AttackByAutomaton(ByAutomaton):
    """Attack with one legion, if any can."""

    surprise: bool = False
    effects: tuple[str, ...] = ()
    source: AreaId = ""
    target: AreaId = ""

    @step("WFA-Y.58", "WFA-Y.64", "WFA-Y.69")
    def attack(f, g: ArrakisState) -> Flow:
        attacks = best_attacks(f, g)
        return decide(f, g, attacks, begin, "WFA-Y.64") if attacks else END

    attack.answer(begin)

    @step("WFA-Y.60")
    def battle(f, g: ArrakisState) -> Flow:
        return Battle(seat=AUTOMATON, source=f.source, target=f.target, surprise=f.surprise, effects=f.effects)


FRAMES = (AttackByAutomaton,)
