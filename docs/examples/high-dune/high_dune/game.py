"""The rules of High Dune."""

from collections.abc import Mapping, Sequence
from typing import Any

from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.frames import Flow, Frame, step
from landsraad_engine.kernel.game import Game
from landsraad_engine.kernel.grammar import Act, Choice, OneOf
from landsraad_engine.kernel.state import State
from landsraad_engine.kernel.zones import Content, Sight, Zone
from landsraad_engine.knowledge.views import SeatView

CARDS = tuple("123456789")
HAND = {0: "hand/0", 1: "hand/1"}


class Swap(Act, frozen=True):
    """Lay the card under the deck and draw another, or keep it."""

    yes: bool


class HighDune(Frame):
    """The whole game."""

    @step("HIGH-1.1")
    def deal(f, g: State) -> Flow:
        g.place("deck", CARDS)
        g.shuffle("deck")
        for hand in HAND.values():
            g.draw("deck", hand)

    @step("HIGH-1.2")
    def swap(f, g: State) -> Flow:
        choices = (Choice(Swap, yes=OneOf((False, True))),)
        return Ask.sealed(dict.fromkeys(HAND, choices), why="HIGH-1.2", default=Swap(False))

    @swap.answer
    def swapped(f, g: State, answers: dict[int, Swap]) -> Flow:
        for seat, act in answers.items():
            if act.yes:
                g.take(HAND[seat], "under", 0)
                g.draw("deck", HAND[seat])

    @step("HIGH-1.3")
    def show(f, g: State) -> Flow:
        shown = {seat: g.table[hand][0] for seat, hand in HAND.items()}
        for seat, hand in HAND.items():
            g.reveal(hand, shown[seat])
        g.finish("higher", (max(shown, key=lambda seat: shown[seat]),))


class HighDuneGame(Game):
    """High Dune, for two."""

    id = "high_dune"
    title = "High Dune"
    seats = (2,)
    state = State
    facade = SeatView
    acts = (Swap,)
    frames = (HighDune,)
    results = ("higher",)

    def layout(self, options: Mapping[str, Any], seats: int) -> Sequence[Zone]:
        return (
            Zone("deck", Content.PILE, Sight.BACKS, {"deck": (), "under": ()}, "card"),
            Zone("hand", Content.HAND, Sight.OWNER, {hand: (f"#{seat}",) for seat, hand in HAND.items()}, "card"),
        )

    def opening(self, g: Any) -> Frame:
        return HighDune()

    def census(self, g: Any) -> Mapping[str, Sequence[str]]:
        return {"card": CARDS}


HIGH_DUNE = HighDuneGame()
