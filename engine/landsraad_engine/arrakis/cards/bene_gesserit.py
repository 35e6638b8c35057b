"""The Bene Gesserit cards of 2022: a free action that changes what an unused die shows."""

from collections.abc import Iterator

from landsraad_engine.arrakis.acts import ChangeResult
from landsraad_engine.arrakis.free_actions import may_act_freely
from landsraad_engine.arrakis.sides import DICE, DIE, one
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.arrakis.zones import box
from landsraad_engine.kernel.frames import Flow, Frame, rule, step
from landsraad_engine.kernel.grammar import Choice, OneOf
from landsraad_engine.kernel.plays import Play

CARDS = ("bene_gesserit_corrino", "bene_gesserit_atreides")


@rule("WFA-D.15", "WFA-D.16", "WFA-C.30", "WFA-C.53")
def changes(g: ArrakisState, seat: int) -> Iterator[Choice]:
    """The ways to change a die, for whoever has such a card in hand."""
    held = tuple(card for card in CARDS if card in g.hand(seat))
    if not held or not may_act_freely(g, seat, "bene_gesserit"):
        return
    dashboard = g.dashboard(seat)
    results = g.content.dashboard[dashboard].boxes
    for die in g.dice(dashboard):
        others = tuple(result for result in results if result != die)
        yield Choice(ChangeResult, why="WFA-D.15", card=OneOf(held), source=OneOf((die,)), target=OneOf(others))


class ChangeDieResult(Frame):
    """A Bene Gesserit card is discarded and a die turned."""

    seat: int
    card: str
    source: str
    target: str

    @step("WFA-D.15", "WFA-S.46")
    def turn(f, g: ArrakisState) -> Flow:
        g.discard(f.seat, f.card)
        dashboard = g.dashboard(f.seat)
        g.shift(box(dashboard, f.source), box(dashboard, f.target), one(DICE, DIE))
        return None


def _start(seat: int, act: ChangeResult) -> Frame:
    return ChangeDieResult(seat=seat, card=act.card, source=act.source, target=act.target)


PLAYS = (Play(ChangeResult, changes, _start),)

FRAMES = (ChangeDieResult,)
