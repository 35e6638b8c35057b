"""The whole game, and the rounds of a game turn in their fixed order."""

from typing import Final

from landsraad_engine.dune.battle.round import BattleRound
from landsraad_engine.dune.bidding import BiddingRound
from landsraad_engine.dune.collection import CollectionRound
from landsraad_engine.dune.control import ControlRound
from landsraad_engine.dune.hooks import Timing
from landsraad_engine.dune.movement import MovementRound
from landsraad_engine.dune.revival import RevivalRound
from landsraad_engine.dune.setup import Setup
from landsraad_engine.dune.spice_blow import SpiceBlowRound
from landsraad_engine.dune.storm import StormRound
from landsraad_engine.dune.words import DuneState
from landsraad_engine.kernel.frames import END, Flow, Frame, goto, rule, step


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


#: The rounds of a game turn, in order, by the names that moments and deals use.
ROUNDS: Final[tuple[tuple[str, type[Frame]], ...]] = (
    ("storm", StormRound),
    ("spice_blow", SpiceBlowRound),
    ("bidding", BiddingRound),
    ("revival", RevivalRound),
    ("movement", MovementRound),
    ("battle", BattleRound),
    ("collection", CollectionRound),
    ("control", ControlRound),
)


class GameTurn(Frame):
    """One game turn. ``begun`` counts its rounds; the Control Round ends the game when it is won, or over."""

    begun: int = 0

    @step("DUNE-0.31")
    def round_begins(f, g: DuneState) -> Flow:
        name, _ = ROUNDS[f.begun]
        f.begun += 1
        return g.at(Timing.ROUND_BEGINS, name)

    @step("DUNE-0.31")
    def play_round(f, g: DuneState) -> Flow:
        _, round_ = ROUNDS[f.begun - 1]
        return round_()

    @step("DUNE-0.31")
    def round_is_over(f, g: DuneState) -> Flow:
        return goto("round_begins") if f.begun < len(ROUNDS) else END


def movement_is_over(g: DuneState) -> bool:
    """Return whether all shipping and moving of this turn is over."""
    return any(type(frame) in _AFTER_MOVEMENT for frame in g.stack)


@rule("DUNE-0.31", "DUNE-4.1")
def has_revived(g: DuneState, faction: str) -> bool:
    """Return whether a faction has had its turn in this game turn's Revival Round."""
    for frame in g.stack:
        if type(frame) is RevivalRound:
            return faction not in g.dot_order()[frame.revived :]
        if type(frame) is GameTurn and frame.begun > _REVIVAL:
            return True
    return any(type(frame) is MovementRound or type(frame) in _AFTER_MOVEMENT for frame in g.stack)


_REVIVAL: Final = 1 + [name for name, _ in ROUNDS].index("revival")
_AFTER_MOVEMENT: Final = (BattleRound, CollectionRound, ControlRound)

FRAMES = (WholeGame, GameTurn)
