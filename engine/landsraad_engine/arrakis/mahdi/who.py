"""The legions that an action of the automaton is for."""

from landsraad_engine.arrakis.hooks import Permit
from landsraad_engine.arrakis.sides import HARKONNEN, NOBODY, Figures
from landsraad_engine.arrakis.terms import AreaId
from landsraad_engine.arrakis.words import ArrakisState, Legion
from landsraad_engine.kernel.frames import Frame, rule

#: Figures that have come to an area by the action that goes on: area, units, named leaders, tokens.
Contingent = tuple[AreaId, Figures, tuple[str, ...], tuple[str, ...]]


class ByAutomaton(Frame):
    """An action that moves or attacks, with the legions it is for."""

    #: only a legion with a leader
    led: bool = False
    #: only a legion with such a unit (its place in the stack); -1: any legion
    unit: int = -1
    #: only the legion with this named leader
    holding: str = ""
    #: only legions in these areas; empty: anywhere
    sources: tuple[AreaId, ...] = ()


@rule("WFA-Y.59", "WFA-Y.73")
def acting(f: ByAutomaton, g: ArrakisState, permit: Permit, moved: tuple[Contingent, ...] = ()) -> dict[AreaId, Legion]:
    """Return the legions that an action is for, without the figures that have moved by it."""
    holder = g.bearer(f.holding) if f.holding else ""
    found = {}
    for area in g.board.names(g.survey().harkonnen):
        legion = unmoved(g, area, moved)
        if (f.sources and area not in f.sources) or not legion.size:
            continue
        if (f.led and not legion.leaders) or (holder and holder not in legion.named):
            continue
        if f.unit >= 0 and not legion.units[f.unit]:
            continue
        if g.allowed(permit, HARKONNEN, area, default=True):
            found[area] = legion
    return found


@rule("WFA-Y.81")
def unmoved(g: ArrakisState, area: AreaId, moved: tuple[Contingent, ...]) -> Legion:
    """Return what of the legion in an area has not moved in this action."""
    legion = g.legion(HARKONNEN, area)
    units, named, tokens = legion.units, legion.named, list(legion.tokens)
    for where, gone, leaders, laid in moved:
        if where == area:
            units = _less(units, gone)
            named = tuple(leader for leader in named if leader not in leaders)
            for token in laid:
                if token in tokens:
                    tokens.remove(token)
    return Legion(units, named, tuple(tokens))


def _less(units: Figures, gone: Figures) -> Figures:
    regular, elite, special, leader = (max(0, there - out) for there, out in zip(units or NOBODY, gone, strict=True))
    return regular, elite, special, leader
