"""The Bene Gesserit: the abilities that the main rules do not know."""

from typing import Final

from landsraad_engine.dune.acts import PlaceToken, Predict
from landsraad_engine.dune.bidding import CHARITY
from landsraad_engine.dune.board import CELLS, part_of
from landsraad_engine.dune.control import CONQUEST, Verdict
from landsraad_engine.dune.hooks import Permit, Query, Timing
from landsraad_engine.dune.karama import Ability, Cancellable, stands
from landsraad_engine.dune.pieces import BENE_GESSERIT, FACTIONS
from landsraad_engine.dune.words import AT, RESERVES, DuneState
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.frames import Flow, Frame, rule, step
from landsraad_engine.kernel.grammar import Choice, OneOf, Range
from landsraad_engine.kernel.overrides import OverrideOrder, Source

source = Source(BENE_GESSERIT, BENE_GESSERIT)

PREDICTION: Final = "prediction"


# --- setting up


class Prediction(Frame):
    """The conqueror of Dune, and the turn, are written down before a piece is on the board."""

    @step("DUNE-BG.29", "DUNE-BG.30", "DUNE-BG.31", "DUNE-R.100")
    def predict(f, g: DuneState) -> Flow:
        """Any faction can conquer, their own included; a win by subterfuge never counts, so there is nothing to bar."""
        playing = tuple(faction for faction in FACTIONS if g.in_play(faction))
        return Ask.one(
            g.seat_of(BENE_GESSERIT),
            Choice(Predict, faction=OneOf(playing), turn=Range(1, g.options["length"])),
            why="DUNE-BG.29",
            closed=True,
        )

    @predict.answer
    def predicted(f, g: DuneState, seat: int, act: Predict) -> Flow:
        g.set_mark("prediction", (act.faction, act.turn))
        return None


@source.at(Timing.FACTIONS_KNOWN)
def prediction(g: DuneState) -> Frame:
    return Prediction()


class StartingToken(Frame):
    """One token anywhere, after all others have been placed; among others it coexists."""

    @step("DUNE-S.16", "DUNE-BG.32")
    def place(f, g: DuneState) -> Flow:
        choice = Choice(PlaceToken, cell=OneOf(CELLS))
        return Ask.one(g.seat_of(BENE_GESSERIT), choice, why="DUNE-S.16", closed=True)

    @place.answer
    def placed(f, g: DuneState, seat: int, act: PlaceToken) -> Flow:
        g.shift(RESERVES[BENE_GESSERIT], AT[BENE_GESSERIT][act.cell], (1, 0, 0))
        if len(g.occupants(part_of(act.cell, g.storm))) > 1:
            g.set_coexistence(BENE_GESSERIT, act.cell, True, rule="DUNE-BG.33")
        return None


@source.at(Timing.FORCES_PLACED, order=OverrideOrder.LAST)
def starting_token(g: DuneState) -> Frame:
    return StartingToken()


# --- Bidding Round


class Piety(Cancellable):
    """The Bene Gesserit draw charity, rich or poor, without having to claim it."""

    ability = Ability.PIETY
    owner = BENE_GESSERIT

    @rule("DUNE-BG.1")
    def stands(f, g: DuneState) -> Flow:
        g.gain(BENE_GESSERIT, CHARITY)
        return None


@source.at(Timing.BIDDING_BEGINS)
def piety(g: DuneState) -> Frame | None:
    return Piety() if g.turn >= 2 else None


@source.forbids(Permit.CHARITY_CLAIM)
@rule("DUNE-BG.1")
def need_not_claim(g: DuneState, faction: str) -> bool:
    return faction == BENE_GESSERIT and g.turn >= 2 and stands(g, Ability.PIETY)


# --- Control Round


@source.modifies(Query.VERDICT)
@rule("DUNE-0.3", "DUNE-8.12", "DUNE-8.13", "DUNE-8.14", "DUNE-BG.31", "DUNE-R.4")
def prediction_comes_true(g: DuneState, verdict: Verdict) -> Verdict:
    """If the faction foreseen conquers Dune in the turn foreseen, alone or allied, the game is theirs alone."""
    kind, winners = verdict
    faction, turn = g.table.get("prediction", (None, 0))
    return (PREDICTION, (BENE_GESSERIT,)) if kind == CONQUEST and turn == g.turn and faction in winners else verdict


@source.at(Timing.GAME_WON)
@rule("DUNE-8.12")
def show_prediction(g: DuneState, kind: str) -> None:
    if kind == PREDICTION:
        g.open("prediction")


FRAMES: tuple[type[Frame], ...] = (Prediction, StartingToken, Piety)
