"""Demands of prescience cards that must be done: each can be done now or not, and once claimed it is."""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from landsraad_engine.arrakis.acts import GiveUpForces
from landsraad_engine.arrakis.board import AreaSet
from landsraad_engine.arrakis.hands import give_up_cards, number_held, of_deck
from landsraad_engine.arrakis.legions import Settle
from landsraad_engine.arrakis.operations import vocabulary as rows
from landsraad_engine.arrakis.operations.conditions import in_sectors
from landsraad_engine.arrakis.regeneration import ToTank
from landsraad_engine.arrakis.sides import OPPONENT
from landsraad_engine.arrakis.terms import UNITS, AreaId
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.arrakis.zones import TOKENS
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.frames import END, Flow, Frame, rule, step
from landsraad_engine.kernel.grammar import Alloc, Choice, OneOf, Subset


class Deed(NamedTuple):
    """Something that a seat must do to claim a card: whether it can, and the frame in which it does."""

    possible: Callable[[Any, ArrakisState, int], bool]
    done: Callable[[Any, ArrakisState, int], Frame | None]


# ---- Spending a die: as the turn's action, before anything else ----


@rule("WFA-Q.8")
def has_die(row: rows.SpendActionDieRow, g: ArrakisState, seat: int) -> bool:
    return bool(g.dice(g.dashboard(seat)))


def die_is_spent(row: rows.SpendActionDieRow, g: ArrakisState, seat: int) -> None:
    """The die went as the turn's action was chosen."""


# ---- A leader goes to the tank ----


@rule("WFA-L.25", "WFA-X.13")
def may_be_sent(row: rows.SendToTankRow, g: ArrakisState, seat: int) -> bool:
    area = g.standing_at(row.leader)
    if not area or row.where == "anywhere":
        return bool(area)
    return not g.board.same_sectors(g.board.bit[area]) & g.survey().legions(OPPONENT[g.side(seat)])


def send(row: rows.SendToTankRow, g: ArrakisState, seat: int) -> Frame | None:
    return ToTank(leaders=(g.bearer(row.leader),)) if g.standing_at(row.leader) else None


# ---- Forces leave the board ----


def _settlements_with(row: rows.GiveUpForcesRow, g: ArrakisState, seat: int) -> AreaSet:
    side = g.side(seat)
    survey = g.survey()
    return survey.settlements(side) & survey.legions(side) & in_sectors(row.sectors, g)


def may_give_up(row: rows.GiveUpForcesRow, g: ArrakisState, seat: int) -> bool:
    areas = g.board.names(_settlements_with(row, g, seat))
    return any(
        len(g.tokens(area)) >= row.tokens or g.legion(g.side(seat), area).strength >= row.units for area in areas
    )


def give_up(row: rows.GiveUpForcesRow, g: ArrakisState, seat: int) -> Frame:
    areas = g.board.names(_settlements_with(row, g, seat))
    return GiveUp(seat=seat, areas=areas, tokens=row.tokens, units=row.units)


class GiveUp(Frame):
    """So many tokens, or so many units, leave one of these areas and the board."""

    seat: int
    areas: tuple[AreaId, ...]
    tokens: int
    units: int
    area: AreaId = ""

    @step("WFA-Q.9", "WFA-Q.28")
    def choose(f, g: ArrakisState) -> Flow:
        choices = [choice for area in f.areas for choice in _offers(f, g, area)]
        # Closed: a token that is turned up meanwhile may leave nothing that can be given up.
        return Ask.any_of((f.seat,), *choices, why="WFA-Q.9", closed=True) if choices else END

    @choose.answer
    def chosen(f, g: ArrakisState, seat: int, act: GiveUpForces) -> Flow:
        f.area = act.area
        g.dismiss(g.side(f.seat), act.area, (*act.units, 0))
        for token in act.tokens:
            g.move(TOKENS[act.area], "tokens_lost", token)
        return None

    @step("WFA-S.27")
    def left_alone(f, g: ArrakisState) -> Flow:
        return Settle(side=g.side(f.seat), area=f.area)


def _offers(f: GiveUp, g: ArrakisState, area: AreaId) -> list[Choice]:
    legion = g.legion(g.side(f.seat), area)
    offers = []
    for units, tokens in ((0, f.tokens), (f.units, 0)):
        if legion.strength >= units and len(legion.tokens) >= tokens:
            figures = Alloc(
                slots=UNITS, caps=tuple(min(there, units) for there in legion.units[:3]), low=units, high=units
            )
            hidden = Subset(tuple(sorted(legion.tokens)), tokens, tokens)
            offers.append(Choice(GiveUpForces, area=OneOf((area,)), units=figures, tokens=hidden))
    return offers


# ---- Cards are discarded ----


def _deck(row: rows.DiscardCardsRow) -> str:
    return "" if row.deck == "any" else row.deck


@rule("WFA-C.1", "WFA-G.68")
def may_discard(row: rows.DiscardCardsRow, g: ArrakisState, seat: int) -> bool:
    """Partners count together; the backs of their cards are open."""
    partners = [other for other in g.seats_of(g.side(seat)) if other != seat]
    theirs = sum(number_held(g, other, _deck(row)) for other in partners)
    return len(of_deck(g, g.discardable(seat), _deck(row))) + theirs >= row.count


def discard(row: rows.DiscardCardsRow, g: ArrakisState, seat: int) -> Frame:
    return give_up_cards(g.seats_of(g.side(seat)), row.count, _deck(row))


DEEDS: Final[Mapping[type[rows.Operation], Deed]] = {
    rows.SpendActionDieRow: Deed(has_die, die_is_spent),
    rows.SendToTankRow: Deed(may_be_sent, send),
    rows.GiveUpForcesRow: Deed(may_give_up, give_up),
    rows.DiscardCardsRow: Deed(may_discard, discard),
}

FRAMES = (GiveUp,)
