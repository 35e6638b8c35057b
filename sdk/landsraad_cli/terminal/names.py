"""Names and colours for the ids of a game."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from rich.text import Text

#: The number of a part at the end of an id.
_PART: Final = re.compile(r":([0-9]+)")
#: Joins the last two parts of an enumeration.
_AND: Final = " and "


def humanised(word: str) -> str:
    """Turn an id into words: "the_great_flat" -> "the great flat", "BiddingRound" -> "bidding round".

    A number after a colon is that of a part: "basin:8" -> "basin (8)".
    """
    spaced = "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in word)
    return _PART.sub(r" (\1)", spaced).replace("_", " ").replace("/", " ").strip()


class Names:
    """Titles for ids, and styles for some of them.

    ``units`` names the kinds of unit, singular and plural, for each stack, by the first word of its place; ``counted``
    names single kinds of things that are counted, by their ids.
    """

    def __init__(
        self,
        titles: Mapping[str, str],
        styles: Mapping[str, str],
        units: Mapping[str, Sequence[tuple[str, str]]] | None = None,
        counted: Mapping[str, tuple[str, str]] | None = None,
    ) -> None:
        self._titles = titles
        self._styles = styles
        self._units = units or {}
        self._counted = counted or {}

    def title(self, word: str) -> str:
        """Return the title of an id. A slot such as "basin:8/tokens" names its place and its kind of unit."""
        known = self._titles.get(word)
        if known is None and "/" in word:
            place, _, kind = word.rpartition("/")
            known = f"{self._plural(kind, 2)} in {self.title(place)}"
        return known or humanised(word)

    def _plural(self, kind: str, number: int) -> str:
        one, several = self._counted.get(kind) or (self.title(kind),) * 2
        return one if number == 1 else several

    def amount(self, number: int, slot: str) -> Text:
        """Format how many there are of what a slot counts: a kind of unit, units in a place, or one kind in a place."""
        many = Text(str(number), "bold")
        if "/" in slot:
            place, _, kind = slot.rpartition("/")
            return Text.assemble(many, f" {self._plural(kind, number)} in ", self.name(place))
        if slot in self._counted:
            return Text.assemble(many, f" {self._plural(slot, number)}")
        return (
            Text.assemble(many, " in ", self.name(slot))
            if slot in self._titles
            else Text(f"{number} {self.title(slot)}")
        )

    def name(self, word: str) -> Text:
        """Return the title of an id in its colour."""
        return Text(self.title(word), self._styles.get(word, ""))

    def style(self, word: str) -> str:
        """Return the colour of an id."""
        return self._styles.get(word, "")

    def say(self, value: Any) -> Text:
        """Format any plain value: titles for ids, enumerations for lists."""
        match value:
            case None | "":
                return Text("nothing")
            case bool():
                return Text("yes" if value else "no")
            case int():
                return Text(str(value), "bold")
            case str():
                return self.name(value)
            case tuple() | list():
                return self.listed(map(self.say, value))
            case _:
                return Text(str(value))

    def listed(self, parts: Iterable[Text]) -> Text:
        """Format an enumeration: a, b and c."""
        *most, last = [*parts] or [Text("nothing")]
        return Text(_AND).join([Text(", ").join(most), last]) if most else last

    def counted(self, stack: str, counts: Any) -> Text:
        """Format the numbers of each kind of unit: 7 tokens and 1 elite."""
        if isinstance(counts, int):
            return Text(f"{counts} spice", "bold")
        kinds = self._units.get(stack) or [(f"of kind {n}",) * 2 for n, _ in enumerate(counts)]
        return self.listed(
            Text(f"{number} {several if number != 1 else one}", "bold")
            for number, (one, several) in zip(counts, kinds, strict=False)
            if number
        )
