"""The deals that the negotiator offers: peace for a turn, bought, sold or mutual."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from landsraad_bots.players import side_of
from landsraad_engine.dune.acts import ProposeDeal
from landsraad_engine.dune.board import STRONGHOLDS, cells_of
from landsraad_engine.dune.words import DuneSeatView

#: The most partners to whom offers are weighed in a turn.
_PARTNERS: Final = 2
#: The price of peace, in spice.
_PRICE: Final = 3


def offers(view: DuneSeatView) -> Iterator[ProposeDeal]:
    """Yield the offers to be weighed: to those who hold most, about the weakest stronghold of either side."""
    me, now = side_of(view), view.turn
    mine = _weakest(view, me)
    rivals = [each for each in view.factions() if each != me and each not in view.allies(me)]
    rivals.sort(key=lambda each: -sum(view.holder(place) == each for place in STRONGHOLDS))
    for partner in rivals[:_PARTNERS]:
        theirs = _weakest(view, partner)
        if mine and theirs:
            yield ProposeDeal(partner, i_shun=theirs, i_shun_until=now, you_shun=mine, you_shun_until=now)
        if mine and view.spice(me) >= _PRICE:
            yield ProposeDeal(partner, i_pay=_PRICE, you_shun=mine, you_shun_until=now)
        if theirs:
            yield ProposeDeal(partner, i_shun=theirs, i_shun_until=now, you_pay=_PRICE)


def _weakest(view: DuneSeatView, faction: str) -> str:
    """Return the stronghold that a faction holds with fewest tokens; empty if it holds none."""
    held = [place for place in STRONGHOLDS if view.holder(place) == faction]
    return min(held, key=lambda place: sum(view.tokens_in(faction, cells_of[place])), default="")
