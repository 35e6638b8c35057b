"""Mahdi for tests: bare boards on which the game plays the Harkonnen.

solo = Solo().target("gara_kulon").deck("house_harkonnen", "sandmasters")
solo.legion("harkonnen", "carthag", regular=3)
solo.play_drawn("sandmasters")
"""

from __future__ import annotations

from typing import Any, Self

from landsraad_engine.arrakis.acts import ChooseTarget, ChooseTargets
from landsraad_engine.arrakis.mahdi.card_zones import DECKS, PLAYED
from landsraad_engine.arrakis.mahdi.mentat import PlayDrawnCard
from landsraad_engine.arrakis.mahdi.zones import (
    HARVESTING_CARD,
    REINFORCEMENTS,
    REINFORCEMENTS_ORDER,
    TARGET_CARD,
)
from landsraad_engine.arrakis.sides import ATREIDES, DASHBOARD, DIE, HARKONNEN, POOL
from landsraad_engine.arrakis.unseen import tokens_of
from landsraad_engine.arrakis.zones import DECK, DISCARD, GARRISON, SIETCH, SOLO, STARTING_SETS, box, deck_of
from landsraad_engine.testing.arrakis import War
from landsraad_engine.testing.scenarios.scenario import Goal


class Solo(War):
    """One position of Mahdi: seat 0 leads the Atreides, or with two seats House Atreides, seat 1 the Fremen Ally."""

    def __init__(self, *, seats: int = 1, **options: Any) -> None:
        super().__init__(seats=seats, mahdi=True, **options)
        self.put(SOLO, HARKONNEN)
        for name in STARTING_SETS:
            self.lay(name, *tokens_of(self.g.content, name))

    # --- Tactical cards

    def target(self, card: str, rank: int = 1) -> Self:
        """Let the Sietch of a Tactical card be the Target; a Sietch of this rank is laid there unless one lies."""
        area = self.g.content.tactical_card[card].sietch
        if SIETCH[area] not in self.g.table:
            self.sietch(area, rank)
        return self.lay(TARGET_CARD, card)

    def harvesting(self, card: str) -> Self:
        """Let the Sector of a Tactical card be the Harvesting Sector."""
        return self.lay(HARVESTING_CARD, card)

    # --- cards, dice, tokens

    def deck(self, deck: str, *cards: str) -> Self:
        """Let a deck hold these cards and no others, the first to be drawn first."""
        return self.lay(DECK[deck], *reversed(cards))

    def discards(self, deck: str, *cards: str) -> Self:
        """Let these cards of a deck have been discarded, the last of them last."""
        return self.lay(DISCARD[deck], *cards)

    def reinforcements(self, *cards: str) -> Self:
        """Let the Reinforcements deck hold these cards, top last."""
        for deck in DECKS:
            self.lay(REINFORCEMENTS[deck], *(card for card in cards if deck_of(self.g.content, card) == deck))
        return self.put(REINFORCEMENTS_ORDER, tuple(deck_of(self.g.content, card) for card in cards) or None)

    def pool_dice(self, number: int) -> Self:
        """Let the automaton have so many dice that are not rolled yet."""
        counts = [0, 0]
        counts[DIE] = number
        return self.put(box(DASHBOARD[HARKONNEN], POOL), tuple(counts) if number else None)

    def garrison(self, area: str, *, black: int = 0, silver: int = 0) -> Self:
        """Lay so many Harkonnen deployment tokens face down in an area, from the top of their pools."""
        for name, number in zip(STARTING_SETS, (black, silver), strict=True):
            pool = self.g.table.get(name, ())
            self.lay(GARRISON[name][area], *pool[len(pool) - number :])
            self.lay(name, *pool[: len(pool) - number])
        return self

    def play_drawn(self, card: str, *, until: Goal | None = None) -> Self:
        """Let the automaton play a planning card that it has drawn."""
        deck = deck_of(self.g.content, card)
        self.lay(PLAYED[deck], *self.g.table.get(PLAYED[deck], ()), card)
        return self.run(PlayDrawnCard(card=card), until=until)

    # --- the humans' choices

    def choose(self, effect: str, *targets: str, side: str = ATREIDES) -> Self:
        """Choose in the automaton's name among what ties."""
        several = any(isinstance(act, ChooseTargets) for act in self.legal(side))
        if several:
            return self.answer(side, ChooseTargets(effect, tuple(sorted(targets))))
        return self.answer(side, ChooseTarget(effect, *targets))

    def choices(self, effect: str, side: str = ATREIDES) -> set[str]:
        """Return the targets of an effect that are offered."""
        return {act.target for act in self.legal(side, ChooseTarget) if act.effect == effect}

    @property
    def reserve(self) -> list[str]:
        """The cards of the Reinforcements deck, top last."""
        left = {deck: list(self.g.table.get(REINFORCEMENTS[deck], ())) for deck in DECKS}
        order = self.g.table.get(REINFORCEMENTS_ORDER, ())
        return [left[deck].pop() for deck in reversed(order)][::-1]
