"""The Family Atomics: a Mountain becomes a Desert for good, and what stood there has to leave."""

from collections.abc import Iterator
from typing import Final

from landsraad_engine.arrakis.acts import Detonate, Displace
from landsraad_engine.arrakis.battle.casualties import under_way
from landsraad_engine.arrakis.free_actions import may_act_freely
from landsraad_engine.arrakis.legions import Settle, dissolve, relocate
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN, OPPONENT, SIDES
from landsraad_engine.arrakis.terms import MARKERS, AreaId
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.arrakis.worms import EnterWormsign
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.frames import END, Call, Flow, Frame, rule, step
from landsraad_engine.kernel.grammar import Choice, OneOf
from landsraad_engine.kernel.plays import Play

# ---- As a free action ----


@rule("WFA-H.39", "WFA-H.41", "WFA-H.52", "WFA-H.57")
def detonating(g: ArrakisState, seat: int) -> Iterator[Choice]:
    """The Atreides may set off the Atomics, from step 8 on; not while figures are under way."""
    armed = "atomics" not in g.table and any(g.marker(m) >= g.content.prescience_track.atomics_step for m in MARKERS)
    if not armed or g.side(seat) != ATREIDES or under_way(g):
        return
    if may_act_freely(g, seat, "atomics"):
        yield tokens(g)


def tokens(g: ArrakisState) -> Choice:
    """The three tokens."""
    return Choice(Detonate, why="WFA-H.41", area=OneOf(tuple(g.content.atomics)))


PLAYS: Final = (Play(Detonate, detonating, lambda seat, act: Detonation(seats=(seat,), area=act.area)),)

# ---- What happens then ----


class Detonation(Frame):
    """One of the three tokens is laid, where ``seats`` say; once in the game."""

    seats: tuple[int, ...]
    area: AreaId = ""

    @step("WFA-H.41")
    def where(f, g: ArrakisState) -> Flow:
        if "atomics" in g.table:
            return END
        return None if f.area else Ask.any_of(f.seats, tokens(g), why="WFA-H.41")

    @where.answer
    def there(f, g: ArrakisState, seat: int, act: Detonate) -> Flow:
        f.area = act.area
        return None

    @step("WFA-H.41", "WFA-H.42", "WFA-H.47")
    def lay_token(f, g: ArrakisState) -> Flow:
        g.set_mark("atomics", f.area)
        return None

    @step("WFA-H.43")
    def legion(f, g: ArrakisState) -> Flow:
        side = next((side for side in SIDES if g.size(side, f.area)), "")
        return DisplaceLegion(side=side, area=f.area) if side else END


class DisplaceLegion(Frame):
    """A legion cannot stay: its opponent moves all of it to a free area next door; without one it is destroyed."""

    side: str
    area: AreaId
    target: AreaId = ""

    @step("WFA-H.43")
    def where(f, g: ArrakisState) -> Flow:
        areas = g.board.names(g.board.adjacent[f.area] & ~g.survey().barred(f.side))
        if not areas:
            fallen = dissolve(g, f.side, f.area)
            return Call(fallen, "over") if fallen else END
        return Ask.any_of(g.seats_of(OPPONENT[f.side]), Choice(Displace, area=OneOf(areas)), why="WFA-H.43")

    @where.answer
    def there(f, g: ArrakisState, seat: int, act: Displace) -> Flow:
        f.target = act.area
        relocate(g, f.side, f.area, f.target)
        return None

    @step("WFA-S.28", "WFA-H.53")
    def settle(f, g: ArrakisState) -> Flow:
        return Settle(side=f.side, area=f.target)

    @step("WFA-M.50")
    def wormsign(f, g: ArrakisState) -> Flow:
        return EnterWormsign(area=f.target) if f.side == HARKONNEN else None

    @step()
    def over(f, g: ArrakisState) -> Flow:
        return END


FRAMES = (Detonation, DisplaceLegion)
