"""Seating: two seats lead a faction each; three or four share one or both of them by halves."""

from typing import Final, NamedTuple

from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN


class SeatRole(NamedTuple):
    """The side that a seat leads; ``powers`` is empty for a whole faction."""

    side: str
    powers: tuple[str, ...] = ()


#: Number of seats -> what each of them leads.
SEATING: Final = {2: (SeatRole(HARKONNEN), SeatRole(ATREIDES))}
