"""The Wild Maker: a leader's card, and a sandworm for all other rules."""

from typing import Final

from landsraad_engine.arrakis.acts import Done, TameWildMaker, UseSpecial
from landsraad_engine.arrakis.elective import elective
from landsraad_engine.arrakis.hooks import Instead, Permit, Query, Timing
from landsraad_engine.arrakis.leaders.special import SpecialAction, is_open
from landsraad_engine.arrakis.operations.vocabulary import DriveWormRow
from landsraad_engine.arrakis.sides import ATREIDES, SANDWORM, WILD_MAKER, WORMS, one
from landsraad_engine.arrakis.terms import AreaId
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.arrakis.worms import CallWorm
from landsraad_engine.arrakis.zones import CARD, SPENT, WORM
from landsraad_engine.kernel.frames import Flow, Frame, rule, step
from landsraad_engine.kernel.grammar import Choice, OneOf
from landsraad_engine.kernel.overrides import Source

source = Source("wild_maker")

MAKER: Final = WORMS[WILD_MAKER]


def area_of_the_maker(g: ArrakisState) -> AreaId:
    """Return where the Wild Maker is, or ""."""
    return next((area for area in g.board.names(g.survey().worms) if g.get(WORM[area])[WILD_MAKER]), "")


# ---- Entering ----


@source.at(Timing.LEADER_ENTERS)
@rule("WFA-L.30", "WFA-L.31", "WFA-L.36")
def comes_at_once(g: ArrakisState, leader: str) -> Frame | None:
    """It comes to the board at once, with its card spent."""
    if leader != MAKER or not g.allowed(Permit.WILD_MAKER_COMES, default=True):
        return None
    g.set_mark(CARD[MAKER], SPENT)
    seat = next(seat for seat in g.seats_of(ATREIDES) if g.leader(MAKER).side in g.powers(seat))
    areas = g.query(Query.WILD_MAKER_AREAS, g.board.desert & ~g.survey().taken())
    return CallWorm(seat=seat, areas=g.board.names(areas), kinds=(MAKER,))


# ---- Its special action ----


@source.modifies(Query.DESERT_POWER)
@rule("WFA-A.30", "WFA-L.22", "WFA-L.37", "WFA-G.62")
def special_action(g: ArrakisState, choices: tuple[Choice, ...], seat: int) -> tuple[Choice, ...]:
    """A Desert Power action may be the one on its card, as a die's may be on another's."""
    if not is_open(g, MAKER) or g.leader(MAKER).side not in g.powers(seat):
        return choices
    enters = any(isinstance(row, DriveWormRow) and row.enters for row in g.leader(MAKER).special)
    if not enters and not area_of_the_maker(g):
        return choices
    return (*choices, Choice(UseSpecial, die=OneOf(("",)), leader=OneOf((MAKER,))))


@source.instead_of(Instead.DESERT_POWER)
@rule("WFA-A.30", "WFA-A.31")
def act_by_card(g: ArrakisState, seat: int, act: object) -> Frame | None:
    return SpecialAction(seat=seat, leader=act.leader) if isinstance(act, UseSpecial) else None


# ---- The end of the round ----


@source.at(Timing.END_OF_ROUND)
@rule("WFA-L.34")
def may_be_tamed(g: ArrakisState) -> Frame | None:
    """If there is an ordinary sandworm to take its place."""
    area = area_of_the_maker(g)
    return MakerStays(area=area) if area and g.get("worms")[SANDWORM] else None


class MakerStays(Frame):
    """The Atreides leave the Wild Maker where it is, or put an ordinary sandworm there."""

    area: AreaId

    @step("WFA-L.34")
    def choose(f, g: ArrakisState) -> Flow:
        return elective(g.seats_of(ATREIDES), Choice(TameWildMaker), why="WFA-L.34")

    @choose.answer
    def chosen(f, g: ArrakisState, seat: int, act: TameWildMaker | Done) -> Flow:
        if isinstance(act, TameWildMaker):
            g.shift(WORM[f.area], "worms", one(WORMS, WILD_MAKER))
            g.shift("worms", WORM[f.area], one(WORMS, SANDWORM))
        return None


FRAMES = (MakerStays,)
