"""What must be true of all component values together: a deck has its cards, a border two sides, a track its end.

Each check yields complaints as (table, row, field, what is wrong); `content.load` adds file and line.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple, get_args

from landsraad_engine.arrakis import components as box
from landsraad_engine.arrakis.operations_table import Happened, UnitsInAreas
from landsraad_engine.arrakis.words import MARKERS, UNITS, ActionResult, Faction, SubFaction


class Complaint(NamedTuple):
    """Something that does not fit together."""

    table: str
    row: str
    field: str
    message: str


Check = Callable[[box.Components], Iterator[Complaint]]

_PLANNING_DECK: Final = 18
_TOKENS: Final = {"atreides_starting": 8, "atreides_standard": 8, "harkonnen_black": 6, "harkonnen_silver": 6}


def crosscheck(parts: box.Components) -> Iterator[Complaint]:
    """Every complaint about the whole."""
    for check in _CHECKS:
        yield from check(parts)


def borders(parts: box.Components) -> Iterator[Complaint]:
    """A border has two sides, is either passable or impassable, and from every area one can walk to every other."""
    for area in parts.area.values():
        for field, kind in (("borders", "border"), ("impassable", "impassable border")):
            for other in getattr(area, field):
                if other == area.id:
                    yield Complaint("area", area.id, field, "an area does not border on itself")
                elif area.id not in getattr(parts.area[other], field):
                    yield Complaint("area", area.id, field, f"{other} has no {kind} with {area.id}")
        for other in set(area.borders) & set(area.impassable):
            yield Complaint("area", area.id, "impassable", f"the border with {other} is also listed as passable")
    walk = list(parts.area)[:1]
    for area_id in walk:  # grows while it is walked
        walk.extend(other for other in parts.area[area_id].borders if other not in walk)
    for cut_off in parts.area.keys() - walk:
        yield Complaint("area", cut_off, "borders", f"no way leads here from {walk[0]}")


def places(parts: box.Components) -> Iterator[Complaint]:
    """Atomics turn mountains into desert; the solo cards name Sietches where they are."""
    for token in parts.atomics.values():
        if token.id not in parts.area or parts.area[token.id].terrain != "mountain":
            yield Complaint("atomics", token.id, "", "is not the name of a mountain area")
    for card in parts.tactical_card.values():
        sietch = parts.area[card.sietch]
        rings = {parts.sector[name].ring for name in sietch.sectors}
        where = "central" if rings == {"central"} else sietch.sectors[0]
        if not sietch.sietch or card.sector != where:
            yield Complaint("tactical_card", card.id, "sector", f"{card.sietch} is not a Sietch of {card.sector}")


def planning_decks(parts: box.Components) -> Iterator[Complaint]:
    """Four decks of eighteen, each number once; a Possible Future's cards take the numbers of those they replace."""
    for deck in get_args(SubFaction):
        cards = [card for card in parts.planning_card.values() if card.deck == deck]
        numbers = Counter(number for card in cards if not card.future for number in _numbers(card))
        if numbers != Counter(range(1, _PLANNING_DECK + 1)):
            yield Complaint(
                "planning_card", "", "", f"{deck}: the cards must take up each number from 1 to {_PLANNING_DECK} once"
            )
        replaceable = [_numbers(card) for card in cards if not card.future]
        for card in cards:
            if card.future and _numbers(card) not in replaceable:
                yield Complaint(
                    "planning_card", card.id, "number", "must have the number and copies of the card it replaces"
                )


def _numbers(card: box.PlanningCard) -> range:
    return range(card.number, card.number + card.copies)


def prescience(parts: box.Components) -> Iterator[Complaint]:
    """Eight prescience cards for each phase, rows that mean something; six objectives that can be reached."""
    phases = Counter(card.phase for card in parts.prescience_card.values())
    if phases != {"action_resolution": 8, "end_of_round": 8}:
        found = ", ".join(f"{count} for {phase}" for phase, count in phases.items())
        yield Complaint("prescience_card", "", "", f"there must be 8 cards for each phase; there are {found}")
    for card in parts.prescience_card.values():
        for row in card.requires:
            if isinstance(row, Happened) and row.at_least == 0 and row.at_most == 99:
                yield Complaint("prescience_card", card.id, "requires", "happened needs at_least or at_most")
            if isinstance(row, Happened) and row.at_least > row.at_most:
                yield Complaint("prescience_card", card.id, "requires", "happened: at_least is above at_most")
            if isinstance(row, UnitsInAreas) and row.distance and not row.near:
                yield Complaint("prescience_card", card.id, "requires", "units_in_areas: distance needs near")
    if len(parts.objective) != 6:
        yield Complaint("objective", "", "", f"there must be 6 objectives; there are {len(parts.objective)}")
    for objective in parts.objective.values():
        for marker in MARKERS:
            if getattr(objective, marker) > parts.prescience_track.length:
                yield Complaint("objective", objective.id, marker, "lies beyond the end of the prescience track")


def tokens(parts: box.Components) -> Iterator[Complaint]:
    """As many tokens as the box holds, showing no more figures than it does."""
    sets: Counter[str] = Counter(token.set for token in parts.deployment_token.values())
    for name, count in _TOKENS.items():
        if sets[name] != count:
            yield Complaint("deployment_token", "", "", f"{name} must have {count} tokens; there are {sets[name]}")
    for faction in get_args(Faction):
        mine = [token for token in parts.deployment_token.values() if token.set.startswith(faction)]
        shown = {unit: sum(getattr(token.units, unit) for token in mine) for unit in UNITS}
        for kind, count in (shown | {"leader": sum(token.leader for token in mine)}).items():
            if count > getattr(parts.supply[faction], kind):
                yield Complaint(
                    "deployment_token", "", "", f"the {faction} tokens show {count} {kind}, more than exist"
                )
    wormsigns = parts.wormsign_tokens
    yield from _total("wormsign_tokens", (wormsigns.sand, wormsigns.sandworm, wormsigns.burrowing), 16)
    station = parts.station_tokens
    symbols = (station.kwisatz_haderach, station.sand_dwellers, station.jihad, station.any)
    yield from _total("station_tokens", symbols, sum(area.station for area in parts.area.values()))
    yield from _total(
        "sietch_tokens", [1 for _ in parts.sietch_tokens.ranks], sum(a.sietch for a in parts.area.values())
    )


def _total(table: str, counts: Sequence[int], total: int) -> Iterator[Complaint]:
    if sum(counts) != total:
        yield Complaint(table, "", "", f"there must be {total} of them; there are {sum(counts)}")


def leaders(parts: box.Components) -> Iterator[Complaint]:
    """Leaders enter within the tracks and have a box wherever they have a special action."""
    for leader in parts.leader.values():
        for entry in leader.enters:
            if isinstance(entry, box.AtSupremacy) and entry.step > parts.supremacy.length:
                yield Complaint("leader", leader.id, "enters", "lies beyond the end of the Supremacy track")
            if isinstance(entry, box.AtPrescience) and entry.step > parts.prescience_track.length:
                yield Complaint("leader", leader.id, "enters", "lies beyond the end of the prescience track")
        if (leader.box == "none") != (leader.special == ()):
            yield Complaint("leader", leader.id, "special", "a special action needs an action box, and the reverse")


def dice_and_tracks(parts: box.Components) -> Iterator[Complaint]:
    """Every action can be rolled; the spice board has five steps and never locks all dice; markers start on a step."""
    for faction in get_args(Faction):
        if set(getattr(parts.action_dice, faction)) != set(get_args(ActionResult)):
            yield Complaint("action_dice", "", faction, "each of the five results must be on the die")
    if set(parts.spice_row) != {"1", "2", "3", "4", "5"}:
        yield Complaint("spice_row", "", "", "the steps are 1 to 5")
    for row in parts.spice_row.values():
        if row.locked_dice >= parts.action_dice.harkonnen_dice:
            yield Complaint("spice_row", row.id, "locked_dice", "leaves the Harkonnen no action die")
    if parts.prescience_track.atomics_step > parts.prescience_track.length:
        yield Complaint("prescience_track", "", "atomics_step", "lies beyond the end of the track")
    for step in parts.supremacy.bene_gesserit_steps:
        if step > parts.supremacy.length:
            yield Complaint("supremacy", "", "bene_gesserit_steps", "lies beyond the end of the track")
    gesserit = parts.bene_gesserit
    if gesserit.atreides_start + len(parts.supremacy.bene_gesserit_steps) + gesserit.with_gaius > gesserit.tokens:
        yield Complaint("bene_gesserit", "", "tokens", "fewer than the tracks and leaders hand out")


_CHECKS: Final[tuple[Check, ...]] = (
    borders,
    places,
    planning_decks,
    prescience,
    tokens,
    leaders,
    dice_and_tracks,
)
