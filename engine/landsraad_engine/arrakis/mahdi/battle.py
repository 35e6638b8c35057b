"""Battles of the automaton: cards for dice, going on, advancing, and where retreats lead."""

from landsraad_engine.arrakis.acts import Displace, RetreatTo
from landsraad_engine.arrakis.atomics import DisplaceLegion
from landsraad_engine.arrakis.battle.battle import Battle, may_advance
from landsraad_engine.arrakis.battle.retreat import RetreatFrom, retreats
from landsraad_engine.arrakis.battle.rounds import BattleRound, InBattle, dice, face_to_face
from landsraad_engine.arrakis.board import AreaSet
from landsraad_engine.arrakis.hooks import Permit, Query, Timing
from landsraad_engine.arrakis.legions import Settle, TurnUpTokens, come_back, dissolve, relocate
from landsraad_engine.arrakis.mahdi.automaton import AUTOMATON, humans
from landsraad_engine.arrakis.mahdi.combat_power import power_at
from landsraad_engine.arrakis.mahdi.distances import beside
from landsraad_engine.arrakis.mahdi.garrisons import LeaveSettlement, TurnUpGarrisons, is_left
from landsraad_engine.arrakis.mahdi.numbers import CEASE_AT, COMBAT_DICE
from landsraad_engine.arrakis.mahdi.reinforcements_deck import discard_top, number
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN
from landsraad_engine.arrakis.terms import AreaId
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.frames import END, Call, Chain, Flow, Frame, goto, rule, step
from landsraad_engine.kernel.grammar import Choice, OneOf
from landsraad_engine.kernel.overrides import Source

source = Source("battles of the automaton")


def attacks(f: InBattle, g: ArrakisState) -> bool:
    """Return whether the automaton is the attacker."""
    return f.seat == AUTOMATON


def defends(f: InBattle, g: ArrakisState) -> bool:
    """Return whether the automaton is the defender."""
    return f.seat != AUTOMATON


# ---- Before the first round ----


@step("WFA-Y.159", "WFA-Y.160", "WFA-B.6")
def turn_up_tokens(f: Battle, g: ArrakisState) -> Flow:
    """Turn up the tokens of both sides."""
    return Chain(TurnUpTokens(area=f.area(g, ATREIDES)), TurnUpGarrisons(area=f.area(g, HARKONNEN)))


@rule("WFA-Y.140", "WFA-Y.141")
def ceases(f: InBattle, g: ArrakisState) -> bool:
    """Return whether its legion is worth so much less than the other that it ceases the attack."""
    part, whole = CEASE_AT
    own, other = power_at(g, HARKONNEN, f.source), power_at(g, ATREIDES, f.target)
    return own.detailed * whole <= other.detailed * part


@step("WFA-Y.141", "WFA-B.48")
def undefended(f: Battle, g: ArrakisState) -> Flow:
    """As usual, but it may cease before the first round."""
    flow = Battle.STEPS["undefended"].fn(f, g)
    return goto("defended") if flow is None and ceases(f, g) else flow


# ---- Rounds ----


@rule("WFA-Y.136", "WFA-Y.166", "WFA-Y.167")
def discards(f: BattleRound, g: ArrakisState) -> int:
    """Discard as many cards as it needs for its dice, or as there are; return how many."""
    have, most = dice(f, g, HARKONNEN)
    if not face_to_face(f, g) or not g.allowed(Permit.COMBAT_DISCARD, HARKONNEN, f, default=True):
        return 0
    wanted = min(max(0, min(most, COMBAT_DICE) - have), number(g))
    for _ in range(wanted):
        discard_top(g)
    return wanted


@step("WFA-Y.136", "WFA-Y.166")
def attacker_discards(f: BattleRound, g: ArrakisState) -> Flow:
    f.cards = (discards(f, g), 0)
    return None


@step("WFA-Y.136", "WFA-Y.166")
def defender_discards(f: BattleRound, g: ArrakisState) -> Flow:
    f.cards = (f.cards[0], discards(f, g))
    return None


# ---- After a round ----


@step("WFA-Y.140", "WFA-Y.141")
def go_on(f: Battle, g: ArrakisState) -> Flow:
    """Go on unless the legion is worth too little by now."""
    if not face_to_face(f, g):
        return goto("destroyed")
    return goto("defended" if ceases(f, g) else "price")


@source.modifies(Query.PRICE_TO_CONTINUE)
@rule("WFA-Y.142")
def no_price(g: ArrakisState, hits: int, f: InBattle) -> int:
    """It pays no hit to go on against a Sietch."""
    return 0 if f.seat == AUTOMATON else hits


@step("WFA-Y.140")
def stand(f: Battle, g: ArrakisState) -> Flow:
    """Stand: its legions do not retreat in battle."""
    return goto("battle_round" if face_to_face(f, g) else "destroyed")


@step("WFA-Y.144")
def advance(f: Battle, g: ArrakisState) -> Flow:
    """Advance with the whole legion."""
    if not may_advance(f, g):
        return END
    relocate(g, HARKONNEN, f.source, f.target)
    return None


@step("WFA-Y.157", "WFA-S.27")
def left_behind(f: Battle, g: ArrakisState) -> Flow:
    """Lay tokens in a settlement that it has advanced from."""
    come_back(g, HARKONNEN, f.source)
    return after(Settle(side=HARKONNEN, area=f.source), g, f.source)


def after(frame: Frame | None, g: ArrakisState, area: AreaId) -> Frame | None:
    """Lay tokens in an area that a legion has left, after a frame."""
    if not is_left(g, area):
        return frame
    laid = LeaveSettlement(area=area)
    return Chain(frame, laid) if frame else laid


# ---- Retreats and displacement ----


@rule("WFA-Y.143", "WFA-Y.145", "WFA-Y.170")
def retreat_areas(f: RetreatFrom, g: ArrakisState) -> AreaSet:
    """Return where a legion retreats: its own over any border, the Atreides' to empty areas if there are any."""
    if f.side == ATREIDES:
        areas = retreats(g, f.side, f.area)
        empty = areas & ~g.survey().taken()
        return empty or areas
    if not g.allowed(Permit.RETREAT, f.side, f.area, default=True):
        return 0
    survey = g.survey()
    shunned: AreaSet = g.query(Query.SHUNNED, survey.wormsigns, f.side)
    return beside(g, f.area) & ~survey.barred(f.side) & ~shunned


@step("WFA-Y.143", "WFA-Y.145", "WFA-Y.170", "WFA-B.35")
def retreat_where(f: RetreatFrom, g: ArrakisState) -> Flow:
    """Ask the humans: about their own legion for the automaton, about its legions as its opponent."""
    areas = g.board.names(retreat_areas(f, g))
    if not areas or not g.size(f.side, f.area):
        return END
    seats = humans(g) if AUTOMATON in f.seats else f.seats
    return Ask.any_of(seats, Choice(RetreatTo, area=OneOf(areas)), why="WFA-Y.143")


def retreated_there(f: RetreatFrom, g: ArrakisState, seat: int, act: RetreatTo) -> Flow:
    """Move the legion, and lay tokens in a settlement that it has left."""
    g.at(Timing.RETREATS, f.side, f.area)
    f.target = act.area
    relocate(g, f.side, f.area, f.target)
    return after(None, g, f.area) if f.side == HARKONNEN else None


retreat_where.answer(retreated_there)


@step("WFA-Y.145", "WFA-Y.170", "WFA-H.43")
def displace_where(f: DisplaceLegion, g: ArrakisState) -> Flow:
    """Ask the humans where a legion goes that the Family Atomics displace, whoever's it is."""
    near = beside(g, f.area) if f.side == HARKONNEN else g.board.adjacent[f.area]
    areas = g.board.names(near & ~g.survey().barred(f.side))
    if not areas:
        fallen = dissolve(g, f.side, f.area)
        return Call(fallen, "over") if fallen else END
    return Ask.any_of(humans(g), Choice(Displace, area=OneOf(areas)), why="WFA-Y.145")


def displaced_there(f: DisplaceLegion, g: ArrakisState, seat: int, act: Displace) -> Flow:
    """Move the legion, and lay tokens in a settlement that it has left."""
    f.target = act.area
    relocate(g, f.side, f.area, f.target)
    return after(None, g, f.area) if f.side == HARKONNEN else None


displace_where.answer(displaced_there)
