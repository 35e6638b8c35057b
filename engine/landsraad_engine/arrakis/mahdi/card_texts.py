"""Planning cards as the automaton plays them: their texts, each a row of parts that are carried out in order.

A card is one line in the module of its deck; the parts that several cards have in common stand in `card_parts`.
"""

from collections.abc import Callable
from typing import Final, NamedTuple

from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.kernel.frames import Frame, rule


class Part(NamedTuple):
    """One part of a text: if it would change something, and what carries it out, or gives the frame that does."""

    possible: Callable[[ArrakisState], bool]
    carry_out: Callable[[ArrakisState], Frame | None]


class SoloText(NamedTuple):
    """One text of a card, with the statement that describes it and the condition under which it holds."""

    rule: str
    parts: tuple[Part, ...]
    when: Callable[[ArrakisState], bool]


_TEXTS: Final[dict[str, tuple[SoloText, ...]]] = {}


def _always(g: ArrakisState) -> bool:
    return True


def card(name: str, rule: str, *parts: Part, when: Callable[[ArrakisState], bool] = _always) -> None:
    """Note a text of a card. Of several the first that holds when it is played is carried out."""
    _TEXTS[name] = (*_TEXTS.get(name, ()), SoloText(rule, parts, when))


@rule("WFA-Y.103")
def text_of(g: ArrakisState, name: str) -> int:
    """Return which of a card's texts holds now, -1 if none does."""
    return next((n for n, text in enumerate(_TEXTS.get(name, ())) if text.when(g)), -1)


def text(name: str, number: int) -> SoloText:
    """Return one of the texts of a card; the one without parts, if it has none that holds."""
    return _TEXTS[name][number] if number >= 0 else _NOTHING


_NOTHING: Final = SoloText("WFA-Y.103", (), _always)
