"""Weather Control: its player says how far the storm goes."""

from typing import Any

from landsraad_engine.dune.acts import PASS_ONLY, Pass, PlayCard, card_choice, or_pass
from landsraad_engine.dune.hooks import Timing
from landsraad_engine.dune.pieces import WEATHER_CONTROL
from landsraad_engine.dune.possible_holders import could_hold
from landsraad_engine.dune.words import DuneState
from landsraad_engine.kernel.asks import Answers, Ask
from landsraad_engine.kernel.frames import END, Flow, Frame, step
from landsraad_engine.kernel.grammar import Range
from landsraad_engine.kernel.overrides import OverrideOrder, Source

source = Source(WEATHER_CONTROL)

WINDOW = WEATHER_CONTROL


class WeatherControl(Frame):
    """The moment for Weather Control: the storm's card is known, the storm has not moved."""

    @step("DUNE-T.36", "DUNE-T.37")
    def window(f, g: DuneState) -> Flow:
        options = {
            g.seat_of(faction): _answers(g, faction)
            for faction in g.dot_order()
            if could_hold(g, faction, WEATHER_CONTROL)
        }
        if not options:
            return END
        return Ask.quiet(options, why="DUNE-T.36", window=WINDOW, default=Pass())

    @window.answer
    def played(f, g: DuneState, answers: dict[int, Any]) -> Flow:
        for seat, act in answers.items():
            if isinstance(act, PlayCard):
                g.discard(g.side(seat), WEATHER_CONTROL, rule="DUNE-T.13")
                # In place of the number just revealed; zero leaves the storm where it is.
                g.set_mark("storm_move", act.target, rule="DUNE-R.63")
        return None


def _answers(g: DuneState, faction: str) -> Answers:
    if WEATHER_CONTROL not in g.hand(faction):
        return PASS_ONLY
    return or_pass(card_choice(WEATHER_CONTROL, target=Range(0, 10)))


@source.at(Timing.STORM_CARD_SHOWN, order=OverrideOrder.FIRST)
def weather_control(g: DuneState) -> Frame:
    return WeatherControl()


FRAMES = (WeatherControl,)
