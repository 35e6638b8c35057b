"""Rewards of prescience cards and special actions of leaders: what each row lets a seat do.

A row may be used in full, in part or not at all, so every frame here may be left; a row that nobody can use passes by.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from landsraad_engine.arrakis import desert_power, hands, movement, muster, tracks
from landsraad_engine.arrakis.acts import ChooseTarget, Done, target_choice
from landsraad_engine.arrakis.battle import attack
from landsraad_engine.arrakis.cards.play import PlayMore
from landsraad_engine.arrakis.elective import elective
from landsraad_engine.arrakis.operations import vocabulary as rows
from landsraad_engine.arrakis.regeneration import advance_leader
from landsraad_engine.arrakis.reinforcements import ANY, Reinforce
from landsraad_engine.arrakis.sides import FIGURES, LEADER, OPPONENT, WORMS, one
from landsraad_engine.arrakis.terms import UNITS
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.kernel.frames import END, Chain, Flow, Frame, goto, rule, step

#: Carries a row out for a seat.
Effect: TypeAlias = Callable[[Any, ArrakisState, int], Frame | None]


@rule("WFA-A.12", "WFA-Q.1")
def effect(row: rows.Operation, g: ArrakisState, seat: int) -> Frame | None:
    """The frame that carries a row out; None if there is nothing to do."""
    return EFFECTS[type(row)](row, g, seat)


# ---- Markers and cards ----


def advance_marker(row: rows.AdvanceMarkerRow, g: ArrakisState, seat: int) -> Frame:
    if row.marker == "any":
        return tracks.AdvanceAnyMarker(steps=row.steps)
    return tracks.AdvanceMarker(marker=row.marker, steps=row.steps)


def draw_cards(row: rows.DrawCardsRow, g: ArrakisState, seat: int) -> Frame:
    return muster.DrawPlanningCards(seat=seat, cards=row.count, decks=() if row.deck == "any" else (row.deck,))


def play_cards(row: rows.PlayCardsRow, g: ArrakisState, seat: int) -> Frame:
    return PlayMore(seat=seat, count=row.count)


def return_cards(row: rows.ReturnCardsRow, g: ArrakisState, seat: int) -> Frame:
    return hands.ReturnCards(seat=seat, count=row.count)


def opponent_discards(row: rows.OpponentDiscardsRow, g: ArrakisState, seat: int) -> Frame:
    opponents = g.seats_of(OPPONENT[g.side(seat)])
    if row.choice == "own":
        return hands.give_up_cards(opponents, row.count)
    return hands.LoseCards(seats=opponents, count=row.count)


def look_at_hand(row: rows.LookAtHandRow, g: ArrakisState, seat: int) -> Frame:
    return hands.LookAtHand(seat=seat)


# ---- Legions ----


@rule("WFA-A.35", "WFA-L.25")
def _with(g: ArrakisState, leader: str) -> tuple[str, bool]:
    """The leader whose legion a row is for now, and whether there is one: his figure must be on the board."""
    return (g.bearer(leader), bool(g.standing_at(leader))) if leader else ("", True)


@rule("WFA-L.4", "WFA-L.38", "WFA-A.35")
def move_legions(row: rows.MoveLegionsRow, g: ArrakisState, seat: int) -> Frame | None:
    """Once more, and then next door, only if the mark "here" says that the legion has moved, whatever came of it."""
    leader, there = _with(g, row.holding)
    if not there or (row.again and "here" not in g.table):
        return None
    # All of these can be reached on foot, so no flight is open to any of them.
    next_door = g.board.names(g.board.adjacent[g.standing_at(leader) or g.table["here"]]) if row.again else ()
    return movement.MoveLegions(seat=seat, count=row.count, holding=leader, targets=next_door, noted=bool(leader))


def attack_with(row: rows.AttackWithRow, g: ArrakisState, seat: int) -> Frame | None:
    leader, there = _with(g, row.holding)
    return attack.AttackWith(seat=seat, holding=leader, surprise=row.surprise) if there else None


def upgrade_units(row: rows.UpgradeUnitsRow, g: ArrakisState, seat: int) -> Frame:
    return muster.Upgrade(seat=seat, count=row.count, kind=UNITS.index(row.unit), by=UNITS.index(row.by))


def place_units(row: rows.PlaceUnitsRow, g: ArrakisState, seat: int) -> Frame:
    side = g.side(seat)
    join = (row.holding or ANY) if row.where == "legion" else ""
    areas = () if join else g.board.names(muster.held_settlements(g, side))
    units = (row.units.regular, row.units.elite, row.units.special)
    spread = row.where == "settlements"
    return Reinforce(seat=seat, units=units, areas=areas, leaders=row.leaders, spread=spread, join=join)


def deploy_tokens(row: rows.DeployTokensRow, g: ArrakisState, seat: int) -> Frame:
    spread = row.where == "sietches"
    return muster.DeployTokenAndLeader(seat=seat, tokens=row.tokens, leaders=row.leaders, spread=spread)


# ---- Leaders ----


def remove_generic_leaders(row: rows.RemoveGenericLeadersRow, g: ArrakisState, seat: int) -> Frame:
    return RemoveGenericLeaders(seat=seat, count=row.count)


class RemoveGenericLeaders(Frame):
    """Enemy generic leaders go off the board, each from a sector with an own legion."""

    seat: int
    count: int

    @step("WFA-L.17", "WFA-A.12")
    def choose(f, g: ArrakisState) -> Flow:
        side = g.side(f.seat)
        enemy, own = OPPONENT[side], g.survey().legions(side)
        led = [area for area in g.board.names(g.survey().legions(enemy)) if g.figures(enemy, area)[LEADER]]
        areas = tuple(area for area in led if g.board.same_sectors(g.board.bit[area]) & own)
        if not f.count or not areas:
            return END
        choice = target_choice("remove_leader", areas)
        return elective((f.seat,), choice, why="WFA-L.17")

    @choose.answer
    def chosen(f, g: ArrakisState, seat: int, act: ChooseTarget | Done) -> Flow:
        if isinstance(act, Done):
            return END
        g.dismiss(OPPONENT[g.side(f.seat)], act.target, one(FIGURES, LEADER))
        f.count -= 1
        return goto("choose")


def advance_tank(row: rows.AdvanceTankRow, g: ArrakisState, seat: int) -> Frame:
    return AdvanceInTank(seat=seat, steps=row.steps)


class AdvanceInTank(Frame):
    """One own leader moves on in the tank."""

    seat: int
    steps: int

    @step("WFA-A.12", "WFA-T.3")
    def choose(f, g: ArrakisState) -> Flow:
        inside = tuple(leader for leader, _ in g.leaders_of(g.side(f.seat)) if g.in_tank(leader))
        if not inside:
            return END
        choice = target_choice("advance_leader", inside)
        return elective((f.seat,), choice, why="WFA-A.12")

    @choose.answer
    def chosen(f, g: ArrakisState, seat: int, act: ChooseTarget | Done) -> Flow:
        if isinstance(act, ChooseTarget):
            advance_leader(g, act.target, f.steps)
        return None


# ---- The desert ----


@rule("WFA-A.24")
def take_desert_power(row: rows.DesertPowerRow, g: ArrakisState, seat: int) -> Frame:
    frame: Frame = desert_power.DesertPower(seat=seat)
    for _ in range(row.count - 1):
        frame = Chain(desert_power.DesertPower(seat=seat), frame)
    return frame


def place_wormsigns(row: rows.PlaceWormsignsRow, g: ArrakisState, seat: int) -> Frame:
    return desert_power.PlaceWormsigns(seat=seat, count=row.count)


@rule("WFA-L.22", "WFA-L.33")
def drive_worm(row: rows.DriveWormRow, g: ArrakisState, seat: int) -> Frame:
    kinds = WORMS if row.worm == "any" else (row.worm,)
    return desert_power.DriveWorm(seat=seat, kinds=kinds, enters=row.enters, moves=row.moves, attacks=row.attacks)


#: One for each row that a reward or a special action may have; UseAnyResult leads back to special actions themselves,
#: so `leaders/special.py` carries it out.
EFFECTS: Final[Mapping[type[rows.Operation], Effect]] = {
    rows.AdvanceMarkerRow: advance_marker,
    rows.DrawCardsRow: draw_cards,
    rows.PlayCardsRow: play_cards,
    rows.ReturnCardsRow: return_cards,
    rows.OpponentDiscardsRow: opponent_discards,
    rows.LookAtHandRow: look_at_hand,
    rows.MoveLegionsRow: move_legions,
    rows.AttackWithRow: attack_with,
    rows.UpgradeUnitsRow: upgrade_units,
    rows.PlaceUnitsRow: place_units,
    rows.DeployTokensRow: deploy_tokens,
    rows.RemoveGenericLeadersRow: remove_generic_leaders,
    rows.DesertPowerRow: take_desert_power,
    rows.PlaceWormsignsRow: place_wormsigns,
    rows.DriveWormRow: drive_worm,
    rows.AdvanceTankRow: advance_tank,
}

FRAMES = (RemoveGenericLeaders, AdvanceInTank)
