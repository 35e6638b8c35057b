"""Seating: the halves that each seat leads, by the number of seats and the options `mahdi` and `shared`."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from landsraad_engine.arrakis.sides import ATREIDES, DASHBOARD, HARKONNEN, POWERS
from landsraad_engine.arrakis.terms import EditionId, Faction
from landsraad_engine.errors import BadOption
from landsraad_engine.kernel.frames import rule


class SeatRole(NamedTuple):
    """The side that a seat leads; ``powers`` is empty for a whole faction."""

    side: str
    powers: tuple[str, ...] = ()


#: The option by which the game plays the Harkonnen, and the one that says which faction of three seats is shared.
MAHDI: Final = "mahdi"
SHARED: Final = "shared"
#: Editions that have the solo mode.
WITH_MAHDI: Final[tuple[EditionId, ...]] = ("exclusive", "v1_1")


def _whole(side: str) -> tuple[SeatRole, ...]:
    return (SeatRole(side),)


def _halves(side: str) -> tuple[SeatRole, ...]:
    return tuple(SeatRole(side, (power,)) for power in POWERS[side])


_DUEL: Final = (*_whole(HARKONNEN), *_whole(ATREIDES))
_MAHDI: Final = {1: _whole(ATREIDES), 2: _halves(ATREIDES)}
_THREE: Final[Mapping[Faction, tuple[SeatRole, ...]]] = {
    "harkonnen": (*_halves(HARKONNEN), *_whole(ATREIDES)),
    "atreides": (*_whole(HARKONNEN), *_halves(ATREIDES)),
}
_FOUR: Final = (*_halves(HARKONNEN), *_halves(ATREIDES))

#: Numbers of seats by which the game can be played.
NUMBERS: Final = (1, 2, 3, 4)


@rule("WFA-G.1", "WFA-G.2", "WFA-G.3", "WFA-G.4", "WFA-G.88")
def seating(options: Mapping[str, Any], seats: int) -> tuple[SeatRole, ...]:
    """Return what each seat leads, in the order of the seats."""
    if options.get(MAHDI):
        return _MAHDI[seats]
    if seats == 3:
        return _THREE[options[SHARED]]
    return _FOUR if seats == 4 else _DUEL


@rule("WFA-G.87")
def settle_seating(options: dict[str, Any], given: Mapping[str, Any], seats: int) -> None:
    """Check the options of seating against each other, and take out those that do not apply to this match.

    Raises:
        BadOption: they do not go together.

    """
    if seats == 1:
        if MAHDI in given and not options[MAHDI]:
            raise BadOption(MAHDI, "one seat plays against the game: it cannot be turned off")
        options[MAHDI] = True
    if options[MAHDI]:
        if seats > 2:
            raise BadOption(MAHDI, f"it is played by 1 or 2 seats, not {seats}")
        if options["edition"] not in WITH_MAHDI:
            raise BadOption(MAHDI, f"{options['edition']} has no solo mode")
    else:
        del options[MAHDI]
    if seats != 3:
        if SHARED in given:
            raise BadOption(SHARED, f"it says which faction of three seats is shared; there are {seats}")
        del options[SHARED]


@rule("WFA-G.7")
def dashboards_of(roles: tuple[SeatRole, ...], side: str) -> tuple[str, ...]:
    """Return the dashboards of a side: its own, or those of its halves. The game's own side has its usual one."""
    powers = tuple(role.powers[0] for role in roles if role.side == side and role.powers)
    return powers or (DASHBOARD[side],)
