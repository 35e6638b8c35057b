"""Planning cards: their texts, each a row of deeds that are carried out in order.

A card is one line of its deck's module, or one decorator if a part of it is not like parts of other cards. Which cards
there are, how many of each and what they are called stands in the content files.
"""

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from landsraad_engine.arrakis.hooks import Query
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.kernel.frames import Frame
from landsraad_engine.kernel.overrides import Source

#: One part of a card for a seat: does it, or gives the frame that does it.
CardPart: TypeAlias = Callable[[ArrakisState, int], Frame | None]
#: When a text of a card holds, for a seat.
CardCondition: TypeAlias = Callable[[ArrakisState, int], bool]


def always(g: ArrakisState, seat: int) -> bool:
    return True


class CardText(NamedTuple):
    """One text of a card, and the statement that describes it."""

    rule: str
    deeds: tuple[CardPart, ...]
    when: CardCondition = always


class Deck(Source):
    """The cards of a deck. Of several texts of one card the first that holds when it is played is carried out."""

    def __init__(self, name: str, *needs: str) -> None:
        super().__init__(name, *needs)
        self.texts: dict[str, tuple[CardText, ...]] = {}
        self.modifies(Query.EFFECTS)(self._texts)

    def _texts(self, g: ArrakisState, value: tuple[CardText, ...], card: str) -> tuple[CardText, ...]:
        return self.texts.get(card, value)

    def card(
        self, name: str, rule: str, *deeds: CardPart, when: CardCondition = always
    ) -> Callable[[CardPart], CardPart]:
        """Note a card's text. As a decorator: what it decorates is the last part."""
        texts = self.texts.get(name, ())
        self.texts[name] = (*texts, CardText(rule, deeds, when))

        def and_then(deed: CardPart) -> CardPart:
            self.texts[name] = (*texts, CardText(rule, (*deeds, deed), when))
            return deed

        return and_then
