"""The rulebook's words for reading the table: the same for the true state and for what a seat sees of it."""

from __future__ import annotations

from typing import Any, Final

from landsraad_engine.kernel.state import State
from landsraad_engine.knowledge.views import SeatView
from landsraad_engine.teaching.zones import BANDS, WELLS

Counts = tuple[int, int]

# Keys are made once: making strings is most of what reading a place would cost.
HAND: Final = {band: f"hand/{band}" for band in BANDS}
WATER: Final = {band: f"water/{band}" for band in BANDS}
CAMP: Final = {band: f"camp/{band}" for band in BANDS}
SAND: Final = {band: f"sand/{band}" for band in BANDS}
OMEN: Final = {band: f"omen/{band}" for band in BANDS}
POINTS: Final = {band: f"points/{band}" for band in BANDS}
WELL: Final = {well: {band: f"{well}/{band}" for band in BANDS} for well in WELLS}
SPRING: Final = "spring"
DISCARD: Final = "discard"


class Words:
    """Reading the table in the words of the rules. Writes nothing."""

    __slots__ = ()

    table: dict[str, Any]

    @property
    def round(self) -> int:
        number: int = self.table.get("round", 0)
        return number

    @property
    def worm(self) -> str | None:
        """The band at whose camp the worm lies."""
        band: str | None = self.table.get("worm")
        return band

    def order(self) -> tuple[str, ...]:
        """The bands in play, from the first of this round on."""
        table = self.table
        bands = tuple(table[key] for key in (f"side/{seat}" for seat in range(len(BANDS))) if key in table)
        first: int = table.get("first", 0)
        return bands[first:] + bands[:first]

    def finds(self, band: str) -> tuple[str, ...]:
        """The finds in a band's hand ("?" where they are not seen)."""
        found: tuple[str, ...] = self.table.get(HAND[band], ())
        return found

    def water(self, band: str) -> int:
        amount: int = self.table.get(WATER[band], 0)
        return amount

    def camp(self, band: str) -> Counts:
        counts: Counts = self.table.get(CAMP[band], (0, 0))
        return counts

    def at_well(self, well: str, band: str) -> Counts:
        counts: Counts = self.table.get(WELL[well][band], (0, 0))
        return counts

    def points(self, band: str) -> int:
        total: int = self.table.get(POINTS[band], 0)
        return total


class TeachingSeatView(Words, SeatView):
    """The view of one seat."""

    __slots__ = ()


class TeachingState(Words, State):
    """The state of a match, with the words of the rules and the verbs that they share."""

    __slots__ = ()

    def pay(self, band: str, amount: int, rule: str = "") -> None:
        """Pour water into the spring."""
        self.transfer(WATER[band], SPRING, amount, rule)

    def gain(self, band: str, amount: int, rule: str = "") -> None:
        """Draw water from the spring."""
        self.transfer(SPRING, WATER[band], amount, rule)

    def score(self, band: str, more: int) -> None:
        self.set_mark(POINTS[band], self.points(band) + more)

    def remake_deck(self) -> None:
        """An empty deck is remade from the discards (TEACH-2.6)."""
        if not self.table.get("deck"):
            self.gather(DISCARD, "deck", "TEACH-2.6")
            self.shuffle("deck", "TEACH-2.6")
