"""Cards that bring a leader to the legion that makes the best attack with him."""

from typing import Any, cast

from landsraad_engine.arrakis.acts import ChooseTarget
from landsraad_engine.arrakis.legions import Settle
from landsraad_engine.arrakis.mahdi.attacks import (
    AttackByAutomaton,
    best_attacks,
    legion_options,
    legion_worth,
    sietch_options,
    sietch_worth,
)
from landsraad_engine.arrakis.mahdi.automaton import decide
from landsraad_engine.arrakis.mahdi.card_parts import can_come
from landsraad_engine.arrakis.mahdi.card_targets import closest, room
from landsraad_engine.arrakis.mahdi.card_texts import Part
from landsraad_engine.arrakis.mahdi.garrisons import available
from landsraad_engine.arrakis.mahdi.moves import MoveByAutomaton, can_move
from landsraad_engine.arrakis.mahdi.placing import placing_order
from landsraad_engine.arrakis.mahdi.who import ByAutomaton
from landsraad_engine.arrakis.sides import HARKONNEN, LEADER
from landsraad_engine.arrakis.terms import AreaId
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.arrakis.zones import FIGURE
from landsraad_engine.kernel.frames import END, Call, Flow, Frame, rule, step


def join_legion(f: "JoinBestAttack", g: ArrakisState, seat: int, act: ChooseTarget) -> Flow:
    """Bring the leader, and units as far as there is room, to a legion."""
    f.area = act.target
    reinforce(f, g, f.area)
    return Settle(side=HARKONNEN, area=f.area)


class JoinBestAttack(Frame):
    """A leader, and units, join the legion that with them makes the best attack, and it attacks by surprise.

    If none could attack: the first legion by the order of the House action, or with ``moves`` the closest to the Target
    Sietch, which moves, and with ``then_attacks`` attacks after that if it can.
    """

    leader: str
    units: tuple[int, int, int] = (0, 0, 0)
    #: only legions with such a unit (its place in the stack); -1: any
    unit: int = -1
    moves: bool = False
    then_attacks: bool = False
    area: AreaId = ""

    @step("WFA-Y.124", "WFA-Y.126", "WFA-Y.135")
    def choose(f, g: ArrakisState) -> Flow:
        areas = legions_to_join(f, g)
        if not areas:
            return END
        return decide(f, g, [ChooseTarget("join_legion", area) for area in areas], join_legion, "WFA-Y.124")

    choose.answer(join_legion)

    @step("WFA-Y.124", "WFA-Y.126", "WFA-Y.135")
    def attack(f, g: ArrakisState) -> Flow:
        attacking = AttackByAutomaton(sources=(f.area,), unit=f.unit, surprise=True)
        if best_attacks(attacking, g):
            return Call(attacking, "over")
        return MoveByAutomaton(sources=(f.area,), unit=f.unit) if f.moves else END

    @step("WFA-Y.126", "WFA-Y.49")
    def attack_after_moving(f, g: ArrakisState) -> Flow:
        here = g.table.get("here", "")
        if not f.then_attacks or not here:
            return END
        attacking = AttackByAutomaton(sources=(here,), unit=f.unit, surprise=True)
        return attacking if best_attacks(attacking, g) else END

    @step()
    def over(f, g: ArrakisState) -> Flow:
        return END


def reinforce(f: JoinBestAttack, g: ArrakisState, area: AreaId) -> None:
    """Bring the units for which there is room, and the leader if he can come."""
    if sum(f.units) <= room(g, area):
        g.recruit(HARKONNEN, area, available(g, (*f.units, 0)))
    if can_come(g, f.leader):
        g.set_mark(FIGURE[f.leader], area)


def _open_to(f: JoinBestAttack, g: ArrakisState) -> list[AreaId]:
    legions = ((area, legion) for area, legion in g.areas_of(HARKONNEN) if legion.size)
    return [area for area, legion in legions if f.unit < 0 or legion.units[f.unit]]


@rule("WFA-Y.124", "WFA-Y.126", "WFA-Y.135")
def legions_to_join(f: JoinBestAttack, g: ArrakisState) -> list[AreaId]:
    """Return the legions whose attack would be best with what joins them; if there is none, those that come first."""
    worth: dict[AreaId, Any] = {}
    for area in _open_to(f, g):
        twin = cast("ArrakisState", g.copy())
        reinforce(f, twin, area)
        who = ByAutomaton(sources=(area,), unit=f.unit)
        on_sietches = [(1, sietch_worth(twin, act)) for act in sietch_options(who, twin)]
        on_legions = [(0, legion_worth(twin, act)) for act in legion_options(who, twin)]
        if attacks := on_sietches or on_legions:
            worth[area] = max(attacks)
    if worth:
        return [area for area, each in worth.items() if each == max(worth.values())]
    areas = _open_to(f, g)
    if f.moves or not areas:
        return closest(g, areas)
    # Only units need room.
    coming = sum(available(g, (*f.units, 0)))
    return list(placing_order(g, [area for area in areas if coming and room(g, area)] or areas)[0])


def joining(leader: str, **fields: Any) -> Part:
    """Join the legion that makes the best attack with a leader."""

    def frame(g: ArrakisState) -> JoinBestAttack:
        return JoinBestAttack(leader=leader, **fields)

    return Part(lambda g: can_join(frame(g), g), frame)


@rule("WFA-Y.104")
def can_join(f: JoinBestAttack, g: ArrakisState) -> bool:
    """Return whether something would join a legion, or one attack or move."""
    areas = legions_to_join(f, g)
    if any(room(g, area) >= sum(f.units) > 0 for area in areas) and any(g.supply(HARKONNEN)[:LEADER]):
        return True
    if areas and can_come(g, f.leader) and any(g.whereabouts(f.leader) != area for area in areas):
        return True
    return any(
        best_attacks(ByAutomaton(sources=(area,), unit=f.unit), g)
        or (f.moves and can_move(MoveByAutomaton(sources=(area,), unit=f.unit), g))
        for area in areas
    )


FRAMES = (JoinBestAttack,)
