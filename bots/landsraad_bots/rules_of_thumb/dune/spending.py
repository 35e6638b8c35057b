"""Spending: bids for treachery cards and revival. Spice is kept for the shipment first."""

from __future__ import annotations

from typing import Any, Final

from landsraad_bots.players import side_of
from landsraad_bots.rules_of_thumb.dune import contest
from landsraad_bots.rules_of_thumb.dune.cards import price
from landsraad_bots.rules_of_thumb.priorities import Urgency
from landsraad_engine.dune import acts
from landsraad_engine.dune.pieces import BENE_GESSERIT, EMPEROR, FACTION, FREMEN, GUILD, KWISATZ_HADERACH, STRENGTH
from landsraad_engine.dune.words import NONE, RESERVES, DuneSeatView
from landsraad_engine.kernel.zones import HIDDEN

#: The spice that each faction keeps for its shipment. The Fremen land for free; the Guild earns while others ship.
_SAVED: Final = {FREMEN: 0, GUILD: 3, EMPEROR: 4, BENE_GESSERIT: 4}
_SAVED_BY_OTHERS: Final = 5
#: The worth of a token that comes back, and of a leader by strength, in spice.
_TOKEN: Final = 1.7
_ELITE: Final = 2.8
#: The worth of spice: the first so many in full, so many more at a part, and the rest at less.
_FULL, _MORE = 6, 6
_PART: Final = 0.7
_REST: Final = 0.4


def worth_of_spice(amount: float) -> float:
    """Return the worth of an amount of spice: the first is worth most."""
    full = min(amount, _FULL)
    more = min(max(0.0, amount - _FULL), _MORE)
    return full + _PART * more + _REST * max(0.0, amount - _FULL - _MORE)


def cost(view: DuneSeatView, spent: float) -> float:
    """Return the worth that is lost by spending spice."""
    have = view.spice(side_of(view))
    return worth_of_spice(have) - worth_of_spice(have - spent)


def bid(view: DuneSeatView, act: acts.Bid) -> Urgency:
    """Raise as little as possible, up to the price of the card and never with the spice for the shipment."""
    me = side_of(view)
    hand = view.hand(me)
    row = view.table.get("auction_row", ())
    worth = price(row[0] if row else HIDDEN, hand, me)
    spare = view.spice(me) - _saved(view, me, len(hand))
    good = act.amount <= spare and cost(view, act.amount) <= worth
    return (1.0, -float(act.amount)) if good else None


def _saved(view: DuneSeatView, me: str, cards: int) -> int:
    """Return the spice to be kept: less with an empty hand, which loses every battle, or with nothing to ship."""
    if not sum(view.table.get(RESERVES[me], NONE)):
        return 0
    saved = _SAVED.get(me, _SAVED_BY_OTHERS)
    return saved // 2 if cards < 2 else saved


def revive(view: DuneSeatView, act: Any) -> Urgency:
    """Take what is free; pay for leaders when few are left, and for tokens with spice to spare."""
    me = side_of(view)
    free: int = FACTION[me]["free_revivals"]
    paid = max(0, act.tokens + act.elites - free) * 2
    gained = _TOKEN * act.tokens + _ELITE * act.elites
    if act.leader is not None:
        strength = 2 if act.leader == KWISATZ_HADERACH else STRENGTH[act.leader]
        paid += strength
        alone = len(view.leaders(me)) < 2 or contest.best_leader(view, me) < strength - 1
        gained += 2.0 + strength * (1.5 if alone else 0.6)
    spice = view.spice(me)
    short = max(0, _saved(view, me, 2) - (spice - paid))
    return (gained - cost(view, paid) - 0.5 * short,)


def play_revival(view: DuneSeatView, act: Any) -> Urgency:
    """Play a card for a revival if it brings back a strong leader or five tokens."""
    gained = _TOKEN * act.tokens + _ELITE * act.elites
    if act.leader is not None:
        gained += 2.0 + (2 if act.leader == KWISATZ_HADERACH else STRENGTH[act.leader])
    return (1.0, gained) if gained >= 6 else None
