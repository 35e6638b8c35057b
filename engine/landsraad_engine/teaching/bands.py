"""6: what each band can do that others cannot."""

from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.frames import Flow, Frame, rule, step
from landsraad_engine.kernel.grammar import Choice
from landsraad_engine.kernel.overrides import Source
from landsraad_engine.teaching.acts import Escape, Pass, Train
from landsraad_engine.teaching.hooks import Instead, Permit, Query, Timing
from landsraad_engine.teaching.market import Theft
from landsraad_engine.teaching.words import CAMP, WATER, TeachingState

amber = Source("amber", "amber")
basalt = Source("basalt", "basalt")
coral = Source("coral", "coral")
dusk = Source("dusk", "dusk")


@amber.modifies(Query.PRICE)
@rule("TEACH-6.1")
def amber_haggles(g: TeachingState, price: int, buyer: str) -> int:
    return price - 1 if buyer == "amber" else price


@basalt.at(Timing.DAWN)
@rule("TEACH-6.2")
def basalt_trains(g: TeachingState) -> Frame | None:
    return Training() if g.camp("basalt")[0] else None


class Training(Frame):
    """Basalt may turn a rider of its camp into an elder for one water."""

    @step("TEACH-6.2")
    def train(f, g: TeachingState) -> Flow:
        # A worm called meanwhile may have eaten the last rider; the question is put all the same.
        training = (Choice(Train),) if g.water("basalt") and g.camp("basalt")[0] else ()
        return Ask.one(g.seat("basalt"), Choice(Pass), *training, why="TEACH-6.2", default=Pass())

    @train.answer
    def trained(f, g: TeachingState, seat: int, act: Train | Pass) -> Flow:
        if isinstance(act, Train):
            riders, elders = g.camp("basalt")
            g.pay("basalt", 1)
            g.exchange(CAMP["basalt"], (riders - 1, elders + 1))
        return None


@coral.at(Timing.OFFER)
@rule("TEACH-6.3")
def coral_looks(g: TeachingState) -> None:
    g.look("offer", g.sides["coral"])


@dusk.permits(Permit.BID)
@rule("TEACH-6.5")
def dusk_carries_any_number(g: TeachingState, band: str) -> bool:
    return band == "dusk"


@dusk.instead_of(Instead.THEFT)
@rule("TEACH-6.4")
def dusk_escapes(g: TeachingState, thief: str, victim: str) -> Frame | None:
    return Escaping(thief) if victim == "dusk" else None


class Escaping(Frame):
    """Dusk may pay the thief two water and keep its finds."""

    thief: str

    @step("TEACH-6.4")
    def escape(f, g: TeachingState) -> Flow:
        escaping = (Choice(Escape),) if g.water("dusk") >= 2 else ()
        return Ask.one(g.seat("dusk"), Choice(Pass), *escaping, why="TEACH-6.4", default=Pass())

    @escape.answer
    def escaped(f, g: TeachingState, seat: int, act: Escape | Pass) -> Flow:
        if isinstance(act, Pass):
            return Theft(f.thief, "dusk")
        g.transfer(WATER["dusk"], WATER[f.thief], 2)
        return None


SOURCES = (amber, basalt, coral, dusk)
FRAMES = (Training, Escaping)
