"""Three and four players: House Atreides draws Fremen cards, partners give up cards together, Cones of Silence."""

from collections.abc import Iterator, Sequence
from typing import Final

from landsraad_engine.arrakis.acts import OpenCone
from landsraad_engine.arrakis.hooks import Query
from landsraad_engine.arrakis.partners import partner
from landsraad_engine.arrakis.seating import MAHDI
from landsraad_engine.arrakis.sides import SIDES
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.arrakis.zones import CONE, CONES
from landsraad_engine.kernel.frames import Flow, Frame, rule, step
from landsraad_engine.kernel.grammar import Choice
from landsraad_engine.kernel.overrides import Source
from landsraad_engine.kernel.plays import Play

#: What the corrected editions let House Atreides do.
passing_cards = Source("fremen cards of house atreides")


@passing_cards.modifies(Query.DECKS_OPEN)
@rule("WFA-G.23", "WFA-G.65")
def both_decks(g: ArrakisState, decks: tuple[str, ...], seat: int) -> tuple[str, ...]:
    """House Atreides may draw Fremen cards, too, and hands them to its partner."""
    return (*decks, "fremen_ally") if decks == ("house_atreides",) else decks


# ---- Cones of Silence ----


@rule("WFA-G.19", "WFA-G.52")
def cones(g: ArrakisState, seat: int) -> Iterator[Choice]:
    """Discarding a token of a shared faction, unless its partners are conferring already."""
    side = g.side(seat)
    if g.table.get(CONES[side]) and CONE[side] not in g.table:
        yield Choice(OpenCone, why="WFA-G.19")


class Cone(Frame):
    """A token is discarded in the open; its faction's partners may talk in private from now on."""

    seat: int

    @step("WFA-G.19", "WFA-G.52", "WFA-G.53")
    def discard(f, g: ArrakisState) -> Flow:
        side = g.side(f.seat)
        g.set_mark(CONES[side], g.table[CONES[side]] - 1 or None)
        g.set_mark(CONE[side], True)
        return None


@rule("WFA-G.20", "WFA-G.52")
def close_cones(g: ArrakisState) -> None:
    """A turn or a phase is over, and with it what may be said in private."""
    for side in SIDES:
        if CONE[side] in g.table:
            g.set_mark(CONE[side], None)


@rule("WFA-G.18", "WFA-G.19", "WFA-G.52", "WFA-G.53")
def talks(g: ArrakisState, seat: int) -> Sequence[int]:
    """Return with whom a seat may talk in private now: with its partner, while a Cone of Silence is open.

    Those who play against the Mahdi talk freely: no player is there from whom they could hide anything.
    """
    if g.options.get(MAHDI):
        return tuple(other for other in range(g.setting.seats) if other != seat)
    side = g.table.get(f"side/{seat}")
    return (partner(g, seat),) if side is not None and CONE[side] in g.table else ()


PLAYS: Final = (Play(OpenCone, cones, lambda seat, _: Cone(seat=seat)),)

FRAMES = (Cone,)
