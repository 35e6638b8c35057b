"""Prescience, leaders, Imperium Bans and Family Atomics in 2022."""

from landsraad_engine.arrakis.atomics import Detonation
from landsraad_engine.arrakis.bans import ImposeBans, at_the_bottom, lift_ban
from landsraad_engine.arrakis.harvesting import SpiceHarvesting
from landsraad_engine.arrakis.hooks import Permit, Query, Timing
from landsraad_engine.arrakis.objectives import CheckObjective
from landsraad_engine.arrakis.round import EndOfRound
from landsraad_engine.arrakis.sides import ATREIDES
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.arrakis.zones import BAN
from landsraad_engine.kernel.frames import Flow, Frame, rule, step
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
def won_at_once(g: ArrakisState, marker: str, step: int) -> Frame:
    """Each step may be the one that wins, before anybody is asked about what else it brings."""
    return CheckObjective()


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
    ("EndOfRound", "objective"): end_is_no_occasion,
    ("SpiceHarvesting", "bans_end"): bans_go_on,
    ("SpiceHarvesting", "bans_begin"): bans_end,
}
