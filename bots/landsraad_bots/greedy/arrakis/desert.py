"""Scores for the desert: wormsigns and sandworms (Atreides), vehicles and spice (Harkonnen)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random
from typing import Any, Final

from landsraad_bots.greedy.arrakis import worth
from landsraad_bots.greedy.arrakis.goals import SPICE, event_worth, prospects, spice_in
from landsraad_bots.greedy.arrakis.outlook import Outlook
from landsraad_engine.arrakis.acts import (
    LayWormsigns,
    MoveOldMan,
    MoveWorm,
    PlaceVehicle,
    PlaceVehicles,
    SpendSpice,
    StrikeWithOldMan,
    StrikeWithWorm,
    SummonOldMan,
)
from landsraad_engine.arrakis.harvesting import MOVES
from landsraad_engine.arrakis.operations import vocabulary as rows
from landsraad_engine.arrakis.sides import HARKONNEN, HARVESTER
from landsraad_engine.arrakis.terms import AreaId
from landsraad_engine.arrakis.words import ArrakisSeatView
from landsraad_engine.arrakis.zones import IMPERIUM, WORMS_HELD
from landsraad_engine.kernel.grammar import Act, Choice

#: The worth of a laid wormsign, which may bring a worm and carries legions meanwhile.
_WORMSIGN: Final = 0.5
#: The chance that a wormsign brings a sandworm: 10 of the 16 tokens in Deep Desert, 5 elsewhere.
_WORM: Final = {"deep_desert": 10 / 16}
_WORM_ELSEWHERE: Final = 5 / 16
#: The share of an attack that the Old Man may make in a later action, and the worth of a legion that can ride him.
_LATER: Final = 0.7
_RIDER: Final = 0.4
#: The worth of another action die in all coming rounds, and the harm of a ban.
_DIE: Final = 4.0
_BAN: Final = 1.2


# --- worms


def worm_chance(view: ArrakisSeatView, area: AreaId) -> float:
    """Return the chance that a wormsign in an area brings a sandworm."""
    return _WORM.get(view.board.terrain[area], _WORM_ELSEWHERE)


def sign_worth(outlook: Outlook, area: AreaId) -> float:
    """Return the worth of a wormsign in an area: more if prescience asks for worms, or beside legions."""
    view = outlook.view
    chance = worm_chance(view, area)
    value = _WORMSIGN * (0.5 + chance)
    for row, prospect in prospects(view):
        if isinstance(row, rows.WormsOnBoardRow):
            value += chance * prospect / max(1, row.at_least) * 0.6
        elif isinstance(row, rows.HappenedRow) and row.event == "harvester_removed" and view.vehicle(area)[HARVESTER]:
            value += chance * prospect / 4
    if view.vehicle(area)[HARVESTER] or view.size(HARKONNEN, area):
        return value * 0.2  # a wormsign comes there anyway
    if view.size(outlook.side, area):
        return 0.1  # it is removed again
    value += 0.3 * bool(view.board.adjacent[area] & outlook.survey.harkonnen)
    return value + 0.4 * bool(view.board.adjacent[area] & outlook.survey.atreides)


def strike_worth(outlook: Outlook, area: AreaId, *, great: bool = False) -> float:
    """Return the gain from attacking an area with a sandworm that is spent; ``great``: as the Wild Maker attacks."""
    view = outlook.view
    legion = view.legion(HARKONNEN, area)
    if not legion.size:
        return SPICE * spice_in(view, area) + event_worth(view, "harvester_removed") - 0.5
    perils = view.content.perils
    ground = view.board.terrain[area]
    dice = getattr(perils.wild_maker_dice if great else perils.worm_dice, ground, 0)
    hits = dice / 2 + dice / 6 * getattr(perils.worm_special_hits, ground, 0)
    toughness = worth.force(view, legion).toughness
    share = min(1.0, hits / max(1, toughness))
    return share * worth.legion_worth(view, HARKONNEN, legion) * (1.3 if share == 1.0 else 1.0) - 0.5


def desert_power(outlook: Outlook) -> float:
    """Return the gain from the best use of the Desert Power action (cached)."""
    view = outlook.view
    found: float | None = view.memo.get(desert_power)
    if found is None:
        survey, board = outlook.survey, outlook.board
        found = best_strike(outlook, view.old_man) if view.old_man else 2 * _WORMSIGN
        prey = survey.harkonnen | survey.harvesters
        for worm in board.names(survey.worms):
            for target in board.names(board.worm_targets(worm) & prey):
                found = max(found, strike_worth(outlook, target))
        view.memo[desert_power] = found
    return found


# --- the Old Man of the Desert


def _prey(outlook: Outlook, sector: str) -> Sequence[float]:
    """Return the gains from attacks that the Old Man may make in a sector, the best first."""
    survey, board = outlook.survey, outlook.board
    areas = board.sector[sector] & (survey.harkonnen | survey.harvesters) & ~board.of_terrain["mountain"]
    return sorted((strike_worth(outlook, area, great=True) for area in board.names(areas)), reverse=True)


def best_strike(outlook: Outlook, sector: str) -> float:
    """Return the gain from the Old Man's best attack in a sector; nothing without a sandworm to spend."""
    return max((*_prey(outlook, sector), 0.0)) if any(outlook.view.table.get(WORMS_HELD, ())) else 0.0


def summon_old_man(view: ArrakisSeatView, act: SummonOldMan, choice: Choice, why: str) -> float:
    """Weigh the attacks that sandworms on the board would allow in a sector, and rides there, against the wormsigns."""
    outlook = Outlook.of(view)
    worms = outlook.survey.worms.bit_count()
    attacks = sum(gain for gain in _prey(outlook, act.sector)[:worms] if gain > 0)
    near = view.board.sector[act.sector] & outlook.survey.atreides
    riders = min(2, near.bit_count())
    return _LATER * attacks + _RIDER * riders - _WORMSIGN * outlook.survey.wormsigns.bit_count()


def move_old_man(view: ArrakisSeatView, act: MoveOldMan, choice: Choice, why: str) -> float:
    """Move it to where better prey is, if there is a sandworm left to attack with."""
    outlook = Outlook.of(view)
    if sum(view.table.get(WORMS_HELD, ())) < 2:
        return -1.0
    return _LATER * (best_strike(outlook, act.sector) - best_strike(outlook, view.old_man)) - 0.5


def strike_with_old_man(view: ArrakisSeatView, act: StrikeWithOldMan, choice: Choice, why: str) -> float:
    """Spend ordinary sandworms first."""
    return strike_worth(Outlook.of(view), act.target, great=True) - 0.1 * (act.worm == "wild_maker")


def propose_wormsigns(view: ArrakisSeatView, choice: Choice) -> Iterator[Act]:
    """Propose the best areas for as many wormsigns as may be laid."""
    outlook = Outlook.of(view)
    areas: Any = choice.domain("areas")
    ranked = sorted(areas.items, key=lambda area: -sign_worth(outlook, area))
    yield LayWormsigns(tuple(sorted(ranked[: areas.high])))


def lay_wormsigns(view: ArrakisSeatView, act: LayWormsigns, choice: Choice, why: str) -> float:
    outlook = Outlook.of(view)
    return sum(sign_worth(outlook, area) for area in act.areas)


def strike(view: ArrakisSeatView, act: StrikeWithWorm, choice: Choice, why: str) -> float:
    return strike_worth(Outlook.of(view), act.target)


def move_worm(view: ArrakisSeatView, act: MoveWorm, choice: Choice, why: str) -> float:
    """Move worms to where better prey is in reach."""
    outlook = Outlook.of(view)
    prey = outlook.survey.harkonnen | outlook.survey.harvesters

    def reach(area: AreaId) -> float:
        targets = outlook.board.names(outlook.board.worm_targets(area) & prey)
        return max((strike_worth(outlook, target) for target in targets), default=0.0)

    return 0.4 * (reach(act.target) - reach(act.source))


# --- vehicles


def harvest(outlook: Outlook, area: AreaId) -> float:
    """Return the expected spice of a harvester in an area."""
    view, survey, board = outlook.view, outlook.survey, outlook.board
    stays = 1 - worm_chance(view, area)
    if board.adjacent[area] & survey.atreides:
        stays *= 0.4
    if any(board.bit[area] & board.worm_targets(worm) for worm in board.names(survey.worms)):
        stays *= 0.5
    return stays * spice_in(view, area)


def propose_vehicles(view: ArrakisSeatView, choice: Choice, rng: Random) -> Iterator[Act]:
    """Propose the best places: harvesters by expected spice, carryalls above them, ornithopters near legions."""
    outlook = Outlook.of(view)
    board = outlook.board
    domains: dict[str, Any] = {name: choice.domain(name) for name in choice.names}
    number = {name: domain.low for name, domain in domains.items()}
    areas = sorted(domains["harvesters"].items, key=lambda area: -harvest(outlook, area))
    harvesters = areas[: number["harvesters"]]

    def watched(zone: str) -> float:
        return sum(
            2.0 * spice_in(view, area) * worm_chance(view, area) for area in harvesters if zone in board.zones_of[area]
        )

    def useful(zone: str) -> float:
        return sum(legion.size for area, legion in outlook.legions.items() if zone in board.zones_of[area])

    zones = list(domains["carryalls"].items)
    carryalls = sorted(zones, key=lambda zone: -watched(zone))[: number["carryalls"]]
    rest = sorted((zone for zone in zones if zone not in carryalls), key=lambda zone: -useful(zone))
    ornithopters = rest[: number["ornithopters"]]
    act = PlaceVehicles(tuple(sorted(harvesters)), tuple(sorted(ornithopters)), tuple(sorted(carryalls)))
    if choice.fault(act) is None:
        yield act
    else:  # there are fewer zones than vehicles
        yield from islice(choice.enumerate(), 1)


def place_vehicle(view: ArrakisSeatView, act: PlaceVehicle, choice: Choice, why: str) -> float:
    """Add harvesters, ornithopters near legions and carryalls near harvesters; leave placed vehicles where they are."""
    outlook = Outlook.of(view)
    board = outlook.board
    if act.vehicle == "harvester":
        had = harvest(outlook, act.source) if act.source else 0.0
        return SPICE * (harvest(outlook, act.place) - had)
    if any(view.vehicle(act.place)) or act.source:
        return -1.0
    if act.vehicle == "carryall":
        return 0.5 * sum(act.place in board.zones_of[area] for area in board.names(outlook.survey.harvesters))
    return 0.12 * sum(legion.size for area, legion in outlook.legions.items() if act.place in board.zones_of[area])


# --- spice


def spend_spice(view: ArrakisSeatView, act: SpendSpice, choice: Choice, why: str) -> float:
    """Weigh a Supremacy point, dice in the coming rounds and bans."""
    steps: dict[str, int] = {power: view.table[key] for power, key in IMPERIUM.items()}
    orders = {power: getattr(act, power) for power in steps}
    after = {power: min(5, max(1, step + MOVES[orders[power]])) for power, step in steps.items()}
    lowest = min(after.values())
    fallen = sum(after[power] < steps[power] for power in steps)
    value = worth.point_worth(view) if act.stockpile else 0.0
    value += _DIE * lowest + 0.4 * sum(after.values()) - 2.0 * (lowest == 1) - _BAN * fallen
    return value + 0.7 * act.reserve
