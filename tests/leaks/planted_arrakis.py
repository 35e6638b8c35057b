"""Deliberate leaks in War for Arrakis: each must be caught by the two-run test."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import msgspec

from landsraad_engine.arrakis.acts import Done
from landsraad_engine.arrakis.cards.play import playable
from landsraad_engine.arrakis.game import ARRAKIS, Arrakis
from landsraad_engine.arrakis.muster import DeployTokenAndLeader
from landsraad_engine.arrakis.prescience import UnclaimedCards
from landsraad_engine.arrakis.sides import HARKONNEN
from landsraad_engine.arrakis.words import ArrakisState
from landsraad_engine.arrakis.zones import AREAS, DECKS, SIETCH, STATION, TOKENS
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.grammar import Act, Choice
from landsraad_engine.testing.leaks.planting import LeakyGames, PlantedLeak, Teller, is_caught

SOIL = LeakyGames(ARRAKIS)

# --- verbs that say too much


def _top(pile: str, at: int = -1) -> Teller:
    return lambda g, _: (g.table.get(pile) or ("",))[at]


def _hidden(g: ArrakisState, keys: Mapping[str, str]) -> list[Any]:
    return [g.table[keys[area]] for area in AREAS if keys[area] in g.table]


def _goals(g: ArrakisState) -> list[int]:
    """How far the Atreides are from the secret objective."""
    objectives = [g.content.objective[each] for each in g.table.get("objectives", ())]
    return [each.jihad - g.marker("jihad") for each in objectives]


SPOKEN: dict[str, tuple[str, Teller]] = {
    "a draw tells the next planning card": ("draw", _top("deck/corrino_ally")),
    "a draw tells the bottom of a deck": ("draw", _top("deck/fremen_ally", 0)),
    "a draw tells the next prescience card": ("draw", _top("prescience_deck")),
    "a draw tells what is in the bag": ("draw", lambda g, _: sorted(g.table.get("bag", ()))),
    "a draw tells a hand": ("draw", lambda g, _: g.hand(0)),
    "a shuffle tells the top piece": ("shuffle", lambda g, a: (g.table.get(a[0]) or ("",))[-1]),
    "a roll tells the next wormsign": ("rolls", _top("wormsigns")),
    "a mark tells the objective": ("set_mark", lambda g, _: g.table.get("objectives")),
    "a mark tells how near the objective is": ("set_mark", lambda g, _: _goals(g)),
    "a mark tells an objective put away": ("set_mark", _top("objectives_away")),
    "a mark tells the ranks of the Sietches": ("set_mark", lambda g, _: _hidden(g, SIETCH)),
    "a mark tells sealed answers": ("set_mark", lambda g, _: [g.table.get(f"sealed/{s}") for s in range(2)]),
    "a mark tells standing orders": ("set_mark", lambda g, _: [g.table.get(f"orders/{s}") for s in range(2)]),
    "a mark tells one card of a hand": ("set_mark", lambda g, _: max(g.hand(1), default="")),
    "a move tells the stations": ("move", lambda g, _: _hidden(g, STATION)),
    "a move tells whether a hand can be played": ("move", lambda g, _: bool(playable(g, 0))),
    "a move tells which tokens are lost": ("move", lambda g, _: g.table.get("tokens_lost")),
    "figures tell the tokens beside them": ("shift", lambda g, _: _hidden(g, TOKENS)),
    "a reveal tells the other Sietches": ("reveal", lambda g, _: _hidden(g, SIETCH)),
    "a payment tells the next station": ("transfer", lambda g, _: _hidden(g, STATION)[-1:]),
    "a wormsign's return tells the bag": ("gather", _top("bag")),
    "a check tells by how much it failed": ("declare", lambda g, _: _goals(g)),
}

# --- zones that show too much

SHOWN = (
    *(f"hand_{deck}" for deck in DECKS),
    *("tokens", "sietch", "station", "wormsign", "drawn_token", "tokens_lost", "apart_tokens"),
    *("objectives", "objectives_away"),
)


# --- questions and plays that depend on what is hidden


def _cards_that_are_needed(f: Any, g: ArrakisState) -> Any:
    """What becomes of unclaimed cards is asked only if the next one would help with the objective."""
    helps = len(str((g.table.get("prescience_deck") or ("",))[-1])) % 2
    return UnclaimedCards.STEPS["choose"].fn(f, g) if helps else None


def _bag_with_a_hint(f: Any, g: ArrakisState) -> Any:
    """The rule quoted tells the token that will be drawn."""
    ask = DeployTokenAndLeader.STEPS["begin"].fn(f, g)
    if not isinstance(ask, Ask):
        return ask
    hint = f"WFA-A.{1 + ord((g.table.get('bag') or 'a')[-1][-1]) % 9}"
    return msgspec.structs.replace(ask, why=hint)


def _plays_with_a_hint(self: Arrakis, g: Any, seat: int) -> Sequence[Choice]:
    plays = tuple(Arrakis.plays(self, g, seat))
    tokens = str(_hidden(g, TOKENS))
    return () if g.side(seat) == HARKONNEN and tokens.count("_1") > tokens.count("_2") else plays


def _talks_of_cards(self: Arrakis, g: Any, seat: int) -> Sequence[Choice]:
    others = [card for other in range(2) if other != seat for card in g.hand(other)]
    return (Choice(Done),) if len(set(others)) > 2 else ()


def _explains_tokens(self: Arrakis, g: Any, seat: int, act: Act) -> tuple[str, str] | None:
    return ("WFA-S.16", f"there lie {_hidden(g, TOKENS)}")


def _explains_the_deck(self: Arrakis, g: Any, seat: int, act: Act) -> tuple[str, str] | None:
    return ("WFA-S.16", str((g.table.get("deck/house_atreides") or ("",))[-1]))


ASKED: dict[str, PlantedLeak] = {
    "a question is put if the deck is worth it": lambda: SOIL.replaced(
        UnclaimedCards, "choose", _cards_that_are_needed
    ),
    "a question's rule depends on the bag": lambda: SOIL.replaced(DeployTokenAndLeader, "begin", _bag_with_a_hint),
    "plays depend on the tokens": lambda: SOIL.leaky(plays=_plays_with_a_hint),
    "talks depend on the others' hands": lambda: SOIL.leaky(talks=_talks_of_cards),
    "a refusal tells the tokens": lambda: SOIL.leaky(explain=_explains_tokens),
    "a refusal tells the next card": lambda: SOIL.leaky(explain=_explains_the_deck),
}

PLANTS: dict[str, PlantedLeak] = {
    **{name: partial(SOIL.says, verb, what) for name, (verb, what) in SPOKEN.items()},
    **{f"{name} lies open": partial(SOIL.shows, name) for name in SHOWN},
    **ASKED,
}


def caught() -> dict[str, bool]:
    """For each plant, whether it is caught."""
    return {name: is_caught(plant) for name, plant in PLANTS.items()}
