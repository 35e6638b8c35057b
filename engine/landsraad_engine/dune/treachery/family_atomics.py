"""Family Atomics: the Shield Wall is blown up, and the storm gets into the basin behind it."""

from typing import Any

from landsraad_engine.dune import havoc
from landsraad_engine.dune.acts import PASS_ONLY, Pass, PlayCard, card_choice, or_pass
from landsraad_engine.dune.board import FAMILY_ATOMICS_FROM, SPECIAL, cells_of
from landsraad_engine.dune.hooks import Timing
from landsraad_engine.dune.pieces import FAMILY_ATOMICS
from landsraad_engine.dune.possible_holders import could_hold
from landsraad_engine.dune.words import HAND, DuneState
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.frames import END, Flow, Frame, goto, rule, step
from landsraad_engine.kernel.overrides import OverrideOrder, Source

source = Source(FAMILY_ATOMICS)

WINDOW = FAMILY_ATOMICS

_TARGET = SPECIAL.family_atomics_target


@rule("DUNE-T.39", "DUNE-R.65", "DUNE-R.83")
def in_reach(g: DuneState, faction: str) -> bool:
    """Return whether tokens of a faction count on the Shield Wall or next to it; the storm does not matter to that."""
    return any(faction in g.present(part) for territory in FAMILY_ATOMICS_FROM for part in g.parts(territory))


class FamilyAtomics(Frame):
    """The moment for Family Atomics: the storm's move is settled, the storm has not moved."""

    @step("DUNE-T.40")
    def window(f, g: DuneState) -> Flow:
        options = {}
        for faction in g.dot_order():
            if could_hold(g, faction, FAMILY_ATOMICS) and in_reach(g, faction):
                holds = FAMILY_ATOMICS in g.hand(faction)
                options[g.seat_of(faction)] = or_pass(card_choice(FAMILY_ATOMICS)) if holds else PASS_ONLY
        if not options:
            return END
        return Ask.quiet(options, why="DUNE-T.40", window=WINDOW, default=Pass())

    @window.answer
    def played(f, g: DuneState, answers: dict[int, Any]) -> Flow:
        for seat, act in answers.items():
            if isinstance(act, PlayCard):
                g.move(HAND[g.side(seat)], "infamy", FAMILY_ATOMICS, rule="DUNE-T.44")
                return goto("explode")
        return END

    @step("DUNE-T.41", "DUNE-V.14")
    def explode(f, g: DuneState) -> Flow:
        havoc.kill_tokens(g, _TARGET)
        havoc.kill_leaders(g, _TARGET)
        return None

    @step("DUNE-T.42", "DUNE-T.43", "DUNE-R.64")
    def breach(f, g: DuneState) -> Flow:
        """Only the board asks for this mark, and only for sectors that the storm enters from now on."""
        g.set_mark("atomics", True)
        return None

    @step("DUNE-BG.17")
    def those_left(f, g: DuneState) -> Flow:
        return g.at(Timing.TOKENS_GONE, *cells_of[_TARGET])


@source.at(Timing.STORM_CARD_SHOWN, order=OverrideOrder.LAST)
def family_atomics(g: DuneState) -> Frame | None:
    return None if g.table.get("atomics") else FamilyAtomics()


FRAMES = (FamilyAtomics,)
