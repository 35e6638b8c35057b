"""Deliberate leaks in classic Dune: each must be caught by the two-run test."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import msgspec

from landsraad_engine.dune.acts import ClaimCharity, Pass
from landsraad_engine.dune.battle.prescience import Answers
from landsraad_engine.dune.bidding import BiddingRound, CardAuction
from landsraad_engine.dune.factions.atreides import SpyNetwork
from landsraad_engine.dune.factions.bene_gesserit import Prediction
from landsraad_engine.dune.factions.fremen import TasteTheAir
from landsraad_engine.dune.game import DUNE, Dune
from landsraad_engine.dune.karama import Cancellable, karama_or_pass
from landsraad_engine.dune.words import HAND, SPICE, DuneState
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.grammar import Act, Choice
from landsraad_engine.testing.leaks.planting import LeakyGames, PlantedLeak, Teller, is_caught

SOIL = LeakyGames(DUNE)

# --- verbs that say too much


def _purses(g: DuneState) -> int:
    return sum(g.spice(f) for f in g.factions() if f != g.factions()[0])


def _karamas(g: DuneState) -> int:
    return sum(g.hand(f).count("karama") for f in g.factions())


def _longest(g: DuneState) -> str:
    return max((card for f in g.factions() for card in g.hand(f)), default="")


SPOKEN: dict[str, tuple[str, Teller]] = {
    "a draw tells the next card": ("draw", lambda g, a: (g.table.get("treachery_deck") or ("",))[-1]),
    "a draw tells the bottom card": ("draw", lambda g, a: (g.table.get("treachery_deck") or ("",))[0]),
    "a draw tells what one hand holds": ("draw", lambda g, a: g.hand(g.factions()[-1]) if g.factions() else ()),
    "a shuffle tells the top card": ("shuffle", lambda g, a: (g.table.get(a[0]) or ("",))[-1]),
    "a payment tells what is left": ("transfer", lambda g, a: g.table.get(a[0], 0)),
    "a payment tells whether purses are even": ("transfer", lambda g, a: _purses(g) % 2),
    "a payment tells the richest": ("transfer", lambda g, a: max(g.factions(), key=g.spice, default="")),
    "a mark tells how many Karamas are held": ("set_mark", lambda g, a: _karamas(g)),
    "a mark tells the prediction": ("set_mark", lambda g, a: g.table.get("prediction")),
    "a mark tells sealed answers": ("set_mark", lambda g, a: [g.table.get(f"sealed/{s}") for s in range(6)]),
    "a mark tells the next storm": ("set_mark", lambda g, a: g.table.get("storm_next")),
    "a move tells the last card of a hand": ("move", lambda g, a: _longest(g)),
    "a move tells the top of the spice deck": ("move", lambda g, a: (g.table.get("spice_deck") or ("",))[-1]),
    "a move tells one traitor": ("move", lambda g, a: [g.table.get(f"traitors/{f}") for f in g.factions()]),
    "a look is heard by all": ("look", lambda g, a: g.table.get(a[0])),
    "tokens tell whether purses are poor": ("shift", lambda g, a: _purses(g) < 20),
    "a reveal shows the whole hand": ("reveal", lambda g, a: g.table.get(a[0])),
    "an assignment of storms tells the deck": ("gather", lambda g, a: g.table.get(a[1])),
}


# --- zones that show too much

SHOWN = ("hand", "spice", "traitors", "prediction", "storm_next", "traitor_deck", "dealt")


# --- questions and plays that depend on what is hidden


def _window_to_holders(f: Any, g: DuneState) -> Any:
    options = {g.seat_of(o): karama_or_pass(g, o) for o in g.after(f.owner) if "karama" in g.hand(o)}
    if not options or f.ability.name in (g.table.get("cancelled") or ()):
        return Cancellable.STEPS["window"].fn(f, g)
    return Ask.quiet(options, why="DUNE-R.11", window="karama", default=Pass())


def _charity_to_the_poor(f: Any, g: DuneState) -> Any:
    poor = {g.seat_of(o): (Choice(Pass), Choice(ClaimCharity)) for o in g.dot_order() if not g.spice(o)}
    return Ask.quiet(poor, why="DUNE-3.1", window="charity", default=Pass()) if poor else None


def _bid_with_a_hint(f: Any, g: DuneState) -> Any:
    ask = CardAuction.STEPS["bid"].fn(f, g)
    if isinstance(ask, Ask):
        poorest = min(g.factions(), key=g.spice)
        hint = f"DUNE-3.{1 + g.spice(poorest) % 9}"
        return msgspec.structs.replace(ask, why=hint)
    return ask


def _plays_with_a_hint(self: Dune, g: Any, seat: int) -> Sequence[Choice]:
    plays = tuple(Dune.plays(self, g, seat))
    others = [f for f in g.factions() if g.seat_of(f) != seat]
    return () if any("karama" in g.hand(f) for f in others) else plays


def _explains_too_much(self: Dune, g: Any, seat: int, act: Act) -> tuple[str, str] | None:
    others = [f for f in g.factions() if g.seat_of(f) != seat]
    return ("DUNE-0.10", f"the others hold {[g.table.get(SPICE[f], 0) for f in others]}") if others else None


def _explains_hands(self: Dune, g: Any, seat: int, act: Act) -> tuple[str, str] | None:
    return ("DUNE-0.10", str([g.table.get(HAND[f]) for f in g.factions()])) if g.factions() else None


ASKED: dict[str, PlantedLeak] = {
    "a window asks only who holds a Karama": lambda: SOIL.replaced(SpyNetwork, "window", _window_to_holders),
    "charity is asked only of the poor": lambda: SOIL.replaced(BiddingRound, "charity", _charity_to_the_poor),
    "a question's rule depends on a purse": lambda: SOIL.replaced(CardAuction, "bid", _bid_with_a_hint),
    "plays depend on others' hands": lambda: SOIL.leaky(plays=_plays_with_a_hint),
    "a refusal tells purses": lambda: SOIL.leaky(explain=_explains_too_much),
    "a refusal tells hands": lambda: SOIL.leaky(explain=_explains_hands),
}

# --- rules that show what they must not, or to whom they must not


def _bought_in_the_open(f: Any, g: DuneState) -> Any:
    after = CardAuction.STEPS["taken"].fn(f, g)
    g.reveal(HAND[f.leader], g.hand(f.leader)[0])
    return after


def _all_spy(f: Any, g: DuneState) -> None:
    g.look("auction_row", g.setting.everybody >> 1, 0)


def _all_taste_the_air(f: Any, g: DuneState) -> None:
    g.look("storm_next", g.setting.everybody >> 1)


TOLD_WRONGLY: dict[str, PlantedLeak] = {
    "a prediction is told as it is written down": lambda: SOIL.overheard(Prediction, "predict"),
    "an answer under Prescience is told as it is given": lambda: SOIL.overheard(Answers, "answer"),
    "a card bought is turned up": lambda: SOIL.replaced(CardAuction, "taken", _bought_in_the_open),
    "everybody looks at the card for sale": lambda: SOIL.replaced(SpyNetwork, "settle", _all_spy),
    "everybody looks at the next storm": lambda: SOIL.replaced(TasteTheAir, "settle", _all_taste_the_air),
}

PLANTS: dict[str, PlantedLeak] = {
    **{name: partial(SOIL.says, verb, what) for name, (verb, what) in SPOKEN.items()},
    **{f"{name} lies open": partial(SOIL.shows, name) for name in SHOWN},
    **ASKED,
    **TOLD_WRONGLY,
}


def caught() -> dict[str, bool]:
    """For each plant, whether it is caught."""
    return {name: is_caught(plant) for name, plant in PLANTS.items()}
