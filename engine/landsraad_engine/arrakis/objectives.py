"""The secret objective: what the prescience markers must reach for the Atreides to win, and when that is looked at."""

from typing import Final

from landsraad_engine.arrakis.components import Objective
from landsraad_engine.arrakis.hooks import Permit, Timing
from landsraad_engine.arrakis.sides import ATREIDES
from landsraad_engine.arrakis.terms import MARKERS, AreaId
from landsraad_engine.arrakis.words import ArrakisState, Words
from landsraad_engine.kernel.frames import Flow, Frame, rule, step
from landsraad_engine.kernel.overrides import Source

source = Source("objectives")

#: The planetary capital.
ARRAKEEN: Final = "arrakeen"

#: The steps of the three markers, in the order of MARKERS.
MarkerSteps = tuple[int, ...]


@rule("WFA-Q.3", "WFA-Q.22")
def reached(objective: Objective, steps: MarkerSteps) -> bool:
    """Return whether each marker has reached or passed its target."""
    return all(step >= getattr(objective, marker) for marker, step in zip(MARKERS, steps, strict=True))


def steps_now(g: Words) -> MarkerSteps:
    return tuple(g.marker(marker) for marker in MARKERS)


class CheckObjective(Frame):
    """The Atreides have won if all three markers have reached the targets of a secret objective of theirs."""

    @step("WFA-Q.21", "WFA-Q.22", "WFA-Q.23", "WFA-Q.24", "WFA-C.55", "WFA-U.4")
    def check(f, g: ArrakisState) -> Flow:
        now = steps_now(g)
        seats = g.seats_of(ATREIDES)
        met = any(reached(g.content.objective[each], now) for each in g.table.get("objectives", ()))
        g.declare("WFA-Q.24", seats[0], "objective_met", met)
        if met:
            g.finish("prescience", seats)
        else:
            _note(g, now)
        return None


def _note(g: ArrakisState, steps: MarkerSteps) -> None:
    """Keep what a failed check has told everybody, unless it is told already by markers that stood no lower."""
    failed = g.table.get("unmet", ())
    if not any(_no_lower(other, steps) for other in failed):
        g.set_mark("unmet", (*(other for other in failed if not _no_lower(steps, other)), steps))


@rule("WFA-Q.24")
def known_unmet(g: Words) -> bool:
    """Return whether a check of markers that stood no lower has failed, so that another would tell nothing new."""
    now = steps_now(g)
    return any(_no_lower(other, now) for other in g.table.get("unmet", ()))


def _no_lower(one: MarkerSteps, other: MarkerSteps) -> bool:
    return all(a >= b for a, b in zip(one, other, strict=True))


@rule("WFA-Q.24")
def may_be_held(g: Words, objective: str) -> bool:
    """Return whether, from what the checks have told, the Atreides may hold this objective."""
    return not any(reached(g.content.objective[objective], steps) for steps in g.table.get("unmet", ()))


@rule("WFA-C.55")
def draw_second_objective(g: ArrakisState) -> None:
    """Another objective is drawn from those put away. The checks so far have told nothing of it."""
    if g.table.get("objectives_away"):
        g.draw("objectives_away", "objectives")
        g.set_mark("unmet", None)


@source.at(Timing.VILLAGE_DESTROYED)
@rule("WFA-Q.22")
def arrakeen_falls(g: ArrakisState, area: AreaId) -> Frame | None:
    """The fall of the capital has the objective checked at once."""
    decides = area == ARRAKEEN and g.allowed(Permit.ARRAKEEN_DECIDES, default=True)
    return CheckObjective() if decides else None


FRAMES = (CheckObjective,)
