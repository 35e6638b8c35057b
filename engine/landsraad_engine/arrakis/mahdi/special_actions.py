"""Special actions of the Harkonnen leaders, as the automaton carries them out."""

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from landsraad_engine.arrakis.acts import ChooseTarget
from landsraad_engine.arrakis.announcements import LeaderActs
from landsraad_engine.arrakis.hands import GiveUpCards, holding
from landsraad_engine.arrakis.leaders.entering import described
from landsraad_engine.arrakis.mahdi import attacks, card_targets, mentat, moves, placing, swapping
from landsraad_engine.arrakis.mahdi.automaton import decide
from landsraad_engine.arrakis.mahdi.priorities import best
from landsraad_engine.arrakis.mahdi.zones import LAST_MOVE
from landsraad_engine.arrakis.regeneration import advance_leader
from landsraad_engine.arrakis.sides import ATREIDES, ELITE, HARKONNEN, REGULAR, SPECIAL
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.arrakis.zones import CARD, SPENT, TANK
from landsraad_engine.kernel.frames import END, Chain, Flow, Frame, rule, step

# ---- Beast Rabban and Feyd-Rautha ----

RABBAN: Final = "beast_rabban"
FEYD: Final = "feyd_rautha"


class LegionMovesTwice(Frame):
    """The leader's legion moves, then what of it has moved goes on to an area next door."""

    leader: str

    @step("WFA-Y.48")
    def first(f, g: ArrakisState) -> Flow:
        g.set_mark(LAST_MOVE, None)
        return moves.MoveByAutomaton(holding=f.leader)

    @step("WFA-Y.48")
    def again(f, g: ArrakisState) -> Flow:
        part = g.table.get(LAST_MOVE)
        where = g.standing_at(f.leader)
        if part is None or not where:
            return END
        # A worm may have made it retreat meanwhile.
        return moves.MoveByAutomaton(holding=f.leader, grounded=True, part=(where, *part[1:]))


class LegionStrikes(Frame):
    """The leader's legion attacks; if it cannot, it moves, and then attacks if it can."""

    leader: str

    @step("WFA-Y.49")
    def move(f, g: ArrakisState) -> Flow:
        attack = attacks.AttackByAutomaton(holding=f.leader)
        return None if attacks.best_attacks(attack, g) else moves.MoveByAutomaton(holding=f.leader)

    @step("WFA-Y.49")
    def attack(f, g: ArrakisState) -> Flow:
        return attacks.AttackByAutomaton(holding=f.leader) if g.standing_at(f.leader) else END


def _can_move(g: ArrakisState, leader: str) -> bool:
    return g.on_board(leader) and moves.can_move(moves.MoveByAutomaton(holding=leader), g)


def _can_strike(g: ArrakisState, leader: str) -> bool:
    attack = attacks.AttackByAutomaton(holding=leader)
    return g.on_board(leader) and (bool(attacks.best_attacks(attack, g)) or _can_move(g, leader))


# ---- Leaders of the Possible Futures ----


class LegionMovesAndGrows(Frame):
    """The leader's legion moves, and an Elite joins it if there is room."""

    leader: str

    @step("WFA-Y.172")
    def move(f, g: ArrakisState) -> Flow:
        return moves.MoveByAutomaton(holding=f.leader)

    @step("WFA-Y.172")
    def grow(f, g: ArrakisState) -> Flow:
        return _growth(g, f.leader) if g.standing_at(f.leader) else END


def _growth(g: ArrakisState, leader: str) -> placing.PlaceByAutomaton:
    return placing.PlaceByAutomaton(units=(0, 1, 0), ranking=((g.standing_at(leader),),))


def _can_grow(g: ArrakisState, leader: str) -> bool:
    return _can_move(g, leader) or (g.on_board(leader) and bool(placing.ways_to_bring(_growth(g, leader), g)))


def advance(f: "AdvanceLastInTank", g: ArrakisState, seat: int, act: ChooseTarget) -> Flow:
    """Move a leader on in the tank."""
    advance_leader(g, act.target, f.steps)
    return None


class AdvanceLastInTank(Frame):
    """The leader furthest from the end of the tank moves on."""

    steps: int

    @step("WFA-Y.172")
    def choose(f, g: ArrakisState) -> Flow:
        last = last_in_tank(g)
        return (
            decide(f, g, [ChooseTarget("advance_leader", each) for each in last], advance, "WFA-Y.172") if last else END
        )

    choose.answer(advance)


@rule("WFA-Y.172")
def last_in_tank(g: ArrakisState) -> list[str]:
    """Return the Harkonnen leaders who are furthest from the end of the tank."""
    inside = {leader: TANK.index(g.table[key]) for leader, key in g.leaders_of(HARKONNEN) if g.in_tank(leader)}
    return best(inside, lambda leader: -inside[leader])


def _humans_discard(g: ArrakisState) -> GiveUpCards:
    return GiveUpCards(seats=g.seats_of(ATREIDES), count=1)


# ---- Everybody's ----


class Special(NamedTuple):
    """A special action: whether it would change anything, and the frame that carries it out."""

    possible: Callable[[ArrakisState, str], bool]
    frame: Callable[[ArrakisState, str], Frame]


def _swap(count: int, kind: int, by: int) -> Special:
    return Special(
        lambda g, _: swapping.can_swap(g, kind, by),
        lambda _, __: swapping.SwapByAutomaton(count=count, kind=kind, by=by),
    )


def _draw(cards: int, deck: str) -> Special:
    return Special(lambda g, _: mentat.can_draw(g, deck), lambda _, __: mentat.DrawAndPlay(count=cards, deck=deck))


def _deploy(units: tuple[int, int, int]) -> Special:
    return Special(
        lambda g, _: bool(placing.ways_to_bring(placing.deployment(g, units), g)),
        lambda g, _: placing.deployment(g, units),
    )


#: By leader. Who has no row here acts by the die alone.
SPECIALS: Final[Mapping[str, Special]] = {
    "baron_harkonnen": _swap(3, REGULAR, ELITE),  # WFA-Y.47
    RABBAN: Special(_can_move, lambda _, leader: LegionMovesTwice(leader=leader)),  # WFA-Y.48
    FEYD: Special(_can_strike, lambda _, leader: LegionStrikes(leader=leader)),  # WFA-Y.49
    "thufir_hawat": _draw(3, "house_harkonnen"),  # WFA-Y.50
    "gaius_helen_mohiam": _draw(3, "corrino_ally"),  # WFA-Y.51
    "captain_aramsham": _deploy((2, 0, 1)),  # WFA-Y.52
    "emperor_shaddam_iv": _swap(3, ELITE, SPECIAL),  # WFA-Y.53
    "piter_de_vries": Special(
        lambda g, _: mentat.can_draw(g, "house_harkonnen") or bool(holding(g, g.seats_of(ATREIDES))),
        lambda g, _: Chain(mentat.DrawAndPlay(count=2, deck="house_harkonnen"), _humans_discard(g)),
    ),  # WFA-Y.172
    "lady_fenring": _draw(2, ""),
    "princess_irulan": _draw(3, "corrino_ally"),
    "iakin_nefud": Special(_can_grow, lambda _, leader: LegionMovesAndGrows(leader=leader)),
    "count_fenring": Special(
        lambda g, _: swapping.can_swap(g, REGULAR, ELITE) or bool(card_targets.naibs_near_legions(g)),
        lambda _g, _: Chain(swapping.SwapByAutomaton(), card_targets.RemoveClosestNaib()),
    ),
    "dr_yueh": Special(lambda g, _: bool(last_in_tank(g)), lambda _g, _: AdvanceLastInTank(steps=2)),
}


@rule("WFA-Y.40", "WFA-Y.41")
def leaders_for(g: ArrakisState, result: str) -> tuple[str, ...]:
    """Return the leaders whose special action takes the place of a result's action."""
    there = (leader for leader, _ in g.leaders_of(HARKONNEN) if g.leader(leader).box == result)
    return tuple(
        leader
        for leader in there
        if leader in SPECIALS and g.has_special(leader) and SPECIALS[leader].possible(g, leader)
    )


class SpecialByAutomaton(Frame):
    """A leader's special action stands in for the regular one; the card is spent."""

    leader: str

    @step("WFA-Y.40", "WFA-Y.42", "WFA-Y.47", "WFA-Y.50", "WFA-Y.51", "WFA-Y.52", "WFA-Y.53")
    def act(f, g: ArrakisState) -> Flow:
        g.announce(LeaderActs(f.leader), rule=described(g, f.leader))
        return SPECIALS[f.leader].frame(g, f.leader)

    @step("WFA-Y.40")
    def spend(f, g: ArrakisState) -> Flow:
        bearer = g.bearer(f.leader)
        if CARD[bearer] in g.table:
            g.set_mark(CARD[bearer], SPENT)
        return None


FRAMES = (LegionMovesTwice, LegionStrikes, LegionMovesAndGrows, AdvanceLastInTank, SpecialByAutomaton)
