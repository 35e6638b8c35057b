"""Counts of past events for cards that ask: in this turn, in this round, in the game."""

from landsraad_engine.arrakis.sides import Figures
from landsraad_engine.arrakis.terms import EVENTS, SPANS, UNITS, CountedEvent
from landsraad_engine.arrakis.words import ArrakisState, Words
from landsraad_engine.arrakis.zones import TALLY


def count(g: ArrakisState, event: CountedEvent, times: int = 1) -> None:
    """Note that something has happened."""
    turn, in_round, game = happened(g, event)
    g.set_mark(TALLY[event], (turn + times, in_round + times, game + times))


def happened(g: Words, event: CountedEvent) -> tuple[int, int, int]:
    """Return how often something has happened in this turn, this round and the game."""
    times: tuple[int, int, int] = g.table.get(TALLY[event], (0, 0, 0))
    return times


def won(g: ArrakisState, role: str, beaten: Figures) -> None:
    """Note a battle that the Atreides have won, and the kinds of unit in the legion that they beat."""
    kinds = tuple(kind for kind, number in zip(UNITS, beaten, strict=False) if number)
    for span in SPANS:
        g.set_mark(f"won/{span}", (*victories(g, span), (role, kinds)))


def victories(g: Words, span: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Battles that the Atreides have won in this turn, round or game: their role, and whom they beat."""
    battles: tuple[tuple[str, tuple[str, ...]], ...] = g.table.get(f"won/{span}", ())
    return battles


def new_turn(g: ArrakisState) -> None:
    """Forget what belonged to the last turn."""
    for event in EVENTS:
        if TALLY[event] in g.table:
            g.set_mark(TALLY[event], (0, *happened(g, event)[1:]))
    for key in ("won/turn", "ridden", "flown"):
        g.set_mark(key, None)


def new_round(g: ArrakisState) -> None:
    """Forget what belonged to the last round."""
    new_turn(g)
    for event in EVENTS:
        if TALLY[event] in g.table:
            g.set_mark(TALLY[event], (0, 0, happened(g, event)[2]))
    g.set_mark("won/round", None)
