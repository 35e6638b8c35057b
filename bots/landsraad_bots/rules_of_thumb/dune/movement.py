"""Shipments, manoeuvres and rides: first what wins or stops a victory, then what the tokens earn where they go."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from landsraad_bots.players import side_of
from landsraad_bots.rules_of_thumb.dune import contest, spending
from landsraad_bots.rules_of_thumb.dune.battles import TOKEN
from landsraad_bots.rules_of_thumb.priorities import Urgency
from landsraad_engine.dune import acts
from landsraad_engine.dune.board import (
    SECTORS,
    cells_of,
    part_of,
    sector_of,
    storm_protected,
    terrain,
    territory_of,
)
from landsraad_engine.dune.pieces import FREMEN
from landsraad_engine.dune.words import NONE, Counts, DuneSeatView
from landsraad_engine.kernel.domains import Alloc
from landsraad_engine.kernel.grammar import Act, Choice
from landsraad_engine.kernel.zones import HIDDEN

#: The worth of a stronghold to its holder in spice, for one turn and the hope of the next.
STRONGHOLD: Final = 10.0
#: The extra worth of each stronghold beyond the first, on the way to victory.
TOWARDS_VICTORY: Final = 4.0
#: The worth of a token of the reserves, of one on rock, and of a garrison's token up to its useful size.
RESERVE: Final = 1.2
ON_BOARD: Final = 1.25
GARRISON_TOKEN: Final = 0.65
GARRISON: Final = 6
#: The storm moves one to six sectors.
_STORM_REACH: Final = 6
#: Sizes of groups that are tried.
_SIZES: Final = (1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 20)

#: Own tokens by cell.
Troops = Mapping[str, Counts]
#: The number of steps into which chances of victory are sorted: nearer ones are alike.
_STEPS: Final = 20


def own_troops(view: DuneSeatView) -> dict[str, Counts]:
    return dict(view.on_board(side_of(view)))


def urgency(view: DuneSeatView, troops: Troops, spent: float) -> tuple[float, ...]:
    """Rate a position: chances of victory first, then what tokens earn, minus what it has cost."""
    me = side_of(view)
    strengths = dict.fromkeys(contest.strongholds(view), 0)
    cells: dict[str, list[str]] = {}
    for cell, counts in troops.items():
        if counts[0] or counts[1]:
            territory = territory_of[cell]
            cells.setdefault(territory, []).append(cell)
            if territory in strengths:
                strengths[territory] += contest.dial_strength(me, counts)
    decided = _decided(view, strengths)
    earned = sum(_earned(view, territory, held, troops) for territory, held in cells.items())
    count = sum(
        contest.prospects(view, territory, strength).get(me, 0.0)
        for territory, strength in strengths.items()
        if strength
    )
    earned += TOWARDS_VICTORY * max(0.0, count - 1)
    return (round(decided * _STEPS) / _STEPS, earned - spent)


def _decided(view: DuneSeatView, strengths: Mapping[str, int]) -> float:
    """Return the chance that the own side wins this turn, minus that of the others."""
    key = ("decided", *strengths.values())
    known = view.memo.get(key)
    if known is None:
        mine = contest.own_side(view)
        known = 0.0
        for side in contest.sides(view):
            own = bool(set(side) & set(mine))
            known += contest.victory(view, mine if own else side, strengths) * (1 if own else -0.8)
        view.memo[key] = known
    return float(known)


def _earned(view: DuneSeatView, territory: str, held: Sequence[str], troops: Troops) -> float:
    """Return what the own tokens in one territory are worth in spice."""
    me = side_of(view)
    own = sum(contest.dial_strength(me, troops[cell]) for cell in held)
    stays = contest.prospects(view, territory, own).get(me, 0.0)
    rivals = [f for f in view.present(cells_of[territory]) if f != me and f not in view.allies(me)]
    total = 0.0
    if territory in contest.strongholds(view):
        kept = stays * (1 - contest.exposure(view, own))
        total += STRONGHOLD * kept + GARRISON_TOKEN * kept * min(own, GARRISON)
    # A battle costs the winner what it dials, which is what the other can dial at least.
    burnt = 0.0
    if rivals:
        strongest = max(contest.force(view, rival, territory).tokens for rival in rivals)
        burnt = stays * min(own, 0.8 * strongest + 1) + (1 - stays) * own
        total += stays * 0.4 * strongest
    for cell in held:
        tokens = sum(troops[cell][:2])
        strength = contest.dial_strength(me, troops[cell])
        lies = view.table.get(f"blow/{cell}", 0)
        rate = 3 if view.has_bonus(me, "harvesters") else 2
        total += stays * min(lies, rate * tokens) * 0.9
        total += strength * (ON_BOARD - TOKEN * storm_risk(view, cell))
    return total - TOKEN * burnt


def storm_risk(view: DuneSeatView, cell: str) -> float:
    """Return the chance that the next storm kills tokens in a cell; the Fremen have seen the card and lose half."""
    if not view.storm or storm_protected(territory_of[cell], bool(view.table.get("atomics"))):
        return 0.0
    ahead = (sector_of[cell] - view.storm) % SECTORS
    if not ahead:
        return 0.0
    half = 0.5 if side_of(view) == FREMEN else 1.0
    following = next(iter(view.table.get("storm_next", ())), HIDDEN)
    if following != HIDDEN:
        return half * (int(following.rpartition("_")[2]) >= ahead)
    return half * max(0, _STORM_REACH + 1 - ahead) / _STORM_REACH


# --- shipments


def propose_shipments(view: DuneSeatView, choice: Choice) -> Iterator[Act]:
    """Propose groups of several sizes for the strongholds and the spice."""
    tokens = _sizes(choice.domain("tokens").values())
    elites = _few(choice.domain("elites").values())
    extras = {
        name: tuple(choice.domain(name).values()) for name in choice.names if name not in ("tokens", "elites", "to")
    }
    for to in choice.domain("to").values():
        if not _worth_going(view, to):
            continue
        for number in tokens:
            for elite in elites:
                if number + elite == 0:
                    continue
                more = {name: values[0] for name, values in extras.items()}
                if "elites_lost" in more:
                    more["elites_lost"] = min(values for values in extras["elites_lost"])
                yield choice.act(tokens=number, elites=elite, to=to, **more)


def ship(view: DuneSeatView, act: Any) -> Urgency:
    """Rate the board after the shipment, with its fee and the reserves spent."""
    troops = own_troops(view)
    lost = getattr(act, "elites_lost", 0)
    troops[act.to] = _plus(troops.get(act.to, NONE), (act.tokens, act.elites - lost, 0))
    me = side_of(view)
    reserve = RESERVE * contest.dial_strength(me, (act.tokens, act.elites, 0))
    fee = 0
    if not isinstance(act, acts.ShipNative):
        fee = (act.tokens + act.elites) * (1 if terrain[territory_of[act.to]] == "stronghold" else 2)
        if isinstance(act, acts.ShipPrivileged):
            fee = (fee + 1) // 2
    karama = 0.0
    if getattr(act, "karama", None):
        fee, karama = (fee + 1) // 2, 4.0
    return urgency(view, troops, spending.cost(view, fee) + reserve + karama)


def propose_crossings(view: DuneSeatView, choice: Choice) -> Iterator[Act]:
    """Propose crossings of the whole group, of half of it and of all but a garrison."""
    yield from _groups(view, choice, acts.ShipAcross)


def ship_across(view: DuneSeatView, act: acts.ShipAcross) -> Urgency:
    groups = _leaving(view, act)
    number = sum(sum(counts) for _, counts in groups)
    troops = _without(view, groups)
    if act.to == "reserves":
        return urgency(view, troops, spending.cost(view, (number + 1) // 2) - RESERVE * number)
    rate = 1 if terrain[territory_of[act.to]] == "stronghold" else 2
    troops[act.to] = _plus(troops.get(act.to, NONE), _total(groups))
    return urgency(view, troops, spending.cost(view, (number * rate + 1) // 2))


# --- manoeuvres and rides


def propose_manoeuvres(view: DuneSeatView, choice: Choice) -> Iterator[Act]:
    """Propose moves to strongholds, spice and shelter."""
    yield from _groups(view, choice, acts.Manoeuvre)


def manoeuvre(view: DuneSeatView, act: acts.Manoeuvre) -> Urgency:
    groups = _leaving(view, act)
    troops = _without(view, groups)
    troops[act.to] = _plus(troops.get(act.to, NONE), _total(groups))
    return urgency(view, troops, 0.05)


def stay(view: DuneSeatView, act: acts.Pass) -> Urgency:
    return urgency(view, own_troops(view), 0.0)


def propose_rides(view: DuneSeatView, choice: Choice) -> Iterator[Act]:
    """Propose rides with all tokens, or with all but some."""
    tokens, elites = choice.domain("tokens"), choice.domain("elites")
    assert isinstance(tokens, Alloc)
    assert isinstance(elites, Alloc)
    view.memo["riders' cells"] = tokens.slots
    for to in choice.domain("to").values():
        if _worth_going(view, to) or not view.table.get(f"blow/{to}", 0):
            for number in _sizes(range(tokens.low, tokens.high + 1)):
                for elite in _few(range(elites.low, elites.high + 1)):
                    yield acts.RideWorm(fill(tokens.caps, number), fill(elites.caps, elite), to)


def ride(view: DuneSeatView, act: acts.RideWorm) -> Urgency:
    cells = view.memo["riders' cells"]
    groups = [(cell, (n, elite, 0)) for cell, n, elite in zip(cells, act.tokens, act.elites, strict=True) if n or elite]
    troops = _without(view, groups)
    troops[act.to] = _plus(troops.get(act.to, NONE), _total(groups))
    return urgency(view, troops, 0.05)


# --- helpers


def _groups(view: DuneSeatView, choice: Choice, act: type[Act]) -> Iterator[Act]:
    units = choice.domain("units")
    assert isinstance(units, Alloc)
    elites = [slot.endswith("/elites") for slot in units.slots]
    allocations = []
    for number in _sizes(range(units.low, units.high + 1)):
        allocations.append(fill(units.caps, number))
        if any(elites):
            order = sorted(range(len(elites)), key=lambda at: not elites[at])
            filled = fill([units.caps[at] for at in order], number)
            back = dict(zip(order, filled, strict=True))
            allocations.append(tuple(back[at] for at in range(len(elites))))
    for origin in choice.domain("origin").values():
        for to in choice.domain("to").values():
            if _worth_going(view, to):
                for allocation in dict.fromkeys(allocations):
                    yield act(origin, allocation, to)


def _worth_going(view: DuneSeatView, cell: str) -> bool:
    """Keep strongholds, spice, the reserves, and the first cell of sheltered territories."""
    if cell == "reserves":
        return True
    territory = territory_of[cell]
    if territory in contest.strongholds(view) or view.table.get(f"blow/{cell}", 0):
        return True
    return terrain[territory] in ("rock", "polar_sink") and cells_of[territory][0] == cell


def _leaving(view: DuneSeatView, act: Any) -> list[tuple[str, Counts]]:
    """Return the tokens that leave each cell: the units of an act stand in the order of cells and kinds."""
    part = part_of(act.origin, view.storm)
    numbers = iter(act.units)
    groups = []
    for cell, counts in view.on_board(side_of(view)):
        if cell in part:
            taken = tuple(next(numbers) if n else 0 for n in counts)
            groups.append((cell, (taken[0], taken[1], taken[2])))
    return groups


def _without(view: DuneSeatView, groups: Iterable[tuple[str, Counts]]) -> dict[str, Counts]:
    troops = own_troops(view)
    for cell, counts in groups:
        have = troops[cell]
        troops[cell] = (have[0] - counts[0], have[1] - counts[1], have[2] - counts[2])
    return troops


def _total(groups: Iterable[tuple[str, Counts]]) -> Counts:
    """Return all tokens of a group; those that coexisted are ordinary where they arrive."""
    tokens = elites = 0
    for _, counts in groups:
        tokens += counts[0] + counts[2]
        elites += counts[1]
    return (tokens, elites, 0)


def _plus(counts: Counts, more: Counts) -> Counts:
    return (counts[0] + more[0], counts[1] + more[1], counts[2] + more[2])


def _sizes(numbers: Iterable[int]) -> list[int]:
    found = list(numbers)
    return [number for number in found if number in _SIZES or number in (0, found[-1], found[-1] - 1)]


def _few(numbers: Iterable[int]) -> list[int]:
    found = list(numbers)
    return sorted({found[0], found[len(found) // 2], found[-1]})


def fill(caps: Sequence[int], number: int) -> tuple[int, ...]:
    """Return an allocation of a number, the first slots first."""
    left, filled = number, []
    for cap in caps:
        filled.append(min(cap, left))
        left -= filled[-1]
    return tuple(filled)
