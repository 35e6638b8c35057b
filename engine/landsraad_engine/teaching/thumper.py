"""5: the Thumper, which may be played at any time, and the worm that it calls."""

from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.frames import Flow, Frame, rule, step
from landsraad_engine.kernel.grammar import Choice, OneOf
from landsraad_engine.kernel.overrides import Source
from landsraad_engine.kernel.plays import Play
from landsraad_engine.teaching.acts import Feed, GiveWater, Pass, Thump
from landsraad_engine.teaching.hooks import Permit
from landsraad_engine.teaching.words import CAMP, DISCARD, HAND, SAND, TeachingState
from landsraad_engine.teaching.zones import THUMPER, UNITS

source = Source("worm")


@rule("TEACH-5.1")
def thumping(g: TeachingState, band: str) -> tuple[Choice, ...]:
    """The Thumper, for a band that holds one. It shows nothing hidden: a band is offered its own plays alone."""
    targets = tuple(other for other in g.order() if other not in (band, g.worm))
    if THUMPER not in g.finds(band) or not targets:
        return ()
    return (Choice(Thump, target=OneOf(targets), why="TEACH-5.1"),)


class Worm(Frame):
    """The worm comes to a camp, and is given water or somebody to eat."""

    band: str
    target: str

    @step("TEACH-5.1", "TEACH-5.4")
    def called(f, g: TeachingState) -> Flow:
        g.move(HAND[f.band], DISCARD, THUMPER)
        g.set_mark("worm", f.target)
        g.reopen()
        return None

    @step("TEACH-5.2")
    def appeased(f, g: TeachingState) -> Flow:
        """A band with nothing to give is asked as well: not to be would tell that it has no water."""
        choices = [Choice(GiveWater)] if g.water(f.target) else []
        units = tuple(unit for unit, n in zip(UNITS, g.camp(f.target), strict=True) if n)
        if units:
            choices.append(Choice(Feed, unit=OneOf(units)))
        return Ask.one(g.seat(f.target), *(choices or [Choice(Pass)]), why="TEACH-5.2")

    @appeased.answer
    def given(f, g: TeachingState, seat: int, act: GiveWater | Feed | Pass) -> Flow:
        if isinstance(act, GiveWater):
            g.pay(f.target, 1)
        elif isinstance(act, Feed):
            g.shift(CAMP[f.target], SAND[f.target], (1, 0) if act.unit == UNITS[0] else (0, 1))
        return None


@source.forbids(Permit.BID)
@rule("TEACH-5.3")
def nobody_trades_beside_a_worm(g: TeachingState, band: str) -> bool:
    return g.worm == band


PLAYS = (Play(Thump, thumping, lambda band, act: Worm(band, act.target)),)

FRAMES = (Worm,)
