"""Attacking: which legion may attack what, and the battle that follows."""

from landsraad_engine.arrakis.acts import Attack, Done
from landsraad_engine.arrakis.battle.battle import Battle
from landsraad_engine.arrakis.elective import elective
from landsraad_engine.arrakis.hooks import Permit
from landsraad_engine.arrakis.legions import Settle, TurnUpTokens, come_back, note_flight, set_apart
from landsraad_engine.arrakis.movement import (
    ForLegions,
    by_air,
    companions,
    going,
    holder,
    legions_for,
    on_the_ground,
    ornithopters,
    take_ornithopter,
)
from landsraad_engine.arrakis.sides import OPPONENT
from landsraad_engine.arrakis.terms import AreaId
from landsraad_engine.arrakis.words import ArrakisState, Legion
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.frames import END, Flow, rule, step
from landsraad_engine.kernel.grammar import Choice


class AttackWith(ForLegions):
    """Attack with one legion."""

    surprise: bool = False
    effects: tuple[str, ...] = ()
    #: only these areas may be attacked; empty: any
    targets: tuple[AreaId, ...] = ()
    source: AreaId = ""
    target: AreaId = ""
    #: tokens have been turned up in the area, so who of it attacks is said anew
    turned_up: bool = False

    @step("WFA-B.1", "WFA-B.3", "WFA-B.4", "WFA-M.17", "WFA-M.18", "WFA-M.25")
    def attack(f, g: ArrakisState) -> Flow:
        choices = attacks(f, g)
        if not choices:
            return END
        return elective((f.seat,), *choices, why="WFA-B.1")

    @attack.answer
    def attacking(f, g: ArrakisState, seat: int, act: Attack | Done) -> Flow:
        if isinstance(act, Done):
            return END
        side = g.side(f.seat)
        f.source, f.target = act.source, act.target
        if take_ornithopter(g, act.ornithopter):
            note_flight(g, act.source)
        if g.tokens(act.source) and remainder(g.legion(side, act.source), act) != Legion():
            f.turned_up = True
            return TurnUpTokens(area=act.source)
        stay_out(g, side, act)
        return None

    @step("WFA-S.23", "WFA-B.4", "WFA-S.28")
    def choose_anew(f, g: ArrakisState) -> Flow:
        """All tokens of an area that attacks are turned up, and some units may have had to go."""
        if not f.turned_up:
            return None
        legion = dict(legions_for(f, g, g.survey(), Permit.ATTACK)).get(f.source)
        if legion is None:
            return END
        choice = going(Attack, f.source, legion, (f.target,), (), (), holder(f, g), companions(f), whole=False)
        # Closed: it is still the same attack.
        return Ask.any_of((f.seat,), choice, why="WFA-B.4", closed=True)

    @choose_anew.answer
    def chosen_anew(f, g: ArrakisState, seat: int, act: Attack) -> Flow:
        stay_out(g, g.side(f.seat), act)
        return None

    @step("WFA-B.2")
    def battle(f, g: ArrakisState) -> Flow:
        return Battle(seat=f.seat, source=f.source, target=f.target, surprise=f.surprise, effects=f.effects)

    @step("WFA-B.4")
    def together(f, g: ArrakisState) -> Flow:
        """Those who stayed out of it are back, unless an advance has brought that about already."""
        side = g.side(f.seat)
        return Settle(side=side, area=f.source) if come_back(g, side, f.source) else END


def attacks(f: AttackWith, g: ArrakisState) -> list[Choice]:
    """Every attack that is open to the action now."""
    side = g.side(f.seat)
    enemy = OPPONENT[side]
    survey = g.survey()
    open_areas = (survey.legions(enemy) | survey.settlements(enemy)) & ~survey.worms
    if f.targets:
        open_areas &= g.board.set_of(f.targets)
    whole = not g.allowed(Permit.ATTACK_WITH_PART)
    wanted = () if whole else companions(f)
    found = []
    for area, legion in legions_for(f, g, survey, Permit.ATTACK):
        near = on_the_ground(g, side, survey, area) & open_areas
        zones = ornithopters(g, side, area)
        far = by_air(g, area) & open_areas & ~near if zones else 0
        if near or far:
            names = g.board.names
            found.append(going(Attack, area, legion, names(near), names(far), zones, holder(f, g), wanted, whole))
    return found


@rule("WFA-B.4")
def stay_out(g: ArrakisState, side: str, act: Attack) -> None:
    """Set apart what of the legion takes no part."""
    rest = remainder(g.legion(side, act.source), act)
    if rest != Legion():
        set_apart(g, side, act.source, act.source, rest)


def remainder(legion: Legion, act: Attack) -> Legion:
    """The part of a legion that stays out of an attack."""
    regular, elite, special, leader = (there - out for there, out in zip(legion.units, act.units, strict=True))
    named = tuple(leader for leader in legion.named if leader not in act.leaders)
    tokens = list(legion.tokens)
    for token in act.tokens:
        tokens.remove(token)
    return Legion((regular, elite, special, leader), named, tuple(tokens))


FRAMES = (AttackWith,)
