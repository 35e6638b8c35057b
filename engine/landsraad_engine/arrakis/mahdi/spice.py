"""Spice as the automaton spends it."""

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Final

from landsraad_engine.arrakis.acts import SpendSpice
from landsraad_engine.arrakis.bans import steps
from landsraad_engine.arrakis.harvesting import FALL, KEEP, RAISE, SpiceHarvesting, spend
from landsraad_engine.arrakis.mahdi.automaton import decide
from landsraad_engine.arrakis.tracks import GainSupremacy
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.arrakis.zones import IMPERIUM
from landsraad_engine.kernel.frames import Flow, rule, step

#: Supremacy points for spice that no marker needs.
POINTS: Final = 1


@rule("WFA-Y.149", "WFA-Y.152")
def lowest(markers: Mapping[str, int], number: int) -> Iterator[frozenset[str]]:
    """Yield the ways to take so many of the markers, the lowest first."""
    order = sorted(markers, key=lambda power: markers[power])
    if number >= len(order):
        yield frozenset(order)
        return
    limit = markers[order[number - 1]] if number else -1
    below = [power for power in order if markers[power] < limit]
    level = [power for power in order if markers[power] == limit]
    for some in combinations(level, number - len(below)):
        yield frozenset((*below, *some))


@rule("WFA-Y.149", "WFA-Y.150", "WFA-Y.151", "WFA-Y.152")
def ways_to_spend(g: ArrakisState, total: int) -> list[SpendSpice]:
    """Return the ways to spend spice: markers are kept, the lowest first, then raised; the rest goes to the Reserve."""
    spice = g.content.spice
    markers = {power: int(g.table[key]) for power, key in IMPERIUM.items()}
    top = steps(g.content)[1]
    kept = min(len(markers), total // spice.keep)
    rest = total - kept * spice.keep
    room = {power: at for power, at in markers.items() if at < top} if kept == len(markers) else {}
    if kept == len(markers) and not room and rest:
        return [SpendSpice(KEEP, KEEP, KEEP, stockpile=True, reserve=0)]
    raised = min(len(room), rest // (spice.raise_ - spice.keep))
    rest -= raised * (spice.raise_ - spice.keep)
    acts = []
    for keeping in lowest(markers, kept):
        for raising in lowest(room, raised):
            orders = [RAISE if power in raising else KEEP if power in keeping else FALL for power in IMPERIUM]
            acts.append(_orders(orders, min(rest, spice.reserve)))
    return acts


def _orders(orders: list[str], reserve: int) -> SpendSpice:
    by_power = dict(zip(IMPERIUM, orders, strict=True))
    return SpendSpice(**by_power, stockpile=False, reserve=reserve)


@step("WFA-Y.149", "WFA-Y.150", "WFA-Y.151", "WFA-Y.152")
def decide_spice(f: SpiceHarvesting, g: ArrakisState) -> Flow:
    """Spend what there is, the Reserve included."""
    return decide(f, g, ways_to_spend(g, g.get("spice") + g.get("reserve")), spend, "WFA-Y.152")


decide_spice.answer(spend)


@step("WFA-Y.150", "WFA-Y.151")
def score(f: SpiceHarvesting, g: ArrakisState) -> Flow:
    """Score for spice beyond what all markers need on the top step: there is no Stockpiling otherwise."""
    return GainSupremacy(points=POINTS) if f.stockpiled else None
