"""Shipments and manoeuvres: few proposals, each scored by the territories that it touches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random
from typing import Any, Final

from landsraad_bots.greedy.dune import position
from landsraad_bots.greedy.dune.player import shipment_fee, units_of
from landsraad_bots.quick.dune.territories import TerritoryWorths, is_interesting
from landsraad_engine.dune import acts
from landsraad_engine.dune.board import POLAR_SINK
from landsraad_engine.dune.shipment import TO_RESERVES
from landsraad_engine.dune.words import DuneSeatView
from landsraad_engine.kernel.domains import Alloc
from landsraad_engine.kernel.grammar import Act, Choice

#: The most proposals of a choice.
MOST: Final = 12
#: The least risk of the storm from which tokens look for shelter.
_STORM: Final = 0.3


def ship(view: DuneSeatView, act: Any, choice: Choice, why: str) -> float:
    """Score a shipment as greedy does."""
    lost = getattr(act, "elites_lost", 0)
    gain = TerritoryWorths.of(view).arrival(act.to, act.tokens, act.elites - lost)
    reserve: float = position.IN_RESERVE * (act.tokens + 2 * act.elites)
    return gain - reserve - position.spice_cost(view, shipment_fee(view, act))


def march(view: DuneSeatView, act: Any, choice: Choice, why: str) -> float:
    """Score a manoeuvre or a ride as greedy does."""
    return TerritoryWorths.of(view).march(units_of(act, choice), act.to)


def ship_across(view: DuneSeatView, act: acts.ShipAcross, choice: Choice, why: str) -> float:
    """Score a shipment from one place on the board to another as greedy does."""
    units = units_of(act, choice)
    return TerritoryWorths.of(view).march(units, act.to) - position.spice_cost(view, sum(act.units))


def ride(view: DuneSeatView, act: acts.RideWorm, choice: Choice, why: str) -> float:
    """Score a ride on a sandworm as greedy does."""
    domain = choice.domain("tokens")
    assert isinstance(domain, Alloc)
    units = [
        (cell, (n, elite, 0)) for cell, n, elite in zip(domain.slots, act.tokens, act.elites, strict=True) if n or elite
    ]
    return TerritoryWorths.of(view).march(units, act.to)


def propose_shipments(view: DuneSeatView, choice: Choice, rng: Random) -> Iterator[Act]:
    """Propose few, half and all tokens for each place with something to take."""
    kind: Any = choice.act
    others = [name for name in choice.names if name not in ("tokens", "elites", "to")]
    rest = [tuple(choice.domain(name).values())[:2] for name in others]
    sizes = [(tokens, elites) for tokens in _some(choice, "tokens") for elites in _ends(choice, "elites")]
    for to in _targets(view, choice):
        for tokens, elites in sizes:
            for values in _products(rest):
                act = kind(tokens=tokens, elites=elites, to=to, **dict(zip(others, values, strict=True)))
                if choice.fault(act) is None:
                    yield act


def propose_marches(view: DuneSeatView, choice: Choice, rng: Random) -> Iterator[Act]:
    """Propose to move all, half or one of the tokens to each place with something to take, or out of the storm."""
    kind: Any = choice.act
    domain = choice.domain("units")
    assert isinstance(domain, Alloc)
    caps = domain.caps
    groups = [caps, tuple(cap - cap // 2 for cap in caps), tuple(min(cap, 1) for cap in caps)]
    shelter = max((position.storm_risk(view, slot.rpartition("/")[0]) for slot in domain.slots), default=0.0) > _STORM
    for origin in choice.domain("origin").values():
        for to in _targets(view, choice, shelter=shelter):
            for units in dict.fromkeys(groups):
                act = kind(origin=origin, units=units, to=to)
                if choice.fault(act) is None:
                    yield act


def propose_rides(view: DuneSeatView, choice: Choice, rng: Random) -> Iterator[Act]:
    """Propose to ride with all tokens to each place with something to take."""
    tokens, elites = choice.domain("tokens"), choice.domain("elites")
    assert isinstance(tokens, Alloc)
    assert isinstance(elites, Alloc)
    for to in _targets(view, choice):
        act = acts.RideWorm(tokens=tokens.caps, elites=elites.caps, to=to)
        if choice.fault(act) is None:
            yield act


def _targets(view: DuneSeatView, choice: Choice, *, shelter: bool = False) -> list[str]:
    """Return the destinations with something to take."""
    cells = [str(cell) for cell in choice.domain("to").values() if cell != TO_RESERVES]
    found = [cell for cell in cells if is_interesting(view, cell)]
    if shelter:
        found += [cell for cell in cells if cell == POLAR_SINK or position.storm_risk(view, cell) == 0.0][:2]
    return found[:MOST]


def _some(choice: Choice, name: str) -> list[int]:
    """Return a few, half and all of a number."""
    values = list(choice.domain(name).values())
    most = values[-1]
    return sorted({values[0], most, most - most // 2, min(most, max(values[0], 2))}, reverse=True)


def _ends(choice: Choice, name: str) -> list[int]:
    """Return the least and the greatest value of a number."""
    values = list(choice.domain(name).values())
    return sorted({values[0], values[-1]})


def _products(rest: list[tuple[Any, ...]]) -> Iterable[tuple[Any, ...]]:
    """Return the combinations of the remaining fields."""
    combined: list[tuple[Any, ...]] = [()]
    for values in rest:
        combined = [(*head, value) for head in combined for value in values]
    return combined
