"""Parts that the texts of several planning cards have in common, put in the words of the cards.

Each function gives a deed, or is one. What figures do is the frames' business; here is who, where and how many.
"""

from typing import Literal

from landsraad_engine.arrakis.acts import ChooseTarget, Done, target_choice
from landsraad_engine.arrakis.battle.attack import AttackWith, attacks
from landsraad_engine.arrakis.cards.deck import CardCondition, CardPart
from landsraad_engine.arrakis.cards.places import Where
from landsraad_engine.arrakis.cards.play import PlayMore
from landsraad_engine.arrakis.desert_power import DesertPower
from landsraad_engine.arrakis.elective import elective
from landsraad_engine.arrakis.leaders.entering import EnterPlay
from landsraad_engine.arrakis.movement import ForLegions, MoveLegions, moves
from landsraad_engine.arrakis.muster import DrawPlanningCards, Upgrade
from landsraad_engine.arrakis.reinforcements import Reinforce
from landsraad_engine.arrakis.sides import ELITE, SPECIAL
from landsraad_engine.arrakis.vehicles import PlaceSomeVehicles
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.kernel.frames import END, Flow, Frame, rule, step

# ---- Cards and Desert Power ----


@rule("WFA-C.2")
def draw(cards: int) -> CardPart:
    return lambda _, seat: DrawPlanningCards(seat=seat, cards=cards)


@rule("WFA-C.3")
def play_one(g: ArrakisState, seat: int) -> Frame:
    return PlayMore(seat=seat)


@rule("WFA-A.24")
def desert_power(g: ArrakisState, seat: int) -> Frame:
    return DesertPower(seat=seat)


# ---- Leaders ----


@rule("WFA-L.35", "WFA-L.25")
def in_play(leader: str) -> CardCondition:
    return lambda g, _: g.in_play(leader)


def enters(leader: str) -> CardPart:
    return lambda _, seat: MayEnter(seat=seat, leader=leader)


class MayEnter(Frame):
    """A named leader may enter play, who has not yet."""

    seat: int
    leader: str

    @step("WFA-A.12", "WFA-L.2")
    def choose(f, g: ArrakisState) -> Flow:
        if g.whereabouts(f.leader) is not None:
            return END
        choice = target_choice("bring_in", (f.leader,))
        return elective((f.seat,), choice, why="WFA-L.2")

    @choose.answer
    def chosen(f, g: ArrakisState, seat: int, act: ChooseTarget | Done) -> Flow:
        return EnterPlay(leader=f.leader) if isinstance(act, ChooseTarget) else END


# ---- Figures ----


@rule("WFA-C.4", "WFA-C.84", "WFA-S.19")
def bring(
    where: Where | None = None,
    regular: int = 0,
    elite: int = 0,
    special: int = 0,
    *,
    leaders: int = 0,
    generic: bool = False,
    named: tuple[str, ...] = (),
    noted: bool = False,
    join: str = "",
    empty: bool = False,
) -> CardPart:
    """Bring figures to one of the places, or to a legion."""

    def deed(g: ArrakisState, seat: int) -> Frame:
        return Reinforce(
            seat=seat,
            units=(regular, elite, special),
            areas=g.board.names(where(g, g.side(seat))) if where else (),
            leaders=leaders,
            generic=generic,
            named=named,
            noted=noted,
            join=join,
            empty=empty,
        )

    return deed


def place_vehicles(*kinds: str) -> CardPart:
    return lambda _, seat: PlaceSomeVehicles(kinds=kinds, seats=(seat,))


@rule("WFA-A.21", "WFA-S.17")
def elites_become_special(g: ArrakisState, seat: int) -> Frame:
    """Two Elites on the board are exchanged for Special Elites."""
    return Upgrade(seat=seat, count=2, kind=ELITE, by=SPECIAL)


# ---- Moving and attacking ----


@rule("WFA-C.5")
def move(
    count: int = 1,
    where: Where | None = None,
    *,
    to: Where | None = None,
    straight: bool = False,
    unit: int = -1,
    led: bool = False,
    noted: bool = False,
) -> CardPart:
    """Move so many legions: any, or those in some places, with a unit, with a leader; anywhere, or to some places."""

    def deed(g: ArrakisState, seat: int) -> Frame | None:
        side = g.side(seat)
        sources = g.board.names(where(g, side)) if where else ()
        targets = g.board.names(to(g, side)) if to else ()
        if (where and not sources) or (to and not targets):
            return None
        return MoveLegions(
            seat=seat,
            count=count,
            sources=sources,
            targets=targets,
            straight=straight,
            unit=unit,
            led=led,
            noted=noted,
        )

    return deed


@rule("WFA-C.5")
def attack(
    where: Where | None = None, *, unit: int = -1, surprise: bool = False, effects: tuple[str, ...] = ()
) -> CardPart:
    """Attack with a legion."""

    def deed(g: ArrakisState, seat: int) -> Frame | None:
        sources = g.board.names(where(g, g.side(seat))) if where else ()
        if where and not sources:
            return None
        return AttackWith(seat=seat, sources=sources, unit=unit, surprise=surprise, effects=effects)

    return deed


def move_or_attack(
    where: Where | None = None,
    *,
    unit: int = -1,
    led: bool = False,
    surprise: bool = False,
    effects: tuple[str, ...] = (),
) -> CardPart:
    """Move a legion, or attack with it."""

    def deed(g: ArrakisState, seat: int) -> Frame | None:
        sources = g.board.names(where(g, g.side(seat))) if where else ()
        if where and not sources:
            return None
        return MoveOrAttack(seat=seat, sources=sources, unit=unit, led=led, surprise=surprise, effects=effects)

    return deed


class MoveOrAttack(ForLegions):
    """A legion moves, or attacks; which of the two is said first."""

    surprise: bool = False
    effects: tuple[str, ...] = ()

    @step("WFA-C.5", "WFA-A.5", "WFA-A.12")
    def choose(f, g: ArrakisState) -> Flow:
        open_ = [deed for deed, ways in (("move", moves(_move(f), g)), ("attack", attacks(_attack(f), g))) if ways]
        if not open_:
            return END
        choice = target_choice("choose_deed", tuple(open_))
        return elective((f.seat,), choice, why="WFA-C.5")

    @choose.answer
    def chosen(f, g: ArrakisState, seat: int, act: ChooseTarget | Done) -> Flow:
        if isinstance(act, Done):
            return END
        return _move(f) if act.target == "move" else _attack(f)


def _move(f: MoveOrAttack) -> MoveLegions:
    return MoveLegions(seat=f.seat, count=1, sources=f.sources, unit=f.unit, led=f.led)


def _attack(f: MoveOrAttack) -> AttackWith:
    return AttackWith(seat=f.seat, sources=f.sources, unit=f.unit, led=f.led, surprise=f.surprise, effects=f.effects)


class DrawOrPlay(Frame):
    """Draw two cards, or play one more."""

    seat: int

    @step("WFA-C.57", "WFA-A.12")
    def choose(f, g: ArrakisState) -> Flow:
        deeds: tuple[Literal["draw", "play"], ...] = ("draw", "play")
        return elective((f.seat,), target_choice("choose_deed", deeds), why="WFA-C.57")

    @choose.answer
    def chosen(f, g: ArrakisState, seat: int, act: ChooseTarget | Done) -> Flow:
        if isinstance(act, Done):
            return END
        return DrawPlanningCards(seat=f.seat, cards=2) if act.target == "draw" else PlayMore(seat=f.seat)


FRAMES = (MayEnter, MoveOrAttack, DrawOrPlay)
