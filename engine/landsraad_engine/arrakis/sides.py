"""The two factions, what each of them is made of, and the kinds of figure in a stack."""

from collections.abc import Sequence
from typing import Final, get_args

from landsraad_engine.arrakis.terms import SIDE_OF, UNITS, ActionResult, SubFaction, Vehicle

HARKONNEN: Final = "harkonnen"
ATREIDES: Final = "atreides"
SIDES: Final = (HARKONNEN, ATREIDES)
OPPONENT: Final = {HARKONNEN: ATREIDES, ATREIDES: HARKONNEN}

#: The halves of each faction, which are also its decks of planning cards.
POWERS: Final[dict[str, tuple[SubFaction, ...]]] = {
    side: tuple(power for power, faction in SIDE_OF.items() if faction == side) for side in SIDES
}
#: The dashboard of a faction that one seat plays; the halves of a shared faction have one each, under their own names.
#: The dice of a shared faction that lie on neither (not rolled yet, or locked) keep their boxes here.
DASHBOARD: Final = {HARKONNEN: "giedi_prime", ATREIDES: "sietch_tabr"}
#: What a dashboard shows beside its action boxes: dice not rolled yet, dice locked by the spice row, used dice.
POOL: Final = "pool"
LOCKED: Final = "locked"
USED: Final = "used"
#: Dice that a small dashboard has no slot for, until their owner has changed their results.
ASIDE_DICE: Final = "set_aside"

#: Figures of a legion, in the order of a stack's counts. Generic leaders are counted, but they are not units.
FIGURES: Final = (*UNITS, "leader")
REGULAR, ELITE, SPECIAL, LEADER = range(4)
NOBODY: Final = (0, 0, 0, 0)
#: The generic leader of each side: Bashar and Naib.
GENERIC: Final = {HARKONNEN: "bashar", ATREIDES: "naib"}

VEHICLES: Final[tuple[Vehicle, ...]] = get_args(Vehicle)
HARVESTER, ORNITHOPTER, CARRYALL = range(3)
WORMS: Final = ("sandworm", "wild_maker")
SANDWORM, WILD_MAKER = range(2)
DICE: Final = ("die", "bene_gesserit")
DIE, TOKEN = range(2)

RESULTS: Final[tuple[ActionResult, ...]] = get_args(ActionResult)

Figures = tuple[int, int, int, int]


def one(kinds: Sequence[str], kind: int, number: int = 1) -> tuple[int, ...]:
    """The counts of a stack that holds so many of one of these kinds, and nothing of the others."""
    return tuple(number if k == kind else 0 for k in range(len(kinds)))
