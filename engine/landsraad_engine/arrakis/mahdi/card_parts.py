"""Parts that the texts of several cards have in common, as the automaton carries them out: who, where and how many."""

from collections.abc import Callable, Iterable

from landsraad_engine.arrakis.cards.places import Where
from landsraad_engine.arrakis.hooks import Permit
from landsraad_engine.arrakis.leaders.entering import EnterPlay
from landsraad_engine.arrakis.mahdi.attacks import AttackByAutomaton, best_attacks
from landsraad_engine.arrakis.mahdi.card_texts import Part
from landsraad_engine.arrakis.mahdi.mentat import DrawAndPlay, can_draw
from landsraad_engine.arrakis.mahdi.military import Military, can_act
from landsraad_engine.arrakis.mahdi.moves import MoveByAutomaton, can_move
from landsraad_engine.arrakis.mahdi.placing import PlaceByAutomaton, Ranking, placing_order, ways_to_bring
from landsraad_engine.arrakis.mahdi.reinforcements_deck import add_in_turns
from landsraad_engine.arrakis.mahdi.swapping import SwapByAutomaton, can_swap
from landsraad_engine.arrakis.mahdi.vehicle_placement import PlaceByKind, unoccupied
from landsraad_engine.arrakis.sides import HARKONNEN, HARVESTER, VEHICLES
from landsraad_engine.arrakis.terms import AreaId
from landsraad_engine.arrakis.vehicles import harvester_areas
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.arrakis.zones import ASIDE
from landsraad_engine.kernel.frames import Frame, rule

# ---- Cards ----


@rule("WFA-Y.100")
def draw(cards: int) -> Part:
    """Draw so many cards onto the Reinforcements deck."""

    def carry_out(g: ArrakisState) -> None:
        add_in_turns(g, cards)

    return Part(can_draw, carry_out)


@rule("WFA-Y.101")
def draw_and_play(cards: int = 1, deck: str = "") -> Part:
    """Draw so many cards and play them at once."""
    return Part(lambda g: can_draw(g, deck), lambda _: DrawAndPlay(count=cards, deck=deck))


# ---- Leaders ----


def in_play(leader: str) -> Callable[[ArrakisState], bool]:
    """Return the condition that a leader is in play."""
    return lambda g: g.in_play(leader)


def not_entered(leader: str) -> Callable[[ArrakisState], bool]:
    """Return the condition that a leader has yet to enter play."""
    return lambda g: g.whereabouts(leader) is None


def enters(leader: str) -> Part:
    """A leader enters play who has not yet."""
    return Part(lambda g: g.whereabouts(leader) is None, lambda _: EnterPlay(leader=leader))


# ---- Units ----


def can_come(g: ArrakisState, leader: str) -> bool:
    """Return whether a leader can come from where he is: from the board or from off it, but not from the tank."""
    there = g.on_board(leader) or g.whereabouts(leader) == ASIDE
    return there and g.allowed(Permit.BRING, leader, default=True)


@rule("WFA-Y.98", "WFA-Y.171")
def bring(
    where: Where,
    units: tuple[int, int, int] = (0, 0, 0),
    *,
    leaders: int = 0,
    generic: int = 0,
    named: tuple[str, ...] = (),
    order: Callable[[ArrakisState, Iterable[AreaId]], Ranking] = placing_order,
) -> Part:
    """Bring figures to the first of some places, by the order of the House action or another."""

    def forces(g: ArrakisState) -> PlaceByAutomaton:
        coming = tuple(leader for leader in named if can_come(g, leader))
        ranking = order(g, g.board.names(where(g, HARKONNEN)))
        return PlaceByAutomaton(units=units, ranking=ranking, leaders=leaders, generic=generic, named=coming)

    return Part(lambda g: can_bring(forces(g), g), forces)


@rule("WFA-Y.104")
def can_bring(f: PlaceByAutomaton, g: ArrakisState) -> bool:
    """Return whether bringing these forces would change something: a leader may be there already."""
    return any(
        any(act.units) or any(g.whereabouts(leader) != act.place for leader in act.leaders)
        for act in ways_to_bring(f, g)
    )


@rule("WFA-Y.98")
def swap(count: int, kind: int, by: int) -> Part:
    """So many units of a kind become units of a better kind."""
    return Part(lambda g: can_swap(g, kind, by), lambda _: SwapByAutomaton(count=count, kind=kind, by=by))


# ---- Moving and attacking ----


@rule("WFA-Y.97")
def move(count: int = 1, *, unit: int = -1, holding: str = "") -> Part:
    """Move so many legions."""

    def moving(g: ArrakisState) -> MoveByAutomaton:
        return MoveByAutomaton(count=count, unit=unit, holding=holding)

    return Part(lambda g: can_move(moving(g), g), moving)


@rule("WFA-Y.97")
def attack(*, unit: int = -1, holding: str = "", surprise: bool = False, effects: tuple[str, ...] = ()) -> Part:
    """Attack with a legion."""

    def attacking(g: ArrakisState) -> AttackByAutomaton:
        return AttackByAutomaton(unit=unit, holding=holding, surprise=surprise, effects=effects)

    return Part(lambda g: bool(best_attacks(attacking(g), g)), attacking)


@rule("WFA-Y.97")
def attack_or_move(*, sources: tuple[AreaId, ...] = (), unit: int = -1, surprise: bool = False) -> Part:
    """Attack with a legion, else move one."""

    def action(g: ArrakisState) -> Military:
        return Military(sources=sources, unit=unit, surprise=surprise, moves=1)

    return Part(lambda g: can_act(action(g), g), action)


# ---- Vehicles ----


@rule("WFA-Y.99")
def vehicles(*kinds: tuple[str, int]) -> Part:
    """Place so many vehicles of each kind from off the board."""

    def possible(g: ArrakisState) -> bool:
        for kind, number in kinds:
            n = VEHICLES.index(kind)
            room = harvester_areas(g) if n == HARVESTER else unoccupied(g)
            if number and room and g.get("vehicles")[n]:
                return True
        return False

    return Part(possible, lambda _: PlaceByKind(kinds=kinds))


# ---- Anything else ----


def always(g: ArrakisState) -> bool:
    """Return True: what has this condition changes something at any time."""
    return True


def when(possible: Callable[[ArrakisState], object], frame: Callable[[ArrakisState], Frame | None]) -> Part:
    """Carry something out if it would change anything."""
    return Part(lambda g: bool(possible(g)), frame)
