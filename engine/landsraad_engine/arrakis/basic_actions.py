"""The basic actions: what a die may be spent for by what it shows."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Final, NamedTuple

from landsraad_engine.arrakis.acts import TakeAction
from landsraad_engine.arrakis.battle.attack import AttackWith
from landsraad_engine.arrakis.movement import MoveLegions
from landsraad_engine.arrakis.muster import DeployTokenAndLeader, DeployUnits, DrawPlanningCards, HouseVehicles, Upgrade
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN, RESULTS
from landsraad_engine.kernel.frames import Frame, rule
from landsraad_engine.kernel.grammar import Choice, OneOf


class Action(NamedTuple):
    """An action of a die result: whose it is, and the frame that carries it out for a seat."""

    result: str
    sides: tuple[str, ...]
    frame: Callable[..., Frame]
    fields: Mapping[str, bool] = {}


_BOTH: Final = (ATREIDES, HARKONNEN)

#: Every basic action. Of several under one result a player chooses one.
ACTIONS: Final[Mapping[str, Action]] = {
    "move": Action("strategy", _BOTH, MoveLegions),  # WFA-A.14
    "attack": Action("strategy", _BOTH, AttackWith),
    "lead": Action("leadership", _BOTH, MoveLegions, {"led": True}),  # WFA-A.15
    "surprise": Action("leadership", _BOTH, AttackWith, {"led": True, "surprise": True}),
    "deploy_token": Action("deployment", (ATREIDES,), DeployTokenAndLeader),
    "deploy": Action("deployment", (HARKONNEN,), DeployUnits),
    "mentat": Action("mentat", _BOTH, DrawPlanningCards),
    "upgrade": Action("house", (HARKONNEN,), Upgrade),
    "vehicles": Action("house", (HARKONNEN,), HouseVehicles),
}


@rule("WFA-A.14", "WFA-A.15")
def start(action: str, seat: int) -> Frame:
    """The frame that carries a basic action out."""
    chosen = ACTIONS[action]
    return chosen.frame(seat=seat, **chosen.fields)


@rule("WFA-A.20")
def results_of(side: str, die: str) -> tuple[str, ...]:
    """Return what a die counts as: for the Atreides House is any result that they like."""
    return RESULTS if side == ATREIDES and die == "house" else (die,)


@cache
@rule("WFA-A.5")
def actions_for(side: str, die: str, passed_on: tuple[str, ...] = ()) -> Choice:
    """Return what a die may be spent for; as some of the results that it counts as, it makes the partner act."""
    results = [result for result in results_of(side, die) if result not in passed_on]
    names = tuple(name for name, each in ACTIONS.items() if each.result in results and side in each.sides)
    return Choice(TakeAction, die=OneOf((die,)), action=OneOf(names))
