"""The whole game, and the rounds of a game turn in their fixed order."""

from landsraad_engine.dune.battle.round import BattleRound
from landsraad_engine.dune.bidding import BiddingRound
from landsraad_engine.dune.collection import CollectionRound
from landsraad_engine.dune.control import ControlRound
from landsraad_engine.dune.movement import MovementRound
from landsraad_engine.dune.revival import RevivalRound
from landsraad_engine.dune.setup import Setup
from landsraad_engine.dune.spice_blow import SpiceBlowRound
from landsraad_engine.dune.storm import StormRound
from landsraad_engine.dune.words import DuneState
from landsraad_engine.frames import Flow, Frame, goto, step


class WholeGame(Frame):
    """Setup, then game turns until somebody has won or the last turn is over."""

    @step("DUNE-S.10")
    def setup(f, g: DuneState) -> Flow:
        return Setup()

    @step("DUNE-0.30", "DUNE-0.31")
    def game_turn(f, g: DuneState) -> Flow:
        return GameTurn()

    @step("DUNE-0.31")
    def again(f, g: DuneState) -> Flow:
        return goto("game_turn")


class GameTurn(Frame):
    """One game turn. The Control Round ends the game when it is won, or over."""

    @step("DUNE-0.31")
    def storm(f, g: DuneState) -> Flow:
        return StormRound()

    @step("DUNE-0.31")
    def spice_blow(f, g: DuneState) -> Flow:
        return SpiceBlowRound()

    @step("DUNE-0.31")
    def bidding(f, g: DuneState) -> Flow:
        return BiddingRound()

    @step("DUNE-0.31")
    def revival(f, g: DuneState) -> Flow:
        return RevivalRound()

    @step("DUNE-0.31")
    def movement(f, g: DuneState) -> Flow:
        return MovementRound()

    @step("DUNE-0.31")
    def battle(f, g: DuneState) -> Flow:
        return BattleRound()

    @step("DUNE-0.31")
    def collection(f, g: DuneState) -> Flow:
        return CollectionRound()

    @step("DUNE-0.31")
    def control(f, g: DuneState) -> Flow:
        return ControlRound()


FRAMES = (WholeGame, GameTurn)
