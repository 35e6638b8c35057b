"""Invariants of a position. Tests and the fuzzer check them after every act."""

from collections import Counter
from collections.abc import Iterator

from landsraad_engine.arrakis.bans import steps
from landsraad_engine.arrakis.desert_hazards import DesertHazards
from landsraad_engine.arrakis.harvesting import SpiceHarvesting
from landsraad_engine.arrakis.legions import Settle
from landsraad_engine.arrakis.regeneration import ToTank
from landsraad_engine.arrakis.setup import Setup
from landsraad_engine.arrakis.sides import FIGURES, HARVESTER, SIDES, VEHICLES, WORMS
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.arrakis.worms import CallWorm, EnterWormsign, UnderWorms, WormsAppear
from landsraad_engine.arrakis.zones import APART_FOR, IMPERIUM, LEGION, VEHICLE, WORM
from landsraad_engine.checks.conservation import misplaced
from landsraad_engine.kernel.frames import rule
from landsraad_engine.kernel.zones import Content


def problems(g: ArrakisState) -> list[str]:
    """Return the invariants that a position breaks. While the game is set up there are none to check."""
    if any(type(frame) is Setup for frame in g.stack):
        return []
    return [*_supplies(g), *misplaced(g), *_legions(g), *_board(g), *_spice(g)]


@rule("WFA-S.17", "WFA-S.29", "WFA-S.48", "WFA-D.12")
def _supplies(g: ArrakisState) -> Iterator[str]:
    """All figures and dice are where figures and dice can be."""
    content = g.content
    there: dict[str, Counter[str]] = {}
    for key, value in g.table.items():
        place = g.setting.places.get(key)
        if place is None or place.zone.content is not Content.STACK:
            continue
        owner = next((side for side in SIDES if f"/{side}" in key and place.zone.name in ("legion", "supply")), "")
        if place.zone.name == "apart":
            owner = g.table[APART_FOR[int(key.rpartition("/")[2])]][0]
        name = owner or place.zone.name
        there.setdefault(name, Counter()).update(dict(zip(place.zone.units, value, strict=True)))
        if min(value) < 0:
            yield f"{key} holds fewer than none: {value}"
    dice = content.action_dice
    box: dict[str, dict[str, int]] = {
        **{side: {kind: getattr(content.supply[side], kind) for kind in FIGURES} for side in SIDES},
        "vehicle": {kind: getattr(content.vehicles, kind) for kind in VEHICLES},
        "worm": {kind: getattr(content.worms, kind) for kind in WORMS},
    }
    for name, wanted in box.items():
        if there.get(name, Counter()) != Counter(wanted):
            yield f"{name}: {dict(there.get(name, Counter()))} instead of {wanted}"
    total = there.get("dice", Counter()) + there.get("bene_gesserit", Counter())
    if (total["die"], total["bene_gesserit"]) != (
        dice.harkonnen_dice + dice.atreides_dice,
        content.bene_gesserit.tokens,
    ):
        yield f"dice and Bene Gesserit tokens: {dict(total)}"


@rule("WFA-S.26", "WFA-S.27", "WFA-S.28")
def _legions(g: ArrakisState) -> Iterator[str]:
    """No area holds both sides, too many units, or leaders alone (unless that is just being settled)."""
    survey = g.survey()
    for area in g.board.names(survey.harkonnen & survey.atreides):
        yield f"both sides stand in {area}"
    if any(type(frame) in (Settle, ToTank) for frame in g.stack) or any(key in g.table for key in APART_FOR):
        return  # that is just being seen to, or waits for the last move of the action
    for side in SIDES:
        for area in g.board.names(survey.legions(side)):
            if g.size(side, area) > g.stacking(side):
                yield f"{side} has {g.size(side, area)} units in {area}"
        for leader, key in g.leaders_of(side):
            place = g.table.get(key)
            if place is not None and place in g.board.bit and not g.size(side, place):
                yield f"{leader} stands alone in {place}"
        for area, key in LEGION[side].items():
            counts = g.table.get(key)
            if counts and not g.size(side, area):
                yield f"leaders of {side} stand alone in {area}"


@rule("WFA-V.7", "WFA-V.8", "WFA-M.45", "WFA-M.47")
def _board(g: ArrakisState) -> Iterator[str]:
    """One worm to an area, one vehicle to a place, and legions keep away from worms."""
    survey = g.survey()
    for area, key in WORM.items():
        if sum(g.table.get(key, ())) > 1:
            yield f"several sandworms in {area}"
    for place, key in VEHICLE.items():
        counts = g.table.get(key, (0, 0, 0))
        if sum(counts) > 1 or (counts[HARVESTER] and place not in g.board.bit):
            yield f"vehicles {counts} in {place}"
    for area in g.board.names(survey.worms & ~g.board.desert):
        yield f"a sandworm in {area}, which is no desert"
    if not any(type(frame) in (WormsAppear, CallWorm, UnderWorms) for frame in g.stack):
        for area in g.board.names(survey.worms & survey.harkonnen):
            yield f"a Harkonnen legion beside the sandworm in {area}"


@rule("WFA-P.3", "WFA-P.7", "WFA-H.7")
def _spice(g: ArrakisState) -> Iterator[str]:
    """Markers are on the board's steps; outside the phases that they belong to nothing is spent or turned up."""
    bottom, top = steps(g.content)
    for power, key in IMPERIUM.items():
        if not bottom <= g.table[key] <= top:
            yield f"the marker of {power} is on {g.table[key]}"
    if g.get("reserve") > g.content.spice.reserve:
        yield f"{g.get('reserve')} spice in reserve"
    frames = {type(frame) for frame in g.stack}
    if g.get("spice") and SpiceHarvesting not in frames:
        yield f"{g.get('spice')} spice unspent"
    if g.get("wormsigns_shown") and not frames & {DesertHazards, EnterWormsign}:
        yield f"wormsigns left outside the pool: {g.get('wormsigns_shown')}"
