"""5: Movement Round: the order of the movement turns, and one turn."""

from typing import Any, Final

from landsraad_engine.dune import promises
from landsraad_engine.dune.acts import Pass, or_pass
from landsraad_engine.dune.entering import REFUSED
from landsraad_engine.dune.hooks import Instead, Query, Timing
from landsraad_engine.dune.manoeuvre import ManoeuvrePhase
from landsraad_engine.dune.shipment import ShipmentPhase
from landsraad_engine.dune.words import DuneState
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.frames import Call, Flow, Frame, goto, rule, step

#: The window after the manoeuvre, in which cards may still be played in one's own turn.
WINDOW: Final = "movement_turn"


@rule("DUNE-1.14", "DUNE-GUI.5")
def next_mover(g: DuneState) -> str | None:
    """The faction whose movement turn comes next."""
    done = g.table["moved"]
    order: tuple[str, ...] = g.query(Query.MOVEMENT_ORDER, g.dot_order())
    return next((faction for faction in order if faction not in done), None)


class MovementRound(Frame):
    """Every faction has one movement turn, in dot order unless an ability changes that."""

    @step("DUNE-5.1")
    def open_round(f, g: DuneState) -> Flow:
        g.set_mark("moved", ())
        return g.at(Timing.MOVEMENT_BEGINS)

    @step("DUNE-GUI.4", "DUNE-GUI.8")
    def before_turn(f, g: DuneState) -> Flow:
        faction = next_mover(g)
        return goto("close_round") if faction is None else g.at(Timing.BEFORE_MOVEMENT_TURN, faction)

    @step("DUNE-1.14", "DUNE-5.1")
    def turn(f, g: DuneState) -> Flow:
        # Somebody may have stepped in and moved instead, as the last one to do so.
        faction = next_mover(g)
        return goto("close_round") if faction is None else Call(MovementTurn(faction=faction), "before_turn")

    @step("DUNE-5.1", "DUNE-T.20")
    def close_round(f, g: DuneState) -> Flow:
        for faction in g.dot_order():
            give_up_promises(g, faction)  # also what was promised after the own movement turn
        g.set_mark("moved", None)
        g.set_mark(REFUSED, None)
        return g.at(Timing.MOVEMENT_ENDS)


class MovementTurn(Frame):
    """One faction's shipment and manoeuvre."""

    faction: str

    @step("DUNE-5.1")
    def begin(f, g: DuneState) -> Flow:
        g.set_mark("moved", (*g.table["moved"], f.faction))
        g.set_mark(REFUSED, None)
        return None

    @step("DUNE-5.1", "DUNE-5.2")
    def ship(f, g: DuneState) -> Flow:
        return ShipmentPhase(faction=f.faction)

    @step("DUNE-5.1", "DUNE-5.11")
    def manoeuvre(f, g: DuneState) -> Flow:
        return ManoeuvrePhase(faction=f.faction)

    @step("DUNE-T.34")
    def anything_more(f, g: DuneState) -> Flow:
        # The window opens to every faction with cards, so that it says nothing about them.
        if not g.hand(f.faction):
            return None
        seat = g.seat_of(f.faction)
        plays = g.query(Query.MOVEMENT_PLAYS, (), f.faction)
        return Ask.quiet({seat: or_pass(*plays)}, why="DUNE-T.34", window=WINDOW, default=Pass())

    @anything_more.answer
    def more(f, g: DuneState, answers: dict[int, Any]) -> Flow:
        (act,) = answers.values()
        play = None if isinstance(act, Pass) else g.instead(Instead.MOVEMENT_PLAY, f.faction, act)
        return Call(play, "anything_more") if play else None

    @step("DUNE-T.20", "DUNE-R.18")
    def unkept_promises(f, g: DuneState) -> Flow:
        give_up_promises(g, f.faction)
        return None


@rule("DUNE-T.20", "DUNE-R.18")
def give_up_promises(g: DuneState, faction: str) -> None:
    """Say of every promise to enter a territory that has not been kept that it cannot be kept any more."""
    for promise in promises.promises(g, faction, "enter"):
        if promise.yes:
            promises.judge(g, promise, possible=False)


FRAMES = (MovementRound, MovementTurn)
