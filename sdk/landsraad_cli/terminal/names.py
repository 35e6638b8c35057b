"""Names: what the ids of a game are called, and in which colour they are written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from rich.text import Text

#: The end of an enumeration.
_AND: Final = " and "


def humanised(word: str) -> str:
    """An id as words: "the_great_flat" -> "the great flat", "BiddingRound" -> "bidding round"."""
    spaced = "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in word)
    return spaced.replace("_", " ").strip()


class Names:
    """What things are called: titles by id, and styles for some of them.

    ``units``: for each stack (by the first word of its place), what one and several of each kind are called.
    """

    def __init__(
        self,
        titles: Mapping[str, str],
        styles: Mapping[str, str],
        units: Mapping[str, Sequence[tuple[str, str]]] | None = None,
    ) -> None:
        self._titles = titles
        self._styles = styles
        self._units = units or {}

    def title(self, word: str) -> str:
        """A thing by its id, in plain letters."""
        return self._titles.get(word) or humanised(word)

    def name(self, word: str) -> Text:
        """A thing by its id, in its colour."""
        return Text(self.title(word), self._styles.get(word, ""))

    def style(self, word: str) -> str:
        """The colour of a thing."""
        return self._styles.get(word, "")

    def say(self, value: Any) -> Text:
        """Any plain value: ids by their names, lists as enumerations."""
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
        """An enumeration: a, b and c."""
        *most, last = [*parts] or [Text("nothing")]
        return Text(_AND).join([Text(", ").join(most), last]) if most else last

    def counted(self, stack: str, counts: Any) -> Text:
        """How many of each kind of unit: 7 tokens and 1 elite."""
        if isinstance(counts, int):
            return Text(f"{counts} spice", "bold")
        kinds = self._units.get(stack) or [(f"of kind {n}",) * 2 for n, _ in enumerate(counts)]
        return self.listed(
            Text(f"{number} {several if number != 1 else one}", "bold")
            for number, (one, several) in zip(counts, kinds, strict=False)
            if number
        )
