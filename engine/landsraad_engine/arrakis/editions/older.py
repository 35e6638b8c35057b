"""Rules common to the older books: the 2022 rulebook, and the Exclusive Edition without the corrections."""

from landsraad_engine.arrakis.hooks import Permit, Query
from landsraad_engine.arrakis.sides import LEADER
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.kernel.frames import rule
from landsraad_engine.kernel.overrides import Source

source = Source("older books")


@source.permits(Permit.FLY_AGAIN)
@rule("WFA-M.22")
def fly_again(g: ArrakisState) -> bool:
    """The limit of one flight a turn is a correction."""
    return True


@source.modifies(Query.LEADERS_EXCHANGED)
@rule("WFA-R.10")
def while_generic_leaders_last(g: ArrakisState, value: int, side: str) -> int:
    """An exchange needs a generic leader to put in place."""
    return min(value, g.supply(side)[LEADER])


@source.forbids(Permit.WORM_FROM_BOARD)
@rule("WFA-H.8", "WFA-H.10")
def figures_off_the_board_first(g: ArrakisState) -> bool:
    """A worm is taken from elsewhere only if there is no other."""
    return True
