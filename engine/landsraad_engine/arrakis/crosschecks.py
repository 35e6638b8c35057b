"""Checks across component values: a deck has its cards, a border two sides, a track its end.

Each check yields complaints with the places of all values concerned; `content.load` reports them where the last file,
an operator's if there is one, wrote any of these.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple, get_args

from msgspec.structs import astuple

from landsraad_engine.arrakis import components as box
from landsraad_engine.arrakis.operations.vocabulary import HappenedRow, Requirement, UnitsInAreasRow
from landsraad_engine.arrakis.terms import MARKERS, UNITS, ActionResult, Faction, SubFaction
from landsraad_engine.content.layers import ValueKey


class Complaint(NamedTuple):
    """Something that does not fit together."""

    message: str
    places: tuple[ValueKey, ...]


Check = Callable[[box.Components], Iterator[Complaint]]

_PLANNING_DECK: Final = 18
_TOKENS: Final = {"atreides_starting": 8, "atreides_standard": 8, "harkonnen_black": 6, "harkonnen_silver": 6}
_PRESCIENCE_LENGTH: Final[ValueKey] = ("prescience_track", "", "length")
_SUPREMACY_LENGTH: Final[ValueKey] = ("supremacy", "", "length")


def crosscheck(parts: box.Components) -> Iterator[Complaint]:
    """Every complaint about the whole."""
    for check in _CHECKS:
        yield from check(parts)


def _complain(message: str, *places: ValueKey) -> Complaint:
    return Complaint(message, places)


# ---- The board ----


def borders(parts: box.Components) -> Iterator[Complaint]:
    """A border has two sides, is either passable or impassable, and from every area one can walk to every other."""
    for area in parts.area.values():
        for field in ("borders", "impassable"):
            here: ValueKey = ("area", area.id, field)
            for other in getattr(area, field):
                if other == area.id:
                    yield _complain(f"{other} cannot border on itself", here)
                elif area.id not in getattr(parts.area[other], field):
                    yield _complain(f"{area.id} lists {other}, but not the reverse", here, ("area", other, field))
        for other in set(area.borders) & set(area.impassable):
            both: tuple[ValueKey, ValueKey] = ("area", area.id, "borders"), ("area", area.id, "impassable")
            yield _complain(f"the border with {other} is both passable and impassable", *both)
    walk = list(parts.area)[:1]
    for area_id in walk:  # grows while it is walked
        walk.extend(other for other in parts.area[area_id].borders if other not in walk)
    for cut_off in parts.area.keys() - walk:
        yield _complain(f"no way leads from {walk[0]} to {cut_off}", ("area", cut_off, "borders"))


def places(parts: box.Components) -> Iterator[Complaint]:
    """Atomics turn mountains into desert; the solo cards name Sietches where they are."""
    for token in parts.atomics.values():
        if token.id not in parts.area or parts.area[token.id].terrain != "mountain":
            yield _complain(f"{token.id} is not a mountain", ("atomics", token.id, ""), ("area", token.id, "terrain"))
    for card in parts.tactical_card.values():
        sietch = parts.area[card.sietch]
        rings = {parts.sector[name].ring for name in sietch.sectors}
        where = "central" if rings == {"central"} else sietch.sectors[0]
        if not sietch.sietch or card.sector != where:
            concerned: tuple[ValueKey, ValueKey] = ("tactical_card", card.id, ""), ("area", card.sietch, "")
            yield _complain(f"{card.sietch} is not a Sietch of {card.sector}", *concerned)


# ---- Cards ----


def planning_decks(parts: box.Components) -> Iterator[Complaint]:
    """Four decks of eighteen, each number once; a Possible Future's cards take the numbers of those they replace."""
    for deck in get_args(SubFaction):
        usual = [card for card in parts.planning_card.values() if card.deck == deck and not card.future]
        numbers = Counter(number for card in usual for number in _numbers(card))
        for number in range(1, _PLANNING_DECK + 1):
            if numbers.pop(number, 0) != 1:
                message = f"{deck}: one card, and one only, must have number {number} of {_PLANNING_DECK}"
                yield _complain(message, *(("planning_card", card.id, "number") for card in usual))
        if numbers:
            yield _complain(f"{deck}: there are more than {_PLANNING_DECK} cards", ("planning_card", "", ""))
        replaceable = [_numbers(card) for card in usual]
        for card in parts.planning_card.values():
            if card.deck == deck and _numbers(card) not in replaceable:
                message = "a Possible Future's card has the number and copies of the card that it replaces"
                yield _complain(message, ("planning_card", card.id, "number"), ("planning_card", card.id, "copies"))


def _numbers(card: box.PlanningCard) -> range:
    return range(card.number, card.number + card.copies)


def prescience_cards(parts: box.Components) -> Iterator[Complaint]:
    """Eight prescience cards for each phase, asking for something."""
    phases = Counter(card.phase for card in parts.prescience_card.values())
    if phases != {"action_resolution": 8, "end_of_round": 8}:
        found = ", ".join(f"{count} for {phase}" for phase, count in phases.items()) or "none"
        yield _complain(f"there must be 8 cards for each phase; there are {found}", ("prescience_card", "", ""))
    for card in parts.prescience_card.values():
        for row in card.requires:
            for message in _senseless(row):
                yield _complain(message, ("prescience_card", card.id, "requires"))


def _senseless(row: Requirement) -> Iterator[str]:
    match row:
        case HappenedRow(at_least=0, at_most=99):
            yield "happened needs at_least or at_most"
        case HappenedRow(at_least=least, at_most=most) if least > most:
            yield "happened: at_least is above at_most"
        case UnitsInAreasRow(near=(), distance=distance) if distance:
            yield "units_in_areas: distance needs near"
        case _:
            return


def objectives(parts: box.Components) -> Iterator[Complaint]:
    """Six secret objectives, each of which can be reached."""
    if len(parts.objective) != 6:
        yield _complain(f"there must be 6 objectives; there are {len(parts.objective)}", ("objective", "", ""))
    for objective in parts.objective.values():
        for marker in MARKERS:
            if getattr(objective, marker) > parts.prescience_track.length:
                message = f"{objective.id}: the target of {marker} lies beyond the end of the track"
                yield _complain(message, ("objective", objective.id, marker), _PRESCIENCE_LENGTH)


# ---- Tokens and figures ----


def tokens(parts: box.Components) -> Iterator[Complaint]:
    """As many tokens as the box holds, showing no more figures than it does."""
    sets: Counter[str] = Counter(token.set for token in parts.deployment_token.values())
    for name, count in _TOKENS.items():
        if sets[name] != count:
            message = f"there must be {count} tokens of the set {name}; there are {sets[name]}"
            yield _complain(message, *(("deployment_token", token, "set") for token in parts.deployment_token))
    for faction in get_args(Faction):
        mine = [token for token in parts.deployment_token.values() if token.set.startswith(faction)]
        shown = {unit: sum(getattr(token.units, unit) for token in mine) for unit in UNITS}
        for kind, count in (shown | {"leader": sum(token.leader for token in mine)}).items():
            if count > getattr(parts.supply[faction], kind):
                shown_by: list[ValueKey] = [("deployment_token", token.id, "units") for token in mine]
                message = f"the {faction} tokens show {count} of kind {kind}, more than there are figures"
                yield _complain(message, ("supply", faction, kind), *shown_by)


def hidden_sides(parts: box.Components) -> Iterator[Complaint]:
    """A token for each place that gets one, and sixteen wormsigns."""
    facts = parts.area.values()
    yield from _total("wormsign_tokens", astuple(parts.wormsign_tokens), 16)
    yield from _total("station_tokens", astuple(parts.station_tokens), sum(area.station for area in facts))
    yield from _total("sietch_tokens", [1 for _ in parts.sietch_tokens.ranks], sum(area.sietch for area in facts))


def _total(table: str, counts: Sequence[int], total: int) -> Iterator[Complaint]:
    if sum(counts) != total:
        yield _complain(f"there must be {total} of them; there are {sum(counts)}", (table, "", ""))


# ---- Leaders, dice and tracks ----


def leaders(parts: box.Components) -> Iterator[Complaint]:
    """Leaders enter within the tracks, and have a box if and only if they have a special action."""
    for leader in parts.leader.values():
        enters: ValueKey = ("leader", leader.id, "enters")
        for entry in leader.enters:
            if isinstance(entry, box.AtSupremacy) and entry.step > parts.supremacy.length:
                yield _complain(f"{leader.id} enters beyond the end of the track", enters, _SUPREMACY_LENGTH)
            if isinstance(entry, box.AtPrescience) and entry.step > parts.prescience_track.length:
                yield _complain(f"{leader.id} enters beyond the end of the track", enters, _PRESCIENCE_LENGTH)
        if (leader.box == "none") != (leader.special == ()):
            message = f"{leader.id}: a special action needs an action box, and the reverse"
            yield _complain(message, ("leader", leader.id, "special"), ("leader", leader.id, "box"))


def dice(parts: box.Components) -> Iterator[Complaint]:
    """Every action can be rolled, and some die is never locked."""
    for faction in get_args(Faction):
        if set(getattr(parts.action_dice, faction)) != set(get_args(ActionResult)):
            yield _complain("each of the five results must be on the die", ("action_dice", "", faction))
    if set(parts.spice_row) != {"1", "2", "3", "4", "5"}:
        yield _complain("the steps are 1 to 5", ("spice_row", "", ""))
    for row in parts.spice_row.values():
        if row.locked_dice >= parts.action_dice.harkonnen_dice:
            locked: tuple[ValueKey, ValueKey] = (
                ("spice_row", row.id, "locked_dice"),
                ("action_dice", "", "harkonnen_dice"),
            )
            yield _complain(f"step {row.id} leaves the Harkonnen no action die", *locked)


def tracks(parts: box.Components) -> Iterator[Complaint]:
    """Everything that a track brings lies on it, and there are tokens enough to be handed out."""
    if parts.prescience_track.atomics_step > parts.prescience_track.length:
        message = "the step of the Family Atomics lies beyond the end of the track"
        yield _complain(message, ("prescience_track", "", "atomics_step"), _PRESCIENCE_LENGTH)
    steps: ValueKey = ("supremacy", "", "bene_gesserit_steps")
    if any(step > parts.supremacy.length for step in parts.supremacy.bene_gesserit_steps):
        yield _complain("a Bene Gesserit step lies beyond the end of the track", steps, _SUPREMACY_LENGTH)
    gesserit = parts.bene_gesserit
    handed_out = gesserit.atreides_start + len(parts.supremacy.bene_gesserit_steps) + gesserit.with_gaius
    if handed_out > gesserit.tokens:
        message = f"{handed_out} Bene Gesserit tokens are handed out, but there are {gesserit.tokens}"
        yield _complain(message, ("bene_gesserit", "", ""), steps)


_CHECKS: Final[tuple[Check, ...]] = (
    borders,
    places,
    planning_decks,
    prescience_cards,
    objectives,
    tokens,
    hidden_sides,
    leaders,
    dice,
    tracks,
)
