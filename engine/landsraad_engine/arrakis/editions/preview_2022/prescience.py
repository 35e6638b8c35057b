"""Prescience, leaders, Imperium Bans and Family Atomics in 2022."""

from landsraad_engine.arrakis.atomics import Detonation
from landsraad_engine.arrakis.bans import ImposeBans, at_the_bottom, lift_ban
from landsraad_engine.arrakis.harvesting import SpiceHarvesting
from landsraad_engine.arrakis.hooks import Permit, Query, Timing
from landsraad_engine.arrakis.objectives import CheckObjective, known_unmet
from landsraad_engine.arrakis.round import EndOfRound
from landsraad_engine.arrakis.sides import ATREIDES
from landsraad_engine.arrakis.terms import MARKERS
from landsraad_engine.arrakis.tracks import AdvanceAllMarkers
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.arrakis.zones import BAN, MARKER
from landsraad_engine.kernel.frames import END, Call, Flow, Frame, goto, rule, step
from landsraad_engine.kernel.overrides import OverrideOrder, Source

source = Source("preview_2022: prescience")

# ---- Prescience ----


@source.permits(Permit.CLAIM)
@rule("WFA-Q.7")
def as_soon_as_met(g: ArrakisState, card: str, phase: str) -> bool:
    """Whatever phase it is."""
    return True


@source.at(Timing.PRESCIENCE_STEP, order=OverrideOrder.FIRST)
@rule("WFA-Q.23")
def won_at_once(g: ArrakisState, marker: str, step: int) -> Frame | None:
    """Each step may be the one that wins, before anybody is asked about what else it brings."""
    return None if known_unmet(g) else CheckObjective()


class MarkersTogether(Frame):
    """All three markers move up before anything that their steps bring: a victory first of all."""

    steps: int
    #: the steps reached, with their markers, whose effects are still to come
    reached: tuple[tuple[str, int], ...] = ()

    @step("WFA-Q.29", "WFA-B.50", "WFA-Q.2")
    def move(f, g: ArrakisState) -> Flow:
        for marker in MARKERS:
            old = g.marker(marker)
            new = min(old + f.steps, g.content.prescience_track.length)
            if new > old:
                g.set_mark(MARKER[marker], new)
            f.reached += tuple((marker, number) for number in range(old + 1, new + 1))
        return None

    @step("WFA-Q.26", "WFA-Q.29")
    def brings(f, g: ArrakisState) -> Flow:
        if not f.reached:
            return END
        (marker, number), *rest = f.reached
        f.reached = tuple(rest)
        moment = g.at(Timing.PRESCIENCE_STEP, marker, number)
        return Call(moment, "brings") if moment else goto("brings")


@step("WFA-Q.29")
def all_at_once(f: AdvanceAllMarkers, g: ArrakisState) -> Flow:
    """A settlement has fallen: the markers do not wait for one another."""
    if f.done:
        return END
    f.done = len(MARKERS)
    return MarkersTogether(steps=f.steps)


@source.forbids(Permit.ARRAKEEN_DECIDES)
@rule("WFA-Q.23")
def arrakeen_is_no_occasion(g: ArrakisState) -> bool:
    return True


@step("WFA-Q.23", "WFA-R.6")
def end_is_no_occasion(f: EndOfRound, g: ArrakisState) -> Flow:
    """Nor is the end of a round: who has reached the targets has won by now."""


# ---- Leaders ----


@source.modifies(Query.LEADER_RULE)
@rule("WFA-L.7", "WFA-L.11")
def described_otherwise(g: ArrakisState, statement: str, leader: str) -> str:
    """Hawat comes by a card; Shaddam and Gaius are for shared factions."""
    otherwise = {"thufir_hawat": "WFA-L.7", "gaius_helen_mohiam": "WFA-L.11", "emperor_shaddam_iv": "WFA-L.11"}
    return otherwise.get(leader, statement)


@source.forbids(Permit.WILD_MAKER_COMES)
@rule("WFA-L.32")
def by_its_card_only(g: ArrakisState) -> bool:
    """It enters with its card ready and its figure off the board."""
    return True


# ---- Bans and Atomics ----


@source.at(Timing.ROUND_BEGINS)
@rule("WFA-P.13")
def bans_of_the_round(g: ArrakisState) -> Frame | None:
    powers = at_the_bottom(g)
    return ImposeBans(powers=powers) if powers else None


@step("WFA-P.13")
def bans_go_on(f: SpiceHarvesting, g: ArrakisState) -> Flow:
    """As long as their markers lie where they are."""


@step("WFA-P.13")
def bans_end(f: SpiceHarvesting, g: ArrakisState) -> Flow:
    """Those of markers that have risen."""
    for power in BAN:
        if power not in at_the_bottom(g):
            lift_ban(g, power)
    return None


@source.at(Timing.PRESCIENCE_STEP)
@rule("WFA-H.40")
def detonate_at_once(g: ArrakisState, marker: str, step: int) -> Frame | None:
    due = step == g.content.prescience_track.atomics_step
    return Detonation(seats=g.seats_of(ATREIDES)) if due else None


STEPS = {
    ("AdvanceAllMarkers", "one_marker"): all_at_once,
    ("EndOfRound", "objective"): end_is_no_occasion,
    ("SpiceHarvesting", "bans_end"): bans_go_on,
    ("SpiceHarvesting", "bans_begin"): bans_end,
}

FRAMES = (MarkersTogether,)
