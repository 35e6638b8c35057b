"""The Supremacy Track and the Prescience Track: markers that advance, and what each step brings.

A step counts when it is first reached, passed over or not. What it brings (leaders, Bene Gesserit tokens, atomics,
victory) hangs on the two hooks.
"""

from landsraad_engine.arrakis.acts import ChooseMarker
from landsraad_engine.arrakis.hooks import Timing
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN
from landsraad_engine.arrakis.terms import MARKERS
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.arrakis.zones import MARKER
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.frames import END, Flow, Frame, goto, step
from landsraad_engine.kernel.grammar import Choice, OneOf


class GainSupremacy(Frame):
    """The Harkonnen gain Supremacy points; at the end of the track they have won."""

    points: int

    @step("WFA-S.12")
    def one_step(f, g: ArrakisState) -> Flow:
        if not f.points:
            return END
        f.points -= 1
        g.set_mark("supremacy", g.supremacy + 1)
        return None

    @step("WFA-Q.20", "WFA-U.4")
    def victory(f, g: ArrakisState) -> Flow:
        if g.supremacy >= g.content.supremacy.length:
            g.finish("supremacy", g.seats_of(HARKONNEN))
        return None

    @step("WFA-Q.26")
    def brings(f, g: ArrakisState) -> Flow:
        return g.at(Timing.SUPREMACY_STEP, g.supremacy)

    @step()
    def on(f, g: ArrakisState) -> Flow:
        return goto("one_step")


class AdvanceMarker(Frame):
    """A prescience marker moves up; at the end of its track it goes no further."""

    marker: str
    steps: int

    @step("WFA-S.13", "WFA-Q.2", "WFA-Q.3")
    def one_step(f, g: ArrakisState) -> Flow:
        if not f.steps or g.marker(f.marker) >= g.content.prescience_track.length:
            return END
        f.steps -= 1
        g.set_mark(MARKER[f.marker], g.marker(f.marker) + 1)
        return None

    @step("WFA-Q.26")
    def brings(f, g: ArrakisState) -> Flow:
        # A card may have lowered the marker before: what a step brings, it brings once, which the hooks see to.
        return g.at(Timing.PRESCIENCE_STEP, f.marker, g.marker(f.marker))

    @step()
    def on(f, g: ArrakisState) -> Flow:
        return goto("one_step")


class AdvanceAnyMarker(Frame):
    """One prescience marker moves up; the Atreides choose which."""

    steps: int

    @step("WFA-Q.1", "WFA-M.30")
    def choose(f, g: ArrakisState) -> Flow:
        choice = Choice(ChooseMarker, marker=OneOf(MARKERS))
        return Ask.any_of(g.seats_of(ATREIDES), choice, why="WFA-Q.1")

    @choose.answer
    def chosen(f, g: ArrakisState, seat: int, act: ChooseMarker) -> Flow:
        return AdvanceMarker(marker=act.marker, steps=f.steps)


class AdvanceAllMarkers(Frame):
    """All three prescience markers move up by the same number of steps."""

    steps: int
    done: int = 0

    @step("WFA-B.50")
    def one_marker(f, g: ArrakisState) -> Flow:
        if f.done == len(MARKERS):
            return END
        f.done += 1
        return AdvanceMarker(marker=MARKERS[f.done - 1], steps=f.steps)

    @step()
    def on(f, g: ArrakisState) -> Flow:
        return goto("one_marker")


FRAMES = (GainSupremacy, AdvanceMarker, AdvanceAnyMarker, AdvanceAllMarkers)
