"""The automaton: its pseudo-seat, and the questions that the humans answer in its name."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from msgspec.structs import astuple

from landsraad_engine.arrakis.desert_hazards import DesertHazards
from landsraad_engine.arrakis.sides import ATREIDES
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.domains import Domain
from landsraad_engine.kernel.frames import Flow, Frame, rule
from landsraad_engine.kernel.grammar import Act, Alloc, Choice, OneOf, Range, Subset

#: The seat in frames of what the automaton does: nobody sits there, so it is asked nothing.
AUTOMATON: Final = -1


@rule("WFA-Y.2", "WFA-Y.6")
def humans(g: ArrakisState) -> tuple[int, ...]:
    """Return the seats that choose for the automaton: all of them, in Desert Hazards that of the Fremen Ally."""
    seats = g.seats_of(ATREIDES)
    if len(seats) > 1 and any(type(frame) is DesertHazards for frame in g.stack):
        return tuple(seat for seat in seats if "fremen_ally" in g.powers(seat))
    return seats


def _only(value: Any) -> Domain:
    """Return the domain that holds one value."""
    match value:
        case bool() | str():
            return OneOf((value,))
        case int():
            return Range(value, value)
        case tuple() if value and isinstance(value[0], int):
            return Alloc(slots=tuple(map(str, range(len(value)))), caps=value, low=sum(value), high=sum(value))
        case _:
            return Subset(value, len(value), len(value))


def exactly(act: Act) -> Choice:
    """Return the choice of one act and no other."""
    domains: dict[str, Any] = dict(zip(act.__struct_fields__, map(_only, astuple(act)), strict=True))
    return Choice(type(act), **domains)


@rule("WFA-Y.5", "WFA-Y.6")
def in_its_name(g: ArrakisState, acts: Sequence[Act], why: str) -> Ask:
    """Ask the humans which of these acts the automaton does."""
    return Ask.any_of(humans(g), *map(exactly, acts), why=why)


@rule("WFA-Y.5", "WFA-Y.6")
def decide(f: Frame, g: ArrakisState, acts: Sequence[Any], carry_out: Callable[..., Flow], why: str) -> Flow:
    """Carry the only act out, or ask the humans which of those that tie."""
    different = tuple(dict.fromkeys(acts))
    if len(different) == 1:
        return carry_out(f, g, AUTOMATON, different[0])
    return in_its_name(g, different, why)
